"""The releases that a log leaves."""

from __future__ import annotations

from cfglint.answers.logs.left import releases_left, spec_of
from cfglint.answers.logs.lines import lines
from cfglint.answers.logs.parts import LogPart
from cfglint.answers.logs.refused import RefusedKey

OF_3 = "/opt/lib/python3.11/site-packages/swift/llm/base.py\n"
OF_ANY = "/opt/lib/python3.11/site-packages/swift/cli/sft.py\n"


def left(
    text: str, *refused: tuple[RefusedKey, tuple[str, ...]], known: str = ""
) -> dict[str, str]:
    read = lines([LogPart(text.encode(), 1)])
    found = releases_left(read, refused, (known,))
    return {package: spec_of(package, releases) for package, releases in found.items()}


def refusal(name: str, by: str = "") -> tuple[RefusedKey, tuple[str, ...]]:
    return RefusedKey(name, by), () if by else ("swift",)


def test_a_module_that_a_release_dropped_is_of_one_before_it() -> None:
    assert left(OF_3) == {"ms-swift": "<4.0.0"}
    assert left(OF_3.replace("/", "\\")) == {"ms-swift": "<4.0.0"}
    assert left(OF_ANY) == {}
    # A module may be a file.
    assert left("/v/dist-packages/trl/core.py, line 3\n") == {"trl": "<0.25.0"}


def test_an_argument_that_is_refused_is_of_another_release() -> None:
    assert left("", refusal("sft_type")) == {"ms-swift": ">=3.0.0"}
    assert left("", refusal("tuner_type")) == {"ms-swift": "<4.0.0"}
    assert left("", refusal("max_seq_length", "SFTTrainer")) == {"trl": ">=0.13.0"}
    # The package below decides on it.
    assert left("", refusal("processing_class", "Trainer")) == {"transformers": "<4.46.1"}


def test_both_together() -> None:
    assert left(OF_3, refusal("sft_type")) == {"ms-swift": ">=3.0.0,<4.0.0"}


def test_what_no_release_or_every_one_takes_says_nothing() -> None:
    assert left("", refusal("no_such_thing"), refusal("learning_rate")) == {}
    # Nor what some of the commands take, as it is not known which one ran.
    assert left("", refusal("rlhf_type")) == {}


def test_what_contradicts_the_rest_is_left_out() -> None:
    refused = [refusal("sft_type"), refusal("train_type"), refusal("tuner_type")]
    assert left(OF_3, *refused) == {"ms-swift": ">=3.0.0,<4.0.0"}


def test_what_another_package_decides_on_says_nothing() -> None:
    assert left("", refusal("save_safetensors")) == {}
    of_transformers = RefusedKey("evaluation_strategy", ""), ("llamafactory",)
    assert left("", of_transformers) == {}
    own = RefusedKey("val_size_of_nothing", ""), ("llamafactory",)
    assert left("", own, (RefusedKey("plot_loss", ""), ("llamafactory",))) == {}


def test_a_version_that_is_stated_is_enough() -> None:
    assert left(OF_3, refusal("sft_type"), known="ms-swift") == {}
