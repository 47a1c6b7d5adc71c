"""What releases import from each other, read from their texts."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from tools.python_sources.sources import Release
from tools.release_imports.cli import table, with_unnamed
from tools.release_imports.eager import Eager, Wanted
from tools.release_imports.having import Having
from tools.release_imports.margin import margin
from tools.release_imports.releases import releases
from tools.release_imports.required import required
from tools.release_imports.table import history, runs

LAZY = """\
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from .trainer import SFTTrainer
else:
    sys.modules[__name__] = _LazyModule(__name__)
"""


def release(modules: dict[str, str], version: str = "0.1") -> Release:
    packages = {one for one in modules if any(two.startswith(f"{one}.") for two in modules)}
    return Release(version, modules, frozenset(packages))


def trl(text: str) -> Release:
    modules = {
        "trl": LAZY,
        "trl.trainer": LAZY.replace(".trainer", ".sft_trainer"),
        "trl.trainer.other": "from transformers import Old",
        "trl.trainer.sft_trainer": text,
    }
    return release(modules)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from transformers import Old", {"Old"}),
        ("from transformers.a.b import C as D", {"a.b.C"}),
        ("import transformers.a.b", {"a.b"}),
        ("from ..trainer import other", {"Old"}),
        ("from .other import x", {"Old"}),
        ("with warnings.catch_warnings():\n    from .other import x", {"Old"}),
        ("if is_torch_available():\n    from transformers import Old", {"Old"}),
        ("try:\n    from transformers import Old\nexcept ImportError: pass", set()),
        ("if is_transformers_version('>=', '5'):\n    from transformers import Old", set()),
        ("if TYPE_CHECKING:\n    from transformers import Old", set()),
        ("def f():\n    from transformers import Old", set()),
        ("from transformers import *", set()),
    ],
)
def test_what_importing_a_name_imports(text: str, found: set[str]) -> None:
    wanted = Eager(trl(text), "trl").wanted("trl:SFTTrainer")
    assert {one.name for one in wanted} == found


def test_what_has_to_be_installed_for_an_import() -> None:
    text = "if is_peft_available() and is_torch_available():\n    from peft import X\n"
    assert Eager(trl(text), "trl").wanted("trl:SFTTrainer") == {
        Wanted("peft", "X", frozenset({"peft"}))
    }


def test_an_accelerate_that_counts_from_a_release_on() -> None:
    text = "if is_accelerate_available():\n    from accelerate import X\n"
    modules = {
        "transformers": "",
        "transformers.trainer": text,
        "transformers.utils": "",
        "transformers.utils.import_utils": 'ACCELERATE_MIN_VERSION = "1.1.0"\n',
    }
    entry = "transformers.trainer"
    (one,) = Eager(release(modules), "transformers").wanted(entry)
    assert one == Wanted("accelerate", "X", frozenset({"accelerate>=1.1.0"}))
    # Another package asks the installed transformers, which may be any.
    assert Eager(trl(text), "trl").wanted("trl:SFTTrainer") == set()


def test_what_all_entries_import() -> None:
    both, one = Wanted("peft", "X", frozenset()), Wanted("peft", "Y", frozenset())
    same = Wanted("peft", "X", frozenset({"peft"}))
    found = with_unnamed({"a": {both, one}, "b": {same}, "c": set()}, ("a", "b", "d"))
    assert found["-"] == {same}
    assert "-" not in with_unnamed({"c": {one}}, ("a",))


@pytest.mark.parametrize(
    ("name", "has"),
    [
        ("Eager", True),
        ("a", True),
        ("a.Own", True),
        ("a.Other", False),
        ("Missing", False),
        ("gone.X", False),
        ("b.Anything", None),
        ("a.Typed", None),
        ("lazy.Listed", True),
        ("lazy.Unlisted", False),
        ("BertTokenizerFast", None),
    ],
)
def test_whether_a_release_has_a_name(name: str, has: bool | None) -> None:
    modules = {
        "pkg": "from .a import Own as Eager\n",
        "pkg.a": "if TYPE_CHECKING:\n    from .b import Typed\nclass Own:\n    Other = 1\n",
        "pkg.b": "def __getattr__(name):\n    return 1\n",
        "pkg.lazy": "_LazyModule(__name__, define_import_structure(__file__))\n",
        "pkg.lazy.m": '__all__ = ["Listed"]\nclass Unlisted: pass\n',
    }
    assert Having(release(modules), "pkg").has(name) is has


def test_a_name_that_another_module_gives_away() -> None:
    modules = {"pkg": "", "pkg.a": "from .b import *\n", "pkg.b": "class B: pass\n"}
    assert Having(release(modules), "pkg").has("a.B") is True
    assert Having(release(modules), "pkg").has("a.C") is False


@pytest.mark.parametrize(
    ("having", "ends"),
    [
        ([True, True, False, False], (None, "3")),
        ([False, True, True, True], ("2", None)),
        ([False, True, False, False], ("2", "3")),
        ([True, False, True, False], (None, None)),
        ([None, True, None, False], (None, None)),
        ([False, False, False, False], (None, None)),
    ],
)
def test_the_ends_of_a_name(having: list[bool | None], ends: tuple[str | None, str | None]) -> None:
    assert history([(str(number), has) for number, has in enumerate(having, 1)]) == ends


def test_releases_that_follow_each_other() -> None:
    assert runs(["1", "2", "3", "4"], ["1", "2", "4"]) == [("1", "2"), ("4", "4")]


def test_bodies_are_left_out() -> None:
    text = (
        "from a import b\n\n@one(\n    1,\n)\ndef f(\n    x,\n) -> int:\n    import c\n\n\nX = 1\n"
    )
    kinds = [type(one).__name__ for one in margin(text)]
    assert kinds == ["ImportFrom", "FunctionDef", "Assign"]


def test_what_is_checked_as_a_package_is_imported() -> None:
    modules = {
        "transformers.dependency_versions_table": (
            'deps = {"tokenizers": "tokenizers>=0.22", "accelerate": "accelerate>=1.1.0", "x": "x"}'
        ),
        "transformers.dependency_versions_check": (
            'pkgs_to_check_at_runtime = ["tokenizers", "accelerate"]'
        ),
    }
    assert required(release(modules), "transformers") == {"tokenizers": ">=0.22"}


def test_releases_of_a_clone_and_of_wheels(tmp_path: Path) -> None:
    clone = tmp_path / "git"
    (clone / "src" / "pkg").mkdir(parents=True)
    (clone / "src" / "pkg" / "__init__.py").write_text("A = 1\n", encoding="utf-8")
    author = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    commands = (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "a"], ["tag", "v1.0"])
    for arguments in (*commands, ["tag", "v1.1rc1"]):
        subprocess.run(["git", "-C", str(clone), *arguments], check=True)
    with zipfile.ZipFile(tmp_path / "pkg-2.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("pkg/__init__.py", "B = 1\n")
        wheel.writestr("pkg-2.0.dist-info/METADATA", "Name: pkg\nVersion: 2.0\n")
    found = {one.version: dict(one.modules) for one in releases(tmp_path, "pkg", "0.1")}
    assert found == {"1.0": {"pkg": "A = 1\n"}, "2.0": {"pkg": "B = 1\n"}}


def test_the_table() -> None:
    imports = {
        "peft": {
            "0.16": {"*": {Wanted("transformers", "Old", frozenset())}},
            "0.17": {"*": {Wanted("transformers", "Old", frozenset())}},
            "0.18": {"*": set[Wanted]()},
        },
    }
    having = {"transformers": {"4.57": {"Old": True}, "5.0": {"Old": False}}}
    found = table(imports, having, {"peft": {"0.16": {"numpy": "<2"}}})
    assert found["names"] == {
        "transformers": {"Old": [None, "5.0", [["peft", "0.16", "0.17", "*", ""]]]}
    }
    assert found["reached"] == {"peft": {"0.16 0.17": {"*": "transformers"}}}
    assert found["required"] == {"peft": {"0.16 0.16": {"numpy": "<2"}}}
    assert found["modules"] == {"ms-swift": "swift"}
    assert found["releases"]["peft"] == ["0.16", "0.17", "0.18"]
