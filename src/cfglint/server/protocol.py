"""The protocol as pygls speaks it, for a server that runs all day."""

from __future__ import annotations

import re
import sys
from typing import Any, BinaryIO

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol

_HEADER = re.compile(rb"[\w-]+: [^\r\n]*\r\n")
_LENGTH = re.compile(rb"Content-Length: (\d{1,9})\r\n", re.IGNORECASE)
#: A longer line is not a header, in bytes.
_MAX_HEADER = 1024


class Protocol(LanguageServerProtocol):
    """The protocol, without a memory of notifications, and with an answer to every request.

    pygls (2.1.1 and before) keeps the future of every notification, and forgets only those of
    requests: a server grew by a kilobyte and a half with each edit. A request whose parameters
    have another form than the protocol's got no answer, and its client waited.
    """

    def _execute_handler(self, *args: Any, **options: Any) -> None:
        futures = self._request_futures
        for done in [name for name, future in futures.items() if future.done()]:
            del futures[done]
        super()._execute_handler(*args, **options)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message in a JSON object.

        Raises:
            JsonRpcException: it is not valid; a request was answered with the error.
        """
        try:
            return super().structure_message(data)
        except JsonRpcException:
            asked = data.get("id")
            if "method" in data and isinstance(asked, (int, str)):
                error = JsonRpcInvalidParams(f"{data['method']}: the parameters have another form")
                self._send_response(asked, error=error.to_response_error())
            raise


class MessageInput:
    """Standard input as a sequence of messages; it ends where their boundaries cannot be determined.

    pygls passes over a header that it does not understand, takes the message for headers, and then
    waits for ever.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._has_length = False

    def readline(self) -> bytes:
        """The next line of headers; empty at the end."""
        line = self._stream.readline(_MAX_HEADER)
        if line == b"\r\n":
            if self._has_length:
                self._has_length = False
                return line
        elif length := _LENGTH.fullmatch(line):
            self._has_length = True
            return b"Content-Length: %b\r\n" % length[1]  # as pygls spells it
        elif _HEADER.fullmatch(line) and not line.lower().startswith(b"content-length"):
            return line
        if line:
            sys.stderr.write("cfglint: what was received is not a message of the protocol\n")
        return b""

    def read(self, size: int) -> bytes:
        """The next bytes."""
        return self._stream.read(size)
