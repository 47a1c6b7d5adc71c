"""The names that a package has, and in which releases: what a program imports tells its release.

``python -m tools.trl_release.names FOLDER_OF_WHEELS rules/trl/names.json --package transformers`` reads every
release in the folder as text. A name is what `from PACKAGE import NAME` takes, or a module with its names,
`trainer_utils.SchedulerType`. Those that all releases have say nothing and are left out.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from packaging.version import Version

from tools.python_sources.sources import Release, read_release

_NAME = re.compile(r"[A-Za-z_]\w*")
_DEFINED = re.compile(r"(?m)^(?:class|def)[ \t]+([A-Za-z]\w*)")
_LISTED = re.compile(r"(?ms)^__all__\s*=\s*\[(.*?)\]")
_QUOTED = re.compile(r"""["']([A-Za-z_]\w*)["']""")
#: Gives a package all names that its modules list, when they are asked for.
_LISTS_ITSELF = "define_import_structure("
#: Older names of classes, which later releases resolve as they are imported.
_RESOLVED = re.compile(r"(?:TokenizerFast|ImageProcessorFast|ImageProcessor|FeatureExtractor)$")
#: The models of transformers whose modules programs patch; those of all would fill megabytes.
_PATCHED = re.compile(
    r"models\.(?:auto|gemma\d?|gpt2|gpt_neox|llama|llava|mistral|mixtral|phi3|qwen2|qwen2_5_vl"
    r"|qwen2_vl|qwen3|qwen3_moe|qwen3_vl|t5|whisper)(?:\.|$)"
)
#: What no program for training imports: tools, tests, lists of files, models of other libraries.
_UNUSED = re.compile(
    r"(?:agents|benchmark|decision|exporters|kernels|onnx|sagemaker|testing_utils|tools)(?:\.|$)"
    r"|(?:.*\.)?(?:_|convert_|modular_|modeling_(?:tf|flax)_|dummy_|load_tf_|\w+_ARCHIVE_)"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the releases and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", type=Path, help="a folder of wheels")
    parser.add_argument("table", type=Path)
    parser.add_argument("--package", default="trl")
    options = parser.parse_args(arguments)
    found: dict[str, Names] = {}
    for path in sorted(options.releases.iterdir()):
        release = read_release(path, options.package)
        found[release.version] = names_of(release, options.package)
    known = json.loads(options.table.read_text("utf-8")) if options.table.exists() else {}
    known[options.package] = table(found)
    options.table.write_text(dump(known), encoding="utf-8")
    return 0


class Names:
    """The names of one release.

    Args:
        surely: those that can be imported.
        maybe: what is defined somewhere: such a name may be importable in a way that its text does not show.
    """

    def __init__(self, surely: set[str], maybe: set[str] | None = None) -> None:
        self.surely = surely
        self.maybe = maybe or set()

    def may_have(self, name: str) -> bool:
        """Whether a name may be importable."""
        return name in self.surely or name in self.maybe


def table(found: dict[str, Names]) -> dict[str, list[str | None]]:
    """Name -> (its first release, the first one without it); None for an end that is open.

    A name that came twice is left out: it does not tell between when and when a release is. So are the
    names of a module that came or went itself.
    """
    versions = sorted(found, key=Version)
    out: dict[str, list[str | None]] = {}
    for name in sorted(set().union(*(one.surely for one in found.values()))):
        having = [number for number, one in enumerate(versions) if name in found[one].surely]
        first, last = having[0], having[-1]
        after = [found[one].may_have(name) for one in versions[last + 1 :]]
        if len(having) != last - first + 1 or len(having) == len(versions):
            continue
        is_gone = bool(after) and not any(after) and _RESOLVED.search(name) is None
        if _UNUSED.match(name) is not None:
            continue
        row = [versions[first] if first else None, versions[last + 1] if is_gone else None]
        if row != [None, None] and out.get(name.rpartition(".")[0]) != row:
            out[name] = row
    return out


def dump(known: dict[str, dict[str, list[str | None]]]) -> str:
    """The table as JSON, a line per name."""
    packages = []
    for package, names in sorted(known.items()):
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in names.items())
        packages.append(f" {json.dumps(package)}: {{\n{rows}\n }}")
    return "{\n" + ",\n".join(packages) + "\n}\n"


def names_of(release: Release, package: str) -> Names:
    """The names of a release: those of its root, its modules, and what each of these has."""
    modules = {
        name.removeprefix(f"{package}.") if name != package else "": text
        for name, text in release.modules.items()
    }
    surely: set[str] = set()
    maybe: set[str] = set()
    everything: set[str] = set()
    for name, text in filter(lambda row: _is_of_interest(row[0]), modules.items()):
        prefix = f"{name}." if name else ""
        if name:
            surely.add(name)
        own, others = _at_margin(text)
        if f"{package}.{name}".rstrip(".") in release.packages:
            own |= _in_package(name, text, modules)
        if _LISTS_ITSELF in text:
            # The asterisks beside it are for type checkers.
            others |= _defined(modules, prefix or "models.")
        elif "*" in own:
            everything = everything or _defined(modules, "")
            others |= everything
        surely.update(prefix + one for one in own if not one.startswith(("_", "*")))
        maybe.update(prefix + one for one in others)
    return Names(surely, maybe)


def _is_of_interest(module: str) -> bool:
    first = module.partition(".")[0]
    if first == "models" and _PATCHED.match(module) is None:
        return False
    return first != "experimental" or module.count(".") < 2


def _in_package(name: str, text: str, modules: dict[str, str]) -> set[str]:
    """What can be imported from a package: its modules, and what its `__init__.py` has or lists."""
    prefix = f"{name}." if name else ""
    inner = {one for one in modules if one.startswith(prefix) and one != name}
    found = exports(text) | {one[len(prefix) :].partition(".")[0] for one in inner}
    if _LISTS_ITSELF in text:
        for one in inner:
            for listed in _LISTED.findall(modules[one]):
                found.update(_QUOTED.findall(listed))
    return found


def _at_margin(text: str) -> tuple[set[str], set[str]]:
    """The names of a module's own at its margin, also under a condition, and those of other packages.

    An asterisk is among the first where the module may have any name.
    """
    own: set[str] = set()
    others: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(text)]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                own.add("*" if node.name == "__getattr__" else node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                names = {one.asname or one.name.partition(".")[0] for one in node.names}
                (own if getattr(node, "level", 0) or "*" in names else others).update(names)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                own.add(node.id)
            elif not isinstance(node, ast.expr) or isinstance(node, ast.Tuple):
                waiting.append(node)
    return own, others


def _defined(modules: dict[str, str], prefix: str) -> set[str]:
    """The classes and functions that the modules below a package define."""
    found: set[str] = set()
    for name, text in modules.items():
        if name.startswith(prefix):
            found.update(_DEFINED.findall(text))
    return found


def exports(text: str) -> set[str]:
    """The names that the `__init__.py` of a package imports from its modules, now or when asked for."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            found.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.List):
            found.update(_strings(node.elts))
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "append":
            found.update(_strings(node.args))
    return {name for name in found if _NAME.fullmatch(name) and name != "annotations"}


def _strings(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


if __name__ == "__main__":
    sys.exit(main())
