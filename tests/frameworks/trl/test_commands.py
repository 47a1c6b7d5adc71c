"""Which command a file is for."""

from __future__ import annotations

from pathlib import Path

from cfglint.api.linter import Linter
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.trl.commands import COMMANDS, command_of
from cfglint.roles.framework import load_framework
from cfglint.source.files.disk import Disk
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import case_in

HEAD = "model_name_or_path: a/b\ndataset_name: c/d\n"


def command(text: str = HEAD, path: str = "") -> str:
    document = load_framework("trl").language.read(SourceText(text))
    return command_of(document, nowhere().replaced(path=path))


@each("name", COMMANDS)
def test_a_folder_or_a_file_is_named_after_it(name: str) -> None:
    assert command(path=f"recipes/zephyr/{name}/config_full.yaml") == name
    assert command(path=f"configs/{name}_config.yaml") == name
    assert command(path=f"configs\\{name.upper()}-lora.yaml") == name


def test_the_nearest_name_counts_and_two_names_say_nothing() -> None:
    assert command(path="sft/dpo/config.yaml") == "dpo"
    assert command(path="configs/sft-then-dpo.yaml") == ""
    assert command(path="dpo/sft-then-dpo.yaml") == "dpo"
    assert command(path="configs/sftp.yaml") == ""


def test_a_folder_counts_that_agrees_with_the_keys_where_the_file_s_name_does_not() -> None:
    text = HEAD + "num_generations: 4\nscale_rewards: none\n"
    assert command(text, "grpo/a_from_sft.yaml") == "grpo"
    assert command(text + "packing: true\n", "grpo/a_from_sft.yaml") == "grpo"
    assert command(text, "a_from_sft.yaml") == "sft"
    assert command(text, "dpo/a_from_sft.yaml") == "sft"
    assert command(text, "grpo/small/a_from_sft.yaml") == "sft"
    assert command(text, "grpo/dpo/a.yaml") == "dpo"
    assert command(HEAD + "packing: true\n", "grpo/a_from_sft.yaml") == "sft"


def test_an_ordinary_word_is_a_command_only_where_the_keys_agree() -> None:
    text = HEAD + "num_generations: 4\nscale_rewards: none\n"
    assert command(text, "mix_reward/config.yaml") == "grpo"
    assert command(text, "grpo/length_reward.yaml") == "grpo"
    assert command(HEAD + "num_generations: 4\n", "mix_reward/config.yaml") == ""
    assert command(HEAD + "num_generations: 4\n", "reward/config.yaml") == "reward"


def test_methods_without_a_command_belong_to_no_command() -> None:
    text = HEAD + "packing: true\n"
    assert command(text) == "sft"
    assert command(text, "sft/simpo/config.yaml") == ""
    assert command(text, "recipes/orpo/config_full.yaml") == ""


def test_what_a_command_sets_beside_a_file_leaves_it_of_that_command(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(HEAD + "loss_type: sigmod\n", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    for words in ("", " --beta 0.2"):
        line = f"trl dpo --config a.yaml{words}\n"
        (tmp_path / "run.sh").write_text(line, encoding="utf-8")
        found = Linter(files=Disk()).lint_file(tmp_path / "a.yaml")
        assert "TRL101" in [one.code for one in found.diagnostics]


def test_keys_tell_when_only_one_command_has_them_all() -> None:
    assert command(HEAD + "packing: true\n") == "sft"
    assert command(HEAD + "desirable_weight: 1.0\n") == "kto"
    assert command(HEAD + "num_generations: 4\n") == ""
    assert command(HEAD + "num_generations: 4\nscale_rewards: none\n") == "grpo"
    assert command(HEAD + "packing: true\nscale_rewards: none\n") == ""
    assert command(HEAD) == ""


@each(
    ("script", "path", "expected"),
    [
        ("trl dpo --config {path}", "configs/one.yaml", "dpo"),
        ("trl sft --config {path}", "dpo/one.yaml", "sft"),
        # What trains nothing says nothing, and two commands say nothing.
        ("trl sft --config {path}\ntrl vllm-serve --config {path}", "dpo/one.yaml", "sft"),
        ("trl sft --config {path}\ntrl dpo --config {path}", "configs/one.yaml", ""),
        ("trl sft --config {path}\ntrl dpo --config {path}", "kto/one.yaml", "kto"),
        ("accelerate launch src/train_dpo.py --config {path}", "configs/one.yaml", "dpo"),
        ("accelerate launch src/merge_dpo.py --config {path}", "configs/one.yaml", ""),
        ("accelerate launch src/train_orpo_dpo.py --config {path}", "configs/one.yaml", ""),
        ("accelerate launch src/sft_dpo.py --config {path}", "configs/one.yaml", ""),
        ("echo", "configs/one.yaml", ""),
    ],
)
def test_what_starts_a_file(script: str, path: str, expected: str) -> None:
    program = "from trl import TrlParser\nparser = TrlParser(())\n"
    names = ("train_dpo", "merge_dpo", "train_orpo_dpo", "sft_dpo")
    files = {".git/HEAD": "", "go.sh": script.format(path=path) + "\n"}
    files |= {f"src/{name}.py": program for name in names}
    case, source = case_in(files, HEAD, name=path, framework="trl")
    assert command_of(case.framework.language.read(source), case.around) == expected
