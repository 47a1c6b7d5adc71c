"""What the language server takes for an answer, on a file of three hundred lines."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.bench.runs import Spread
from tools.campaigns.server_edits import Client, made_up

LINES = 300
#: Seconds within which an answer comes while somebody is typing.
SOON = 0.05
_TURNS = 25


class Served:
    """The seconds of each kind of answer.

    Args:
        seed: of the config that is made up.
    """

    def __init__(self, seed: int) -> None:
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            folder = Path(name)
            (folder / ".git").mkdir()
            self._client = Client(folder)
            self._uri = (folder / "train.yml").as_uri()
            self._text = made_up(seed, LINES)
            self._version = 0
            item = {"uri": self._uri, "languageId": "yaml", "version": 0, "text": self._text}
            self._client.tell("textDocument/didOpen", textDocument=item)
            self._client.findings(0)
            line = self._text.splitlines().index("lr_scheduler: cosine")
            # In a key: the answer has all of them.
            self._place = {"line": line, "character": 5}
            #: From a changed text to its findings.
            self.findings = _median_of(self._change)
            #: The first question after each change, which the text is read anew for.
            self.hover = _median_of(lambda: self._ask("hover"))
            self.completion = _median_of(lambda: self._ask("completion"))
            self._client.close()

    def _change(self) -> float:
        self._version += 1
        text = f"{self._text}# {self._version}\n"
        start = time.perf_counter()
        self._client.tell(
            "textDocument/didChange",
            textDocument={"uri": self._uri, "version": self._version},
            contentChanges=[{"text": text}],
        )
        self._client.findings(self._version)
        return time.perf_counter() - start

    def _ask(self, what: str) -> float:
        self._change()
        start = time.perf_counter()
        params: dict[str, Any] = {"textDocument": {"uri": self._uri}, "position": self._place}
        self._client.ask(f"textDocument/{what}", **params)
        return time.perf_counter() - start


def _median_of(turn: Callable[[], float]) -> Spread:
    turn()
    return Spread.of([turn() / SOON for _ in range(_TURNS)])
