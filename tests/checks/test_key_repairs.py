"""How a key that is not read becomes one that is."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint import lint_text
from cfglint.checks.context import CheckContext
from cfglint.checks.key_repairs import (
    concrete_path,
    deletion,
    is_free,
    own_path,
    removal,
    rename,
    to_own_name,
    to_several,
    would_fit,
)
from cfglint.diagnostic import ANY, Diagnostic
from cfglint.environment.surroundings import nowhere
from cfglint.fixes.actions import DeleteKey, MoveKey, RenameKey, SetValue
from cfglint.roles.foreign_names import ForeignName
from cfglint.roles.framework import load_framework
from cfglint.roles.key_policy import Verdict, WrittenKey
from cfglint.source.document import Entry, Mapping, Path, Scalar
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import environment, fix, lint


def _asked(text: str) -> tuple[Diagnostic, ...]:
    """What is found in a text, what is harmless included."""
    return lint_text(text, select=["KEY"], min_confidence="low").diagnostics


def found(text: str, *path: str | int) -> Diagnostic:
    (one,) = [each for each in _asked(text) if each.path == path]
    return one


def test_a_section_keeps_what_else_is_in_it() -> None:
    text = "base_model: a/b\nspecial_tokens:\n  learning_rate: 0.1\n  bos_token: <s>\n"
    misplaced = found(text, "special_tokens", "learning_rate")
    (repair,) = misplaced.fixes
    assert misplaced.name == "misplaced-key"
    assert repair.safety == "safe"
    assert repair.paths == (("special_tokens", "learning_rate"), ("learning_rate",))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("special_tokens:\n  learning_rate: 0.1\nseed: 1\n", "seed: 1\nlearning_rate: 0.1\n"),
        ("special_tokens: {learning_rate: 0.1}\nseed: 1\n", "seed: 1\nlearning_rate: 0.1\n"),
        (
            "special_tokens:\n  # how fast\n  learning_rate: 0.1\n  seed: 1\n",
            "# how fast\nlearning_rate: 0.1\nseed: 1\n",
        ),
    ],
)
def test_a_section_that_would_be_left_empty_goes(before: str, after: str) -> None:
    start = "base_model: a/b\n"
    assert fix(start + before) == start + after


def test_an_entry_of_a_list_is_not_left_empty() -> None:
    text = "base_model: a/b\ndatasets:\n  - val_set_size: 0.1\n"
    assert not found(text, "datasets", 0, "val_set_size").fixes


def test_what_moves_along_has_to_be_read_there() -> None:
    trl = "base_model: a/b\nrl: grpo\ntrl:\n  vllm:\n    "
    assert not found(trl + "vllm_gpu_memory_utilization: 0.5\n", "trl", "vllm").fixes
    assert found(trl + "gpu_memory_utilization: 0.5\n", "trl", "vllm").fixes


def test_a_wish_that_other_keys_carry_out_is_not_deleted_safely() -> None:
    text = "base_model: a/b\nquantization_config:\n  load_in_4bit: true\n"
    (repair,) = found(text, "quantization_config").fixes
    assert repair.safety == "unsafe"
    # Nothing is wished here,
    (repair,) = found("base_model: a/b\nquantization_config:\n", "quantization_config").fixes
    assert repair.safety == "safe"
    # and here nothing can be done about it.
    (repair,) = found("base_model: a/b\nskip_memory_metrics: true\n", "skip_memory_metrics").fixes
    assert repair.safety == "safe"


def test_keys_of_another_program_go_together_with_those_that_are_off() -> None:
    text = (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\ndeepspeed_config:\n"
        "  zero_stage: 2\n  contiguous_gradients: false\n  overlap_comm: true\n"
    )
    (one,) = [each for each in lint(text, framework="accelerate") if each.code == "KEY002"]
    assert one.path == ("deepspeed_config", "overlap_comm")
    assert one.severity == "warning"
    assert one.fixes[0].title == "Delete these 2 keys"


def test_the_right_name_of_a_misspelt_key_may_bring_anything_to_light() -> None:
    (repair,) = found("base_model: a/b\nlearning_rat: 0.1\n", "learning_rat").fixes
    assert (repair.safety, repair.leads_to) == ("safe", (ANY,))


@pytest.mark.parametrize(
    ("line", "code"),
    [("gradient_clipping", "KEY003"), ("deepspeed", "KEY002"), ("something", "KEY001")],
)
def test_a_key_without_a_value_that_a_file_is_refused_for_can_go(line: str, code: str) -> None:
    base = "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\n"

    def finding(text: str) -> Diagnostic:
        (one,) = [each for each in lint(text, framework="accelerate") if each.path == (line,)]
        return one

    one = finding(f"{base}{line}:\n")
    assert (one.code, one.severity) == (code, "error")
    assert "It has no value and can be deleted." in one.message
    assert [(fix.title, fix.safety) for fix in one.fixes] == [("Delete it", "safe")]
    # What has a value asks for something.
    assert "It has no value" not in finding(f"{base}{line}: 1\n").message


@each(
    ("section", "written", "path"),
    [
        ("", ("a", "lr"), ("lr",)),
        ("optim", ("a", "lr"), ("optim", "lr")),
        ("a.b", ("lr",), ("a", "b", "lr")),
        # A name that the user chose is the one that the key is written under.
        ("groups.*", ("groups", "x", "lr"), ("groups", "x", "lr")),
        ("groups.*.more", ("groups", "x", "more", "lr"), ("groups", "x", "more", "lr")),
        ("groups.*", ("others", "x", "lr"), None),
        ("groups.*", ("groups", "x"), None),
        ("datasets[]", ("datasets", 1, "type", "lr"), ("datasets", 1, "lr")),
        ("datasets[]", ("datasets", 1, "lr"), None),
        ("datasets[]", ("datasets", "x", "type", "lr"), None),
        ("datasets[].type", ("datasets", 1, "lr"), ("datasets", 1, "type", "lr")),
        ("datasets[].type", ("datasets", 1, "type", "lr"), None),
        ("datasets[].type", ("datasets", "x", "lr"), None),
        ("datasets[].other", ("datasets", 1, "lr"), None),
    ],
)
def test_the_path_of_a_key_in_another_section(
    section: str, written: Path, path: Path | None
) -> None:
    assert concrete_path(section, "lr", written) == path


@each(
    ("section", "to", "path"),
    [
        ("", "lr", ("lr",)),
        ("a", "a.lr", ("a", "lr")),
        ("a", "b.c.lr", ("b", "c", "lr")),
        ("a", "lr", ("lr",)),
        ("datasets[]", "datasets[].lr", ("datasets", 2, "lr")),
        ("", "datasets[].lr", None),
        ("", "", None),
        ("", "lr=1", None),
        ("", "lr or rate", None),
    ],
)
def test_the_path_of_another_name(section: str, to: str, path: Path | None) -> None:
    written: Path = ("datasets", 2, "x") if "[]" in section else ("a", "x") if section else ("x",)
    name = Scalar(0, 1, None, None, "x", "", "tag:yaml.org,2002:str", "x")
    key = WrittenKey(
        section, written, Entry(name, name), "x", None, Mapping(0, 1, None, None, flow=False)
    )
    assert own_path(key, to) == path
    assert key.full_name == (f"{section}.x" if section else "x")


TEXT = """\
rate: 0.1
switch: false
nothing:
listed: [x]
many: [x, y]
inner: {only: 1}
outer: {one: 1, two: 2, own: {deep: 1}}
items:
  - {only: 1}
  - {one: 1, two: 2}
"""


def context(text: str = TEXT) -> CheckContext:
    return CheckContext(
        compose(SourceText(text)), load_framework("axolotl"), environment(), nowhere()
    )


def written(ctx: CheckContext, *path: str | int, **verdict: Any) -> WrittenKey:
    """A key of the text."""
    entry, mapping = ctx.document.entry(path), ctx.document.node(path[:-1])
    assert entry is not None
    assert isinstance(mapping, Mapping)
    section = ".".join("[]" if isinstance(part, int) else part for part in path[:-1])
    told = Verdict("unread", **verdict)
    return WrittenKey(section.replace(".[]", "[]"), path, entry, str(path[-1]), None, mapping, told)


@each(
    ("path", "free"),
    [
        (("new",), True),
        (("rate",), False),
        (("nothing",), False),
        (("new", "deeper"), True),
        (("nothing", "new"), True),
        (("rate", "new"), False),
        (("outer", "new"), True),
        (("outer", "one"), False),
        (("outer", "own", "new"), True),
        (("outer", "one", "new"), False),
        (("items", 0, "new"), True),
        (("items", 0, "only"), False),
        (("items", 7, "new"), True),
        (("items", "new"), False),
    ],
)
def test_where_a_fix_may_write(path: Path, free: bool) -> None:
    assert is_free(context(), path) is free


SAME = ForeignName("Other", "there", "same", {}, "")


@each(
    ("path", "foreign", "title", "safety", "actions"),
    [
        # In place, with its value.
        (("rate",), SAME, "Use there", "safe", (RenameKey(("rate",), "there"),)),
        (("nothing",), SAME, "Use there", "safe", (RenameKey(("nothing",), "there"),)),
        # To another section.
        (
            ("rate",),
            SAME.replaced(to="new.there"),
            "Use new.there",
            "safe",
            (MoveKey(("rate",), ("new", "there")),),
        ),
        # The only key of a section takes the section with it.
        (
            ("inner", "only"),
            SAME,
            "Use there",
            "safe",
            (MoveKey(("inner", "only"), ("there",)), DeleteKey(("inner",))),
        ),
        (
            ("outer", "one"),
            SAME,
            "Use there",
            "safe",
            (MoveKey(("outer", "one"), ("there",)),),
        ),
        (
            ("inner", "only"),
            SAME.replaced(to="inner.own.there"),
            "Use inner.own.there",
            "safe",
            (MoveKey(("inner", "only"), ("inner", "own", "there")),),
        ),
        # With another value.
        (
            ("rate",),
            SAME.replaced(how="ten times", values={0.1: 1}),
            "Use there",
            "safe",
            (RenameKey(("rate",), "there"), SetValue(("there",), 1)),
        ),
        (
            ("rate",),
            SAME.replaced(to="new.there", how="ten times", values={0.1: 1}),
            "Use new.there",
            "safe",
            (DeleteKey(("rate",)), SetValue(("new", "there"), 1)),
        ),
        (
            ("listed",),
            SAME.replaced(how="other words", values={"x": "z"}),
            "Use there",
            "safe",
            (RenameKey(("listed",), "there"), SetValue(("there",), ["z"])),
        ),
        (
            ("listed",),
            SAME.replaced(values={"x": None}),
            "Delete it",
            "safe",
            (DeleteKey(("listed",)),),
        ),
        (
            ("switch",),
            SAME.replaced(values={False: None}),
            "Delete it",
            "safe",
            (DeleteKey(("switch",)),),
        ),
        # What is there already.
        (
            ("outer", "one"),
            SAME.replaced(to="inner.only"),
            "Delete it; inner.only has the same value",
            "safe",
            (DeleteKey(("outer", "one")),),
        ),
        # One entry of a mapping.
        (
            ("inner",),
            SAME.replaced(how="its only"),
            "Use there",
            "safe",
            (SetValue(("there",), 1), DeleteKey(("inner",))),
        ),
        (
            ("outer",),
            SAME.replaced(how="its two"),
            "Use there",
            "unsafe",
            (SetValue(("there",), 2), DeleteKey(("outer",))),
        ),
        (
            ("inner",),
            SAME.replaced(to="rate", how="its only"),
            "Set rate to 1",
            "unsafe",
            (SetValue(("rate",), 1), DeleteKey(("inner",))),
        ),
        (
            ("inner",),
            SAME.replaced(to="nothing", how="its only"),
            "Use nothing",
            "safe",
            (SetValue(("nothing",), 1), DeleteKey(("inner",))),
        ),
    ],
)
def test_the_name_that_a_key_has_here(
    path: Path, foreign: ForeignName, title: str, safety: str, actions: tuple[Any, ...]
) -> None:
    ctx = context()
    (repair,) = to_own_name(ctx, written(ctx, *path), foreign)
    assert (repair.title, repair.safety, repair.actions) == (title, safety, actions)


@each(
    ("path", "foreign"),
    [
        (("rate",), SAME.replaced(to=None)),
        (("rate",), SAME.replaced(to="a or b")),
        # How the value changes is not known.
        (("rate",), SAME.replaced(how="ten times")),
        (("rate",), SAME.replaced(how="ten times", values={0.2: 2})),
        (("many",), SAME.replaced(how="other words", values={"x": "z"})),
        # Another value is there, or no place for it.
        (("rate",), SAME.replaced(to="switch")),
        (("rate",), SAME.replaced(to="listed.there")),
        (("nothing",), SAME.replaced(to="rate")),
        (("nothing",), SAME.replaced(to="new.there")),
        # An entry of a list is not left empty.
        (("items", 0, "only"), SAME),
        (("inner",), SAME.replaced(how="its other")),
        (("rate",), SAME.replaced(how="its other")),
        (("inner",), SAME.replaced(to="listed.there", how="its only")),
    ],
)
def test_no_evident_name(path: Path, foreign: ForeignName) -> None:
    ctx = context()
    assert to_own_name(ctx, written(ctx, *path), foreign) == ()


@each(
    ("path", "values", "written_instead"),
    [
        (("rate",), {0.1: {"a": 1, "b": 2}}, {"a": 1, "b": 2}),
        (("outer", "one"), {1: {"a": 1}}, {"a": 1}),
        (("rate",), {0.2: {"a": 1}}, None),
        (("rate",), {0.1: 1}, None),
        (("listed",), {"x": {"a": 1}}, None),
        (("inner",), {}, None),
    ],
)
def test_several_keys_for_one(
    path: Path, values: dict[Any, Any], written_instead: dict[str, Any] | None
) -> None:
    ctx = context()
    found = to_several(written(ctx, *path), SAME.replaced(to=None, values=values))
    if written_instead is None:
        assert found == ()
        return
    (repair,) = found
    assert (repair.title, repair.safety) == (f"Use {', '.join(written_instead)}", "unsafe")
    writes = [SetValue((*path[:-1], name), value) for name, value in written_instead.items()]
    assert repair.actions == (*writes, DeleteKey(path))


@each(
    ("paths", "foreign", "refuses", "title", "safety"),
    [
        ([("rate",)], SAME.replaced(to=None, how=""), False, "Delete it", "safe"),
        ([("rate",), ("switch",)], SAME.replaced(how=""), False, "Delete these 2 keys", "safe"),
        # What it asks for is left undone.
        ([("rate",)], SAME, False, "Delete it", "unsafe"),
        ([("switch",)], SAME, False, "Delete it", "safe"),
        ([("nothing",), ("switch",)], SAME, False, "Delete these 2 keys", "safe"),
        ([("switch",), ("rate",)], SAME, False, "Delete these 2 keys", "unsafe"),
        ([("rate",)], SAME.replaced(how=""), True, "Delete it", "safe"),
        ([("rate",)], SAME.replaced(how="", advice="Do so."), True, "Delete it", "unsafe"),
        ([("rate",)], SAME.replaced(how="", advice="Do so."), False, "Delete it", "safe"),
        ([("rate",)], SAME.replaced(how="", origin=""), True, "Delete it", "unsafe"),
        ([("rate",)], SAME.replaced(how="", origin=""), False, "Delete it", "safe"),
    ],
)
def test_deletions(
    paths: list[Path], foreign: ForeignName, refuses: bool, title: str, safety: str
) -> None:
    ctx = context()
    told = {"refuses": refuses, "before_deletion": "Look."}
    repair = deletion(ctx, foreign, [written(ctx, *path, **told) for path in paths])
    assert (repair.title, repair.safety) == (title, safety)
    assert repair.actions == tuple(map(DeleteKey, paths))
    assert repair.look_at == ("Look." if safety == "unsafe" else "")


@each(
    ("path", "deleted"),
    [
        (("rate",), ("rate",)),
        (("inner", "only"), ("inner",)),
        (("outer", "one"), ("outer", "one")),
        (("items", 0, "only"), ("items", 0, "only")),
    ],
)
def test_what_asks_for_nothing_is_taken_away_whole(path: Path, deleted: Path) -> None:
    ctx = context()
    repair = removal(ctx, written(ctx, *path))
    assert (repair.safety, repair.actions) == ("safe", (DeleteKey(deleted),))
    alone = context("rate: 0.1\n")
    assert removal(alone, written(alone, "rate")).actions == (DeleteKey(("rate",)),)


def test_another_name_in_place() -> None:
    ctx = context()
    (repair,) = rename(ctx, written(ctx, "outer", "one"), "three", "safe")
    assert repair.actions == (RenameKey(("outer", "one"), "three"),)
    # What was hidden by a slip may come to light.
    assert (repair.title, repair.leads_to) == ("Rename it to three", (ANY,))
    (repair,) = rename(ctx, written(ctx, "rate"), "new", "unsafe")
    assert repair.leads_to == ()
    assert rename(ctx, written(ctx, "outer", "one"), "two", "safe") == ()


@each(
    ("name", "key", "fits"),
    [
        ("micro_batch_size", "size", True),
        ("micro_batch_size", "word", False),
        ("micro_batch_size", "nothing", True),
        ("load_in_8bit", "on", True),
        ("load_in_8bit", "word", False),
        ("no_such_key", "word", True),
    ],
)
def test_a_value_that_another_key_takes(name: str, key: str, fits: bool) -> None:
    ctx = context("size: 2\nword: many\nnothing:\n'on': true\n")
    assert would_fit(ctx, written(ctx, key), name) is fits
