"""What a release of LLaMA-Factory makes of the dataset that each of some projects names.

    PYTHONPATH=RELEASE python tools/framework_parity/worker/loaded_datasets.py FOLDER

prints JSON lines with `project`, `ok` and `error`. It is run on its own by a Python that has a release and
what this needs. `get_dataset_list` and `_load_single_dataset` are the release's own; a dataset of
which they skip all rows is refused, as it is later on. Data of a hub is not loaded, nor is a model.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any


def main() -> int:
    """Load the dataset `notes` of every project below a folder."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("HF_DATASETS_OFFLINE", "1")
    os.environ["DISABLE_VERSION_CHECK"] = "1"
    # For audio alone, which no project has.
    audio = ModuleType("torchaudio")
    audio.__spec__ = ModuleSpec("torchaudio", None)
    sys.modules.setdefault("torchaudio", audio)
    datasets = importlib.import_module("datasets")
    loader = importlib.import_module("llamafactory.data.loader")
    parser = importlib.import_module("llamafactory.data.parser")
    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory() as cache:
        for project in sorted(Path(sys.argv[1]).glob("p*")):
            error = _error_of(project, cache, loader, parser)
            row = {"project": project.name, "ok": not error, "error": error}
            print(json.dumps(row), flush=True)
    return 0


def _error_of(project: Path, cache: str, loader: Any, parser: Any) -> str:
    folder = str(project / "data")
    model = SimpleNamespace(cache_dir=f"{cache}/{project.name}", hf_hub_token=None)
    data = SimpleNamespace(
        dataset_dir=folder,
        media_dir=folder,
        image_dir=folder,
        streaming=False,
        max_samples=None,
        preprocessing_num_workers=None,
        overwrite_cache=True,
    )
    training = SimpleNamespace(local_process_index=0, dataloader_num_workers=0)
    try:
        (attributes,) = parser.get_dataset_list(["notes"], folder)
        loaded = loader._load_single_dataset(attributes, model, data, training)
        if not any(len(row.get("_prompt", row.get("prompt"))) % 2 for row in loaded):
            # What the processors of all stages make of rows that the converter skipped.
            return "RuntimeError: Cannot find valid samples"
    except Exception as error:
        cause = error.__cause__ or error.__context__
        inner = f" <- {type(cause).__name__}: {cause}" if cause is not None else ""
        return f"{type(error).__name__}: {error}{inner}"[:400] or "an error"
    return ""


if __name__ == "__main__":
    sys.exit(main())
