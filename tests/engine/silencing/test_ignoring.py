"""Comments that silence what is found: where they are written, and where none can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_document, lint_source
from cfglint.engine.settings.selection import EVERY_RULE, Selection
from cfglint.engine.silencing.ignoring import (
    REASON,
    Ignored,
    outcome_notes,
    settings_way,
    with_ignores,
)
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.roles.framework import load_framework
from cfglint.source.document import Document
from cfglint.source.languages.yaml import compose
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


SCRIPT = "#!/bin/bash\nexport X=1\ntorchrun main_finetune.py \\\n  --llama_typ llama \\\n  --lr 1\n"


@each(
    ("left", "comments", "dry", "notes"),
    [
        ((), 0, False, []),
        ((), 1, False, ["a.yml: wrote 1 comment; say why in place of "]),
        ((), 2, True, ["a.yml: would write 2 comments; say why in place of "]),
        (
            ("KEY001",),
            0,
            False,
            ['a.yml: some findings are in other files; in the settings write per-file-ignores = {"a.yml" = ["KEY001"]}'],
        ),
        (("KEY001",), 1, False, ["a.yml: some findings are in other", "a.yml: wrote 1 comment"]),
    ],
)  # fmt: skip
def test_what_is_said_of_the_comments(
    left: tuple[str, ...], comments: int, dry: bool, notes: list[str]
) -> None:
    source = SourceText("seed: 1\n")
    document = compose(source)
    said = list(outcome_notes(Ignored(source, comments, left), document, "a.yml", None, dry=dry))
    assert len(said) == len(notes)
    assert all(one.startswith(start) for one, start in zip(said, notes, strict=True))


def test_json_has_no_comments() -> None:
    framework = load_framework("deepspeed")
    case = Case.of_text(framework, build_environment(framework.releases), EVERY_RULE)
    text = '{"zero_optimization": {"stage": 9, "stag": 1}, "stepz": 1}\n'
    result = lint_source(SourceText(text), case)
    assert result.document is not None
    outcome = with_ignores(
        result.document, lambda document: lint_document(document, case).diagnostics
    )
    assert (outcome.source.text, outcome.comments) == (text, 0)
    assert outcome.left == tuple(dict.fromkeys(one.code for one in result.diagnostics))
    (note,) = outcome_notes(outcome, result.document, "a.json", None, dry=False)
    assert note.startswith("a.json: JSON has no comments; in the settings write ")


def test_the_lines_of_a_command_and_the_first_line_of_a_script() -> None:
    framework = load_framework("accessory")
    case = Case.of_text(framework, build_environment(framework.releases), EVERY_RULE)
    result = lint_source(SourceText(SCRIPT), case)
    assert result.document is not None
    assert result.diagnostics

    def check(document: Document) -> list[Diagnostic]:
        return lint_document(document, case).diagnostics

    outcome = with_ignores(result.document, check)
    lines = outcome.source.text.splitlines()
    # It has to stay the first line, and a command its lines together.
    assert lines[0] == "#!/bin/bash"
    assert [line for line in lines if not line.startswith("# cfglint: ")] == SCRIPT.splitlines()
    assert outcome.comments == len(lines) - len(SCRIPT.splitlines())
    again = lint_source(outcome.source, case)
    assert [one for one in again.diagnostics if one.name != "unused-suppression"] == []
