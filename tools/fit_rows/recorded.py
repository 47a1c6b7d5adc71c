"""Runs that `tools.accelerator_runs` measured, as rows with their bounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from cfglint.engine.session import Options, Session
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.frameworks.trl.fit.planner import TrlPlanner
from cfglint.runs.memory.run import GIB, MemoryRun
from cfglint.runs.memory.terms import bound
from cfglint.runs.memory.values import Values
from cfglint.source.files.memory import InMemory
from cfglint.source.text import SourceText
from tools.fit_rows.compared import Compared

_FOLDER = "run"
_CONFIG = f"{_FOLDER}/config.yaml"
#: What a process of CUDA takes beside the tensors that torch allocates.
_CONTEXT = GIB // 2


def recorded(file: Path) -> list[Compared]:
    """The runs of a file that `tools.accelerator_runs` wrote, as far as they were completed."""
    told = json.loads(file.read_text(encoding="utf-8"))
    return [
        _compared(one, told["models"][one["model"]], told["versions"]["trl"])
        for one in told["runs"]
        if one["outcome"] == "completed"
    ]


def _compared(one: dict[str, Any], model: dict[str, Any], release: str) -> Compared:
    run = run_of(one["program"], one["config"], model, release)
    row = {
        "id": f"trl/{one['model']}, {one['name']}",
        "kind": "measured",
        "method": one["program"] if one["program"] != "sft" else _method(one["config"]),
        "peak": (one["reserved"] + _CONTEXT) / GIB,
        "unit": "GiB",
        "grad_ckpt": one["config"]["gradient_checkpointing"],
        "allocated": one["allocated"],
    }
    if str(one["config"].get("optim")).startswith("paged_"):
        # Their states are in managed memory, which torch's allocator does not count.
        run = run.replaced(usual=None)
    return Compared(row, run, bound(run))


def _method(config: dict[str, Any]) -> str:
    if not config.get("use_peft"):
        return "full"
    return "qlora" if config.get("load_in_4bit") or config.get("load_in_8bit") else "lora"


def run_of(program: str, config: dict[str, Any], model: dict[str, Any], release: str) -> MemoryRun:
    """The run of a TRL YAML with a model whose `config.json` is beside it."""
    written = {"model_name_or_path": "./model", "dataset_name": "acme/tickets", **config}
    text = yaml.safe_dump(written).encode()
    project = {
        f"{_FOLDER}/.git/HEAD": b"",
        f"{_FOLDER}/model/config.json": json.dumps(model).encode(),
        _CONFIG: text,
    }
    session = Session(Options(target=(f"trl=={release}",)), SettingsFinder(files=InMemory(project)))
    framework = session.framework("trl")
    target, around = session.environment(framework, session.settings(_CONFIG), _CONFIG)
    document = framework.language.read(SourceText.from_bytes(text))
    values = Values(document, framework, target.release)
    return TrlPlanner(program, values, around).run_of(values, 1, usual=False)
