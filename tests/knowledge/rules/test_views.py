"""The three views, and the rewrites between them."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.checks.context import CheckContext
from cfglint.engine.scope import FileScope
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.knowledge.rules.views import View
from cfglint.source.document import Mapping, Path, Scalar
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each

AXOLOTL = Axolotl()


def scope(text: str, *pins: str, view: str = "late") -> FileScope:
    target = build_environment(AXOLOTL.releases, pins=pins)
    found = FileScope(CheckContext(compose(SourceText(text)), AXOLOTL, target, nowhere()))
    found.use(view)
    return found


@each(
    ("text", "key", "raw", "late"),
    [
        ("sample_packing: true\n", "eval_sample_packing", MISSING, True),
        ("sample_packing: true\neval_sample_packing: false\n", "eval_sample_packing", False, False),
        ("sample_packing: false\n", "eval_sample_packing", MISSING, MISSING),
        ("sample_packing: 'true'\n", "sample_packing", "true", True),
        ("flash_attention: true\n", "attn_implementation", MISSING, "flash_attention_2"),
        (
            "flash_attention: true\nattn_implementation: sdpa\n",
            "attn_implementation",
            "sdpa",
            "sdpa",
        ),
        ("fsdp_config:\n  fsdp_version: 2\n", "fsdp_version", MISSING, 2),
        ("base_model: x\n", "base_model", "x", "x"),
    ],
)
def test_raw_and_late(text: str, key: str, raw: Any, late: Any) -> None:
    assert scope(text, view="raw").value((key,)) in (raw,)
    assert scope(text).value((key,)) == late


def test_parts_of_a_mapping_in_a_text() -> None:
    found = scope("lr_scheduler_kwargs: '{\"min_lr\": 1e-6}'\ntrl: '{\"beta\": '\n")
    assert found.value(("lr_scheduler_kwargs", "min_lr")) == 1e-6
    assert found.value(("lr_scheduler_kwargs", "min_lr_rate")) is MISSING
    assert found.value(("trl", "beta")) is MISSING


def test_views_do_not_leak_into_each_other() -> None:
    found = scope("sample_packing: true\n")
    assert found.value(("eval_sample_packing",)) is True
    found.use("raw")
    assert found.value(("eval_sample_packing",)) is MISSING
    found.use("effective")
    assert found.value(("eval_sample_packing",)) is True


def test_effective_has_defaults() -> None:
    name, default = next(iter(AXOLOTL.keys.defaults.items()))
    assert scope("base_model: x\n", view="effective").value((name,)) == default
    assert scope("base_model: x\n").value((name,)) is MISSING
    assert scope(f"{name}:\n", view="effective").value((name,)) == default


def test_stripped_keys_are_found_where_they_stand() -> None:
    found = scope("fsdp_config:\n  fsdp_state_dict_type: SHARDED_STATE_DICT\n")
    path = ("fsdp_config", "state_dict_type")
    assert found.value(path) == "SHARDED_STATE_DICT"
    assert found.view.written_path(path) == ("fsdp_config", "fsdp_state_dict_type")
    assert found.view.written_path(("sample_packing",)) is None


def test_lists() -> None:
    view = View(compose(SourceText("d:\n- a: 1\n- b: 2\n- 3\ne: 4\n")))
    assert view.expand(("d", "[]", "a")) == [("d", 0, "a"), ("d", 1, "a"), ("d", 2, "a")]
    assert view.values(("d", "[]", "a")) == [1, MISSING, MISSING]
    assert view.values(("e", "[]")) == []
    assert view.values(("nothing", "[]", "a")) == []


def test_a_change_reaches_what_was_asked_before() -> None:
    view = View(compose(SourceText("a: 1\nb: 2\n")))
    assert view.value(("a",)) == 1
    view.change(("a",), 3, origin=("b",), reason="because")
    assert view.value(("a",)) == 3
    assert view.written_path(("a",)) == ("b",)
    assert view.rewritten[("a",)].reason == "because"


@each(
    ("path", "value", "inner"),
    [
        (("a",), {"x": 5}, 5),
        (("a",), {}, MISSING),
        (("a", "x"), 5, 5),
        (("b",), 5, 1),
    ],
)
def test_what_was_asked_before_a_rewrite_is_asked_again(path: Path, value: Any, inner: Any) -> None:
    view = View(compose(SourceText("a: {x: 1}\nb: 2\n")))
    assert (view.at[("a", "x")], view.at[("b",)], view.at[("a",)]) == (1, 2, {"x": 1})
    view.change(path, value, origin=None, reason="")
    assert view.at[path] == value
    assert view.at[("a", "x")] == inner


def test_a_value_with_parts_where_there_was_nothing() -> None:
    view = View(compose(SourceText("b: 2\n")))
    assert view.value(("a", "x")) is MISSING
    view.change(("a",), {"x": 1}, origin=None, reason="")
    assert view.at[("a", "x")] == 1


@each(
    ("path", "value"),
    [
        (("a",), 1),
        (("unset",), MISSING),
        (("open",), UNKNOWN),
        # The innermost mapping that is written decides.
        (("section", "b"), 2),
        (("section", "gone"), MISSING),
        (("section", "open"), UNKNOWN),
        (("section", "gone", "deeper"), MISSING),
        (("section", "open", "deeper"), UNKNOWN),
        (("section", "inner", "any"), MISSING),
        (("section", "inner", "any", "deeper"), MISSING),
        # A section that is not written is as its own name is.
        (("unset", "any"), MISSING),
        (("open", "any"), UNKNOWN),
        # What a value is that only a run decides has no parts that are known.
        (("computed", "any"), UNKNOWN),
        (("a", "any"), UNKNOWN),
    ],
)
def test_what_a_call_may_set_besides(path: Path, value: Any) -> None:
    document = compose(SourceText("a: 1\ncomputed: x\nsection: {b: 2, inner: {c: 3}}\n"))
    computed, section = document.node(("computed",)), document.node(("section",))
    assert isinstance(computed, Scalar)
    assert isinstance(section, Mapping)
    computed.value = UNKNOWN
    document.root.settled, section.settled = frozenset({"unset"}), frozenset({"gone"})
    assert View(document).value(path) == value
    # Of a file all is known that it does not say.
    document.root.settled = section.settled = None
    if value is UNKNOWN and path[0] != "computed":
        assert View(document).value(path) is MISSING
