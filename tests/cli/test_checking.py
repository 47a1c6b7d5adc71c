"""How much `cfglint check` reads."""

from __future__ import annotations

from cfglint.source.text import MAX_BYTES
from tests.cli.running import run
from tests.draws import each

START = b"base_model: a/b\nmicro_batch_size: 2\n"


@each("more", [1, 5000])
def test_standard_input_that_is_too_large(more: int) -> None:
    """It is not checked by its beginning, and still comes out whole."""
    data = START + b"#" * (MAX_BYTES - len(START) + more - 1) + b"\n"
    result = run("-", "--isolated", "--fix", stdin=data)
    assert result.code == 1
    assert result.stdout == data
    assert "YML009" in result.err
    assert "TYP004" not in result.err
