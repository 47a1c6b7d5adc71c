"""Which known name a misspelt one is likely to be."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.base.spelling import Guess, Speller, is_one_slip
from tests.draws import each, examples

NAMES = (
    "adam_beta1", "adam_beta2", "base_model", "eval_steps", "learning_rate", "lora_alpha", "lora_r",
    "micro_batch_size", "path", "save_steps", "seed", "split", "type", "val_set_size", "warmup_ratio",
    "warmup_steps", "bf16", "fp16", "tf32", "lr",
    "qwen3_5", "qwen_25", "stage3_max_live_parameters",
    "expert_parallel_size", "tensor_model_parallel_size", "per_device_train_batch_size", "per_device_eval_batch_size",
)  # fmt: skip


@each(
    ("written", "name", "sure"),
    [
        ("learning_rate", None, None),
        ("learning_rat", "learning_rate", True),
        ("laerning_rate", "learning_rate", True),
        ("Learning-Rate", "learning_rate", True),
        ("learn_rate", "learning_rate", False),
        ("learningrate", "learning_rate", True),
        # Separators elsewhere: the same digits in the same order.
        ("qwen2_5", "qwen_25", True),
        ("warmup_step", "warmup_steps", True),
        # Of a long name a shortened word is more than three letters.
        ("stage3_max_live_params", "stage3_max_live_parameters", True),
        ("warmup_rates", "warmup_ratio", False),
        # A word that is left out is likelier than another word; of several names it is not known which.
        ("tensor_parallel_size", "tensor_model_parallel_size", False),
        ("expert_parallel_sise", "expert_parallel_size", True),
        ("per_device_batch_size", None, None),
        # Digits are no slip of the finger.
        ("adam_beta3", "adam_beta1", False),
        ("adam_beta", "adam_beta1", False),
        # Two names are as close.
        ("xave_steps", "save_steps", True),
        ("evsave_steps", "save_steps", True),
        ("steps", None, None),
        # Short names: one letter, or two that changed places.
        ("tpye", "type", False),
        ("tyqe", "type", False),
        ("typ", "type", False),
        ("types", "type", False),
        ("etyp", None, None),
        ("tqqe", None, None),
        ("sede", "seed", False),
        ("sdee", None, None),
        ("dees", None, None),
        ("spilt", "split", False),
        ("bf15", None, None),
        ("bp16", "bf16", False),
        ("rl", None, None),
        ("base_model_config", None, None),
        ("micro_batchsize", "micro_batch_size", True),
        ("", None, None),
    ],
)
def test_closest(written: str, name: str | None, sure: bool | None) -> None:
    found = Speller(NAMES).closest(written)
    assert (found and found.name, found and found.sure) == (name, sure)


@each(
    ("written", "names", "closest"),
    [
        ("gradient_accumulation_", ["gradient_accumulation_steps", "gradient_clipping"], 0),
        ("gradient_clip", ["gradient_clipping", "gradient_accumulation_steps"], 0),
        ("came", ["came_pytorch", "adamw_torch"], 0),
        ("micro_batch_size_per_gpu", ["train_micro_batch_size_per_gpu", "train_batch_size"], 0),
        ("warmup", ["warmup_steps", "warmup_ratio"], None),
        ("steps", ["warmup_steps"], None),
        ("lr", ["lr_scheduler"], None),
        # A word that several names begin with is no slip of another one, but of its own plural.
        ("adamw", ["adamc", "adamw_torch", "adamw_8bit"], None),
        ("adamw", ["adamc", "adamw_torch"], 0),
    ],
)
def test_a_part_of_one_name_suggests_it(
    written: str, names: list[str], closest: int | None
) -> None:
    guess = Speller(names).closest(written)
    assert guess == (None if closest is None else Guess(names[closest], sure=False))


def test_a_plural_is_a_slip_though_other_names_begin_with_the_word() -> None:
    names = ["datasets", "dataset_path", "dataset_name"]
    assert Speller(names).closest("dataset") == Guess("datasets", sure=True)


def test_a_known_name_is_no_misspelling() -> None:
    """Neither of itself, which would say nothing, nor of its neighbour."""
    speller = Speller(["num_processes", "num_process"])
    assert speller.closest("num_processes") is None
    assert speller.closest("num_process") is None
    assert speller.closest("num_procesess") is not None


@settings(max_examples=examples(200), deadline=None)
@given(st.text("abcdefgh_", min_size=2, max_size=12), st.integers(0, 11), st.sampled_from("xyz"))
def test_one_slip_is_one_letter_or_two_that_changed_places(name: str, at: int, letter: str) -> None:
    at %= len(name)
    slips = {
        "another": name[:at] + letter + name[at + 1 :],
        "missing": name[:at] + name[at + 1 :],
        "more": name[:at] + letter + name[at:],
        "swapped": name[:at] + name[at : at + 2][::-1] + name[at + 2 :],
    }
    for kind, written in slips.items():
        assert is_one_slip(written, name) is (written != name), kind
        assert is_one_slip(name, written) is (written != name), kind
    assert not is_one_slip(f"{letter * 2}{name}", name)
    assert not is_one_slip(f"{letter}{name}{letter}", name)
    assert not is_one_slip(f"{letter}{name[1:-1]}{letter}{letter}", name)


@each(
    ("left", "right", "is_slip"),
    [
        ("abcd", "badc", False),  # two pairs
        ("abcd", "acbx", False),  # a pair and a letter
        ("abc", "cba", False),
        ("beta1", "beta2", False),
        ("beta1", "beta", True),
        ("beta", "beta1", True),
        ("a1b", "a2b", False),
        ("a1", "ab", False),
        ("ab", "a1", True),
    ],
)
def test_what_is_one_slip(left: str, right: str, is_slip: bool) -> None:
    assert is_one_slip(left, right) is is_slip
