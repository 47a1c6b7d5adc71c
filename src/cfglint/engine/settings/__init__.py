"""Settings files and what they switch on."""
