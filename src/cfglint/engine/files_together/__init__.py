"""The files that are checked together, and how they are found."""
