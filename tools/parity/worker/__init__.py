"""The part that runs inside a release's environment; it imports nothing of cfglint.

Only the standard library and what the release itself needs (pydantic, addict, PyYAML) are there.
"""
