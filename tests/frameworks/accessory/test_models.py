"""How many parameters a model has, by its JSON files."""

from __future__ import annotations

from cfglint.frameworks.accessory.models import ADAPTERS, FIELDS, parameters
from tests.draws import each

LLAMA_70B = {
    "dim": 8192,
    "multiple_of": 4096,
    "ffn_dim_multiplier": 1.3,
    "n_heads": 64,
    "n_kv_heads": 8,
    "n_layers": 80,
    "vocab_size": -1,
}
MIXTRAL = {"hidden_dim": 14336, "n_kv_heads": 8, "moe": {"num_experts": 8}}


@each(
    ("llama_type", "given", "count"),
    [
        # As the models' own repositories state them.
        ("llama", {}, 6_738_415_616),
        ("llama", {"dim": 5120, "n_layers": 40, "n_heads": 40}, 13_015_864_320),
        ("llama_ens", {}, 13_015_864_320),
        ("llama_peft", LLAMA_70B, 68_976_648_192),
        ("mixtral", MIXTRAL, 46_702_792_704),
        ("mixtral_sparse", MIXTRAL, 46_702_792_704),
    ],
)
def test_parameters(llama_type: str, given: dict[str, object], count: int) -> None:
    assert parameters(llama_type, given) == count


@each(
    "given",
    [
        {"dim": "x"},
        {"dim": 0},
        {"n_heads": -1},
        {"dim": True},
        {"dim": 10**30},
        {"multiple_of": 0},
    ],
)
def test_sizes_that_make_no_sense(given: dict[str, object]) -> None:
    assert parameters("llama", given) is None
    assert parameters("falcon", {}) is None
    assert parameters("mixtral", {"moe": 5}) is None
    assert parameters("llama", {"ffn_dim_multiplier": 1e300}) is not None


def test_adapters_are_models() -> None:
    assert set(FIELDS) >= ADAPTERS
    assert all("lora_rank" in FIELDS[name] for name in ADAPTERS)
    assert all("lora_rank" not in FIELDS[name] for name in set(FIELDS) - ADAPTERS)
