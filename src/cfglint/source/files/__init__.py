"""The files that a configuration names or depends on: models, data, and where to look for them."""
