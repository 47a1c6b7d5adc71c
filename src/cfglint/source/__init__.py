"""Files to bytes to text to a positioned document. Knows no framework and no rule."""
