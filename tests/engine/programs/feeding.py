"""A call of a made-up class in a program, with what it is given from files in memory."""

from __future__ import annotations

import os

from cfglint.base.type_names import Any
from cfglint.engine.programs.feeds import FedCall, fed_call
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.source.calls import call_of
from cfglint.source.document import Mapping
from cfglint.source.files.memory import InMemory
from cfglint.source.languages.python import Python
from cfglint.source.text import SourceText
from cfglint.source.values import to_python

PYTHON = Python({"pkg.Config": ("out", "rate", "steps")}.get)
HEAD = "import yaml, json\nfrom omegaconf import OmegaConf\nfrom pkg import Config\n"


def fed(body: str, files: dict[str, str], folder: str | None = "p") -> FedCall | None:
    """The first call of `Config` with what files give it.

    Args:
        body: the program `p/train.py` after its imports.
    """
    contents = {"p/train.py": HEAD + body, "p/.git/HEAD": "", **files}
    around = Surroundings(
        Memory(),
        InMemory({path: text.encode() for path, text in contents.items()}),
        path=os.path.abspath("p/train.py"),
        folder=None if folder is None else os.path.abspath(folder),
    )
    document = PYTHON.read(SourceText(HEAD + body))
    root = document.root.lookup["Config"].value
    assert isinstance(root, Mapping)
    section = document.section(root)
    call = call_of(root)
    assert call is not None
    return fed_call(section, call, around, (document, ("Config",)))


def keywords(body: str, files: dict[str, str], folder: str | None = "p") -> dict[str, Any] | None:
    """The keywords with their values; None where no file gives any for certain."""
    found = fed(body, files, folder)
    if found is None:
        return None
    values: dict[str, Any] = to_python(found.document.root)
    return values
