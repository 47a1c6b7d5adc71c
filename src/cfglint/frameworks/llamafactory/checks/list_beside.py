"""The list of datasets that lies beside configs for a checkout of LLaMA-Factory, where it takes the place of the list there.

A project without the framework keeps its configs and their list in one folder, and both are copied when a run is made.
"""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext
from cfglint.environment.named_files import named_document
from cfglint.environment.project_texts import CONFIGS, MANY, project_texts, scripts_and_programs
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.llamafactory.datasets import LIST, MAX_BYTES, dataset_folder
from cfglint.source.document import Document
from cfglint.source.files.nearby import search
from cfglint.source.languages.named import language

#: `dataset_dir` by default.
_USUAL: Final = "data"
#: Entries of LLaMA-Factory's own list, which one that began as a copy of it has.
_SHIPPED: Final = ("identity", "alpaca_en_demo")
#: What a config trains on.
_NAMED: Final = lazy_pattern(r"(?m)^(?:eval_)?dataset:[ \t]{1,9}([^\s#\[{&*!|>][^\n#]{0,400})")


def list_beside(ctx: CheckContext) -> Document | None:
    """The only list of a project, which another config of the same folder shows to be that of these configs; None without one."""
    around = ctx.around
    folder = around.folder
    if folder is None or dataset_folder(ctx.document) != _USUAL:
        return None
    path = os.path.join(folder, LIST)
    if search(f"{_USUAL}/{LIST}", folder, around.files).found:
        return None
    if path not in search(LIST, folder, around.files).found:
        return None
    return around.memory.once(("list beside", folder), lambda: _list(folder, path, around))


def may_have(name: str, known: Document) -> bool:
    """Whether the list that a run reads may have a name beside those of a list here: it may be one of LLaMA-Factory's own."""
    names = {entry.name for entry in known.root.entries}
    return "/" not in name and not names.issuperset(_SHIPPED)


def _list(folder: str, path: str, around: Surroundings) -> Document | None:
    root = project_root(around, folder)
    configs = project_texts(around, root, CONFIGS)
    lists = [one for one, _ in configs if os.path.basename(one) == LIST]
    if lists != [path] or len(configs) >= MANY:
        return None
    if any(
        text is None or LIST in text for one, text in scripts_and_programs(around) if _makes(one)
    ):
        return None  # it may be put together by a program
    known = named_document(path, language("json"), around, MAX_BYTES)
    if known is None or known.problems:
        return None
    names = {entry.name for entry in known.root.entries}
    beside = (text for one, text in configs if os.path.dirname(one) == folder and text)
    return known if any(not names.isdisjoint(_named(text)) for text in beside) else None


def _makes(path: str) -> bool:
    """Whether a file is no page, which may tell people what to add."""
    return not path.endswith(".md")


def _named(text: str) -> set[str]:
    """The datasets that a config names, by its words alone."""
    return {part.strip(" \t\r\"'") for found in _NAMED.findall(text) for part in found.split(",")}
