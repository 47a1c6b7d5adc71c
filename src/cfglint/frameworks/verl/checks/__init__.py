"""Checks of verl's scripts."""
