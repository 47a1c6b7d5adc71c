"""What the project has for the values of keys: models, modules, files, plugins."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cfglint.server.keys import reader_at
from cfglint.server.offered import Offered, offered
from tests.draws import each
from tests.server.opening import BASE, DATA, opened

Place = tuple[str | int, ...]
FILES = {
    ".git/HEAD": "",
    "conf/ds.json": '{"zero_optimization": {"stage": 2}, "train_batch_size": "auto"}',
    "conf/other.json": '{"a": 1}',
    "conf/rows.jsonl": "",
    "conf/chat.jinja": "",
    "conf/UPPER.CSV": "",
    "models/own/config.json": '{"model_type": "llama", "hidden_size": 64}',
    "models/none/config.json": '{"a": 1}',
    "data/rows.jsonl": "",
    "data/rows.md": "",
    # None of these is for a config.
    "data/.hidden.jsonl": "",
    ".cache/rows.jsonl": "",
    "venv/rows.jsonl": "",
    # A project's files are looked for in five folders below its root, not in six.
    "1/2/3/4/5/rows.jsonl": "",
    "1/2/3/4/5/6/rows.jsonl": "",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with data, models and settings of DeepSpeed."""
    folder = tmp_path_factory.mktemp("offered")
    for name, text in FILES.items():
        path = folder / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    outside = folder / "outside"
    outside.mkdir()
    (outside / "rows.jsonl").write_text("")
    os.symlink(outside, folder / "project" / "data" / "linked")
    return folder / "project"


def values(project: Path, path: Place, text: str = BASE + DATA, **options: Any) -> list[Offered]:
    """What is offered at a path of the config `conf/train.yml`."""
    state, opened_text = opened(text, folder=project / "conf", **options)
    run = state.run(opened_text)
    assert run is not None
    return list(offered(reader_at(run, path), path))


ROWS = [
    *("UPPER.CSV", "ds.json", "other.json", "rows.jsonl"),
    *("data/rows.jsonl", "models/none/config.json", "models/own/config.json"),
    "1/2/3/4/5/rows.jsonl",
]


@each(
    ("path", "expected"),
    [
        # The nearest first, each as the config would name it.
        (("datasets", 0, "path"), ROWS),
        (("datasets", 0, "data_files"), ROWS),
        (("datasets", 0, "data_files", 0), ROWS),
        (("chat_template_jinja",), ["chat.jinja"]),
        (("base_model",), ["models/own"]),
        ((), []),
        (("lora_r",), []),
        (("datasets", 0, "type"), []),
        (("datasets",), []),
        # The sizes of a model that is not known.
        (("lora_target_modules", 0), []),
    ],
)
def test_values_of_the_project(project: Path, path: Place, expected: list[str]) -> None:
    assert [one.value for one in values(project, path)] == expected


def test_settings_of_deepspeed(project: Path) -> None:
    """A file is recognized by what is in it; those that come with the framework follow."""
    found = values(project, ("deepspeed",))
    assert found[0] == Offered("ds.json", "file of the project")
    assert [one.detail for one in found[1:]] == ["from Axolotl"] * (len(found) - 1)
    assert Offered("deepspeed_configs/zero2.json", "from Axolotl") in found


def test_modules_of_the_model(project: Path) -> None:
    known = BASE.replace("a/b", "meta-llama/Llama-3.1-8B") + DATA
    found = values(project, ("lora_target_modules", 0), known)
    assert {one.detail for one in found} == {"module of the model"}
    assert [one.value for one in found] == [
        *("down_proj", "gate_proj", "k_proj", "o_proj", "q_proj", "up_proj", "v_proj"),
    ]


@each(
    ("release", "there", "missing"),
    [
        ("0.18.0", "liger.LigerPlugin", ""),
        ("0.18.0", "diffusion.DiffusionPlugin", ""),
        ("0.5.0", "liger.LigerPlugin", "diffusion.DiffusionPlugin"),
    ],
)
def test_plugins_of_a_release(project: Path, release: str, there: str, missing: str) -> None:
    found = values(project, ("plugins", 0), target=(f"axolotl=={release}",))
    names = [one.value.removeprefix("axolotl.integrations.") for one in found]
    assert there in names
    assert missing not in names


def test_nothing_around_a_text_without_folder() -> None:
    state, opened_text = opened(BASE + DATA, folder="/nowhere/at/all")
    run = state.run(opened_text)
    assert run is not None
    path = ("datasets", 0, "path")
    assert not list(offered(reader_at(run, path), path))
