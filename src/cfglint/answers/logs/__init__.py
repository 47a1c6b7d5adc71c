"""Logs of runs that failed: reading them, and what they are symptoms of."""
