"""A launcher that is made up, with an option of each kind."""

from __future__ import annotations

from cfglint.knowledge.marks import Launcher

START = Launcher(
    name="start",
    commands=("start run", "startrun"),
    total=("num_processes",),
    each=("per_node",),
    machines=("nnodes",),
    settings="settings_file",
    flags=("multi_gpu", "quiet"),
    options=("main_port", "precision"),
)
