"""Comparing cfglint's verdicts with those of other frameworks' own code, on generated files."""
