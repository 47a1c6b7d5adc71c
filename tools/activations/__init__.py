"""Measures what training keeps in memory, as a check on the bound of `cfglint fit`."""
