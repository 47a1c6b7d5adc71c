"""Readers of the files that state versions and hardware, one a file format."""
