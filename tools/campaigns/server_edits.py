"""Random edits in an editor: are the findings where a fresh check has them, and how soon?

    python -m tools.campaigns.server_edits [FILES...] [--edits 1000] [--seed 0]
    python -m tools.campaigns.server_edits --edits 10000 --every 50      # memory

A server is started, and a text with letters of all widths is edited at random places. After each
edit the text is saved, and the published findings are compared with those of a new `Linter`, whose
places are turned into UTF-16 differently; of a text that cannot be read, the server may know more
(`tools.campaigns.half_typed`). Ends with the figures, and with 1 when a finding is somewhere else or the
server grows by more than a tenth after the first fifth of the edits.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cfglint import Disk, FileReport, Linter
from tools.bench.configs import write_configs

ROOT = Path(__file__).parents[2]
PIECES = (
    "\n", "\n", "  ", " ", ":", "- ", "#", '"', "'", "[", "]", "{", "}", "&a ", "*a", "é", "模型",
    "🚀", "🇩🇪", "\u2028", "\x85", "\t", "\r\n", "learning_rate: 1e-5\n", "num_epochss: 1\n", "x",
    "datasets:\n  - path: 模/🚀\n    typ: alpaca\n", "# cfglint: ignore[KEY001]\n", "seed: yes\n",
)  # fmt: skip
#: A server that has grown by more than this share is not flat.
GROWTH = 1.1
#: A server leaves out no more lines around a slip.
_LEFT_OUT = 4


class Client:
    """The least that a server has to be told, without a library.

    Args:
        folder: the workspace.
    """

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cfglint", "server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        )
        self._requests = 0
        root = {"uri": folder.as_uri(), "name": "edits"}
        options = {"delay": 0}
        self.ask(
            "initialize",
            capabilities={},
            workspaceFolders=[root],
            initializationOptions=options,
            processId=None,
            rootUri=None,
        )
        self.tell("initialized")

    def tell(self, method: str, **params: Any) -> None:
        """A notification."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """A request, and its answer."""
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self._requests and "method" not in message:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"]

    def findings(self, version: int) -> list[dict[str, Any]]:
        """What is published about a version."""
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params.get("version") == version:
                    return list(params["diagnostics"])

    def read(self) -> dict[str, Any]:
        """The next message."""
        assert self.process.stdout is not None
        size = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        if not size:
            raise RuntimeError("the server has ended")
        message: dict[str, Any] = json.loads(self.process.stdout.read(size))
        return message

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def close(self) -> int:
        """End the server; its exit code."""
        self.ask("shutdown")
        self.tell("exit")
        with self.process:  # closes the pipes
            return self.process.wait(timeout=30)

    def megabytes(self) -> float:
        """The server's memory, where the system tells it."""
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1])
        except OSError:
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def edited(text: str, chance: random.Random, original: str) -> str:
    """The text after one random edit; the original again when little of it is left."""
    if len(text) < len(original) // 2 or chance.random() < 0.02:
        return original
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice((0, 0, 0, 1, 1, 3, 20)))
    return text[:start] + chance.choice(("", *PIECES)) + text[end:]


def places(report: FileReport) -> list[tuple[str, tuple[int, int], tuple[int, int]]]:
    """The findings of a fresh check, their places counted as the protocol does."""
    text = report.source.text

    def place(offset: int) -> tuple[int, int]:
        before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
        line = before.rpartition("\n")[2]
        return before.count("\n"), len(line.encode("utf-16-le")) // 2

    return [(d.code, place(d.span.start), place(d.span.end)) for d in report.diagnostics]


def said(found: list[dict[str, Any]]) -> list[tuple[str, tuple[int, int], tuple[int, int]]]:
    """The findings that were published, in the same form."""
    return [
        (
            str(one["code"]),
            (one["range"]["start"]["line"], one["range"]["start"]["character"]),
            (one["range"]["end"]["line"], one["range"]["end"]["character"]),
        )
        for one in found
    ]


def _is_near(wanted: list[Any], got: list[Any]) -> bool:
    """Whether what a server lacks is in the lines that it leaves out of a text which cannot be read.

    The command line reads these lines as if the slip was mended; in an editor, somebody may be writing them.
    """
    slips = [start[0] for code, start, _ in wanted if code.startswith("YML")]
    lacking = [start[0] for code, start, end in wanted if (code, start, end) not in got]
    return all(min(abs(line - slip) for slip in slips) <= _LEFT_OUT for line in lacking)


def run(text: str, edits: int, seed: int, every: int = 1) -> tuple[int, list[float], list[float]]:
    """Edit a text; how many answers were wrong, seconds for each answer, megabytes on the way.

    Args:
        every: compare every Nth answer.
    """
    chance = random.Random(seed)
    original, wrong = text, 0
    seconds: list[float] = []
    memory: list[float] = []
    with tempfile.TemporaryDirectory(prefix="server-") as name:
        folder = Path(name)
        (folder / ".git").mkdir()
        path = folder / "train.yml"
        client = Client(folder)
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 0, "text": text}
        client.tell("textDocument/didOpen", textDocument=item)
        client.findings(0)
        linter = Linter(files=Disk())
        for version in range(1, edits + 1):
            text = edited(text, chance, original)
            start = time.perf_counter()
            client.tell(
                "textDocument/didChange",
                textDocument={"uri": path.as_uri(), "version": version},
                contentChanges=[{"text": text}],
            )
            found = client.findings(version)
            seconds.append(time.perf_counter() - start)
            client.tell("textDocument/didSave", textDocument={"uri": path.as_uri()})
            found = client.findings(version)
            if version % every == 0:
                wanted = _fresh(linter, text, path)
                got = said(found)
                if got != wanted and not (_is_broken(wanted) and _is_near(wanted, got)):
                    wrong += 1
                    print(f"edit {version}: {said(found)} instead of {wanted}", file=sys.stderr)
            if version % max(edits // 20, 1) == 0:
                memory.append(client.megabytes())
        wrong += client.close() != 0
    return wrong, seconds, memory


def _is_broken(wanted: list[Any]) -> bool:
    """Whether the findings are about a text that cannot be read."""
    return any(code.startswith("YML") for code, _, _ in wanted)


def _fresh(linter: Linter, text: str, path: Path) -> list[Any]:
    try:
        report = linter.lint(text, path)
    except ValueError:
        return []
    # A text that nobody recognizes is checked by the library, which was told that it is a config.
    from cfglint.knowledge.recognition import of_text

    return places(report) if of_text(text, "yaml") else []


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="server_edits", description=__doc__)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=1, help="compare every Nth answer")
    options = parser.parse_args(arguments)
    texts = [file.read_text("utf-8") for file in options.files] or [made_up(options.seed)]
    failed = False
    for text in texts:
        wrong, seconds, memory = run(text, options.edits, options.seed, options.every)
        settled = memory[len(memory) // 5 :] or [0.0]
        grown = max(settled) > settled[0] * GROWTH
        failed |= wrong > 0 or grown
        print(
            f"{options.edits} edits of {len(text.splitlines())} lines: {wrong} wrong; median "
            f"{statistics.median(seconds) * 1000:.0f} ms, 95 % below "
            f"{sorted(seconds)[int(len(seconds) * 0.95)] * 1000:.0f} ms; memory "
            f"{settled[0]:.0f} MB, then {settled[-1]:.0f} MB{' (it grows)' if grown else ''}"
        )
    return int(failed)


def made_up(seed: int, lines: int = 0) -> str:
    """A config with letters of all widths, and so many lines at least."""
    with tempfile.TemporaryDirectory(prefix="server-") as folder:
        (path,) = write_configs(Path(folder), 1, seed)
        text = path.read_text("utf-8")
    text = text.replace("./data", "./数据/🚀").replace("# optionally", "# 可选 🇩🇪 optionally")
    text += "tokens:\n"
    while text.count("\n") < lines:
        number = text.count("\n")
        text += f'  # 第 {number} 行 🚀\n  - "<|token {number}|>"\n'
    return text


if __name__ == "__main__":
    sys.exit(main())
