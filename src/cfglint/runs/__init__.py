"""A run: who starts it, and the settings that it gets."""
