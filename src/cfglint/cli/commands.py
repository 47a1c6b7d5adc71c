"""What the command and its sub-commands share."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING

if TYPE_CHECKING:
    from cfglint.source.files.base import Files

#: What the first argument may be instead of a path.
SUBCOMMANDS = (
    *("check", "completion", "diagnose", "effective", "explain", "fit", "init", "keys"),
    *("mcp", "migrate", "preflight", "rules", "schema", "scan", "server", "settings"),
)
#: The exit code of an interrupted run. As a shell has it: 128 and the number of the signal.
INTERRUPTED = 130


def refuse_misspelt(paths: tuple[str, ...], files: Files) -> None:
    """Raise an error if the first path is no file, but close to a sub-command.

    Raises:
        RunError: it is.
    """
    if not paths or not paths[0].isalpha() or files.exists(paths[0]):
        return
    from difflib import get_close_matches

    from cfglint.engine.session import RunError

    for meant in get_close_matches(paths[0], SUBCOMMANDS, n=1, cutoff=0.75):
        raise RunError(f"{paths[0]}: no such command, file or folder; did you mean {meant}?")
