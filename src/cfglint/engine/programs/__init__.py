"""What the calls of a program show together, and with the files that they are given."""
