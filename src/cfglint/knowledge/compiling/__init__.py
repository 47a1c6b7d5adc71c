"""From rule files to the modules that a run loads: models, reading, compiling."""
