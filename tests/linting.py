"""A text in, findings out, with as little around it as a test needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.fixing import fix_source
from cfglint.engine.lint import LintResult, lint_source
from cfglint.engine.settings.selection import Selection
from cfglint.environment.environment import Environment, build_environment
from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.roles.framework import load_framework
from cfglint.source.files.disk import Disk
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
