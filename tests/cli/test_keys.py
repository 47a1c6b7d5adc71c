"""`cfglint keys`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cfglint.frameworks.for_files import variant
from cfglint.knowledge.keys.classes import known_classes
from cfglint.roles.framework import frameworks, load_framework
from tests.cli.running import run
from tests.draws import drawn, product

PAGE = Path(__file__).resolve().parents[2] / "docs" / "keys.md"
#: Everything whose keys can be listed.
SUBJECTS = [
    *(name for name in sorted(frameworks()) if not load_framework(name).row["of_sections"]),
    *(
        f"{name} {kind}"
        for name in sorted(frameworks())
        for kind in load_framework(name).row["kinds"]
    ),
    *known_classes("trl"),
]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@product
@pytest.mark.parametrize("subject", drawn(SUBJECTS, 25))
def test_the_list_is_short(subject: str) -> None:
    result = run("keys", *subject.split())
    assert (result.code, result.err) == (0, "")
    assert 0 < len(result.stdout) <= 2_000
    assert re.match(r".+ \(\S+ \S+, .+\): \d+ keys\n", result.out)


def test_the_keys_of_a_command() -> None:
    out = run("keys", "sft", "--target", "trl==1.16.0").out
    assert out.startswith("`trl sft` (trl 1.16.0, --target): 263 keys\n")
    # The defaults are those of the command, not of the class below it.
    assert " learning_rate:num=2e-05 " in out
    assert " max_length:int=1024 " in out
    assert "max_seq_length" not in out
    assert "\ntransformers 5.24.0: " in out
    assert out.endswith(" more with --all. `cfglint explain KEY`: what one does.\n")
    assert run("keys", "trl", "sft", "--target", "trl==1.16.0").out == out


def test_the_keys_of_another_release() -> None:
    names = [key["name"] for key in listed("sft", "--target", "trl==0.12.2")]
    assert "max_seq_length" in names
    assert "max_length" not in names


def listed(*arguments: str) -> list[dict[str, object]]:
    answer = json.loads(run("keys", *arguments, "--format", "json").out)
    (one,) = answer["lists"]
    return list(one["keys"])


def test_json_has_everything() -> None:
    keys = {str(key["name"]): key for key in listed("sft", "--target", "trl==1.16.0")}
    assert len(keys) == 263
    assert keys["max_length"] == {
        "name": "max_length",
        "type": "int",
        "accepts": "a whole number",
        "choices": [],
        "required": False,
        "plugin": "",
        "since": "0.16.0",
        "meaning": keys["max_length"]["meaning"],
        "default": 1024,
    }


def test_what_every_file_needs_comes_first() -> None:
    lines = run("keys", "llamafactory").out.splitlines()
    assert lines[1] == "required: model_name_or_path:text"


def test_a_class_has_parameters_and_the_defaults_that_are_its_own() -> None:
    """`SFTConfig` has other defaults than the class that it inherits parameters from."""
    out = run("keys", "SFTConfig").out
    assert " learning_rate:num=2e-05 " in out
    assert " learning_rate:num=5e-05 " in run("keys", "TrainingArguments").out
    # No command fills it, so what it makes of an inherited parameter is not known.
    of_gkd = run("keys", "GKDConfig").out
    assert " temperature:num=0.9 " in of_gkd
    assert " learning_rate:num " in of_gkd
    out = run("keys", "SFTConfig").out
    assert run("keys", "trl.SFTConfig").out == out
    assert "\npeft 0." in run("keys", "LoraConfig").out


def test_older_names_are_not_offered() -> None:
    out = run("keys", "axolotl").out
    assert " attn_implementation " in out
    assert " flash_attention " not in out
    assert "flash_attention" in run("keys", "axolotl", "--all").out


def test_a_value_that_has_to_be_given_is_no_default() -> None:
    for arguments in (("keys", "verl", "--all"), ("explain", "actor_rollout_ref.rollout.name")):
        assert "???" not in run(*arguments).out


def test_a_section() -> None:
    out = run("keys", "axolotl", "datasets").out
    assert "\ndatasets[]: " in out
    assert run("keys", "datasets[]").out == out
    out = run("keys", "deepspeed", "zero_optimization").out
    assert "\nzero_optimization: stage:0|1|2|3=0 " in out


def test_a_word_that_decides_what_is_trained() -> None:
    out = run("keys", "dpo", "--target", "axolotl==0.16.1").out
    assert out.startswith("Axolotl with `rl: dpo` (axolotl 0.16.1, --target): ")
    assert run("keys", "dpo", "--framework", "llamafactory").out.startswith(
        "LLaMA-Factory with `stage: dpo` "
    )
    assert run("keys", "dpo").out.startswith("`trl dpo` ")


def test_a_key_is_explained() -> None:
    arguments = ("sample_packing", "--target", "axolotl==0.16.1")
    assert run("keys", *arguments).out == run("explain", *arguments).out


def test_all() -> None:
    out = run("keys", "sft", "--all").out
    assert len(out.splitlines()) > 263
    assert (
        "\n  dataset_name: text. Default null. The dataset, as a repository on the Hub or a path\n"
        in out
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nonsense",), "unknown subject 'nonsense'; name a framework (accelerate"),
        (("\x1b[1m",), "unknown subject"),
        (("sft", "--framework", "no"), "unknown framework 'no'"),
        (("sft", "--target", "trl==99.0"), "trl 99.0 is newer"),
        ((), "Missing argument"),
    ],
)
def test_what_is_not_known(arguments: tuple[str, ...], message: str) -> None:
    result = run("keys", *arguments)
    assert (result.code, result.out, message in result.err) == (2, "", True)
    assert "\x1b" not in result.err


def test_the_page_shows_what_is_printed() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = re.search(r"```console\n\$ cfglint (keys [^\n]*)\n(.*?)```", text, re.S)
    assert shown is not None
    assert run(*shown[1].split()).out == shown[2]


@pytest.mark.parametrize(
    ("name", "release", "number", "has", "has_not"),
    [
        ("ModelConfig", "0.15.2", 17, "lora_r:int=16", "dtype:"),
        ("trl.ModelConfig", "1.16.0", 19, "dtype:", "torch_dtype"),
        ("ScriptArguments", "1.16.0", 6, "dataset_streaming", "lora_r"),
    ],
)
def test_a_class_that_a_command_fills(
    name: str, release: str, number: int, has: str, has_not: str
) -> None:
    out = run("keys", name, "--target", f"trl=={release}").out
    short = name.removeprefix("trl.")
    assert out.startswith(f"`{short}` (trl {release}, --target): {number} keys\n")
    assert has in out.replace("\nTRL: ", " ")
    assert f" {has_not}" not in out


def test_a_framework_by_the_name_that_people_write() -> None:
    own = run("keys", "swift").out
    assert run("keys", "ms-swift").out == own
    assert run("keys", "LLaMA-Factory").out == run("keys", "llamafactory").out


def test_a_command_that_several_frameworks_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The project decides; where it does not, all are listed, and named first."""
    monkeypatch.chdir(tmp_path)
    assert run("keys", "sft").out.startswith("Several have this name: `swift sft`, `trl sft`; ")
    (tmp_path / "requirements.txt").write_text("trl==1.16.0\n")
    assert run("keys", "sft").out.startswith("`trl sft` (trl 1.16.0, ")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("sftt", "sft"),
        ("SFTconfig", "SFTConfig"),
        ("outptu_dir", "output_dir"),
        ("trl grpoo", "trl grpo"),
        ("lamafactory", "llamafactory"),
        ("datsets[]", "datasets[]"),
        ("megatron sft", "swift megatron_sft"),
        ("swift megatron-sft", "swift megatron_sft"),
        # What another framework has under the same word is not meant.
        ("verl sft", "verl sft_trainer"),
        ("openrlhf ppo", "openrlhf train_ppo"),
    ],
)
def test_what_is_meant(words: str, meant: str) -> None:
    result = run("keys", *words.split())
    assert (result.code, f"did you mean {meant}?" in result.err) == (2, True)


def test_nothing_is_meant_by_itself() -> None:
    assert "did you mean" not in run("keys", "verl", "learning_rate").err


def test_what_every_run_sets_comes_first() -> None:
    for subject in ("trl sft", "SFTConfig", "llamafactory", "axolotl", "swift"):
        out = run("keys", *subject.split()).out
        assert re.search(r" output_dir:", out), subject
        assert re.search(r" num_(train_)?epochs:", out), subject


@pytest.mark.parametrize("name", sorted(frameworks()))
def test_basics_are_keys(name: str) -> None:
    framework = load_framework(name)
    known = {*framework.keys.names("")}
    for kind in framework.row["kinds"]:
        known |= {*variant(framework, kind=kind).keys.names("")}
    assert {*framework.row["basics"]} <= known


def test_the_project_says_whose_keys_are_meant() -> None:
    Path("requirements.txt").write_text("trl==1.16.0\naccelerate==1.15.0\n", encoding="utf-8")
    assert "(TRL 1.16.0)" in run("keys", "output_dir").out
    assert "Axolotl" not in run("explain", "output_dir").out
    # What goes with TRL says nothing of a framework that the project does not use.
    assert "the newest known" in run("keys", "llamafactory").out
