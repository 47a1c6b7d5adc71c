"""JSON Schemas that a project's settings name: read, and held against its files."""
