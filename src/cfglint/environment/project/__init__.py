"""Versions and hardware stated in a project's files, one reader per file format."""
