"""`python -m cfglint`, and the installed command.

Next to nothing is imported before `script` runs, so that an interrupt finds somebody to handle it.
"""

from __future__ import annotations

import os

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


if __name__ == "__main__":
    script()
