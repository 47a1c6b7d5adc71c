"""Where checks in code are, without importing them."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.checks.context import CheckContext
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.rules.index.triggers import Tokens, has_value
from cfglint.roles.parts import CheckSource
from cfglint.source.calls import call_of


def in_module(
    module: str,
    *names: str,
    around: Callable[[Surroundings], bool] | None = None,
    file: Callable[[CheckContext], bool] | None = None,
    needs: Tokens = frozenset(),
) -> dict[str, CheckSource]:
    """Checks of one module, which has them by these names in its `CHECKS`.

    Args:
        module: its full name.
        around: whether there is anything to check, as far as the surroundings tell.
        file: the same for the file.
        needs: the keys of which a file has one whenever one of the checks finds something.
    """
    return {name: CheckSource(module, name, around, file, needs) for name in names}


def of_scripts() -> dict[str, CheckSource]:
    """The checks of words that a framework has whose scripts start it with options (`in_scripts`)."""
    needs = frozenset({has_value("program")})
    return {
        **in_module(
            "cfglint.checks.words",
            *("ambiguous-abbreviation", "lines-not-joined", "option-given-twice"),
            *("option-without-word", "stray-word", "windows-line-ends"),
            file=_is_script,
            needs=needs,
        ),
        **in_module(
            "cfglint.checks.unexported", "variable-not-exported", file=_is_script, needs=needs
        ),
        **in_module(
            "cfglint.checks.unset_variables", "unset-variable", file=_is_script, needs=needs
        ),
        **of_commands(),
        **misspelt_commands(),
        **in_module(
            "cfglint.checks.missing_programs",
            "missing-program",
            around=has_folder,
            file=_is_script,
            needs=needs,
        ),
    }


def of_commands() -> dict[str, CheckSource]:
    """The checks of the commands that start a file, or that a script is made of."""
    return {
        **in_module(
            "cfglint.checks.launcher_options", "misspelt-launcher-option", file=_has_commands
        ),
        **in_module(
            "cfglint.checks.launched_processes", "more-processes-than-gpus", file=_has_commands
        ),
        **in_module("cfglint.checks.misspelt_variables", "misspelt-variable", file=_has_commands),
    }


def misspelt_commands() -> dict[str, CheckSource]:
    """The check of the sub-commands that a script calls, of whatever program."""
    return in_module("cfglint.checks.misspelt_commands", "misspelt-command", file=_has_words)


def _has_commands(ctx: CheckContext) -> bool:
    if ctx.framework.in_scripts or ctx.around.launches:
        return True
    is_program = ctx.document.language.structure == "calls" and call_of(ctx.document.root) is None
    return is_program and ctx.around.folder is not None


def _is_script(ctx: CheckContext) -> bool:
    return ctx.framework.in_scripts


def _has_words(ctx: CheckContext) -> bool:
    return ctx.document.language.structure == "words"


def has_folder(around: Surroundings) -> bool:
    """Whether what the file refers to may be examined."""
    return around.folder is not None


def has_project(around: Surroundings) -> bool:
    """Whether files of a project are around the file."""
    return around.project is not None


def is_launched(around: Surroundings) -> bool:
    """Whether a command of the project starts the file."""
    return bool(around.launches)
