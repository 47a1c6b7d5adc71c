"""The pages beside the README: complete, and true where that can be tried."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

import cfglint
from cfglint.engine.files_together.discovery import _SKIPPED_FOLDERS
from cfglint.engine.settings.file import KINDS
from tests.cli.running import run
from tests.draws import each

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def prose(path: Path) -> list[str]:
    """The lines of a page without those of its code."""
    text = re.sub(
        r"^ *```.*?^ *```$", "(code)", path.read_text(encoding="utf-8"), flags=re.M | re.S
    )
    return [line for line in text.splitlines() if line.strip()]


@each("path", PAGES)
def test_no_heading_is_without_content(path: Path) -> None:
    lines = [*prose(path), "# the end"]
    for line, following in pairwise(lines):
        level, below = (len(text) - len(text.lstrip("#")) for text in (line, following))
        assert not (level and below and below <= level), line


@each("path", PAGES)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", "\n".join(prose(path))):
        assert (path.parent / target).exists(), target


def test_no_page_is_hidden() -> None:
    linked = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    for path in PAGES:
        assert path.name == "README.md" or f"{path.name})" in linked, path


def test_the_changelog_has_this_release() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", text, re.M)[0] == cfglint.__version__


def test_every_setting_has_its_row() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", text, re.M)
    assert sorted(re.findall(r"`([\w-]+)`", " ".join(rows))) == sorted(KINDS)


def test_the_settings_are_shown_as_they_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    shown = text.partition("$ cfglint settings runs/train.yml\n")[2].partition("```")[0]
    monkeypatch.chdir(tmp_path)
    for name in ("runs", "shared"):
        Path(name).mkdir()
    Path("shared/base.toml").write_text("gpus = 8\n")
    Path("runs/cfglint.toml").write_text(
        'extend = "../shared/base.toml"\ngpu = "h100"\nignore = ["HPR"]\n'
        'per-file-ignores = {"archive/" = ["KEY"]}\n'
    )
    assert run("settings", "runs/train.yml").out == shown


def test_every_folder_that_a_search_skips_is_told() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in _SKIPPED_FOLDERS)


def test_the_inputs_of_the_action_are_told() -> None:
    text = (ROOT / "docs" / "github-action.md").read_text(encoding="utf-8")
    table = text.partition("## Inputs")[2].partition("```")[0]
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert re.findall(r"^\| `([\w-]+)`", table, re.M) == list(inputs)


@pytest.mark.parametrize(
    "page", ["docs/first-run.md", "docs/diagnose.md", "tools/site/pages/index.md"]
)
def test_reports_are_shown_as_they_are_printed(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    command, _, shown = text.partition("```console\n$ cfglint ")[2].partition("\n")
    folder = tmp_path / "docs" / "examples"
    folder.mkdir(parents=True)
    for name in ("train.yml", "run.log"):
        (folder / name).write_bytes((ROOT / "docs" / "examples" / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    printed = run(*command.split(), env={"COLUMNS": "100"}).out
    assert shown.partition("```")[0] == printed


UPGRADED = """\
base_model: NousResearch/Llama-3.2-1B
datasets: [{path: data/support-tickets.jsonl, type: alpaca}]
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 3
learning_rate: 1e-4
flash_attention: true
bf16: true
"""


def test_what_an_upgrade_changes_is_shown_as_it_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs" / "effective.md").read_text(encoding="utf-8")
    shown = text.partition("```diff\n")[2].partition("```")[0]
    monkeypatch.chdir(tmp_path)
    Path("train.yml").write_text(UPGRADED, encoding="utf-8")
    command = ("effective", "train.yml", "--compare", "axolotl==0.12.2", "axolotl==0.21.0")
    assert run(*command).out == shown
