"""The schema in the language server that editors use for YAML: completion, hover, validation."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run

NPM, NODE = shutil.which("npm"), shutil.which("node")
pytestmark = [
    pytest.mark.doors,
    pytest.mark.skipif(NPM is None or NODE is None, reason="needs node and npm"),
]
TEXT = (
    "base_model: a/b\nlearning_rate: 1e-5\nmicro_batch_size: many\nrl: \nsample_packing: 7\n"
    "datasets:\n  - path: x\n    \n"
)


class Server:
    """A language server that is spoken to over its standard input."""

    def __init__(self, program: str, folder: Path, settings: dict[str, Any]) -> None:
        assert NODE is not None
        self._settings = settings
        self._process = subprocess.Popen(
            [NODE, program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder
        )
        self._number = 0
        # Without an answer the test fails instead of waiting for ever.
        self._patience = threading.Timer(120, self._process.kill)
        self._patience.start()

    def send(self, method: str, params: Any, **members: Any) -> None:
        self._write({"method": method, "params": params, **members})

    def _write(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._process.stdin.flush()

    def ask(self, method: str, params: Any) -> Any:
        self._number += 1
        self.send(method, params, id=self._number)
        while True:
            message = self.receive()
            if message.get("id") == self._number and "method" not in message:
                return message["result"]

    def receive(self) -> dict[str, Any]:
        """The next message; the server may ask for settings, and for nothing else."""
        assert self._process.stdout is not None
        size = 0
        while line := self._process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self._process.stdout.read(size))
        if "method" in message and "id" in message:
            wanted = message["params"].get("items", ()) if message["params"] else ()
            rows = [self._settings.get(item["section"], {}) for item in wanted]
            self._write({"id": message["id"], "result": rows or None})
        return message

    def close(self) -> None:
        self._patience.cancel()
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The server's script, installed for this test."""
    folder = tmp_path_factory.mktemp("server")
    assert NPM is not None
    command = [NPM, "install", "--no-audit", "--no-fund", "yaml-language-server@1"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return str(folder / "node_modules" / "yaml-language-server" / "bin" / "yaml-language-server")


@pytest.fixture(params=["2020-12", "07"])
def server(program: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    schema = run("schema", "--target", "axolotl==0.21.0", "--draft", request.param)
    (tmp_path / "schema.json").write_text(schema.out, encoding="utf-8")
    settings = {
        "validate": True,
        "hover": True,
        "completion": True,
        "schemas": {(tmp_path / "schema.json").as_uri(): "*.yml"},
    }
    started = Server(program, tmp_path, {"yaml": settings})
    started.ask("initialize", {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}})
    started.send("initialized", {})
    started.send("workspace/didChangeConfiguration", {"settings": {"yaml": settings}})
    yield started
    started.close()


def labels(server: Server, uri: str, line: int, character: int) -> list[str]:
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    found = server.ask("textDocument/completion", place)
    rows = found["items"] if isinstance(found, dict) else found
    return [row["label"] for row in rows]


def test_an_editor_completes_shows_and_validates(server: Server, tmp_path: Path) -> None:
    uri = (tmp_path / "train.yml").as_uri()
    document = {"uri": uri, "languageId": "yaml", "version": 1, "text": TEXT}
    server.send("textDocument/didOpen", {"textDocument": document})
    while True:
        message = server.receive()
        # The first answer may be from before the schema was read.
        published = message.get("method") == "textDocument/publishDiagnostics"
        if published and message["params"]["diagnostics"]:
            break
    told = {
        row["range"]["start"]["line"]: row["message"] for row in message["params"]["diagnostics"]
    }
    # `1e-5` and nothing at all are what Axolotl takes here.
    assert set(told) == {2, 4}
    # The values of a choice, keys of the top level and of list items.
    assert {"dpo", "kto", "grpo"} <= set(labels(server, uri, 3, 4))
    assert {"type", "split"} <= set(labels(server, uri, 7, 4))
    place = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 3}}
    shown = json.dumps(server.ask("textDocument/hover", place))
    assert "whole number" in shown
    assert "Since 0.4.1" in shown
