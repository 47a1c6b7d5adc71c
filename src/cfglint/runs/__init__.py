"""A run: who starts it, the settings that it gets, and the memory that it needs."""
