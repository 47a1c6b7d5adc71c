"""Trains with TRL on a GPU and measures its memory, as a check on `cfglint fit`."""
