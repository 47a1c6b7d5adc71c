"""Whether something else seems to read a file: by the unknown keys that it has."""

from __future__ import annotations

from cfglint.checks.context import CheckContext
from cfglint.checks.other_readers import has_another_reader, of_another_reader
from cfglint.checks.written_keys import unknown_keys
from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.linting import environment

BASE = "model_name_or_path: a/b\ndataset_name: c\noutput_dir: out\n"


def context(text: str, framework: str = "trl") -> CheckContext:
    own = load_framework(framework)
    target = environment(framework=framework)
    return CheckContext(compose(SourceText(text)), own, target, nowhere())


def of_others(text: str, framework: str = "trl") -> list[str]:
    """The keys that another program seems to read."""
    ctx = context(text, framework)
    return [key.name for key in unknown_keys(ctx) if of_another_reader(ctx, key)]


def strange(count: int) -> str:
    return "".join(f"zz_{n}_of_ours: 1\n" for n in range(count))


def test_many_strange_keys_are_of_another_program() -> None:
    least = load_framework("trl").key_policy.shared_from
    assert least is not None
    assert of_others(BASE + strange(least - 1)) == []
    assert not has_another_reader(context(BASE + strange(least - 1)))
    assert len(of_others(BASE + strange(least))) == least
    assert has_another_reader(context(BASE + strange(least)))


def test_a_framework_may_be_the_only_reader() -> None:
    assert load_framework("axolotl").key_policy.shared_from is None
    assert of_others("base_model: a/b\n" + strange(50), "axolotl") == []


def test_slips_say_nothing_of_who_reads_a_file() -> None:
    names = ("learning_ratee", "num_train_epochss", "warmup_stepss", "save_stepss", "lora_rr")
    slips = "".join(f"{name}: 1\n" for name in (*names, "logging_stepss", "eval_stepss"))
    assert of_others(BASE + slips) == []
    assert of_others(BASE + slips + strange(5)) == []
    assert "zz_0_of_ours" in of_others(BASE + slips + strange(6))


def test_keys_of_a_section_are_not_of_another_program() -> None:
    text = BASE + "model_init_kwargs: 1\n" + strange(40)
    ctx = context(text)
    for key in unknown_keys(ctx):
        assert not (key.section and of_another_reader(ctx, key))
