"""The versions and the hardware that a file is checked against."""
