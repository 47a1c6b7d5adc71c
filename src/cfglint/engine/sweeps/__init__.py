"""Sweep files: a config checked as each combination would run it."""
