"""The values that a run has may not be those that a file has: a program or a person fills them in."""
