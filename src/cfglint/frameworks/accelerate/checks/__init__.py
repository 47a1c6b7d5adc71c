"""Checks of accelerate files that no condition can express."""
