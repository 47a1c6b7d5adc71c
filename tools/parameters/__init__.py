"""Counts the parameters of models as transformers builds them, for the tests of `cfglint.runs.memory`."""
