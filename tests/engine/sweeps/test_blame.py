"""The smallest set of swept values that brings a finding about."""

from __future__ import annotations

from cfglint.engine.sweeps.blame import accusations
from cfglint.engine.sweeps.combinations import Combination, Combinations, Found, Place
from tests.engine.sweeps.test_combinations import CONFIG, combinations

Told = tuple[str, list[str], int, int]


def told(config: str, sweep: str, *codes: str) -> list[Told]:
    """(code, guilty values, in how many combinations, in how many more)."""
    all_ = combinations(config, sweep)
    out = []
    for one in accusations(all_):
        code = one.found.diagnostic.code
        if not codes or code in codes:
            guilty = [f"{s.label}={getattr(s.value.target(), 'text', '…')}" for s in one.guilty]
            out.append((code, guilty, one.count, one.further))
    return sorted(out)


def test_one_value_whatever_the_others_are() -> None:
    sweep = "learning_rate: [0.00002, 1e-5]\nnum_epochs: [1, 2, 3]\n"
    assert told(CONFIG, sweep) == [("YML021", ["learning_rate=1e-5"], 3, 0)]


def test_a_value_beside_one_of_the_config() -> None:
    config = CONFIG + "warmup_ratio: 0.1\n"
    sweep = "warmup_steps: [0, 10]\nseed: [1, 2, 3]\n"
    assert told(config, sweep) == [("OPT104", ["warmup_steps=10"], 3, 0)]


def test_two_values_that_are_wrong_together_only() -> None:
    sweep = "warmup_steps: [0, 10]\nwarmup_ratio: [0.0, 0.1]\nseed: [1, 2, 3]\n"
    assert told(CONFIG, sweep) == [("OPT104", ["warmup_steps=10", "warmup_ratio=0.1"], 3, 0)]


def test_only_the_keys_to_blame_are_named() -> None:
    sweep = """\
_:
  - {adapter: qlora, load_in_8bit: true, lora_r: 8, lora_alpha: 16, lora_target_linear: true}
  - {adapter: lora, load_in_8bit: true, lora_r: 8, lora_alpha: 16, lora_target_linear: true}
learning_rate: [0.0001, 0.0002]
"""
    assert told(CONFIG, sweep, "PEF102") == [
        ("PEF102", ["adapter=qlora", "load_in_8bit=true"], 2, 0)
    ]


def test_any_value_of_a_key_has_no_part() -> None:
    # Without a value of the sweep for the rate the config has none, and another finding instead.
    config = CONFIG.replace("learning_rate: 0.00001\n", "") + "warmup_ratio: 0.1\n"
    sweep = "learning_rate: [0.00002, 0.00001]\nwarmup_steps: [10, 0]\n"
    assert told(config, sweep) == [("OPT104", ["warmup_steps=10"], 2, 0)]


def test_the_same_value_is_guilty_again_where_the_config_has_it() -> None:
    config = CONFIG.replace("learning_rate: 0.00001", "learning_rate: 1e-5")
    sweep = "learning_rate: [1e-5, 2e-5, 0.00001]\n"
    assert told(config, sweep) == [
        ("YML021", ["learning_rate=1e-5"], 1, 0),
        ("YML021", ["learning_rate=2e-5"], 1, 0),
    ]


def test_values_with_a_finding_of_their_own_are_reported_one_by_one() -> None:
    assert told(CONFIG, "learning_rate: [1e-5, 2e-5]\n") == [
        ("YML021", ["learning_rate=1e-5"], 1, 0),
        ("YML021", ["learning_rate=2e-5"], 1, 0),
    ]


class AtTheConfig(Combinations):
    """Combinations in which one with a `warmup_steps` and the ratio 0.1 has a finding at the config."""

    def findings(self, combination: Combination) -> dict[Place, Found]:
        if not self.has((), combination):
            return {}
        (real, *_) = super().findings(combination).values()
        return {(): real.replaced(place=(), owner=None, at_key=False)}

    def has(self, place: Place, combination: Combination) -> bool:
        ratio = combination.get("warmup_ratio")
        return "warmup_steps" in combination and getattr(ratio and ratio.value, "text", "") == "0.1"


def test_any_value_of_one_of_two_guilty_keys() -> None:
    sweep = """\
_:
  - {warmup_steps: 5, warmup_ratio: 0.1}
  - {warmup_steps: 6, warmup_ratio: 0.1}
  - {warmup_steps: 5, warmup_ratio: 0.0}
  - {warmup_ratio: 0.1}
"""
    all_ = combinations(CONFIG, sweep)
    all_.__class__ = AtTheConfig
    found = list(accusations(all_))
    assert [{one.label for one in each.guilty} for each in found] == [
        {"warmup_steps", "warmup_ratio"},
        {"warmup_steps", "warmup_ratio"},
    ]
    # Without that key there is nothing wrong with the other one, so each value is told.
    assert [(each.any_of, each.count) for each in found] == [(None, 1), (None, 1)]


def test_findings_of_the_config_alone_are_not_repeated() -> None:
    config = CONFIG + "optimzer: x\nwarmup_steps: 10\nwarmup_ratio: 0.1\n"
    assert told(config, "seed: [1, 2]\n") == []
    # The other way round: a combination that mends it is no news.
    assert told(config, "warmup_steps: [0]\n") == []


def test_a_finding_that_moves_on_within_the_config_is_none_of_the_sweep() -> None:
    config = CONFIG.replace("learning_rate: 0.00001", "learning_rate: 1e-5\nadam_epsilon: 1e-8")
    assert told(config, "learning_rate: [0.00002, 0.00001]\n") == []


def test_a_key_is_reported_once_for_all_its_values() -> None:
    sweep = "optimzer: [adamw_torch, sgd]\nseed: [1, 2]\n"
    # The config itself has adamw_torch, so that this value changes nothing; the worse one is shown.
    assert told(CONFIG, sweep) == [("KEY001", ["optimzer=sgd"], 4, 0)]


def test_any_value_of_a_key_is_reported_once() -> None:
    config = CONFIG + "warmup_ratio: 0.1\n"
    sweep = f"warmup_steps: {list(range(1, 21))}\nseed: [1, 2]\n"
    assert told(config, sweep) == [("OPT104", ["warmup_steps=1"], 40, 0)]
    (one,) = accusations(combinations(config, sweep))
    assert one.any_of is one.guilty[0]


def test_many_sets_are_counted() -> None:
    config = CONFIG + "warmup_ratio: 0.1\n"
    found = told(config, f"warmup_steps: {list(range(21))}\nseed: [1, 2]\n")
    assert [(count, further) for _, _, count, further in found] == [(2, 0)] * 7 + [(2, 24)]


def test_what_items_below_pairs_repeat_is_one_value() -> None:
    sweep = """\
_:
  - {adapter: lora, lora_r: 8, lora_alph: 16}
  - {adapter: lora, lora_r: 16, lora_alph: 32}
seed: [1, 2]
"""
    assert told(CONFIG, sweep, "PEF454", "KEY001") == [
        ("KEY001", ["lora_alph=16"], 4, 0),
        ("PEF454", ["adapter=lora"], 4, 0),
    ]
