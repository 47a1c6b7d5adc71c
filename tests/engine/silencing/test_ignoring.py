"""Comments that silence what is found: where they are written, and where none can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.engine.case import Case
from cfglint.engine.lint import lint_document, lint_source
from cfglint.engine.settings.selection import Selection
from cfglint.engine.silencing.ignoring import REASON, settings_way, with_ignores
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.text import SourceText
from cfglint.source.values import to_python
from tests.draws import each

AXOLOTL = Axolotl()
TARGET = build_environment(AXOLOTL.releases)
FAMILIES = Selection(("KEY", "YML", "CFG"))
ROOT = Path(__file__).resolve().parents[3]


def ignored(text: str, selection: Selection = FAMILIES) -> tuple[str, tuple[str, ...]]:
    case = Case.of_text(AXOLOTL, TARGET, selection)
    result = lint_source(SourceText.from_bytes(text.encode()), case)
    assert result.document is not None
    outcome = with_ignores(
        result.document, lambda document: lint_document(document, case).diagnostics
    )
    return outcome.source.text, outcome.left


@each(
    ("before", "after"),
    [
        ("made_up: 1\n", f"# cfglint: ignore[KEY001] {REASON}\nmade_up: 1\n"),
        ("made_up: 1", f"# cfglint: ignore[KEY001] {REASON}\nmade_up: 1"),
        (
            "special_tokens:\n  made_up: 1\n",
            f"special_tokens:\n  # cfglint: ignore[KEY001] {REASON}\n  made_up: 1\n",
        ),
        (
            "seed: 1\nseed: 010\n",
            f"# cfglint: ignore[YML020] {REASON}\nseed: 1\n# cfglint: ignore[YML024] {REASON}\nseed: 010\n",
        ),
        (
            "# about it\nmade_up: 1e-2 # there\n",
            f"# about it\n# cfglint: ignore[KEY001] {REASON}\nmade_up: 1e-2 # there\n",
        ),
        (
            "made_up: 1 # cfglint: ignore[YML020] stale\n",
            f"# cfglint: ignore[KEY001] {REASON}\nmade_up: 1 # cfglint: ignore[YML020] stale\n",
        ),
        (
            "special_tokens: {\n  made_up: 1}\n",
            f"special_tokens: {{\n  # cfglint: ignore[KEY001] {REASON}\n  made_up: 1}}\n",
        ),
        ("seed: 1\n", "seed: 1\n"),
    ],
)
def test_where_comments_stand(before: str, after: str) -> None:
    head = "base_model: a/b\n"
    assert ignored(head + before) == (head + after, ())
    assert ignored(head + after) == (head + after, ())


def test_no_comment_becomes_part_of_a_text() -> None:
    text = 'base_model: a/b\nspecial_tokens: {pad_token: "a\n  b", made_up: 1}\nmade_up: 2\n'
    after, left = ignored(text)
    assert left == ()
    assert after == f"# cfglint: ignore-file[KEY001] {REASON}\n{text}"


def test_a_finding_about_the_file_is_silenced_at_its_top() -> None:
    text = "\ufeffbase_model: a/b\nmade_up: 1\n"
    after, left = ignored(text)
    assert left == ()
    assert after == (
        f"# cfglint: ignore-file[YML028] {REASON}\n"
        f"base_model: a/b\n"
        f"# cfglint: ignore[KEY001] {REASON}\nmade_up: 1\n"
    )


def test_every_finding_of_the_example_is_silenced_and_no_value_changes() -> None:
    text = (ROOT / "docs" / "examples" / "train.yml").read_text(encoding="utf-8")
    after, left = ignored(text, Selection())
    assert left == ()
    assert after != text
    again = lint_source(SourceText(after), Case.of_text(AXOLOTL, TARGET, Selection()))
    assert again.diagnostics == []
    assert again.document is not None
    before = AXOLOTL.language.read(SourceText(text))
    assert to_python(again.document.root) == to_python(before.root)


def test_the_way_by_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    origin = str(tmp_path / "a" / "cfglint.toml")
    path = str(tmp_path / "a" / "b" / 'x "1"*.json')
    assert settings_way(path, ["KEY001", "DSP"], origin) == (
        r'per-file-ignores = {"b/x \"1\"\\*.json" = ["KEY001", "DSP"]}'
    )
    assert settings_way("x.json", ["KEY001"], None) == 'per-file-ignores = {"x.json" = ["KEY001"]}'
