"""What the server adds to the library that speaks the protocol."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from cfglint.server.features import create
from cfglint.server.protocol import MessageInput
from tests.draws import each


def test_nothing_is_kept_of_a_notification() -> None:
    """pygls answers notifications by generators, as here, and keeps what comes of them."""
    protocol = create().protocol
    seen = []

    def handler(what: str) -> Iterator[None]:
        seen.append(what)
        yield None

    for number in range(9):
        protocol._execute_handler(
            str(number), handler, protocol._check_handler_result, args=(f"{number}",)
        )
    assert len(seen) == 9
    assert list(protocol._request_futures) in ([], ["8"])


def message(**content: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


INITIALIZE = message(id=1, method="initialize", params={"capabilities": {}, "processId": None})


class _Output(io.BytesIO):
    """What stays readable when the server closes it."""

    def close(self) -> None:
        pass


def answered(output: bytes) -> list[dict[str, Any]]:
    bodies = output.split(b"Content-Length: ")[1:]
    return [json.loads(body.split(b"\r\n\r\n", 1)[1]) for body in bodies]


def answers(sent: bytes) -> list[dict[str, Any]]:
    """What the server answers to bytes and the end of its input."""
    output = _Output()
    create().start_io(cast("BinaryIO", MessageInput(io.BytesIO(sent))), output)
    return answered(output.getvalue())


LAST = message(id=3, method="shutdown") + message(method="exit")


def test_the_command_answers_on_its_standard_output() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cfglint", "server"],
        input=INITIALIZE + LAST,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    assert [one["id"] for one in answered(done.stdout) if "id" in one] == [1, 3]


@each(
    ("method", "params"),
    [
        ("textDocument/hover", {"textDocument": 5}),
        ("textDocument/codeAction", []),
        ("textDocument/completion", {"position": {"line": "x"}}),
        ("workspace/executeCommand", None),
    ],
)
def test_a_request_of_another_form_is_answered(method: str, params: object) -> None:
    request = message(id="a", method=method, params=params)
    got = answers(INITIALIZE + request + LAST)
    by_id = {one["id"]: one for one in got if "id" in one}
    assert by_id.keys() == {1, "a", 3}
    assert "error" in by_id["a"]


@each(
    "sent",
    [
        b"Content-Length: abc\r\n\r\n{}",
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: 99999999999999\r\n\r\n{}",
        b"\r\n\r\n{}",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"x" * 5000,
    ],
)
def test_what_is_no_message_ends_the_server(sent: bytes) -> None:
    stream = io.BytesIO(sent)
    reader = MessageInput(stream)
    lines = []
    while line := reader.readline():
        lines.append(line)
        assert len(lines) < 3
    # Neither a length, nor the end of headers with one.
    assert not any(line.lower().startswith((b"content-length", b"\r")) for line in lines)
    assert stream.tell() < 2_000  # a line without an end is not read to its end


def test_headers_are_handed_on_as_pygls_reads_them() -> None:
    sent = b"Content-Type: x; charset=utf-8\r\ncontent-length: 2\r\n\r\n{}Content-Length: 1\r\n"
    reader = MessageInput(io.BytesIO(sent))
    assert reader.readline() == b"Content-Type: x; charset=utf-8\r\n"
    assert reader.readline() == b"Content-Length: 2\r\n"
    assert reader.readline() == b"\r\n"
    assert reader.read(2) == b"{}"
    assert reader.readline() == b"Content-Length: 1\r\n"
    assert reader.readline() == b""
