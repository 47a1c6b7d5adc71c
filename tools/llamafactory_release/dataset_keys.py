"""The fields of `dataset_info.json` that one release reads, of `data/parser.py`.

An entry is a dictionary: where its data is (`"hf_hub_url" in dataset_info[name]`), what it is like
(`set_attr("formatting", …)`), and below `columns` and `tags` which column or role is what.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tools.python_sources.facts import KeyFacts, ReleaseKeys
from tools.python_sources.modules import Modules
from tools.python_sources.values import dotted_name

if TYPE_CHECKING:
    from tools.python_sources.sources import Release

_ATTRIBUTES = "DatasetAttr"
#: Annotation of `DatasetAttr` -> the type in the table.
_TYPES = {
    "bool": "bool",
    "str": "str",
    "Optional[str]": "str|null",
    "str | None": "str|null",
    "Optional[int]": "int|null",
    "int | None": "int|null",
}
_SECTIONS = ("columns", "tags")
_OF_ENTRIES = ("formatting", "ranking", "subset", "split", "folder", "num_samples", "file_sha1")
_SECTION = "model:DatasetAttr"
#: Before there was a table of converters, each other word meant the second of these.
_FIRST_FORMATS = ("alpaca", "sharegpt")


def read_dataset_keys(release: Release) -> ReleaseKeys | None:
    """The keys of the entries, as `*.file_name` and `*.columns.prompt`: the user names the entries.

    None for a release without that module.
    """
    modules = Modules(release)
    name = next((one for one in modules if one.endswith(".data.parser")), None)
    if name is None:
        return None
    tree = modules.tree(name)
    described, defaults = _attributes(tree)
    read = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    keys: dict[str, KeyFacts] = {"*": KeyFacts(_SECTION)}
    for name in sorted(one for one in read if isinstance(one, str)):
        if name.endswith(("_hub_url", "script_url", "file_name")):
            keys[f"*.{name}"] = KeyFacts("str")
        elif name in described and name not in ("load_from", "dataset_name"):
            keys[f"*.{_place(name)}"] = KeyFacts(described[name], default=defaults[name])
    for section in _SECTIONS:
        keys[f"*.{section}"] = KeyFacts(_SECTION)
    keys["*.formatting"] = KeyFacts("literal", default="alpaca", enum=_formats(modules))
    forbidding = dict.fromkeys(("", "*", *(f"*.{section}" for section in _SECTIONS)), False)
    return ReleaseKeys(release.version, dict(sorted(keys.items())), forbidding)


def _place(name: str) -> str:
    """The place of an attribute in an entry: roles are below `tags`, most others below `columns`."""
    if name in _OF_ENTRIES:
        return name
    return f"tags.{name}" if name.endswith("_tag") and name != "kto_tag" else f"columns.{name}"


def _attributes(tree: ast.Module) -> tuple[dict[str, str], dict[str, object]]:
    """The types and the defaults of `DatasetAttr`."""
    types: dict[str, str] = {}
    defaults: dict[str, object] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef) or node.name != _ATTRIBUTES:
            continue
        for one in node.body:
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                written = ast.unparse(one.annotation)
                types[one.target.id] = _TYPES.get(written, "any")
                default = one.value.value if isinstance(one.value, ast.Constant) else None
                defaults[one.target.id] = default
    return types, defaults


def _formats(modules: Modules) -> list[str]:
    """The names of the converters."""
    for module in modules:
        if not module.endswith(".data.converter"):
            continue
        for node in ast.walk(modules.tree(module)):
            if (
                isinstance(node, ast.Assign)
                and dotted_name(node.targets[0]) == "DATASET_CONVERTERS"
                and isinstance(node.value, ast.Dict)
            ):
                keys = [key.value for key in node.value.keys if isinstance(key, ast.Constant)]
                return sorted(str(key) for key in keys)
    return list(_FIRST_FORMATS)
