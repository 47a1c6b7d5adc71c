"""Which calls a program makes only where another release may refuse them."""

from __future__ import annotations

import ast

import pytest

from cfglint import Linter
from cfglint.source.python_guards import guarded
from cfglint.source.python_names import last_name
from tests.draws import each

IMPORT = "import inspect, trl\nfrom importlib import metadata\nfrom trl import SFTConfig, __version__ as release\n"
OLD = "SFTConfig(output_dir='out', max_seq_length=8)"
NEW = "SFTConfig(output_dir='out', max_length=8)"


def is_guarded(text: str) -> bool:
    """Whether the call of the old release is in a guarded block."""
    tree = ast.parse(IMPORT + text)
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    lines = guarded(
        [*ast.walk(tree)], IMPORT + text, lambda call: last_name(call.func) == "SFTConfig"
    )
    old = next(one for one in calls if any(word.arg == "max_seq_length" for word in one.keywords))
    return any(old.lineno in one for one in lines)


@each(
    ("handler", "expected"),
    [
        (f"except TypeError:\n    a = {NEW}", True),
        ("except (TypeError, KeyError):\n    pass", True),
        ("except TypeError:\n    raise", False),
        ("except TypeError:\n    print(1)\n    sys.exit(1)", False),
        (f"except Exception:\n    a = {NEW}", True),
        (f"except:\n    a = {NEW}", True),
        ("except Exception as error:\n    print(error)", False),
        ("except ValueError:\n    pass", False),
        # What does not fit into memory is no refusal.
        (f"except RuntimeError:\n    a = {NEW}", False),
        ("finally:\n    clean()", False),
    ],
)
def test_a_call_that_is_tried(handler: str, expected: bool) -> None:
    assert is_guarded(f"try:\n    a = {OLD}\n{handler}\n") is expected


def test_a_call_after_another_one_was_refused() -> None:
    assert is_guarded(f"try:\n    a = {NEW}\nexcept TypeError:\n    a = {OLD}\n")


@each(
    ("before", "condition", "expected"),
    [
        ("", "trl.__version__ < '0.20'", True),
        ("", "release < '0.20'", True),
        ("", "Version(metadata.version('trl')) < limit", True),
        ("", "hasattr(SFTConfig, 'max_seq_length')", True),
        ("", "hasattr(trl, 'setup')", True),
        ("", "'max_seq_length' in inspect.signature(SFTConfig).parameters", True),
        ("known = inspect.signature(SFTConfig).parameters\n", "'x' in known", True),
        ("def is_old():\n    return release < '0.20'\n", "is_old()", True),
        ("", "hasattr(options, 'length')", False),
        ("", "options.version == 2", False),
        ("", "packing", False),
    ],
)
def test_a_call_in_a_branch(before: str, condition: str, expected: bool) -> None:
    assert is_guarded(f"{before}if {condition}:\n    a = {OLD}\n") is expected
    assert is_guarded(f"{before}if {condition}:\n    a = {NEW}\nelse:\n    a = {OLD}") is expected
    assert (
        is_guarded(f"{before}a = (\n    {OLD}\n    if {condition}\n    else {NEW})\n") is expected
    )


@pytest.mark.parametrize(
    ("guard", "codes"),
    [("try:\n    {}\nexcept TypeError:\n    pass\n", []), ("if packing:\n    {}\n", ["KEY005"])],
)
def test_what_a_release_refuses_is_no_finding_there(guard: str, codes: list[str]) -> None:
    text = "from trl import SFTConfig\n" + guard.format(OLD)
    found = Linter(settings=False, target=["trl==1.9.0"]).lint(text, "train.py").diagnostics
    assert [one.code for one in found] == codes
