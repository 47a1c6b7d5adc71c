"""All keys of a DeepSpeed release: those that its models describe, and those it looks up by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.deepspeed_release.reading import Reader
from tools.deepspeed_release.sections import Found, Read, Section
from tools.python_sources.facts import KeyFacts, ReleaseKeys
from tools.python_sources.models import FieldFacts, ModelReader
from tools.python_sources.modules import ClassRef, Modules
from tools.python_sources.values import NotConstantError, Values, class_value, dotted_name

if TYPE_CHECKING:
    from tools.python_sources.sources import Release

PACKAGE = "deepspeed"
_ROOT_MODULE = f"{PACKAGE}.runtime.config"
_ROOT_CLASS = "DeepSpeedConfig"
_MODEL_BASE = f"{PACKAGE}.runtime.config_utils.DeepSpeedConfigModel"
#: Tables of keys whose presence ends the run: module constant -> the section that they are of.
_REFUSED = {
    "_REMOVED_TOP_LEVEL_CONFIG_KEYS": "",
    "_REMOVED_ZERO_CONFIG_KEYS": "zero_optimization",
}
_KINDS: dict[type, str] = {bool: "bool", int: "int", float: "float", str: "str", list: "list<any>"}


class NoRootClassError(Exception):
    """The release has no class that reads the whole configuration."""


def read_keys(release: Release) -> ReleaseKeys:
    """Everything that a configuration for this release can say."""
    modules = Modules(release)
    models = ModelReader(modules)
    root = modules.find(_ROOT_MODULE, _ROOT_CLASS) if _ROOT_MODULE in modules else None
    if not isinstance(root, ClassRef):
        raise NoRootClassError(f"{_ROOT_MODULE}.{_ROOT_CLASS}")

    def is_model(ref: ClassRef) -> bool:
        return any(_bases_say_model(one) for one in models.lineage(ref))

    reader = Reader(modules, Values(modules), is_model)
    config = reader.construct(root, config=Section(""))
    config.attributes.setdefault("_param_dict", Section(""))
    walk = _Walk(models, _pydantic(models))
    walk.by_hand(reader.found)
    for refs in reader.found.picked.values():
        for ref in refs:
            walk.fields("", ref)
    for path, refs in sorted(reader.found.models.items()):
        for ref in refs:
            walk.model(path, ref)
    return ReleaseKeys(release.version, walk.keys, walk.forbidding, {}, walk.readers)


def refused_keys(release: Release) -> dict[str, str]:
    """Keys whose mere presence the release refuses by name -> what it says."""
    modules = Modules(release)
    values = Values(modules)
    found: dict[str, str] = {}
    for name, section in _REFUSED.items():
        table = modules.find(_ROOT_MODULE, name)
        node = getattr(table, "node", None)
        for key in getattr(node, "keys", ()):
            try:
                written = str(values.evaluate(key, _ROOT_MODULE))
            except NotConstantError:
                continue
            found[f"{section}.{written}" if section else written] = name
    return found


def _pydantic(models: ModelReader) -> str:
    """Which generation of pydantic the models are written for."""
    base = models.modules.find_path(_MODEL_BASE)
    if not isinstance(base, ClassRef):
        raise NoRootClassError(_MODEL_BASE)
    return "pydantic-2" if class_value(base.node, "model_config") is not None else "pydantic-1"


def _bases_say_model(ref: ClassRef) -> bool:
    names = (dotted_name(base) or "" for base in ref.node.bases)
    return any(name.rpartition(".")[2] == "BaseModel" for name in names)


class _Walk:
    """Collects keys and sections."""

    def __init__(self, models: ModelReader, pydantic: str) -> None:
        self._models = models
        self._pydantic = pydantic
        self.keys: dict[str, KeyFacts] = {}
        self.forbidding: dict[str, bool] = {}
        self.readers: dict[str, str] = {}

    def by_hand(self, found: Found) -> None:
        """Keys that functions look up one by one: nobody looks at the type of what they find."""
        self._section("", "hand", forbids=False)
        for path, read in sorted(found.keys.items()):
            parent = path.rpartition(".")[0]
            if parent in found.models:
                continue  # a model reads this section; what else looks into it adds nothing
            if parent not in self.forbidding:
                self._section(parent, "hand", forbids=False)
            type_ = _hand_type(path, found, read)
            mapping = type_.startswith(("model:", "dict<"))
            self.keys[path] = KeyFacts(type=type_, default=_default(read), coerced=not mapping)
            if path in found.choices:
                self.keys[path] = KeyFacts(
                    type="literal", default=_default(read), enum=sorted(found.choices[path])
                )
        for path in found.keys:
            parent = path.rpartition(".")[0]
            if parent.endswith(".*"):
                self._any_key(parent)

    def _any_key(self, path: str) -> None:
        """A section whose keys are names that the file chooses (`different_groups`)."""
        owner = path.removesuffix(".*")
        if owner in self.keys:
            self.keys[owner].type = f"dict<str,model:{owner.rpartition('.')[2]}>"

    def model(self, path: str, ref: ClassRef) -> None:
        """A section that a model reads."""
        self.fields(path, ref)
        if path in self.keys:
            takes = {"bool"} if path == "zero_optimization" else set()
            parts = sorted({f"model:{ref.name}", *takes})
            self.keys[path].type = "|".join(parts)
            self.keys[path].default = {}
            self.keys[path].coerced = False

    def fields(self, path: str, ref: ClassRef, within: tuple[str, ...] = ()) -> None:
        """The fields of a model, as keys of the section at `path`."""
        facts = self._models.read(ref)
        drops_auto = any(one.path == _MODEL_BASE for one in self._models.lineage(ref))
        if path:
            reader = self._pydantic if drops_auto else f"{self._pydantic}-plain"
            self._section(path, reader, forbids=facts.forbids_unknown)
        for name, one in facts.fields.items():
            key = f"{path}.{name}" if path else name
            self.keys[key] = self._facts(one)
            self.keys[key].auto = drops_auto
            for place in one.type.models:
                if place.model.path not in within:
                    self.fields(key + place.step, place.model, (*within, ref.path))

    def _facts(self, one: FieldFacts) -> KeyFacts:
        type_ = one.type.text
        implied = self._pydantic == "pydantic-1" and one.default is None and not one.required
        if implied and "null" not in one.type.parts:
            # up to pydantic 1 a default of None makes a field optional
            type_ = type_ if type_ == "any" else f"{type_}|null"
        enum: list[Any] = []
        for value in one.type.enum:
            if not any(type(other) is type(value) and other == value for other in enum):
                enum.append(value)
        enum.sort(key=lambda value: (str(type(value)), str(value)))
        return KeyFacts(
            type=type_,
            required=one.required,
            default=one.default,
            enum=enum,
            constraints=dict(sorted(one.limits.items())),
            alias=[one.alias] if one.alias and one.alias != one.name else [],
            coerced=one.coerced,
            deprecated=one.deprecated_field,
            new_param=one.new_param if one.deprecated_field else None,
        )

    def _section(self, path: str, reader: str, *, forbids: bool) -> None:
        self.forbidding[path] = forbids
        self.readers[path] = reader


def _hand_type(path: str, found: Found, read: Read) -> str:
    """The type of a key, as its section or its default shows it."""
    if path in found.open and path:
        return "dict<str,any>"
    if any(other.startswith(f"{path}.") for other in found.keys):
        return f"model:{path.rpartition('.')[2]}"
    kinds = {_KINDS.get(type(one), "any") for one in read.defaults if one is not None}
    if "float" in kinds:
        kinds.discard("int")
    return kinds.pop() if len(kinds) == 1 else "any"


def _default(read: Read) -> Any:
    """The default, where the places of reading agree on one."""
    scalars = [one for one in read.defaults if not isinstance(one, (dict, list))]
    return scalars[0] if scalars else ({} if {} in read.defaults else None)
