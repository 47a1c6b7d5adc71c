"""`python -m cfglint`, and the installed command.

Almost nothing is imported before `script` runs, so that an interrupt during imports is handled.
"""

from __future__ import annotations

import os
import sys

#: The same as `cfglint.cli.commands.INTERRUPTED`, which may not be there yet.
_INTERRUPTED = 130


def script() -> None:
    """Run the command and end the process at once.

    Taking the interpreter apart would take as long as a check.
    """
    try:
        from cfglint.cli import script as run

        run()
    except KeyboardInterrupt:
        # While modules are imported, or what was found is being printed.
        os._exit(_INTERRUPTED)


def _forget_current_folder() -> None:
    """Let no module of the current folder take the place of a library.

    `python -m` puts that folder first, and it may be a stranger's checkout with a `click.py`.
    """
    try:
        here = os.getcwd()
    except OSError:  # it was deleted
        here = ""
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if sys.path and sys.path[0] in ("", here) and here != own:
        del sys.path[0]


if __name__ == "__main__":
    _forget_current_folder()
    script()
