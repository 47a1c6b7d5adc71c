"""Texts as the server's state has them, without an editor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cfglint.server.snapshot import OpenText
from cfglint.server.state import ServerState

BASE = "base_model: a/b\nmicro_batch_size: 2\nnum_epochs: 1\n"
DATA = "datasets:\n  - path: x\n    type: alpaca\n"


def opened(
    text: str,
    name: str = "train.yml",
    folder: Path | str = "/nowhere",
    **options: Any,
) -> tuple[ServerState, OpenText]:
    """A state with one open text."""
    options.setdefault("target", ("axolotl==0.18.0",) if name.endswith(".yml") else ())
    state = ServerState()
    state.configure(options)
    return state, state.texts.put(Path(folder, name).as_uri(), 1, text)
