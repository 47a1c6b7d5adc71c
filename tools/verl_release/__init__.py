"""Reads the configs that releases of verl ship into the tables of its keys."""
