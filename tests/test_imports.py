"""What a plain check imports: start-up is imports, not parsing."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

from cfglint.cli.options import FORMATS
from cfglint.knowledge.compiled import ensure_compiled
from tests.cli.files import CLEAN
from tests.cli.running import environment
from tests.draws import drawn, product

#: Each costs as much as all of cfglint, or more.
HEAVY = (
    "argparse",
    "asyncio",
    "email",
    "importlib.metadata",
    "importlib_metadata",
    "jsonschema",
    "logging",
    "packaging",
    "pyarrow",
    "pydantic",
    "ray",
    "rich",
    "ruamel",
    "subprocess",
    "tomli",
    "tomllib",
    "typing_extensions",
    "unittest",
    "urllib.request",
)
#: Formats for other programs.
DOORS = ("sarif", "gitlab", "junit")
#: Several fixable findings; one fix writes a nested list.
FIXABLE = CLEAN.replace("sequence_len", "sequence_lenn") + (
    "wandb_project: no\n"
    'load_in_8bit: "true"\n'
    "output_dir: ./again\n"
    "liger_rope: true\n"
    "val_set_size: 0.05\n"
    "sample_packing: true\n"
    "# cfglint: ignore[PAK001] nothing\n"
    "tf32: true\n"
)
_PROGRAM = """\
import json, sys
{first}
before = set(sys.modules)
{body}
sys.stdout.flush()
sys.stderr.write("\\n" + json.dumps(sorted(set(sys.modules) - before)))
"""
_CHECK = """\
sys.argv = ["cfglint", *{arguments!r}]
from cfglint.cli import main
try:
    main()
except SystemExit as stop:
    code = stop.code
"""


@lru_cache(maxsize=32)
def imported(body: str, first: str = "import click") -> tuple[set[str], str]:
    """The modules that a program imports, and what it prints.

    Those of `first` do not count: what click brings along is click's affair (uuid, and on Python
    3.10 subprocess with it).
    """
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(body=body, first=first)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        # Away from the project, whose settings would have to be read.
        cwd=Path(sys.executable).anchor,
        env=environment(PYTHONIOENCODING="utf-8"),
        check=True,
    )
    return set(json.loads(done.stderr.rsplit("\n", 1)[1])), done.stdout


def heavy(modules: set[str]) -> set[str]:
    return {
        module
        for module in modules
        if any(module == name or module.startswith(name + ".") for name in HEAVY)
    }


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """In a checkout, rules that have changed are compiled first, which a user's run never does."""
    ensure_compiled()


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    made = {"clean": CLEAN, "fixable": FIXABLE, "broken": "base_model: ["}
    for name, text in made.items():
        (tmp_path / f"{name}.yml").write_text(text, encoding="utf-8")
    return {name: str(tmp_path / f"{name}.yml") for name in made}


@product
@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("clean", "text"),
        *drawn(
            [(name, one) for name in ("clean", "fixable") for one in FORMATS if one != "text"], 5
        ),
        ("fixable", "text"),
        # What reading and checking import does not depend on the format.
        ("broken", "text"),
    ],
)
def test_a_plain_check_imports_nothing_heavy(
    files: dict[str, str], name: str, format_: str
) -> None:
    modules, out = imported(_CHECK.format(arguments=[files[name], "--format", format_]))
    assert heavy(modules) == set()
    assert not modules & {
        "cfglint.knowledge._compiled.axolotl_effective",
        "cfglint.answers.resolved",
    }
    assert not any(module.startswith("cfglint.api.scan") for module in modules)
    assert not modules & {f"cfglint.report.formats.{other}" for other in DOORS if other != format_}
    if format_ not in DOORS:
        assert "cfglint.report.identity" not in modules
    if name == "clean":
        # What is said of findings is not loaded either.
        assert not modules & {
            "cfglint.knowledge._compiled.axolotl_words",
            "cfglint.knowledge._compiled.details",
            "difflib",
        }
    elif format_ == "text":
        assert "error" in out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("train.yml", CLEAN),
        ("ds_config.json", '{"train_batch_size": "auto", "zero_optimization": {"stage": 2}}'),
        ("default_config.yaml", "compute_environment: LOCAL_MACHINE\nnum_processes: 2\n"),
        ("sft.yaml", "model_name_or_path: a/b\nfinetuning_type: lora\ntemplate: llama3\n"),
        ("config.yaml", "model_name_or_path: a/b\ndataset_name: a/c\nlearning_rate: 1e-5\n"),
        ("run.sh", "torchrun main_finetune.py --llama_config params.json\n"),
    ],
)
def test_a_plain_check_imports_no_typing(tmp_path: Path, name: str, text: str) -> None:
    """It would take a twentieth of the time; `cfglint.base.type_names` has its names."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    modules, _ = imported(_CHECK.format(arguments=[str(tmp_path / name)]), first="import os")
    assert "cfglint.engine.checked_document" in modules
    assert not modules & {"typing", "dataclasses", "contextlib"}


def test_the_fixable_file_is(files: dict[str, str]) -> None:
    _, out = imported(_CHECK.format(arguments=[files["fixable"], "--format", "concise"]))
    assert out.count("[*]") >= 4
    # One of the fixes writes a list below a key.
    _, out = imported(_CHECK.format(arguments=[files["fixable"], "--diff", "--unsafe-fixes"]))
    assert "+plugins:\n+  - " in out


def test_options_that_most_runs_use_import_nothing_heavy(files: dict[str, str]) -> None:
    options = ["--target", "axolotl==0.18.0", "--gpus", "8", "--gpu", "h100", "--fail-on", "note"]
    modules, _ = imported(_CHECK.format(arguments=[files["clean"], *options]))
    assert heavy(modules) == set()


def test_version_and_help_import_no_engine() -> None:
    modules, out = imported(_CHECK.format(arguments=["--version"]))
    assert out.startswith("cfglint, version ")
    assert heavy(modules) == set()
    assert not any(module.startswith(("yaml", "cfglint.engine")) for module in modules)


def test_importing_the_package_imports_next_to_nothing() -> None:
    modules, _ = imported("import cfglint")
    assert {module for module in modules if module.startswith("cfglint")} == {"cfglint"}
    assert not any(module.startswith(("yaml", "click")) for module in modules)
    assert heavy(modules) == set()


def test_the_api_imports_no_command_line() -> None:
    modules, _ = imported("import cfglint; cfglint.lint_text('base_model: a/b')")
    assert not any(module.startswith(("click", "cfglint.cli")) for module in modules)
    assert heavy(modules) == set()


def test_a_folder_without_ignore_files_needs_no_patterns(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.yml").write_text(CLEAN, encoding="utf-8")
    modules, out = imported(_CHECK.format(arguments=[str(tmp_path)]))
    assert "No problems in 1 file" in out
    assert heavy(modules) == set()
