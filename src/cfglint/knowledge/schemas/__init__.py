"""JSON Schemas that a project's settings name: read, and compared with its files."""
