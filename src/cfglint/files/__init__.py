"""The files that a configuration names or leans on: models, data, and where to look for them."""
