"""Compares the bound of `cfglint fit` with published measurements."""
