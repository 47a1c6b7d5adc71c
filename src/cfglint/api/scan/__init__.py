"""Findings of very many files as a table: `cfglint scan` (docs/scan.md).

`judging` has the central function: the rows of a batch in, findings out. A `worker` is a process
that runs it, a `guard` replaces a worker that crashes, a `shard` is a range of the input whose
result is one piece on the disk, and `local` or `on_ray` run the shards. pyarrow is
imported by the modules that need it, and by nothing outside of this package.
"""
