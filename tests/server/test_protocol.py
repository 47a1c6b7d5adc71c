"""What the server adds to the library that speaks the protocol."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.server.features import create


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
