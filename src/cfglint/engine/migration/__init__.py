"""Migrating a text to another release."""
