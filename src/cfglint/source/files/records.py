"""What a run leaves beside its results: its settings as it had them, which start nothing."""

from __future__ import annotations

import os
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.source.files.base import Files

#: What trainers write into the folder of a run or of a checkpoint.
_BESIDE = ("trainer_state.json", "training_args.bin", "trainer_log.jsonl", "all_results.json")
_CHECKPOINT: re.Pattern[str] = lazy_pattern(r"(?:checkpoint|global_step|step|epoch)[-_]\d+")
_SUFFIXES = (".json", ".yaml", ".yml")


def is_record(path: str, files: Files) -> bool:
    """Whether a file of settings lies among the results of a run: in a checkpoint, or beside what a trainer has written."""
    folder, name = os.path.split(path)
    if not name.endswith(_SUFFIXES):
        return False
    if _CHECKPOINT.fullmatch(os.path.basename(folder)):
        return True
    return any(files.has(os.path.join(folder, one)) for one in _BESIDE if one != name)
