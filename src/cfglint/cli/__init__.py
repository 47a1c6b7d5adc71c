"""The command line: options in, exit code out."""

from __future__ import annotations

import gc
import os
import sys

from cfglint.base.type_names import NoReturn
from cfglint.cli.commands import INTERRUPTED, SUBCOMMANDS
from cfglint.cli.options import read


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command.

    Args:
        arguments: what follows the command's name; those of this process if None.

    Raises:
        SystemExit: always, with 0 (nothing found), 1 (findings), 2 (could not run) or 130
            (interrupted).
    """
    # A check makes many objects and no cycles: a collection takes time and frees nothing.
    gc.set_threshold(100_000, 50, 50)
    # Started with a stream closed: what would be written there is lost.
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    given = sys.argv[1:] if arguments is None else arguments
    if "--detect" in given:
        from cfglint.cli.listed import files_as_paths

        arguments = given = files_as_paths(given)
    usual = None
    if given and given[0] not in SUBCOMMANDS[1:]:
        usual = read(given[1:] if given[0] == "check" else given)
    if usual is not None and given[0].isalpha() and given[0] not in SUBCOMMANDS:
        from cfglint.source.files.disk import Disk

        usual = usual if Disk().has(given[0]) else None  # perhaps a misspelt sub-command
    if usual is None:
        from cfglint.cli.group import group

        if "_CFGLINT_COMPLETE" in os.environ:
            from cfglint.cli.completing import register

            register()
        try:
            os.getcwd()
        except OSError as error:
            sys.stderr.write(f"cfglint: the current folder: {error.strerror}\n")
            raise SystemExit(2) from None
        group.main(args=arguments, prog_name="cfglint")
        raise SystemExit(0)
    from cfglint.cli.checking import check

    try:
        code = check(*usual)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:
        # The reader of the pipe has exited; the rest of the buffer must not be flushed at exit.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        code = 1
    raise SystemExit(code)


def script() -> NoReturn:
    """The installed command: as `main`, but the process ends at once.

    Shutting the interpreter down would take as long as a check.
    """
    try:
        main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1 if stop.code else 0
    except Exception:
        import traceback

        sys.stderr.write(
            f"cfglint failed on its own account; please report this with the command:\n"
            f"{traceback.format_exc()}"
        )
        code = 2  # not 1, which says that something was found
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        # The reader of the output has gone.
        code = code or 1
    os._exit(code)
