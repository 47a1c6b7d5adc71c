"""Formats of the report of a check: one module each, with `render(run) -> str`."""
