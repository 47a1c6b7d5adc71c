"""Changes the source at random, and asks whether a test notices.

`python -m tools.mutate --help` says how it is run.
"""
