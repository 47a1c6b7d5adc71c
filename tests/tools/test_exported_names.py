"""The names that a package has, read from its releases."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from tools.python_sources.sources import Release
from tools.trl_release.names import Names, exports, main, names_of, table

LAZY = """
from typing import TYPE_CHECKING
_import_structure = {"core": ["set_seed"], "trainer": ["SFTTrainer"]}
_import_structure["trainer"].extend(["OldTrainer"])
_import_structure["trainer"].append("Added")
if TYPE_CHECKING:
    from .core import set_seed
    from .trainer import OldTrainer as Renamed
"""


def release(**modules: str) -> Release:
    """A release of `pkg` with modules by their names below it; those that others are in are packages."""
    texts = {"pkg": modules.pop("root", "")}
    texts |= {f"pkg.{name.replace('__', '.')}": text for name, text in modules.items()}
    packages = {name for name in texts if any(one.startswith(f"{name}.") for one in texts)}
    return Release("1.0", texts, frozenset(packages | {"pkg"}))


def test_exports() -> None:
    assert exports(LAZY) == {"set_seed", "SFTTrainer", "OldTrainer", "Added", "Renamed"}


def test_names_of_a_module() -> None:
    text = (
        "import os\nfrom torch import nn\nfrom .core import helper\nLIMIT = 1\n_own = 2\n"
        "if LIMIT:\n    class A:\n        inner = 1\nelse:\n    def b():\n        local = 1\n"
    )
    found = names_of(release(core="", train=text), "pkg")
    assert found.surely == {
        *("core", "train", "train.helper", "train.LIMIT", "train.A", "train.b"),
    }
    # Imported by the way: not what the module is for.
    assert found.may_have("train.nn")


def test_a_package_that_lists_itself() -> None:
    root = "define_import_structure(__file__)\nfrom .models import *\n"
    model = '__all__ = ["Listed"]\nclass Listed:\n    pass\nclass Required:\n    pass\n'
    found = names_of(release(root=root, models="", models__a=model), "pkg")
    assert {"Listed", "models"} <= found.surely
    assert "Required" not in found.surely
    assert found.may_have("Required")


def test_a_module_that_takes_everything_may_have_any_name() -> None:
    found = names_of(release(a="from .b import *\n", b="class B:\n    pass\n"), "pkg")
    assert "a.B" not in found.surely
    assert found.may_have("a.B")


def test_table() -> None:
    found = {
        "0.9.0": Names({"always", "old", "twice", "BertTokenizerFast", "hidden"}),
        "0.10.0": Names({"always", "new", "m", "m.same"}, {"hidden"}),
        "0.11.0": Names({"always", "new", "twice", "brief", "m", "m.same", "m.own"}),
        "0.12.0": Names({"always", "new", "m", "m.same"}),
    }
    assert table(found) == {
        "brief": ["0.11.0", "0.12.0"],
        "m": ["0.10.0", None],
        "m.own": ["0.11.0", "0.12.0"],
        "new": ["0.10.0", None],
        "old": [None, "0.10.0"],
    }


def test_command(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for version, names in (("0.8.0", "A, B"), ("0.9.0", "A, C")):
        with zipfile.ZipFile(wheels / f"pkg-{version}-py3-none-any.whl", "w") as wheel:
            wheel.writestr("pkg/__init__.py", f"from .m import {names}\n")
            wheel.writestr("pkg/m.py", "")
            wheel.writestr(f"pkg-{version}.dist-info/METADATA", f"Name: pkg\nVersion: {version}\n")
    out = tmp_path / "names.json"
    assert main([str(wheels), str(out), "--package", "pkg"]) == 0
    assert json.loads(out.read_text("utf-8")) == {
        "pkg": {"B": [None, "0.9.0"], "C": ["0.9.0", None]}
    }
