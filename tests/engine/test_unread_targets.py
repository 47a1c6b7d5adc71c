"""No fix writes a key that the target's release does not read."""

from __future__ import annotations

from cfglint.checks.context import CheckContext
from cfglint.engine.unread_targets import unread_key
from cfglint.environment.surroundings import nowhere
from cfglint.fixes.actions import Action, AppendItem, DeleteKey, MoveKey, RenameKey, SetValue
from cfglint.roles.framework import load_framework
from cfglint.source.document import Path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import environment, fix, lint

KD = "axolotl.integrations.kd.KDPlugin"
TEXT = f"""\
base_model: a/b
old:
  gpu_memory_utilization: 0.5
  vllm_gpu_memory_utilization: 0.5
good: {{gpu_memory_utilization: 0.5}}
plugins: [{KD}]
"""


def context(release: str, text: str = TEXT) -> CheckContext:
    document = compose(SourceText.from_str(text))
    target = environment([f"axolotl=={release}"])
    return CheckContext(document, load_framework("axolotl"), target, nowhere())


@each(
    ("release", "actions", "unread"),
    [
        ("0.21.0", [SetValue(("seed",), 1)], None),
        ("0.21.0", [SetValue(("sead",), 1)], ("sead",)),
        ("0.21.0", [DeleteKey(("old",))], None),
        # With a key go those below it.
        ("0.21.0", [RenameKey(("good",), "vllm")], None),
        ("0.21.0", [RenameKey(("old",), "vllm")], ("vllm", "vllm_gpu_memory_utilization")),
        ("0.21.0", [MoveKey(("old",), ("vllm",))], ("vllm", "vllm_gpu_memory_utilization")),
        ("0.7.0", [RenameKey(("good",), "vllm")], ("vllm",)),
        ("0.7.0", [SetValue(("vllm", "gpu_memory_utilization"), 0.5)], ("vllm",)),
        ("0.21.0", [SetValue(("vllm",), {"gpu": 1})], ("vllm", "gpu")),
        # Gone, and still there.
        ("0.20.0", [SetValue(("fsdp",), ["full_shard"])], ("fsdp",)),
        ("0.19.0", [SetValue(("fsdp",), ["full_shard"])], None),
        # In lists.
        ("0.21.0", [SetValue(("datasets", 0, "type"), "alpaca")], None),
        ("0.21.0", [SetValue(("datasets", 0, "typ"), "alpaca")], ("datasets", 0, "typ")),
        ("0.21.0", [AppendItem(("datasets",), {"pth": "a"})], ("datasets", 0, "pth")),
        ("0.21.0", [SetValue(("datasets",), [{"path": "a"}, {"pth": 1}])], ("datasets", 1, "pth")),
        ("0.21.0", [SetValue(("datasets",), [{"path": "a", 1: 2}])], None),
        ("0.21.0", [SetValue(("trl",), {"vllm": {"x": 1}})], ("trl", "vllm")),
        # There is nothing to move.
        ("0.21.0", [RenameKey(("gone",), "seed")], None),
        ("0.21.0", [RenameKey(("gone",), "sead")], ("sead",)),
        ("0.21.0", [MoveKey(("gone",), ("vllm", "gpu"))], ("vllm", "gpu")),
        # Each of the actions counts.
        ("0.21.0", [SetValue(("seed",), 1), SetValue(("sead",), 1)], ("sead",)),
        ("0.21.0", [DeleteKey(("old",)), SetValue(("sead",), 1)], ("sead",)),
        # Any key goes below a free-form one.
        ("0.21.0", [SetValue(("bnb_config_kwargs", "anything"), 1)], None),
        # A plugin's: listed by the file, by the fix, or by nobody.
        ("0.21.0", [SetValue(("kd_alpha",), 1)], None),
        ("0.21.0", [SetValue(("liger_rope",), True)], ("liger_rope",)),
        (
            "0.21.0",
            [
                AppendItem(("plugins",), "axolotl.integrations.liger.LigerPlugin"),
                SetValue(("liger_rope",), True),
            ],
            None,
        ),
        (
            "0.21.0",
            [
                SetValue(("plugins",), ["axolotl.integrations.liger.LigerPlugin"]),
                SetValue(("liger_rope",), True),
            ],
            None,
        ),
    ],
)
def test_unread_key(release: str, actions: list[Action], unread: Path | None) -> None:
    assert unread_key(tuple(actions), context(release)) == unread


def test_such_a_fix_is_not_offered() -> None:
    text = "base_model: a/b\nrl: grpo\ntrl:\n  vllm: {vllm_gpu_memory_utilization: 0.5}\n"
    (found,) = lint(text, select=("KEY003",))
    assert not found.fixes
    assert fix(text, select=("KEY003",), unsafe=True) == text


def test_what_was_hidden_is_declared() -> None:
    text = "base_model: a/b\nadapter: qlora\nload_in_8bit: true\nmerge_lora: true\n"
    select = ("PEF102", "PEF105")
    assert [found.code for found in lint(text, select=select)] == ["PEF105"]
    fixed = fix(text, select=select)
    assert "merge_lora" not in fixed
    assert [found.code for found in lint(fixed, select=select)] == ["PEF102"]
