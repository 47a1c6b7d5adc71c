"""What the programs of LLaMA2-Accessory make of a command."""

from __future__ import annotations

from cfglint.answers.resolved.resolve import Effective, resolve
from cfglint.environment.building import build_environment
from cfglint.frameworks.accessory.framework import Accessory
from cfglint.source.text import SourceText
from tests.draws import each

FRAMEWORK = Accessory()


def made(words: str, program: str = "finetune") -> Effective:
    """What a program makes of the words of a command."""
    text = f"torchrun --nproc_per_node=8 main_{program}.py --llama_type llama {words}\n"
    target = build_environment(FRAMEWORK.releases)
    return resolve(FRAMEWORK.language.read(SourceText(text)), FRAMEWORK, target)


def test_words_are_converted_and_options_have_defaults() -> None:
    found = made("--lr 2e-5 --epo 3 --quant --llama_config a.json b.json")
    reasons = {entry.path[0]: entry.reason for entry in found.entries}
    assert found.data["lr"] == 2e-5
    assert (found.data["epochs"], found.data["quant"]) == (3, True)
    assert found.data["llama_config"] == ["a.json", "b.json"]
    assert found.data["pretrained_path"] == ["/path/to/pretrained"]
    assert reasons["lr"] is None
    assert reasons["accum_iter"] == "default of llama2-accessory 2024.5.24"
    assert {"launcher", "program"}.isdisjoint(found.data)


def test_a_program_has_its_own_options() -> None:
    assert "warmup_iters" in made("", "pretrain").data
    assert "warmup_iters" not in made("").data


@each(
    ("words", "pinned"),
    [
        ("", True),
        ("--no_pin_mem", False),
        ("--no_pin_mem --pin_mem", True),
        ("--pin_mem --no_pin_mem", False),
    ],
)
def test_the_last_of_two_switches_counts(words: str, pinned: bool) -> None:
    found = made(words).data
    assert found["pin_mem"] is pinned
    assert "no_pin_mem" not in found


def test_what_the_script_does_not_tell_is_left_out() -> None:
    found = made('--lr "$1" --llama_config "$CONFIG" x.json')
    assert [(one.path, one.needs) for one in found.undecided] == [
        (("llama_config",), ("script",)),
        (("lr",), ("script",)),
    ]
