"""Reads requests from standard input and answers each with one line of JSON.

    python -m tools.parity.worker RELEASE_FOLDER FACTS_FILE

A request is `{"path": …, "capabilities": …}`.  The first line of output says that the release is loaded.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO


def _protocol() -> TextIO:
    """Keep standard output for the answers; whatever a release prints goes to standard error."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return channel


def _send(channel: TextIO, answer: dict[str, Any]) -> None:
    channel.write(json.dumps(answer) + "\n")
    channel.flush()


def judge(root: str, facts: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A function from a request to the release's verdict."""
    from tools.parity.worker.validator import Validator

    validator = Validator(root, facts)
    return lambda request: validator.judge(request["path"], request["capabilities"])


def serve(
    root: str,
    facts_file: str,
    load: Callable[[str, Any], Callable[[dict[str, Any]], dict[str, Any]]] = judge,
) -> int:
    """Load the release, then answer until the input ends."""
    channel = _protocol()
    sys.path[:] = [root, *(entry for entry in sys.path if entry not in _OURS)]
    try:
        answer = load(root, json.loads(Path(facts_file).read_text(encoding="utf-8")))
    except BaseException:
        _send(channel, {"ready": False, "problem": traceback.format_exc()})
        return 1
    _send(channel, {"ready": True})
    for line in sys.stdin:
        _send(channel, answer(json.loads(line)))
    return 0


#: Folders on the path that hold this tool, not the release.
_OURS = ("", os.getcwd(), str(Path(__file__).resolve().parents[3]))

if __name__ == "__main__":
    sys.exit(serve(sys.argv[1], sys.argv[2]))
