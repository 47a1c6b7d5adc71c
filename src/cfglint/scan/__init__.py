"""Findings of very many files as a table: `cfglint scan` (docs/scan.md).

`judging` is the function that everything is about: the rows of a batch in, findings out. A
`worker` is a process that runs it, a `guard` sees to it that one lives, a `shard` is a stretch of
the input whose result is one piece on the disk, and `local` or `on_ray` run the shards. pyarrow is
imported by the modules that need it, and by nothing outside of this package.
"""
