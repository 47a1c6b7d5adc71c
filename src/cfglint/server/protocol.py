"""The protocol as pygls speaks it, for a server that runs all day."""

from __future__ import annotations

from typing import Any

from pygls.protocol import LanguageServerProtocol


class Protocol(LanguageServerProtocol):
    """The protocol, without a memory of notifications.

    pygls (2.1.1 and before) keeps the future of every notification, and forgets only those of
    requests: a server grew by a kilobyte and a half with each edit.
    """

    def _execute_handler(self, *args: Any, **options: Any) -> None:
        futures = self._request_futures
        for done in [name for name, future in futures.items() if future.done()]:
            del futures[done]
        super()._execute_handler(*args, **options)
