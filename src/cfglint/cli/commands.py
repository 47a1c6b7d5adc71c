"""What the command and its sub-commands share."""

from __future__ import annotations

#: What the first argument may be instead of a path.
SUBCOMMANDS = (
    *("check", "completion", "diagnose", "effective", "explain", "fit", "init", "keys"),
    *("mcp", "migrate", "preflight", "rules", "schema", "scan", "server", "settings"),
)
#: The exit code of an interrupted run. As a shell has it: 128 and the number of the signal.
INTERRUPTED = 130
