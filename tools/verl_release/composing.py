"""Composes configs with Hydra itself: a script for a Python that has `hydra-core`.

It runs in the folder of a checkout, which it makes packages of without importing their code (`pkg://`). It reads
from standard input a JSON list of rows `{"folder", "name", "words"}`, and writes a list of answers:
`{"tree"}` with the composed config, interpolations as they are written, `{"resolved"}` with what these give,
`{"choices"}` with what Hydra chose of each group, `{"options"}` with what it could choose, or `{"error"}`. With
`--verdicts` it answers only whether there is an error.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

#: The package that holds the configs of a checkout, and those above it.
_PACKAGES = ("verl", "verl.trainer", "verl.trainer.config")


def composed(row: dict[str, Any]) -> dict[str, Any]:
    """What Hydra makes of a config and the words behind it."""
    omegaconf: Any = __import__("omegaconf")
    try:
        cfg = _anew(row)
    except Exception as error:  # whatever it is, it is the answer
        return {"error": f"{type(error).__name__}: {error}"}
    choices = dict(cfg.hydra.runtime.choices)
    sources = [one.path for one in cfg.hydra.runtime.config_sources if one.provider != "hydra"]
    with omegaconf.open_dict(cfg):
        del cfg["hydra"]
    tree = omegaconf.OmegaConf.to_container(cfg, resolve=False)
    given = dict(_resolved(cfg, tree, "", omegaconf.OmegaConf))
    return {"tree": tree, "resolved": given, "choices": choices, "options": _options(sources)}


def _anew(row: dict[str, Any]) -> Any:
    hydra: Any = __import__("hydra")
    with hydra.initialize_config_dir(config_dir=row["folder"], version_base=None):
        return hydra.compose(
            config_name=row["name"], overrides=row["words"], return_hydra_config=True
        )


def _resolved(cfg: Any, tree: Any, above: str, plain: Any) -> Iterator[tuple[str, Any]]:
    """Dotted names of interpolations, and what they give; those that end in an error are left out."""
    for name, value in tree.items():
        path = f"{above}.{name}" if above else str(name)
        if isinstance(value, dict):
            yield from _resolved(cfg, value, path, plain)
        elif isinstance(value, str) and "${" in value:
            try:
                found = plain.select(cfg, path, throw_on_missing=False)
            except Exception:
                continue  # a resolver that the program registers itself, or a key that is not there
            is_config = plain.is_config(found)
            yield path, plain.to_container(found, resolve=True) if is_config else found


def _options(sources: list[str]) -> dict[str, list[str]]:
    """Group -> the configs in it, of all folders that Hydra looks in."""
    found: dict[str, set[str]] = {}
    for source in filter(None, sources):
        # A package of the checkout, or a folder.
        path = Path(source if "/" in source else source.replace(".", "/"))
        for file in path.rglob("*.yaml"):
            for folder in file.relative_to(path).parents:
                if folder.parts:
                    found.setdefault(folder.as_posix(), set())
            if file.parent != path:
                found[file.parent.relative_to(path).as_posix()].add(file.stem)
    return {group: sorted(names) for group, names in sorted(found.items())}


class Judge:
    """Lays words over configs that are composed once each; words that choose from groups compose anew."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Any] = {}
        core: Any = __import__("hydra.core.override_parser.overrides_parser", fromlist=["x"])
        loader: Any = __import__("hydra._internal.config_loader_impl", fromlist=["x"])
        self._parser = core.OverridesParser.create()
        self._apply = loader.ConfigLoaderImpl._apply_overrides_to_config

    def verdict(self, row: dict[str, Any]) -> dict[str, Any]:
        """Whether Hydra refuses the words, and with what."""
        try:
            self.config(row)
        except Exception as error:  # whatever it is, it is the answer
            return {"error": f"{type(error).__name__}: {error}"}
        return {}

    def config(self, row: dict[str, Any]) -> Any:
        """What Hydra composes.

        Raises:
            Exception: Hydra refuses the words, with whatever error.
        """
        place = (row["folder"], row["name"])
        if place not in self._known:
            self._known[place] = self._composed(*place)
        words = self._parser.parse_overrides(row["words"])
        if isinstance(self._known[place], Exception):
            raise self._known[place]
        if any(word.is_sweep_override() for word in words):
            raise ValueError("Sweep parameters require --multirun")
        cfg, groups = self._known[place]
        keys = {word.get_key_element() for word in words}
        if any("@" in key or "/" in key or key.lstrip("+~") in groups for key in keys):
            return _anew(row)
        found = copy.deepcopy(cfg)
        self._apply(words, found)
        return found

    def _composed(self, folder: str, name: str) -> Any:
        hydra: Any = __import__("hydra")
        try:
            with hydra.initialize_config_dir(config_dir=folder, version_base=None):
                cfg = hydra.compose(config_name=name, return_hydra_config=True)
        except Exception as error:
            return error
        groups = {one.partition("@")[0].rpartition("/")[2] for one in cfg.hydra.runtime.choices}
        return cfg, groups | set(cfg.hydra.runtime.choices)


def make_packages(names: tuple[str, ...] = _PACKAGES) -> None:
    """Make packages of folders below the current one, without their `__init__`."""
    for name in names:
        module = ModuleType(name)
        folder = Path.cwd().joinpath(*name.split("."))
        module.__path__ = [str(folder)]
        loader = SourceFileLoader(name, str(folder / "__init__.py"))
        module.__spec__ = ModuleSpec(name, loader, origin=loader.path, is_package=True)
        module.__spec__.submodule_search_locations = module.__path__
        sys.modules[name] = module


def main() -> int:
    """Answer all rows."""
    make_packages()
    rows = json.load(sys.stdin)
    judged = "--verdicts" in sys.argv[1:]
    json.dump([*map(Judge().verdict if judged else composed, rows)], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
