"""The pins of the Python environment that is in use."""

from __future__ import annotations

from cfglint.environment.pins import Pin
from cfglint.environment.project.finder import Finder
from cfglint.environment.project.installed import installed
from cfglint.environment.project.project import Project
from cfglint.source.files.base import Files


def installed_pins(framework: str, files: Files) -> dict[str, Pin]:
    """The packages of the environment that is in use (`--target installed`)."""
    source = installed(files)
    if source is None:
        return {}
    project = Project([source], Finder(files), framework)
    return {
        package: pin.replaced(origin=f"installed in {source.path}", in_project=False, path="")
        for package, pin in project.pins.items()
    }
