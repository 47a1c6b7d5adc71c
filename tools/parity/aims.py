"""Configurations aimed at a rule: such that its condition holds, or all of it but one part."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from cfglint.knowledge.keys.places import section_of

if TYPE_CHECKING:
    from random import Random

    from cfglint.base.logic import Condition
    from tools.parity.values import Values

_FALSE = [None, False, 0, "ABSENT"]
_FSDP = {"offload_params": False, "auto_wrap_policy": "TRANSFORMER_BASED_WRAP"}
_BACKENDS = {
    "flash_attention_2": "flash_attention",
    "sdpa": "sdp_attention",
    "xformers": "xformers_attention",
    "flex_attention": "flex_attention",
    "sage": "sage_attention",
    "s2": "s2_attention",
    "eager": "eager_attention",
}
_META = re.compile(r"[\^$?*+()\[\]\\.]|\{\d+,?\d*\}")


class Literal(NamedTuple):
    """One part of a condition, and whether it has to hold."""

    kind: str
    subject: Any
    tests: tuple[tuple[str, Any], ...]
    holds: bool

    def turned(self) -> Literal:
        """The opposite."""
        return self._replace(holds=not self.holds)


def literals(condition: Condition, rng: Random, *, holds: bool = True) -> list[Literal]:
    """Parts which, all met, make the condition true (or false): one way of several."""
    kind = condition[0]
    if kind == "not":
        return literals(condition[1], rng, holds=not holds)
    if kind in ("all", "any"):
        parts = condition[1]
        if (kind == "all") is holds:
            return [one for part in parts for one in literals(part, rng, holds=holds)]
        chosen = rng.choice(parts)
        return literals(chosen, rng, holds=holds)
    if kind == "test":
        return [Literal("test", condition[1], condition[2], holds)]
    if kind == "plugin":
        return [Literal("plugin", condition[1], (), holds)]
    if kind == "count":
        _, predicate, operand, subjects, tests = condition
        few, many = rng.sample(subjects, 1), rng.sample(subjects, min(2, len(subjects)))
        wants_many = any(name in ("ge", "gt", "eq") and number > 0 for name, number in tests)
        chosen = many if wants_many is holds else few
        return [Literal("test", one, ((predicate, operand),), True) for one in chosen]
    return []


class Aim:
    """Puts literals into configurations."""

    def __init__(self, values: Values, rng: Random, plugins: dict[str, str]) -> None:
        self._values = values
        self._rng = rng
        self._plugins = plugins

    def meet(self, config: dict[str, Any], wanted: list[Literal], each: Any = None) -> None:
        """Change a configuration so that it meets the literals, where that can be done."""
        for one in wanted:
            if one.kind == "plugin":
                self._plugin(config, one)
                continue
            kind, subject = one.subject[0], one.subject[1]
            if kind == "derived":
                self._derived(config, subject, one)
            elif kind == "item" and each is not None:
                self._set(config, (*each, "[]", *subject), one)
            elif kind in ("key", "some", "every"):
                self._set(config, subject, one)
            elif kind == "expr":
                for path in _paths_in(subject):
                    _put(config, path, self._rng.choice([1, 2, 3, 4, 6, 8, 64, 100, 0.5]))

    def _set(self, config: dict[str, Any], path: tuple[str, ...], one: Literal) -> None:
        value = self._value(path, one.tests, one.holds, config)
        _put(config, path, value)

    def _plugin(self, config: dict[str, Any], one: Literal) -> None:
        written = config.get("plugins")
        names = (
            [name for name in written if isinstance(name, str)] if isinstance(written, list) else []
        )
        listed = [name for name in names if not name.endswith(one.subject)]
        if one.holds:
            listed.append(self._plugins.get(one.subject, one.subject))
        config["plugins"] = listed
        if not listed:
            del config["plugins"]

    def _derived(self, config: dict[str, Any], name: str, one: Literal) -> None:
        rng = self._rng
        operand = one.tests[0][1]
        wanted = rng.choice(operand) if isinstance(operand, (list, tuple)) and operand else operand
        if name == "fsdp_version":
            config.pop("deepspeed", None)
            config["fsdp_config"] = {**_FSDP, **(config.get("fsdp_config") or {})}
            config["fsdp_version"] = (
                wanted if wanted in (1, 2) and one.holds else rng.choice([1, 2])
            )
            if config["fsdp_version"] == 1 and rng.random() < 0.5:
                config["fsdp"] = ["full_shard", "auto_wrap"]
        elif name == "zero_stage":
            config["deepspeed"] = f"deepspeed_configs/zero{rng.choice([1, 2, 3])}.json"
        elif name == "attention_backend":
            for flag in (*_BACKENDS.values(), "attn_implementation"):
                config.pop(flag, None)
            backend = wanted if one.holds and isinstance(wanted, str) else rng.choice([*_BACKENDS])
            if self._values.schema("", "attn_implementation") is not None and rng.random() < 0.6:
                config["attn_implementation"] = backend
            elif backend in _BACKENDS:
                config[_BACKENDS[backend]] = True

    def _value(
        self, path: tuple[str, ...], tests: tuple[tuple[str, Any], ...], holds: bool, config: Any
    ) -> Any:
        rng = self._rng
        name, operand = tests[-1] if holds else rng.choice(tests)
        if isinstance(operand, tuple) and operand[:1] == ("ref",):
            other = operand[1]
            if other[0] != "key":
                return self._fitting(path)
            operand = _get(config, other[1])
        positive = holds
        if name in ("truthy", "set", "written"):
            positive = operand is holds
            return self._fitting(path, truthy=True) if positive else rng.choice(_FALSE)
        if name in ("ne", "not_in", "is_not"):
            name, positive = {"ne": "eq", "not_in": "in", "is_not": "is"}[name], not holds
        if name in ("eq", "is"):
            return operand if positive else self._other(path, (operand,))
        if name == "in":
            return rng.choice(operand) if positive else self._other(path, operand)
        if name in ("gt", "ge", "lt", "le") and isinstance(operand, (int, float)):
            up = (name in ("gt", "ge")) is positive
            edge = operand if (name in ("ge", "le")) is positive else None
            step = rng.choice([1, 1, 2, 10, 0.5]) if abs(operand) > 1 else rng.choice([1, 0.1, 2])
            choices = [operand + step if up else operand - step]
            return rng.choice(choices + ([edge] if edge is not None else []))
        if name in ("contains", "starts_with", "ends_with", "matches"):
            return self._text(name, operand) if positive else self._fitting(path)
        if name in ("any_item", "every_item"):
            item = self._value((*path, "[]"), operand, positive, config)
            return [item] if rng.random() < 0.6 else [item, item]
        if name == "has_key":
            return {operand: 1} if positive else {}
        return self._fitting(path)

    def _text(self, name: str, operand: Any) -> str:
        options = list(operand) if isinstance(operand, (list, tuple)) else [str(operand)]
        text = self._rng.choice(options)
        if name == "matches":
            text = _META.sub("", self._rng.choice(re.split(r"\|", text)))
        return f"some/{text}-1b" if name == "contains" else text

    def _other(self, path: tuple[str, ...], unwanted: Any) -> Any:
        for _ in range(8):
            value = self._fitting(path)
            if value not in unwanted:
                return value
        return self._rng.choice(["other", 7, None, "ABSENT"])

    def _fitting(self, path: tuple[str, ...], *, truthy: bool = False) -> Any:
        concrete = tuple(0 if part == "[]" else part for part in path)
        section = section_of(concrete[:-1])
        name = concrete[-1]
        if not isinstance(name, str):
            return self._rng.choice(["text", 1, {"path": "a/b", "type": "alpaca"}])
        return self._values.fitting(self._rng, section, name, truthy=truthy)


def involved(wanted: list[Literal]) -> list[tuple[str, ...]]:
    """The key paths that literals are about."""
    return [one.subject[1] for one in wanted if one.kind == "test" and one.subject[0] == "key"]


def _paths_in(tree: Any) -> list[tuple[str, ...]]:
    if not isinstance(tree, tuple):
        return []
    if len(tree) == 2 and tree[0] == "key":
        return [tree[1]]
    return [path for part in tree for path in _paths_in(part)]


def _put(config: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set a value in every item of the lists on the way; `ABSENT` takes the key away."""
    node: Any = config
    for index, part in enumerate(path[:-1]):
        if part == "[]":
            if isinstance(node, list):
                for item in node:
                    if isinstance(item, dict):
                        _put(item, path[index + 1 :], value)
            return
        if not isinstance(node, dict):
            return
        following = path[index + 1]
        inner = node.get(part)
        if not isinstance(inner, (dict, list)) or not inner:
            inner = node[part] = [{"path": "a/b"}] if following == "[]" else {}
        node = inner
    if not isinstance(node, dict):
        return
    if isinstance(value, str) and value == "ABSENT":
        node.pop(path[-1], None)
    elif path[-1] != "[]":
        node[path[-1]] = copy.deepcopy(value)


def _get(config: Any, path: tuple[str, ...]) -> Any:
    for part in path:
        config = config.get(part) if isinstance(config, dict) else None
    return config
