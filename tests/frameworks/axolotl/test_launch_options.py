"""What the options of a launch line mean, release by release."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.frameworks.axolotl.launch_options import Given, final_value, given, option_words
from cfglint.runs.starts import commands
from cfglint.runs.starts.start import Word
from tests.draws import each

AXOLOTL = Axolotl()


def options(text: str, release: str) -> list[Given]:
    (line,) = commands.read("/repo/train.sh", text)
    return list(given(line, AXOLOTL.release_keys(release)))


def problems(text: str, release: str) -> list[str]:
    return [found.problem for found in options(text, release)]


@each(
    ("options_text", "release", "problem"),
    [
        ("--learning-rate 1e-4", "0.6.0", ""),
        ("--learning-rate=1e-4", "0.21.0", ""),
        ("--learning_rate 1e-4", "0.9.2", "unknown"),
        ("--learning_rate 1e-4", "0.12.2", "unknown"),
        ("--nonsense 1", "0.18.0", "unknown"),
        ("--gradient_accumulation_steps 4", "0.11.0", "unknown"),
        ("--gradient_accumulation_steps 4", "0.12.0", "lost"),
        ("--fsdp_version 2", "0.12.0", "lost"),
        # a key of a plugin is none of the command's options
        ("--liger-rope true", "0.12.2", "unknown"),
        # true or false
        ("--sample-packing true", "0.6.0", ""),
        ("--sample-packing true", "0.7.1", "valued"),
        ("--sample-packing true", "0.8.0", ""),
        ("--sample-packing true", "0.15.0", ""),
        ("--sample-packing true", "0.16.0", "valued"),
        ("--sample-packing=true", "0.16.0", "valued"),
        ("--sample-packing", "0.15.0", "bare"),
        ("--sample-packing --debug", "0.15.0", "bare"),
        ("--sample-packing", "0.16.0", ""),
        ("--no-sample-packing", "0.6.0", "negated"),
        ("--no-sample-packing", "0.7.0", "dropped"),
        ("--no-sample-packing", "0.8.0", "negated"),
        ("--no-sample-packing", "0.16.0", ""),
        ("--use-ray", "0.8.0", ""),
        ("--bf16 auto", "0.18.0", ""),
        ("--gradient-checkpointing true", "0.18.0", ""),
        ("--no-accelerate", "0.9.2", ""),
        # sections
        ("--trl.beta 0.1", "0.12.2", "unknown"),
        ("--trl.beta 0.1", "0.16.0", ""),
        ("--trl.use-vllm", "0.18.0", ""),
        ("--trl.betta 0.1", "0.18.0", "unknown"),
        # the command's own
        ("--launcher python", "0.11.0", "unknown"),
        ("--launcher python", "0.12.0", ""),
        ("--num-processes 4", "0.6.0", "unknown"),
        ("--num-processes 4", "0.7.0", ""),
        ("--sweep s.yml", "0.6.0", "unknown"),
        ("--debug", "0.9.2", ""),
        ("--prompter=None", "0.12.2", ""),
        ("--num-processes 1", "0.9.2", ""),
    ],
)
def test_options_of_train(options_text: str, release: str, problem: str) -> None:
    assert problems(f"axolotl train x.yml {options_text}", release)[0] == problem


@each(
    "text",
    [
        "axolotl train x.yml --num_processes 4",
        "axolotl train x.yml --main_process_port 29501 --mixed_precision bf16",
        "axolotl train x.yml --fsdp_offload_params true",
        "axolotl train x.yml --launcher torchrun --nproc_per_node 8",
        "axolotl train x.yml --launcher python --nonsense",
        "axolotl train x.yml --cloud c.yml --nonsense",
        "axolotl train x.yml -- --nonsense",
        "axolotl train x.yml $EXTRA --$NAME=1",
        "axolotl vllm-serve x.yml --nonsense",
        "axolotl quantize x.yml --group-size 32",
    ],
)
def test_what_is_handed_on(text: str) -> None:
    assert not any(problems(text, "0.18.0"))


def test_words_that_are_no_options_are_passed_over() -> None:
    for word in ("other.yml", "--$NAME", f"--{'x' * 99}"):
        text = f"axolotl preprocess x.yml {word} --num_processes 4"
        assert problems(text, "0.18.0") == ["unknown"]


def test_commands_that_hand_nothing_on() -> None:
    assert problems("axolotl preprocess x.yml --num_processes 4", "0.18.0") == ["unknown"]
    assert problems("axolotl merge-lora x.yml --lora-model-dir out", "0.18.0") == [""]


@each(
    ("options_text", "problem"),
    [
        ("--learning_rate=1", ""),
        ("--learning-rate 1", ""),
        ("--liger_rope", ""),
        ("--trust_remote_code", ""),
        ("--rl --trust_remote_code", "bare"),
        ("--nonsense", "unknown"),
        ("--debug", None),
        ("--config y.yml", None),
        ("--trl.beta=1", None),
    ],
)
def test_modules_take_everything(options_text: str, problem: str | None) -> None:
    found = problems(f"accelerate launch -m axolotl.cli.train x.yml {options_text}", "0.12.2")
    assert found[:1] == ([] if problem is None else [problem])


@each(
    ("text", "release", "existing", "value"),
    [
        ("axolotl train x.yml --seed 3", "0.12.2", None, 3),
        ("axolotl preprocess x.yml --seed 3", "0.12.2", None, "3"),
        ("axolotl preprocess x.yml --seed 3", "0.18.0", None, 3),
        ("axolotl train x.yml --learning-rate 1e-4", "0.9.2", 0.1, 1e-4),
        ("axolotl train x.yml --sample-packing false", "0.12.2", True, True),
        ("axolotl train x.yml --sample-packing False", "0.12.2", True, False),
        ("axolotl preprocess x.yml --sample-packing False", "0.12.2", True, True),
        ("axolotl train x.yml --sample-packing false", "0.12.2", None, "false"),
        ("axolotl train x.yml --bf16 false", "0.18.0", True, False),
        ("axolotl train x.yml --no-sample-packing", "0.18.0", True, False),
        # A newer release converts by what the config has,
        ("axolotl preprocess x.yml --bf16 YES", "0.18.0", False, True),
        ("axolotl preprocess x.yml --bf16 1", "0.18.0", False, True),
        ("axolotl preprocess x.yml --bf16 2", "0.18.0", True, False),
        ("axolotl train x.yml --seed 4", "0.18.0", 3, 4),
        ("axolotl preprocess x.yml --seed 4.5", "0.18.0", 3, "4.5"),
        ("axolotl train x.yml --learning-rate 1e-4", "0.18.0", 0.1, 1e-4),
        ("axolotl preprocess x.yml --learning-rate 1", "0.18.0", 0.1, 1.0),
        ("axolotl train x.yml --adapter true", "0.18.0", "lora", "true"),
        # or else by what the word looks like.
        ("axolotl train x.yml --adapter True", "0.18.0", None, True),
        ("axolotl preprocess x.yml --adapter yes", "0.18.0", None, True),
        ("axolotl train x.yml --adapter No", "0.18.0", None, False),
        ("axolotl train x.yml --adapter Null", "0.18.0", None, None),
        ("axolotl preprocess x.yml --adapter '~'", "0.18.0", None, None),
        ("axolotl preprocess x.yml --adapter 3", "0.18.0", None, 3),
        ("axolotl preprocess x.yml --adapter 3.5", "0.18.0", None, 3.5),
        ("axolotl train x.yml --adapter lora", "0.18.0", None, "lora"),
        ("axolotl train x.yml --adapter None", "0.12.2", "lora", None),
        ("axolotl train x.yml --adapter qlora", "0.12.2", "lora", "qlora"),
        ("axolotl train x.yml --output-dir ./out-2", "0.12.2", None, "./out-2"),
        ("axolotl train x.yml --wandb-name 42", "0.12.2", None, 42),
    ],
)
def test_values(text: str, release: str, existing: Any, value: Any) -> None:
    (line,) = commands.read("/repo/train.sh", text)
    keys = AXOLOTL.release_keys(release)
    (found,) = given(line, keys)
    result = final_value(found, line, existing, keys)
    assert (result, type(result)) == (value, type(value))


@each("written", ["$SEED", "[1,2", "a,b", "(" * 60])
def test_values_that_cannot_be_determined(written: str) -> None:
    (line,) = commands.read("/repo/train.sh", f"axolotl train x.yml --seed '{written}'")
    keys = AXOLOTL.release_keys("0.12.2")
    (found,) = given(line, keys)
    if written.startswith("$"):
        found = found.replaced(value=Word(written, 0, 0, True))
    with pytest.raises(ValueError, match=r"\w"):
        final_value(found, line, None, keys)


@each(
    ("text", "key", "value", "release", "expected"),
    [
        ("axolotl train x.yml", "learning_rate", 1e-4, "0.18.0", "--learning-rate 0.0001"),
        ("axolotl train x.yml", "base_model", "a b", "0.18.0", "--base-model 'a b'"),
        ("axolotl train x.yml", "sample_packing", True, "0.18.0", "--sample-packing"),
        ("axolotl train x.yml", "sample_packing", False, "0.18.0", "--no-sample-packing"),
        ("axolotl train x.yml", "datasets", [1], "0.18.0", None),
        ("axolotl train x.yml", "learning_rate", None, "0.18.0", None),
        ("axolotl train x.yml", "no_such_key", 1, "0.18.0", None),
        ("accelerate launch -m axolotl.cli.train x.yml", "seed", 3, "0.12.2", "--seed=3"),
        ("accelerate launch -m axolotl.cli.train x.yml", "bf16", True, "0.12.2", "--bf16=true"),
        ("accelerate launch -m axolotl.cli.train x.yml", "bf16", "True", "0.12.2", "--bf16=True"),
        ("accelerate launch -m axolotl.cli.train x.yml", "bf16", False, "0.12.2", "--bf16=false"),
    ],
)
def test_words_that_set_a_key(
    text: str, key: str, value: Any, release: str, expected: str | None
) -> None:
    (line,) = commands.read("/repo/train.sh", text)
    assert option_words(line, key, value, AXOLOTL.release_keys(release)) == expected
