"""Whether a run may start: what its command names, what is found in it, whether it fits."""
