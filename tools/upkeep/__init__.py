"""New releases of the known packages, read into the tables, and told as a change to review."""
