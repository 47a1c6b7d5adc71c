"""How programs make the rows that a trainer gets."""
