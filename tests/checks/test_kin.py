"""Unknown keys of one launcher or tool are one finding, whatever comments silence of them."""

from __future__ import annotations

from cfglint import Diagnostic, lint_text

BASE = "base_model: a/b\nlearning_rate: 0.1\n"
KEYS = "image: x\ntask: y\nrunpod:\n  pod: 1\n"


def unknown(text: str) -> tuple[Diagnostic, ...]:
    report = lint_text(text, select=["KEY001", "CFG"], framework="axolotl")
    return report.diagnostics


def test_one_finding_at_the_first_key() -> None:
    (one,) = unknown(BASE + KEYS)
    assert (one.severity, one.path) == ("warning", ("image",))
    assert one.message.endswith(" The same applies to `task` and `runpod`.")
    assert [related.note for related in one.related] == ["the same applies to this one"] * 2


def test_one_key_is_reported_by_itself() -> None:
    (one,) = unknown(BASE + "image: x\n")
    assert one.related == ()
    assert "same" not in one.message


def test_of_many_keys_some_are_named() -> None:
    (one,) = unknown(BASE + "".join(f"zz{number}qq: 1\n" for number in range(9)))
    assert one.message.endswith("`zz1qq`, `zz2qq`, `zz3qq`, `zz4qq` and 4 more.")
    assert len(one.related) == 8


def test_keys_with_another_cause_stay_apart() -> None:
    text = BASE + KEYS + "datasets:\n  - path: a/b\n    strange: 1\nlearning_ratee: 1\nlora_rr:\n"
    assert [(one.path[0], one.severity) for one in unknown(text)] == [
        ("image", "warning"),
        ("datasets", "warning"),
        ("learning_ratee", "error"),
        ("lora_rr", "note"),
    ]


def test_a_key_that_is_silenced_is_none_of_them() -> None:
    silenced = "image: x  # cfglint: ignore[KEY001] the launcher's\n"
    (one,) = unknown(BASE + silenced + "task: y\nrunpod: z\n")
    assert one.path == ("task",)
    assert "image" not in one.message
    (one,) = unknown(BASE + "task: y\n" + silenced)
    assert one.related == ()
