"""Starts real trainings of generated configs on a CPU, and compares how they end with cfglint."""
