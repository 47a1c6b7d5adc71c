"""Reads releases of accelerate as text, and keeps the table of what their config files may hold.

`sources` finds the modules of a release, `options` reads the launcher's command line, `handing`
what the launcher hands on as environment variables, `plugins` how the training process reads
them, `keys` joins these to one entry a key, and `table` folds releases into a history.
"""
