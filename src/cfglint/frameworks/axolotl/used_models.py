"""Configs that commands only use a trained model with: nothing is trained, and no data is needed."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.surroundings import Surroundings
from cfglint.source.document import Document

if TYPE_CHECKING:
    from cfglint.runs.starts.start import Start

_DATA: Final = "datasets"
_ADAPTER: Final = "lora_model_dir"
_USING: Final = frozenset({"inference", "merge-lora", "merge-sharded-fsdp-weights", "quantize"})


def is_only_used(document: Document, around: Surroundings) -> bool:
    """Whether commands of the project name a config, and all of them start what trains nothing.

    Such a config names an adapter that is trained already, or no data.
    """
    folder, names = around.folder, document.root.names
    if folder is None or not around.path or (_DATA in names and _ADAPTER not in names):
        return False

    def look() -> bool:
        from cfglint.environment.python_sources import project_root

        lines = [*around.launches, *_naming(around, project_root(around, folder))]
        return bool(lines) and all(line.command in _USING for line in lines)

    return around.memory.once(("only used by axolotl", os.path.abspath(around.path)), look)


def _naming(around: Surroundings, root: str) -> Iterator[Start]:
    """The commands of scripts and pages with a file of the config's name, wherever they expect it.

    A config of the project may be meant for a checkout of the framework: `examples/llama-2/test.yml`.
    """
    from cfglint.environment.project_texts import project_texts
    from cfglint.runs.starts import commands

    name, own = os.path.basename(around.path), os.path.abspath(around.path)
    for path, text in project_texts(around, root):
        if text is not None and name in text:
            for line in commands.read(path, text):
                written = line.config.text
                places = (
                    os.path.normpath(os.path.join(base, written)) for base in (root, line.folder)
                )
                is_other = any(one != own and around.files.is_file(one) for one in places)
                if written.rpartition("/")[2] == name and not is_other:
                    yield line
