"""The public API for Python programs; `cfglint` exports its names."""
