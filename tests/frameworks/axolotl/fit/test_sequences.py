"""How many tokens a run of Axolotl has on a GPU at once, and what says so."""

from __future__ import annotations

import pytest

from tests.frameworks.axolotl.fit.planning import run


@pytest.mark.parametrize(
    ("batch", "packing", "tokens", "because"),
    [
        (1, False, 2048, "2,048 tokens at once"),
        (4, False, 8192, "4 x 2,048 tokens at once"),
        # All packed rows of a batch make one.
        (4, True, 2048, "2,048 tokens at once"),
    ],
)
def test_the_tokens_of_a_padded_batch(batch: int, packing: bool, tokens: int, because: str) -> None:
    found = run(1, micro_batch_size=batch, sample_packing=packing, pad_to_sequence_len=True)
    assert found is not None
    assert found.tokens == tokens
    assert found.because["layers"].text == because
