"""Releases of packages that are stated together, and cannot be imported together."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cfglint import Linter
from cfglint.knowledge.releases.together import broken
from cfglint.source.files.disk import Disk
from tests.cli.running import environment
from tests.draws import each

SFT = """\
model_name_or_path: Qwen/Qwen3-0.6B
stage: sft
dataset: alpaca_en_demo
template: qwen3
finetuning_type: lora
output_dir: out
"""


def found(*target: str, text: str = SFT, path: str = "sft.yaml") -> list[str]:
    linter = Linter(target=list(target), settings=False, select=["ENV700", "ENV701"])
    return [one.code for one in linter.lint(text, path).diagnostics]


@each(
    ("target", "codes"),
    [
        (("llamafactory==0.9.5", "transformers==5.0.0", "peft==0.17.1"), ["ENV700"]),
        (("llamafactory==0.9.5", "transformers==4.57.1", "peft==0.17.1"), []),
        (("llamafactory==0.9.5", "transformers==5.0.0", "peft==0.18.1"), []),
        # Nothing states the package that reads the file, or the other one.
        (("transformers==5.0.0", "peft==0.17.1"), []),
        (("llamafactory==0.9.5", "peft==0.17.1"), []),
        (("llamafactory==0.9.5", "transformers==4.56.2", "huggingface-hub==1.0.1"), ["ENV701"]),
        (("llamafactory==0.9.5", "transformers==4.56.2", "huggingface-hub==0.36.0"), []),
        (("llamafactory==0.9.5", "transformers==4.56.2", "tokenizers==0.21.0"), ["ENV701"]),
    ],
)
def test_stated_pairs(target: tuple[str, ...], codes: list[str]) -> None:
    assert found(*target) == codes


def test_the_message_names_both_and_what_goes_together() -> None:
    linter = Linter(
        target=["llamafactory==0.9.5", "transformers==5.0.0", "peft==0.17.1"],
        settings=False,
        select=["ENV700"],
    )
    (one,) = linter.lint(SFT, "sft.yaml").diagnostics
    assert one.message.startswith("Install peft 0.18.0 or newer, or transformers below 5.0.0: ")
    assert "`HybridCache` from `transformers`, which 5.0.0 removed" in one.message


@pytest.mark.parametrize(
    ("target", "codes"),
    [
        # Whatever command of TRL reads the file, its trainer imports PEFT.
        (("trl==0.28.0", "transformers==5.0.0", "peft==0.17.1"), ["ENV700"]),
        (("trl==0.28.0", "transformers==4.57.1", "peft==0.17.1"), []),
        # SFT and others import nothing that is missing, DPO does.
        (("trl==0.19.1", "transformers==5.0.0"), []),
    ],
)
def test_a_file_that_does_not_tell_what_reads_it(target: tuple[str, ...], codes: list[str]) -> None:
    text = (
        "model_name_or_path: Qwen/Qwen3-0.6B\ndataset_name: a/b\noutput_dir: out\nuse_peft: true\n"
    )
    assert found(*target, text=text, path="config.yaml") == codes


PROJECT = "llamafactory==0.9.3\ntransformers==5.0.0\npeft==0.17.1\n"


def of_project(folder: Path) -> list[str]:
    (folder / ".git").mkdir()
    (folder / "sft.yaml").write_text(SFT, encoding="utf-8")
    (folder / "requirements.txt").write_text(PROJECT, encoding="utf-8")
    codes = ["ENV700", "LLF530", "LLF531"]
    linter = Linter(settings=False, select=codes, files=Disk())
    return [one.code for one in linter.lint_file(folder / "sft.yaml").diagnostics]


def test_one_finding_for_one_cause(tmp_path: Path) -> None:
    assert of_project(tmp_path) == ["ENV700"]


def test_a_copy_in_the_project_is_not_judged(tmp_path: Path) -> None:
    copy = tmp_path / "src" / "llamafactory"
    copy.mkdir(parents=True)
    (copy / "__init__.py").write_text("", encoding="utf-8")
    assert "ENV700" not in of_project(tmp_path)


def test_an_accelerate_that_is_too_old_is_not_imported_from() -> None:
    """transformers 5 takes accelerate for missing below 1.1, and imports nothing from it."""
    for accelerate in ("0.27.2", "0.34.2"):
        stated = {"transformers": ("5.3.0",), "accelerate": (accelerate,)}
        assert broken("transformers", {"*", "Trainer"}, "accelerate", stated) is None


_SCRIPT = """\
import json, sys
sys.argv = ["cfglint", "sft.yaml"]
from cfglint.cli import main
try:
    main()
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("stated", "loaded"),
    [("", False), ("transformers==5.0.0\n", False), (PROJECT, True)],
)
def test_the_table_is_loaded_where_two_releases_are_stated(
    tmp_path: Path, stated: str, loaded: bool
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sft.yaml").write_text(SFT, encoding="utf-8")
    (tmp_path / "requirements.txt").write_text(stated, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    modules = json.loads(done.stderr.strip().rsplit("\n", 1)[-1])
    assert ("cfglint.knowledge._compiled.imports" in modules) is loaded
