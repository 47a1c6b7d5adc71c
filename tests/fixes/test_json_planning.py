"""Where fixes put things in a JSON file: lines, commas, indentation, and what stays."""

from __future__ import annotations

import subprocess
import sys

from cfglint.diagnostic import Diagnostic
from cfglint.fixes.actions import (
    Action,
    AppendItem,
    DeleteEntry,
    DeleteKey,
    MoveKey,
    RenameKey,
    RewriteScalar,
    SetValue,
)
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.loop import fix_source
from cfglint.fixes.planning import Plan, plan
from cfglint.fixes.source_problems import repairs
from cfglint.fixes.verification import verify
from cfglint.source.document import Path
from cfglint.source.languages.json import JSON
from cfglint.source.text import SourceText, Span
from tests.draws import each


def planned(text: str, *actions: Action, after: Path | None = None) -> Plan:
    return plan(JSON.read(SourceText(text)), actions, after=after)


def edited(text: str, *actions: Action, after: Path | None = None) -> str:
    document = JSON.read(SourceText(text))
    made = plan(document, actions, after=after)
    assert made.refused is None
    result = apply_edits(text, made.edits)
    assert verify(document, result, made.paths, edits=made.edits) is None
    return result


FILE = """{
    "fp16": {
        "enabled": "auto",
        "loss_scale": 0
    },
    "zero_optimization": {
        "stage": 3,
        "betas": [0.9, 0.999],
        "offload_optimizer": {}
    },
    "steps": 1e-05
}
"""
DONE = [
    # One value for another, on the same line.
    ('{"a": 1, "b": 2}', SetValue(("a",), "x"), '{"a": "x", "b": 2}'),
    ('{"a": [1, 2]}', SetValue(("a", 1), None), '{"a": [1, null]}'),
    # What is on one line stays there.
    ('{"a": 1}', SetValue(("b",), {"c": [1]}), '{"a": 1, "b": {"c": [1]}}'),
    ('{"a":1,"b":2}', SetValue(("c",), {"d": 1, "e": 2}), '{"a":1,"b":2,"c":{"d":1,"e":2}}'),
    ('{ "a": 1 }', SetValue(("b",), 2), '{ "a": 1, "b": 2 }'),
    ('{ "a" : 1 ,"b" : 2 }', SetValue(("c",), 2), '{ "a" : 1 ,"b" : 2, "c": 2 }'),
    ("{}", SetValue(("a",), 1), '{"a": 1}'),
    ("{ }", SetValue(("a",), 1), '{ "a": 1 }'),
    ('{"a": {}}', SetValue(("a", "b"), 1), '{"a": {"b": 1}}'),
    # A new line is indented as its neighbours, a nested one by the file's own step.
    ('{\n\t"a": 1\n}', SetValue(("b",), {"c": {"d": 1}}),
     '{\n\t"a": 1,\n\t"b": {\n\t\t"c": {\n\t\t\t"d": 1\n\t\t}\n\t}\n}'),
    ('{\r\n   "a": 1\r\n}', SetValue(("b",), [{"c": 1}]),
     '{\r\n   "a": 1,\r\n   "b": [\r\n      {\r\n         "c": 1\r\n      }\r\n   ]\r\n}'),
    ('{\n  "a": {}\n}\n', SetValue(("a", "b", "c"), 1),
     '{\n  "a": {\n    "b": {\n      "c": 1\n    }\n  }\n}\n'),
    ('{\n  "a": null\n}\n', SetValue(("a", "b"), 1), '{\n  "a": {\n    "b": 1\n  }\n}\n'),
    ("{\n}\n", SetValue(("a",), 1), '{\n  "a": 1\n}\n'),
    # Lists of single values as the file writes them.
    ('{\n  "a": [1, 2],\n  "b": 1\n}', SetValue(("b",), [3, 4]),
     '{\n  "a": [1, 2],\n  "b": [3, 4]\n}'),
    ('{\n  "a": [\n    1\n  ],\n  "b": 1\n}', SetValue(("b",), [3, 4]),
     '{\n  "a": [\n    1\n  ],\n  "b": [\n    3,\n    4\n  ]\n}'),
    ('{\n  "a": [\n    1\n  ]\n}', AppendItem(("a",), {"b": 2}),
     '{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ]\n}'),
    ('{"a": [1, 2]}', AppendItem(("a",), 3), '{"a": [1, 2, 3]}'),
    ('{"a": [1,2]}', AppendItem(("a",), 3), '{"a": [1,2,3]}'),
    ('{"a": []}', AppendItem(("a",), "x"), '{"a": ["x"]}'),
    ('{"a": null}', AppendItem(("a",), "x"), '{"a": ["x"]}'),
    ('{"b": 1}', AppendItem(("a",), "x"), '{"b": 1, "a": ["x"]}'),
    # The comma goes with what it belonged to, and none is left over.
    ('{"a": 1, "b": 2, "c": 3}', DeleteKey(("a",)), '{"b": 2, "c": 3}'),
    ('{"a": 1, "b": 2, "c": 3}', DeleteKey(("b",)), '{"a": 1, "c": 3}'),
    ('{"a": 1, "b": 2, "c": 3}', DeleteKey(("c",)), '{"a": 1, "b": 2}'),
    ('{ "a": 1 }', DeleteKey(("a",)), "{}"),
    ('{\n  "a": 1,\n  "b": 2\n}', DeleteKey(("a",)), '{\n  "b": 2\n}'),
    ('{\n  "a": 1,\n  "b": 2\n}', DeleteKey(("b",)), '{\n  "a": 1\n}'),
    ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', DeleteKey(("b",)), '{\n  "a": 1,\n  "c": 3\n}'),
    ('{\n  "a": 1, /* x\n*/ "b": 2,\n  "c": 3\n}', DeleteKey(("a",)),
     '{\n  /* x\n*/ "b": 2,\n  "c": 3\n}'),
    ('{\n  "a": 1,\n\n  "b": 2\n}', DeleteKey(("b",)), '{\n  "a": 1\n\n}'),
    ('{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}', DeleteKey(("a", "b")),
     '{\n  "a": {},\n  "c": 2\n}'),
    ('{"a": 1,\n "b": 2}', DeleteKey(("a",)), '{"b": 2}'),
    ('{"a": 1,\n "b": 2}', DeleteKey(("b",)), '{"a": 1}'),
    ('{\n  "a": 1\n  , "b": 2\n  , "c": 3\n}', DeleteKey(("b",)),
     '{\n  "a": 1\n  , "c": 3\n}'),
    ('{\n  "a": 1\n  ,\n  "b": 2\n}', DeleteKey(("a",)), '{\n  "b": 2\n}'),
    ('{"a": 1, "b": 2, "a": 3}', DeleteEntry((), 0), '{"b": 2, "a": 3}'),
    ('{"a": [1, 2]}', DeleteKey(("a", 0)), '{"a": [2]}'),
    # Names and spellings.
    ('{"a": 1.0e-5}', RenameKey(("a",), 'b"'), '{"b\\"": 1.0e-5}'),
    ('{"a": 0.00001}', RewriteScalar(("a",), "1e-5"), '{"a": 1e-5}'),
    ('{"a": 0}', SetValue(("a",), "\x7f\ud800\u2028é"), '{"a": "\\u007f\\ud800\\u2028é"}'),
    # A value keeps its spelling and its lines where it goes.
    ('{\n  "a": {\n    "x": [1.50,\n      2]\n  },\n  "b": {}\n}', MoveKey(("a", "x"), ("b", "y")),
     '{\n  "a": {},\n  "b": {\n    "y": [1.50,\n      2]\n  }\n}'),
    ('{\n  "a": {\n    "x": 1.50\n  }\n}', MoveKey(("a",), ("n", "m")),
     '{\n  "n": {\n    "m": {\n      "x": 1.50\n    }\n  }\n}'),
    ('{"a": 1.50, "b": {"c": 1}}', MoveKey(("a",), ("b", "d")), '{"b": {"c": 1, "d": 1.50}}'),
    ('{"a": 1.50, "b": 2}', MoveKey(("a",), ("c",)), '{"c": 1.50, "b": 2}'),
    ('{"a": [1], "b": null}', MoveKey(("a",), ("b",)), '{"b": [1]}'),
    # Comments of people who write them all the same.
    ('{\n  "a": 1 // x\n}', SetValue(("b",), 2), '{\n  "a": 1, // x\n  "b": 2\n}'),
    ('{\n  "a": 1, // x\n  "b": 2\n}', DeleteKey(("a",)), '{\n  // x\n  "b": 2\n}'),
    ('{\n  "a": 1,\n  // x\n  "b": 2\n}', DeleteKey(("a",)), '{\n  // x\n  "b": 2\n}'),
    ('{\n  // x\n  "a": 1,\n  "b": 2 // y\n}', DeleteKey(("a",)), '{\n  // x\n  "b": 2 // y\n}'),
    ('{\n  "a": 1, // x\n  // y\n  "b": 2\n}', DeleteKey(("b",)), '{\n  "a": 1 // x\n  // y\n}'),
    ('{\n  // x\n}', SetValue(("a",), 1), '{\n  // x\n  "a": 1\n}'),
    ('{"a": {/* x */}}', SetValue(("a", "b"), 1), '{"a": {"b": 1 /* x */}}'),
    ('{\n  "a": 1, /* x */ "b": 2\n}', SetValue(("c",), 1), '{\n  "a": 1, /* x */ "b": 2, "c": 1\n}'),
    # A comma too many, or one that is missing, is right afterwards.
    ('{\n  "a": 1,\n}', SetValue(("b",), 2), '{\n  "a": 1,\n  "b": 2\n}'),
    ('{"a": 1,}', SetValue(("b",), 2), '{"a": 1, "b": 2}'),
    ('{"a": 1, "b": 2,}', DeleteKey(("b",)), '{"a": 1}'),
    ('{\n  "a": 1\n  "b": 2\n}', DeleteKey(("b",)), '{\n  "a": 1\n}'),
]  # fmt: skip


@each(("before", "action", "after"), DONE)
def test_one_action(before: str, action: Action, after: str) -> None:
    assert edited(before, action) == after


def test_a_file_keeps_its_layout() -> None:
    assert edited(
        FILE,
        SetValue(("zero_optimization", "offload_optimizer", "device"), "cpu"),
        DeleteKey(("fp16", "loss_scale")),
        SetValue(("bf16", "enabled"), True),
        RenameKey(("steps",), "lr"),
        after=("fp16",),
    ) == (
        '{\n    "fp16": {\n        "enabled": "auto"\n    },\n'
        '    "bf16": {\n        "enabled": true\n    },\n'
        '    "zero_optimization": {\n        "stage": 3,\n        "betas": [0.9, 0.999],\n'
        '        "offload_optimizer": {\n            "device": "cpu"\n        }\n    },\n'
        '    "lr": 1e-05\n}\n'
    )


def test_below_another_key() -> None:
    assert edited('{"a": 1, "b": 2}', SetValue(("c",), 3), after=("a",)) == (
        '{"a": 1, "c": 3, "b": 2}'
    )
    assert edited('{\n "a": 1,\n "b": 2\n}', SetValue(("c",), 3), after=("a",)) == (
        '{\n "a": 1,\n "c": 3,\n "b": 2\n}'
    )
    assert edited('{\n "a": 1, "b": 2\n}', SetValue(("c",), 3), after=("a",)) == (
        '{\n "a": 1,\n "c": 3, "b": 2\n}'
    )


def test_all_members_one_after_the_other() -> None:
    text = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n'
    assert edited(text, *(DeleteKey((key,)) for key in "abc")) == "{}\n"
    assert edited(text, *(DeleteKey((key,)) for key in "cb")) == '{\n  "a": 1\n}\n'


def test_a_value_that_is_already_written_is_left_alone() -> None:
    assert planned('{"a": 1}', SetValue(("a",), 1)).edits == ()
    assert planned('{"a": 1}', SetValue(("a",), 1.0)).edits != ()


REFUSED: list[tuple[str, Action, str]] = [
    ('{"a": 1}', SetValue(("a",), float("nan")), "JSON cannot represent this number"),
    ('{"a": 1}', SetValue(("a",), {1: 2}), "every key has to be a string"),
    ('{"a": 1}', SetValue(("a",), {1, 2}), "cannot be written"),
    ('{"a": 1}', SetValue(("a", "b"), 2), "`a` is not a mapping"),
    ('{"a": 1}', SetValue((), 2), "whole file"),
    ('{"a": 1, "a": 2}', SetValue(("a",), 2), "more than once"),
    ('{"a": 1}', DeleteKey(("b",)), "`b` is not in the file"),
    ('{"a": 1}', DeleteEntry((), 1), "not in the file"),
    ('{"a": 1, "b": 2}', RenameKey(("a",), "b"), "`b` already has a value"),
    ('{"a": 1, "b": 2}', MoveKey(("a",), ("b",)), "`b` already has a value"),
    ('{"a": {"b": 1}}', MoveKey(("a",), ("a", "c")), "into itself"),
    ('{"a": {/* x */}, "b": {}}', MoveKey(("a",), ("b", "c")), "There are comments inside"),
    ('{"a": 1}', AppendItem(("a",), 2), "not a list"),
    ('{"a": [1]}', RewriteScalar(("a",), "2"), "not a single value"),
    ('{"a": 1}', RewriteScalar(("a",), "1.0e"), "not JSON"),
]


@each(("text", "action", "words"), REFUSED)
def test_refused(text: str, action: Action, words: str) -> None:
    assert words in str(planned(text, action).refused)


# ---------------------------------------------------------------------------- slips


def slips(source: SourceText) -> list[Diagnostic]:
    return [
        Diagnostic(
            code="JSN000",
            name=problem.kind.value,
            severity="error",
            confidence="high",
            upstream="rejects",
            bites="start",
            message="",
            path=problem.path,
            span=problem.span,
            fixes=(fix,) if fix else (),
        )
        for problem, fix in repairs(JSON.read(source))
    ]


SLIPS = "// top\n{\n\t'a': True, // why\n\tb: [1, .5,],\n\t\"c\": 'x'\n\t\"d\":\xa0auto,,\n}"


def test_slips_are_repaired_together() -> None:
    outcome = fix_source(SourceText(SLIPS), slips, unsafe=True, language=JSON)
    assert not outcome.rejected
    assert outcome.converged
    assert outcome.source.text == (
        '{\n\t"a": true,\n\t"b": [1, 0.5],\n\t"c": "x",\n\t"d": "auto"\n}'
    )


def test_comments_stay_without_leave() -> None:
    outcome = fix_source(SourceText(SLIPS), slips, language=JSON)
    assert outcome.source.text == (
        '// top\n{\n\t"a": true, // why\n\t"b": [1, 0.5],\n\t"c": "x",\n\t"d": "auto"\n}'
    )


def test_a_result_that_is_no_json_is_not_trusted() -> None:
    document = JSON.read(SourceText('{"a": 1, "b": 2}'))
    assert "could not be read" in str(verify(document, '{"a": 1 2}', (("a",),)))
    assert verify(document, '{"a": 1, "b": 3}', (("a",),)) is not None
    assert verify(document, '{"a": 1, "b": 2.0}', (("a",),)) is not None
    assert verify(document, '{"a": 7, "b": 2}', (("a",),)) is None


def test_an_edit_without_effect_on_values_must_keep_comments() -> None:
    text = '{"a": 1 /* x */}'
    document = JSON.read(SourceText(text))
    assert "lost" in str(verify(document, '{"a": 1}', ()))


def test_python_has_the_last_word() -> None:
    document = JSON.read(SourceText('{"a": 1}'))
    assert JSON.doubts(document, SourceText('{"a": 2}')) is None
    assert JSON.doubts(document, SourceText('{"a": ')) is not None


def test_json_needs_no_yaml_and_yaml_no_json() -> None:
    for code, unwanted in (
        ("from cfglint.source.languages.json import JSON as language", ("yaml",)),
        (
            "from cfglint.source.languages.yaml import PYYAML as language",
            ("json", "cfglint.source.languages.json", "cfglint.fixes.json_drafts"),
        ),
    ):
        script = (
            f"import sys\n{code}\n"
            "from cfglint.fixes.actions import DeleteKey\n"
            "from cfglint.fixes.planning import plan\n"
            "from cfglint.source.text import SourceText\n"
            'document = language.read(SourceText(\'{"a": 1, "b": 2}\'))\n'
            "assert plan(document, (DeleteKey(('a',)),)).edits\n"
            f"print([name for name in {unwanted!r} if name in sys.modules])\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "[]"


def test_span_is_a_place_in_the_text() -> None:
    assert JSON.read(SourceText('{"a": 1}')).span(("a",)) == Span(1, 7)
