"""Whether a model can have files on this machine: asked for nearly every config, so it is cheap."""

from __future__ import annotations

import os

from cfglint.source.files.base import Files
from cfglint.source.files.inside import of_machine


def hub_cache(files: Files) -> str | None:
    """The folder of the hub's cache, when there is one."""
    environment = os.environ
    path = environment.get("HF_HUB_CACHE") or environment.get("HUGGINGFACE_HUB_CACHE")
    if not path:
        home = environment.get("HF_HOME")
        if not home:
            above = environment.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
            home = os.path.join(above, "huggingface")
        path = os.path.join(home, "hub")
    path = os.path.expanduser(path)
    return path if files.is_folder(path) else None


def may_have_files(base_model: str, folder: str, files: Files) -> bool:
    """Whether the model of a config in a folder may have files on this machine."""
    if base_model[0] in "./~\\" or base_model.count("/") > 1:
        return True
    is_local = files.is_folder(os.path.join(folder, base_model.partition("/")[0]))
    return is_local or hub_cache(of_machine(files)) is not None
