"""What is read of LLaMA2-Accessory's sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cfglint.frameworks.accessory.models import ADAPTERS, FIELDS
from tools.accessory_release.__main__ import main, of_any
from tools.accessory_release.arguments import UnreadableArgumentsError, read
from tools.accessory_release.models import differences, read_models

PARSER = """
import torch
def get_args_parser():
    parser = argparse.ArgumentParser('x', add_help=False)
    parser.add_argument('--epochs', default=400, type=int)
    parser.add_argument('--lr', type=float, default=0.001, metavar='LR', help='rate')
    parser.add_argument('--out', default='./out')
    parser.add_argument('--files', default=[], nargs="*")
    parser.add_argument('--path', default=['/p'], type=str, nargs="+")
    parser.add_argument('--quant', action="store_true", default=False)
    parser.add_argument('--kind', type=str, default=None, choices=['a', 'b'])
    parser.add_argument('--pin_mem', action='store_true')
    parser.add_argument('--no_pin_mem', action='store_false', dest='pin_mem')
    parser.set_defaults(pin_mem=True, other=1)
    return parser
"""
MODEL = """
from dataclasses import dataclass
@dataclass
class ModelArgs:
    dim: int = 4096
    moe: dict = field(default_factory=dict)
    not_a_field = 3
class Transformer:
    is_peft = True
"""


def test_options_are_read_from_the_source() -> None:
    assert read(PARSER) == {
        "epochs": {"type": "int", "default": 400},
        "files": {"type": "list<str>", "default": []},
        "kind": {"type": "literal", "enum": ["a", "b"]},
        "lr": {"type": "float", "default": 0.001},
        "out": {"type": "str", "default": "./out"},
        "no_pin_mem": {"type": "bool"},
        "path": {"type": "list<str>", "constraints": {"min_length": 1}, "default": ["/p"]},
        "pin_mem": {"type": "bool", "default": True},
        "quant": {"type": "bool", "default": False},
    }


@pytest.mark.parametrize(
    "odd",
    [
        "parser.add_argument('name')",
        "parser.add_argument('--x', action='append')",
        "parser.add_argument('--x', type=lambda text: text)",
        "parser.add_argument('--x', nargs='?')",
    ],
)
def test_what_is_not_understood_is_said(odd: str) -> None:
    with pytest.raises(UnreadableArgumentsError):
        read(f"def get_args_parser():\n    {odd}\n")
    with pytest.raises(UnreadableArgumentsError):
        read("x = 1\n")


def test_what_two_programs_differ_in_is_left_open() -> None:
    kinds: dict[str, dict[str, Any]] = {
        "a": {"x": {"type": "int", "default": 1}, "y": {"type": "int"}},
        "b": {"x": {"type": "int", "default": 2}},
    }
    assert of_any(kinds) == {"x": {"type": "int"}, "y": {"type": "int"}}


def test_fields_of_models(tmp_path: Path) -> None:
    (tmp_path / "llama.py").write_text(MODEL)
    (tmp_path / "__init__.py").write_text("")
    assert read_models(tmp_path) == {"llama": (True, frozenset({"dim", "moe"}))}


def test_differences_from_what_cfglint_knows() -> None:
    known = {name: (name in ADAPTERS, fields) for name, fields in FIELDS.items()}
    assert differences(known) == []
    other = {**known, "new": (False, frozenset()), "llama": (True, frozenset({"dim"}))}
    del other["falcon"]
    assert differences(other) == ["falcon", "llama", "new"]


def test_tables_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "accessory"
    (source / "model" / "LLM").mkdir(parents=True)
    (tmp_path / "rules" / "tables").mkdir(parents=True)
    assert main([str(tmp_path), "--rules", str(tmp_path / "rules")]) == 2
    for kind in ("finetune", "pretrain"):
        (source / f"main_{kind}.py").write_text(PARSER)
    assert main([str(tmp_path), "--rules", str(tmp_path / "rules")]) == 1
    table = json.loads((tmp_path / "rules" / "tables" / "finetune.json").read_text())
    assert table["keys"]["lr"] == {"since": "2024.5.24", "type": "float", "default": 0.001}
    assert "models.py differs: falcon" in capsys.readouterr().out
