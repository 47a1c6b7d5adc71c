"""How much `cfglint check` reads."""

from __future__ import annotations

from cfglint.source.text import MAX_BYTES
from tests.cli.running import run
from tests.draws import each

START = b"base_model: a/b\nmicro_batch_size: 2\n"


def of_size(size: int) -> bytes:
    """A config of so many bytes."""
    return START + b"#" * (size - len(START) - 1) + b"\n"


@each(("size", "is_read"), [(MAX_BYTES, True), (MAX_BYTES + 1, False), (MAX_BYTES + 5000, False)])
def test_how_much_of_standard_input_is_read(size: int, is_read: bool) -> None:
    """What is too large is not checked by its beginning, and still comes out whole."""
    data = of_size(size)
    result = run("-", "--isolated", "--fix", stdin=data)
    assert result.code == 1
    assert result.stdout == data
    assert ("TYP004" in result.err) is is_read
    assert ("YML009" in result.err) is not is_read
