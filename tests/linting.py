"""A text in, findings out, with as little around it as a test needs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.files_together.edges import Edges
from cfglint.engine.fixing import fix_source
from cfglint.engine.lint import LintResult, lint_source
from cfglint.engine.settings.selection import Selection
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.project.projects import Projects
from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.frameworks.for_files import for_path
from cfglint.roles.framework import load_framework
from cfglint.source.files.disk import Disk
from cfglint.source.files.memory import InMemory
from cfglint.source.text import SourceText


def environment(
    target: Sequence[str] = (),
    *,
    gpus: int | None = None,
    gpu: str | None = None,
    framework: str = "axolotl",
) -> Environment:
    """What `--target`, `--gpus` and `--gpu` say."""
    return build_environment(load_framework(framework).releases, pins=target, gpus=gpus, gpu=gpu)


def lint_result(
    text: str,
    *,
    target: Sequence[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    select: Sequence[str] = (),
    folder: Path | None = None,
    framework: str = "axolotl",
) -> LintResult:
    """Check a text as the file of a framework.

    Args:
        target: versions, such as `axolotl==0.18.0`.
        select: the rules that may speak: prefixes of codes, or names; with none, all may.
        folder: where the files lie that the text names; without one, nothing lies around it.
    """
    return lint_source(
        SourceText.from_str(text),
        Case(
            load_framework(framework),
            environment(target, gpus=gpus, gpu=gpu, framework=framework),
            nowhere() if folder is None else Surroundings(Memory(), Disk(), folder=str(folder)),
            Selection(tuple(select)),
        ),
    )


def lint(
    text: str,
    *,
    target: Sequence[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    select: Sequence[str] = (),
    folder: Path | None = None,
    framework: str = "axolotl",
) -> list[Diagnostic]:
    """What is found in a text; the arguments are those of `lint_result`."""
    return lint_result(
        text, target=target, gpus=gpus, gpu=gpu, select=select, folder=folder, framework=framework
    ).diagnostics


def fix(
    text: str,
    *,
    target: Sequence[str] = (),
    select: Sequence[str] = (),
    unsafe: bool = False,
    framework: str = "axolotl",
) -> str:
    """A text with its fixes made."""
    outcome = fix_source(
        SourceText.from_str(text),
        Case.of_text(
            load_framework(framework),
            environment(target, framework=framework),
            Selection(tuple(select)),
        ),
        unsafe=unsafe,
    )
    return outcome.source.text


def case_in(
    files: Mapping[str, str],
    text: str,
    *,
    name: str = "train.yml",
    target: Sequence[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    select: Sequence[str] = (),
    framework: str = "axolotl",
) -> tuple[Case, SourceText]:
    """A text that lies in a project in memory, and how it is checked: with notes of low confidence.

    Args:
        files: the other files, by their paths in the project.
        name: the path of the text.
    """
    contents = {f"/project/{path}": one.encode() for path, one in {**files, name: text}.items()}
    place, disk = f"/project/{name}", InMemory(contents)
    found = for_path(load_framework(framework), place)
    stated = environment(target, gpus=gpus, gpu=gpu, framework=framework)
    around = Surroundings(Memory(), disk, place, os.path.dirname(place))
    project = Projects(disk).for_file(place, framework)
    if project is not None:
        pins = {**project.pins, **stated.pins}
        facts = {**project.hardware(place), **stated.facts}
        stated = Environment(stated.releases, pins, facts, as_of=stated.as_of)
        around = around.replaced(project=project, launches=tuple(project.launches(place)))
    case = Case(found, stated, around, Selection(tuple(select), confidence="low"), Edges())
    return case, SourceText.from_str(text)


def from_the_root(text: str) -> str:
    """A text with the paths of the project in memory in full, whatever the current folder is."""
    return text.replace(os.path.relpath("/project").replace(os.sep, "/"), "/project")


def lint_in(
    files: Mapping[str, str],
    text: str,
    *,
    name: str = "train.yml",
    target: Sequence[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    select: Sequence[str] = (),
    framework: str = "axolotl",
) -> list[Diagnostic]:
    """What is found in a text that lies in a project in memory; the arguments are those of `case_in`."""
    case, source = case_in(
        files,
        text,
        name=name,
        target=target,
        gpus=gpus,
        gpu=gpu,
        select=select,
        framework=framework,
    )
    return lint_source(source, case).diagnostics


def messages(found: Iterable[Diagnostic]) -> list[str]:
    """Severity and message of each finding."""
    return [f"{one.severity}: {one.message}" for one in found]
