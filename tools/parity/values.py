"""Values for keys: such that a release's schema takes them, and such that it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cfglint.knowledge.keys.pydantic_types import split_type

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random


#: What other packages define; the schema has no list of its own.
_EXTERNAL = {
    "OptimizerNames": ["adamw_torch", "adamw_torch_fused", "adafactor", "sgd", "adamw_bnb_8bit"],
    "SchedulerType": ["linear", "cosine", "constant", "constant_with_warmup", "polynomial"],
}
_TEXTS = ["./data", "some/name", "text", "q_proj", "train", "1e-4", "0", "auto", "steps", "no"]
_INTEGERS = [0, 1, 2, 3, 4, 8, 16, 32, 64, 100, 128, 500, 1000, "2", 4.0, -1]
_FLOATS = [0.0, 0.05, 0.1, 0.5, 0.9, 0.95, 1.0, 1, 2, 1.5, 1.0e-05, "1e-5", "0.1", -0.5]
_ANYTHING = [None, True, False, 0, 1, 2.5, "text", "", [], {}, ["a"], {"a": 1}, [1, 2], "true"]


class Schema(NamedTuple):
    """What a release takes for a key, and the plugin that brings the key."""

    type: str
    enum: tuple[Any, ...]
    constraints: Mapping[str, Any]
    plugin: str | None


class Values:
    """Draws values for the keys of a release, from its column of the key history."""

    def __init__(self, columns: Mapping[str, Mapping[str, Any]]) -> None:
        self._sections: dict[str, dict[str, Schema]] = {}
        for path, facts in columns.items():
            section, _, name = path.rpartition(".")
            self._sections.setdefault(section, {})[name] = Schema(
                facts["type"], tuple(facts["enum"]), facts["constraints"], facts["plugin"]
            )

    def schema(self, section: str, key: str) -> Schema | None:
        """What the release takes for a key; None when it does not have the key."""
        return self._sections.get(section, {}).get(key)

    def keys(self, section: str) -> list[str]:
        """The keys of a section that the release has."""
        return list(self._sections.get(section, ()))

    def sections(self) -> list[str]:
        """The sections that are in the file, below the top level."""
        return [name for name in self._sections if name and not name.endswith(".type")]

    def fitting(self, rng: Random, section: str, key: str, *, truthy: bool = False) -> Any:
        """A value that the key takes (as far as its type tells)."""
        schema = self.schema(section, key)
        place = f"{section}.{key}" if section else key
        for _ in range(12):
            if schema is None:
                value = rng.choice(_ANYTHING)
            else:
                kinds = [kind for kind in split_type(schema.type) if kind != "null"]
                kind = rng.choice(kinds) if kinds and rng.random() < 0.97 else "null"
                value = self._of_kind(rng, kind, schema, place)
            if value or not truthy:
                return value
        return True

    def unfitting(self, rng: Random, section: str, key: str) -> Any:
        """A value that the key hardly takes: another type, no choice of its, out of its bounds."""
        schema = self.schema(section, key)
        way = rng.random()
        if schema is not None and schema.enum and way < 0.5:
            choice = str(rng.choice(schema.enum))
            spoilt = [choice.upper(), choice + "x", choice[:-1], choice.replace("_", "-"), "none"]
            return rng.choice(spoilt)
        if schema is not None and schema.constraints and way < 0.7:
            bound = rng.choice([v for v in schema.constraints.values() if v is not None])
            if isinstance(bound, (int, float)) and not isinstance(bound, bool):
                return rng.choice([bound, bound - 1, bound + 1, bound + 0.5, -bound, str(bound)])
        return rng.choice(_ANYTHING)

    def _of_kind(self, rng: Random, kind: str, schema: Schema, place: str) -> Any:
        base, _, inner = kind.partition("<")
        if base == "null":
            return None
        if base == "bool":
            return rng.choice([True, True, True, False, False, "true"])
        if base == "int":
            return self._within(rng, _INTEGERS, schema)
        if base == "float":
            return self._within(rng, _FLOATS, schema)
        if base == "literal" or base.startswith("enum:"):
            return rng.choice(schema.enum) if schema.enum else rng.choice(_TEXTS)
        if base.startswith("ext:"):
            return rng.choice(_EXTERNAL.get(base.rpartition(".")[2], _TEXTS))
        if base in ("list", "tuple", "set"):
            items = [one for one in split_type(inner[:-1].split(",")[0]) if one != "null"]
            count = rng.choice([1, 1, 2, 3, 0]) if base == "list" else inner.count(",") + 1
            kind = rng.choice(items or ["any"])
            return [self._of_kind(rng, kind, schema, f"{place}[]") for _ in range(count)]
        if base.startswith("model:"):
            return self.section(rng, place)
        if base == "dict":
            return {rng.choice(["a", "min_lr", "use_reentrant"]): rng.choice([1, True, "x", 0.1])}
        if base == "any":
            return rng.choice(_ANYTHING)
        return rng.choice(_TEXTS)

    def section(self, rng: Random, place: str) -> dict[str, Any]:
        """A few keys of a section."""
        names = self.keys(place)
        chosen = rng.sample(names, min(len(names), rng.choice([0, 1, 1, 2, 3])))
        if place in ("datasets[]", "test_datasets[]", "pretraining_dataset[]"):
            start: dict[str, Any] = {"path": "some/data", "type": "alpaca"}
        else:
            start = {}
        return {**start, **{name: self.fitting(rng, place, name) for name in chosen}}

    @staticmethod
    def _within(rng: Random, pool: list[Any], schema: Schema) -> Any:
        bounds = schema.constraints
        low, high = bounds.get("ge", bounds.get("gt")), bounds.get("le", bounds.get("lt"))
        if isinstance(low, (int, float)) and isinstance(high, (int, float)):
            pool = [low, high, (low + high) / 2] if "." in str(high) or high - low <= 1 else pool
        return rng.choice(pool)
