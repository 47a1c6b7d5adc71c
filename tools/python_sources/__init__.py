"""Reads releases of Python packages as text: nothing of a release is imported or run.

What all frameworks share: archives and folders, names and values, pydantic models, the key history.
"""
