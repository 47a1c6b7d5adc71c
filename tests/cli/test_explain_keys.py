"""`cfglint explain KEY`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run
from tests.draws import each


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_key_with_all_that_is_known_about_it() -> None:
    result = run("explain", "sample_packing")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("sample_packing (Axolotl ")
    assert "Type: true or false.\n" in result.out
    assert "In all known releases (from 0.4.1).\n" in result.out
    assert "LLaMA-Factory: `neat_packing`; TRL: `packing`" in result.out.replace("\x1b", "")
    assert "  PAK201 packing-without-isolation: " in result.out


def test_the_key_of_a_release() -> None:
    old = run("explain", "max_prompt_length", "--framework", "trl", "--target", "trl==0.20.0")
    assert "max_prompt_length (TRL 0.20.0)\n" in old.out
    assert "Default: `512` (dpo, grpo, kto)." in old.out
    assert "removed in 0.29.0" in old.out
    new = run("explain", "max_prompt_length", "--framework", "trl", "--target", "trl==1.16.0")
    assert "Type: " not in new.out


def test_a_key_in_a_section() -> None:
    assert run("explain", "datasets[].type").out.startswith("datasets[].type (Axolotl ")
    assert run("explain", "datasets.type").out == run("explain", "datasets[].type").out
    assert "trl.beta (Axolotl " in run("explain", "beta").out


def test_the_key_of_another_tool() -> None:
    result = run("explain", "cutoff_len", "--framework", "axolotl")
    assert (result.code, result.out) == (0, "cutoff_len is `sequence_len` in Axolotl.\n")
    # A framework that has the key, and the names that others have for it.
    out = run("explain", "num_train_epochs").out
    assert "num_train_epochs (LLaMA-Factory " in out
    assert "  Axolotl: `num_epochs`; other tools: `epochs`" in out


def test_names_elsewhere_are_told_once() -> None:
    out = run("explain", "sample_packing").out
    assert "LLaMA-Factory: `neat_packing`" in out
    assert "Elsewhere it is" not in out


def test_a_target_chooses_the_framework() -> None:
    out = run("explain", "lora_r", "--target", "trl==1.16.0").out
    assert out.startswith("lora_r (TRL 1.16.0)\n")
    assert "Axolotl 0." not in out
    out = run("explain", "sample_packing", "--target", "trl==1.16.0").out
    assert out == "sample_packing is `packing` in TRL.\n"
    # A framework that has neither the key nor a name for it leaves the others.
    out = run("explain", "saves_per_epoch", "--target", "trl==1.16.0").out
    assert out.startswith("saves_per_epoch (Axolotl ")


def test_the_history_of_a_key_that_is_gone() -> None:
    out = run("explain", "learning_rate", "--framework", "openrlhf").out
    assert "From 0.3.6 on, removed in 0.10.2.\n" in out


def test_what_is_not_known() -> None:
    result = run("explain", "sample_packin")
    assert (result.code, result.out) == (2, "")
    assert "unknown rule or key 'sample_packin'; did you mean sample_packing" in result.err
    result = run("explain", "lora_r", "--framework", "axolotI")
    assert (result.code, "unknown framework 'axolotI'" in result.err) == (2, True)
    result = run("explain", "lora_r", "--target", "axolotl==99.1")
    assert (result.code, "99.1" in result.err) == (2, True)


def test_rules_and_families_come_first() -> None:
    assert run("explain", "PAK001").out.startswith("PAK001 ")
    assert "KEY001" in run("explain", "KEY").out


def test_the_words_of_an_error() -> None:
    result = run("explain", "--symptom", "context parallelism wraps a  kernel-backed")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("DST108 context-parallel-with-eager-attention (Axolotl)\n  ")
    assert result.out.endswith("    cfglint explain DST108\n")


def test_words_of_many_errors() -> None:
    out = run("explain", "--symptom", "required").out
    assert out.count("    cfglint explain ") == 5
    assert "It is also a symptom of " in out


def test_an_end_that_no_config_decides() -> None:
    out = run("explain", "--symptom", "CUDA out of memory").out
    assert out.startswith("The memory of a GPU is used up, whatever the config says\n")


def test_a_refused_argument_is_explained() -> None:
    error = "TypeError: SFTConfig.__init__() got an unexpected keyword argument 'max_seq_length'"
    out = run("explain", "--symptom", error, "--target", "trl==1.16.0", "--framework", "trl").out
    assert out.startswith("max_seq_length (not in TRL 1.16.0)\n")
    assert "removed in 0.20.0" in out


@pytest.mark.parametrize("words", ["'weight' should be a matrix", "no 'type' for this"])
def test_a_plain_word_in_quotes_may_be_no_key(words: str) -> None:
    assert (run("explain", "--symptom", words).code) == 1


def test_a_plain_word_that_is_called_an_argument_is_explained() -> None:
    error = "SFTConfig.__init__() got an unexpected keyword argument 'packing'"
    out = run("explain", "--symptom", error, "--framework", "trl").out
    assert out.startswith("packing (TRL")


def test_words_of_no_known_error() -> None:
    result = run("explain", "--symptom", "zzz 'zzz'")
    assert (result.code, result.out) == (1, "")
    assert "no rule has a symptom with these words" in result.err
    for arguments in ((), ("KEY001", "--symptom", "x")):
        result = run("explain", *arguments)
        assert (result.code, "words of an error with --symptom" in result.err) == (2, True)


def test_a_parameter_of_a_class() -> None:
    out = run("explain", "GRPOConfig.beta", "--target", "trl==1.16.0").out
    assert out.startswith("beta (`GRPOConfig`, trl 1.16.0)\nWeight of the divergence")
    assert run("explain", "ModelConfig.lora_r").out.startswith("lora_r (TRL 1.16.0)\n")
    assert run("explain", "LoraConfig").out == (
        "LoraConfig is a class; `cfglint keys LoraConfig` lists what it takes.\n"
    )
    assert run("explain", "GRPOConfig.nothing").code == 2


def test_a_default_that_the_commands_differ_in() -> None:
    out = run("explain", "learning_rate", "--framework", "trl", "--target", "trl==1.16.0").out
    assert "`0.0001` (reward), `2e-05` (sft)." in out
    assert "null" not in out


def test_a_parameter_that_no_file_has() -> None:
    out = run("explain", "processing_class").out
    assert out.startswith("processing_class is a parameter of `SFTTrainer`, ")
    assert "`cfglint explain SFTTrainer.processing_class` says more." in out
    assert "It is a parameter of `LoraConfig`, " in run("explain", "r").out


def test_keys_deep_in_a_section_come_last_and_once() -> None:
    out = run("explain", "warmup").out
    own, alike, deep = (
        out.index("`warmup_steps` in Axolotl"),
        out.index("`warmup_ratio` (Axolotl, "),
        out.index("profiler"),
    )
    assert own < alike < deep
    assert out.count("Default: `0`.") == 1
    assert "Of the same name: `actor_rollout_ref.ref.profiler" in out
    # One level down is where people look for it.
    out = run("explain", "overlap_comm").out
    assert out.index("zero_optimization.overlap_comm") < out.index("verl")


def test_a_key_may_be_named_by_the_end_of_its_path() -> None:
    out = run("explain", "rollout.n").out
    assert out.startswith("actor_rollout_ref.rollout.n (verl ")
    several = run("explain", "model.path").out
    assert several.startswith("actor_rollout_ref.model.path (verl ")
    assert "Of the same name: " in several


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "actor_rollout_ref.rollout.tensor_parallel_size",
            "did you mean actor_rollout_ref.rollout.tensor_model_parallel_size or",
        ),
        ("trainer.total_epoch", "did you mean trainer.total_epochs?"),
        ("a.b.c", "unknown key 'a.b.c'; `cfglint keys` lists them"),
        ("NPROC_PER_NODE", "looks like a variable of the environment; `cfglint rules --search"),
        ("NCCL_P2P_DISABLED", "did you mean NCCL_P2P_DISABLE? (`cfglint explain LCH817`"),
        ("NCCL_P2P_DISABLE", "; LCH817 finds slips in its name"),
        ("NO_SUCH_THING", "looks like a variable of the environment, which no rule mentions"),
    ],
)
def test_what_is_no_rule_is_not_called_one(asked: str, said: str) -> None:
    result = run("explain", asked)
    assert result.code == 2
    assert said in result.err
    assert "unknown rule" not in result.err


@each(
    ("key", "release", "page"),
    [
        ("tuner_type", "3.3.0", "(not in ms-swift 3.3.0) Since ms-swift 4.0.0, called `train_type` in 3.3.0."),
        ("sft_type", "3.3.0", "(not in ms-swift 3.3.0) From 2.4.0 on, removed in 3.0.0, now called `train_type`."),
        ("sft_type", "4.6.0", "(not in ms-swift 4.6.0) From 2.4.0 on, removed in 3.0.0, now called `tuner_type`."),
        ("tuner_type", "4.6.0", "(ms-swift 4.6.0) Type: text. Default:"),
    ],
)  # fmt: skip
def test_a_key_that_the_release_does_not_have(key: str, release: str, page: str) -> None:
    """No default and no type of it, and the name that it has there."""
    out = run("explain", key, "--target", f"ms-swift=={release}").out
    assert " ".join(out.split()).startswith(f"{key} {page}")
