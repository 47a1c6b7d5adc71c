"""The list of datasets that a project keeps beside its configs."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import mkdtemp

from cfglint import lint_file
from tests.draws import each

CONFIG = """\
stage: sft
do_train: true
finetuning_type: lora
model_name_or_path: a
template: qwen
dataset: {}
output_dir: out
"""
LISTED = {"acme/tickets": {"hf_hub_url": "acme/tickets"}}
SHIPPED = {name: {"file_name": f"{name}.json"} for name in ("identity", "alpaca_en_demo", "mine")}
OTHER = CONFIG.format("acme/tickets")


def found(folder: Path, name: str, files: dict[str, str]) -> list[str]:
    """The severities of what is said of a config with a dataset, beside some files."""
    folder = Path(mkdtemp(dir=folder))
    (folder / ".git").mkdir()
    files = {"train/run.yaml": CONFIG.format(name), **files}
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    report = lint_file(folder / "train/run.yaml")
    return [one.severity for one in report.diagnostics if one.code == "LLF053"]


def files(listed: object, **others: str) -> dict[str, str]:
    return {"train/dataset_info.json": json.dumps(listed), "train/other.yaml": OTHER, **others}


@each(
    ("name", "beside", "expected"),
    [
        ("acme/chats", files(LISTED), ["warning"]),
        ("acme/tickets", files(LISTED), []),
        # One of LLaMA-Factory's own, which the list of a checkout has beside these.
        ("identity", files(LISTED), []),
        # The list began as a copy of LLaMA-Factory's own.
        ("chats", {**files(SHIPPED), "train/other.yaml": CONFIG.format("mine")}, ["warning"]),
        # No other config shows that it is the list of this one.
        ("acme/chats", files({"acme/mails": LISTED["acme/tickets"]}), []),
        ("acme/chats", {"train/dataset_info.json": json.dumps(LISTED)}, []),
        # The run reads another one.
        ("acme/chats", files(LISTED, **{"data/dataset_info.json": '{"acme/chats": {}}'}), []),
        ("acme/chats", files(LISTED, **{"LLaMA-Factory/data/dataset_info.json": "{}"}), []),
        ("acme/chats\ndataset_dir: lists", files(LISTED), []),
        ("acme/chats\ndataset_dir: ONLINE", files(LISTED), []),
        # Something may add to it.
        ("acme/chats", files(LISTED, **{"add.py": "PATH = 'dataset_info.json'\n"}), []),
        ("acme/chats", files(LISTED, **{"add.sh": "cp all.json dataset_info.json\n"}), []),
        ("acme/chats", files(LISTED, **{"README.md": "See dataset_info.json.\n"}), ["warning"]),
        # It is no list.
        ("acme/chats", files([LISTED]), []),
    ],
)
def test_the_list_of_a_folder(
    tmp_path: Path, name: str, beside: dict[str, str], expected: list[str]
) -> None:
    assert found(tmp_path, name, beside) == expected


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(LISTED), encoding="utf-8")
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "dataset_info.json").symlink_to(outside)
    for name, text in {"run": CONFIG.format("acme/chats"), "other": OTHER}.items():
        (project / f"{name}.yaml").write_text(text, encoding="utf-8")
    assert "LLF053" not in [one.code for one in lint_file(project / "run.yaml").diagnostics]
