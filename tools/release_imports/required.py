"""The releases of other packages that a release checks itself as it is imported."""

from __future__ import annotations

import ast

from tools.python_sources.sources import Release

#: Where transformers has what it needs, and which of it it looks at as it is imported.
_TABLE = "dependency_versions_table"
_CHECKED = "dependency_versions_check"
#: Those whose releases projects state. An accelerate that is too old counts as none, and is not looked at.
_OF_INTEREST = ("tokenizers", "huggingface-hub", "safetensors", "numpy")


def required(release: Release, module: str) -> dict[str, str]:
    """Package -> the range outside of which the import ends."""
    table = release.modules.get(f"{module}.{_TABLE}")
    checked = release.modules.get(f"{module}.{_CHECKED}")
    if table is None or checked is None:
        return {}
    looked_at = {
        one.value
        for node in ast.parse(checked).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
        for one in node.value.elts
        if isinstance(one, ast.Constant)
    }
    out = {}
    for node in ast.walk(ast.parse(table)):
        if not isinstance(node, ast.Dict):
            continue
        stated = ast.literal_eval(node)
        for package in _OF_INTEREST:
            spec = str(stated.get(package, "")).removeprefix(package)
            if package in looked_at and spec:
                out[package] = spec
    return out
