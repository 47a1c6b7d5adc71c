"""LLaMA-Factory's options on the line that starts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.for_files import variant
from cfglint.frameworks.llamafactory.scripts import reads_of
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from cfglint.source.values import to_python
from tests.cli.running import run
from tests.draws import each

SCRIPTS = variant(load_framework("llamafactory"), language="shell")
USUAL = "--stage sft --do_train --model_name_or_path Qwen/Qwen3-8B --dataset a --template qwen3"


def keys(text: str, release: str = "0.9.5") -> dict[str, object]:
    """What a script is read as."""
    target = Environment(SCRIPTS.releases).at(release)
    language = SCRIPTS.parsing.language_for(text, target, nowhere())
    found: dict[str, object] = to_python(language.read(SourceText(text)).root)
    return found


def codes(tmp_path: Path, text: str, *more: str) -> list[str]:
    """The codes of what is found in a script."""
    (tmp_path / "run.sh").write_text(text, encoding="utf-8")
    found = run(str(tmp_path / "run.sh"), "--isolated", "--format", "concise", *more)
    return [line.split()[2] for line in found.out.splitlines() if line.count(":") > 2]


def findings(tmp_path: Path, text: str) -> tuple[str, list[tuple[str, str]]]:
    """The release that a script is checked for, and the code and the severity of what is found."""
    (tmp_path / "run.sh").write_text(text, encoding="utf-8")
    result = lint_file(tmp_path / "run.sh")
    found = [(one.code, str(one.severity)) for one in result.diagnostics]
    return result.target.release, found


@each(
    "start",
    [
        "llamafactory-cli train",
        "CUDA_VISIBLE_DEVICES=0 lmf train",
        "torchrun --nproc_per_node 8 src/train.py",
        "deepspeed --num_gpus 8 /opt/LLaMA-Factory/src/train.py",
    ],
)
def test_a_command_with_options_is_a_file(start: str) -> None:
    found = keys(
        f"{start} {USUAL} --learning-rate 1e-4 --bf16 True --lora_targ q,v --packing false"
    )
    assert (found["program"], found["stage"], found["do_train"]) == ("train", "sft", True)
    assert (found["learning_rate"], found["bf16"], found["lora_target"]) == ("1e-4", True, "q,v")


@each(
    ("word", "value"),
    [("False", False), ("no", False), ("0", False), ("T", True), ("1", True), ("maybe", "maybe")],
)
def test_a_truth_is_what_the_parser_makes_of_its_word(word: str, value: object) -> None:
    text = f"llamafactory-cli train {USUAL.replace('--do_train', f'--do_train {word}')}"
    assert keys(text)["do_train"] == value


def test_a_command_that_does_not_train_needs_no_dataset(tmp_path: Path) -> None:
    text = f"llamafactory-cli train {USUAL} --output_dir out --eval_dataset b".replace(
        "--dataset a ", ""
    )
    assert "LLF040" in codes(tmp_path, text)
    assert "LLF040" not in codes(tmp_path, text.replace("--do_train", "--do_train False"))


def test_what_names_a_file_or_is_another_program_is_none() -> None:
    for text in (
        "llamafactory-cli train train.yaml\n",
        "llamafactory-cli train $CONFIG\n",
        "llamafactory-cli webui --port 1\n",
        "python src/train.py --epochs 3\n",
        "echo llamafactory-cli train --stage sft\n",
    ):
        assert keys(text) == {}


def test_the_release_has_the_file() -> None:
    text = f"python src/train_bash.py {USUAL}\n"
    assert keys(text) == {}
    assert keys(text, "0.7.0")["stage"] == "sft"
    assert keys(text.replace("train_bash", "train"), "0.7.0") == {}


def test_an_older_program_shows_which_releases_it_can_be(tmp_path: Path) -> None:
    usual = USUAL.replace("qwen3", "qwen")
    text = f"torchrun --nproc_per_node 8 src/train_bash.py {usual} --output_dir out\n"
    assert codes(tmp_path, text) == []
    assert codes(tmp_path, text.replace("--template qwen", "")) == ["LLF032"]
    assert codes(tmp_path, text.replace("\n", " --lora_rnk 8\n")) == ["KEY001"]
    assert findings(tmp_path, text)[0] == "0.7.0"
    # A script that starts the newer program, too, shows nothing.
    both = text + f"llamafactory-cli train {USUAL} --output_dir out\n"
    assert findings(tmp_path, both)[0] == SCRIPTS.releases.newest


def test_releases_before_the_known_ones_have_the_older_program_too(tmp_path: Path) -> None:
    text = f"python src/train_bash.py {USUAL.replace('qwen3', 'qwen')} --output_dir out"
    assert codes(tmp_path, text + " --max_source_length 512\n") == []
    assert codes(tmp_path, text.replace("--template", "--prompt_template") + "\n") == []
    assert codes(tmp_path, text + " --flash_attn\n") == []
    assert findings(tmp_path, text + " --cutoff_len\n")[1] == [("LCH812", "warning")]
    assert ("TYP002", "warning") in findings(tmp_path, f"{text} --template made_up\n")[1]


def test_words_are_judged_as_arguments(tmp_path: Path) -> None:
    text = f"llamafactory-cli train {USUAL} --output_dir out --bf16 --learning_rate 1e-4"
    assert codes(tmp_path, text + " --dataset_dir data --neat_packing False\n") == []
    assert codes(tmp_path, text + " --lora_rnk 8\n") == ["KEY001"]
    assert codes(tmp_path, text + " --lora_rank x\n") == ["TYP001"]
    assert codes(tmp_path, text + " --stage stf\n") == ["LCH813", "TYP002"]
    # Without its value it ends the command.
    assert codes(tmp_path, text.replace("--stage sft", "--stage") + " --stage sft\n") == ["LCH812"]
    assert codes(tmp_path, text + " --fp16\n") == ["OPT351"]


def test_what_the_script_does_not_tell_decides_nothing(tmp_path: Path) -> None:
    text = f"llamafactory-cli train {USUAL} --output_dir out --fp16 --bf16"
    assert codes(tmp_path, text + " True\n") == ["OPT351"]
    assert codes(tmp_path, text + "=$BF16\n") == []
    text = "llamafactory-cli train --stage sft --do_train --output_dir out $REST"
    assert codes(tmp_path, text + "\n") == []


def test_what_is_not_on_the_line_is_missing(tmp_path: Path) -> None:
    text = (
        "llamafactory-cli train --stage sft --do_train --dataset a --template qwen3 --output_dir o"
    )
    (tmp_path / "run.sh").write_text(text + "\n", encoding="utf-8")
    found = run(str(tmp_path / "run.sh"), "--isolated", "--format", "concise")
    assert "error TYP004" in found.out


def test_a_list_is_expanded() -> None:
    text = f'ARGS=({USUAL})\nARGS+=( # more\n  --cutoff_len 2048\n)\nlmf train "${{ARGS[@]}}"\n'
    assert keys(text)["cutoff_len"] == "2048"
    hidden = SCRIPTS.language.read(
        SourceText(f"if x; then\nA=(--bf16)\nfi\nlmf train {USUAL} ${{A[@]}}")
    )
    assert hidden.hides_keys


def test_a_script_that_names_files_says_which(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text("llamafactory-cli train a/train.yaml\n", encoding="utf-8")
    found = run(str(path), "--isolated")
    assert "it starts a/train.yaml; check that instead of the script" in found.out.replace(
        "\n  ", " "
    )


CONFIG = (
    "model_name_or_path: a/b\nstage: sft\ndo_train: true\nfinetuning_type: lora\ntemplate: qwen\n"
    "dataset: a\noutput_dir: o\n"
)


def test_a_script_with_options_also_names_the_files_that_it_starts(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    (tmp_path / "train.yaml").write_text(CONFIG, encoding="utf-8")
    path.write_text(
        f"llamafactory-cli train train.yaml lora_rnk=4\nllamafactory-cli train {USUAL}\n",
        encoding="utf-8",
    )
    said = "also starts train.yaml, which only a check of that config reads."
    assert said in run(str(path), "--isolated").out.replace("\n  ", " ")
    both = run(str(path), str(tmp_path / "train.yaml"), "--isolated").out
    assert said not in both.replace("\n  ", " ")


def test_what_is_cut_off_is_not_called_missing(tmp_path: Path) -> None:
    without = USUAL.replace("--dataset a ", "")
    assert "LLF040" in codes(tmp_path, f"llamafactory-cli train {without}\n")
    assert codes(tmp_path, f"llamafactory-cli train {without}\n  --dataset a\n")[0] == "LCH814"
    assert "LLF040" not in codes(tmp_path, f"llamafactory-cli train {without}\n  --dataset a\n")


def found_in(
    folder: Path, options: str, program: str | None, **texts: str
) -> list[tuple[str, str]]:
    """What is found in a script that starts `src/train.py`, whose imports are `program`."""
    (folder / ".git").mkdir()
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    if program is not None:
        (folder / "src").mkdir()
        (folder / "src" / "train.py").write_text(f"{program}\n")
    (folder / "jobs").mkdir()
    script = folder / "jobs" / "run.sh"
    usual = f"{USUAL} --output_dir out --bf16 --learning_rate 1e-4"
    for option in ("--learning_rate 1e-4", "--template qwen3"):
        usual = usual.replace(option, "") if option.split()[0] in options else usual
    script.write_text(f"torchrun src/train.py {usual} --report_to none {options}\n")
    report = lint_file(script)
    return [(one.code, one.severity) for one in report.diagnostics if one.severity != "note"]


ONE, THREE = "--our_hop 1", "--our_hop 1 --our_path a --our_queries 2"
OWN_WORD = "--template ours"
OURS, THEIRS = "from ours.tuner import run", "from llamafactory.train.tuner import run_exp"


@pytest.mark.parametrize(
    ("options", "program", "expected"),
    [
        # The project's own program decides which options and words there are.
        (f"{ONE} {OWN_WORD} --fp16 --no_such_word_at_all 1", OURS, []),
        # Whoever starts LLaMA-Factory's own file has its options.
        (f"{ONE}", THEIRS, [("KEY001", "error")]),
        (f"{OWN_WORD}", THEIRS, [("TYP002", "error")]),
        # Without the file, so many options of no release show that it is another one's.
        (f"{THREE} {OWN_WORD} --fp16", None, []),
        (f"{THREE} --learning_rate fast", None, [("TYP001", "error")]),
        (f"{THREE} --lora_rnk 8", None, [("KEY001", "warning")]),
        (f"{ONE} {OWN_WORD}", None, [("KEY001", "error"), ("TYP002", "error")]),
    ],
)
def test_a_program_that_grew_from_it_decides_by_itself(
    tmp_path: Path, options: str, program: str | None, expected: list[tuple[str, str]]
) -> None:
    assert sorted(found_in(tmp_path, options, program)) == expected


@pytest.mark.parametrize("name", ["train", "train_bash"])
@pytest.mark.parametrize(
    ("imports", "followed", "expected"),
    [
        ("from glmtuner.tuner import run_sft", "import torch", []),
        # A mention is no import.
        ("# from llmtuner import run_exp\nfrom glmtuner.tuner import run_sft", "", []),
        ("from llmtuner import run_exp", "", ["LLF032"]),
        ("from glmtuner.tuner import run_sft", "from llmtuner import run_exp", ["LLF032"]),
    ],
)
def test_a_program_that_does_not_import_it_is_another_one(
    tmp_path: Path, name: str, imports: str, followed: str, expected: list[str]
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src" / "glmtuner" / "tuner").mkdir(parents=True)
    (tmp_path / "src" / f"{name}.py").write_text(f"{imports}\n")
    (tmp_path / "src" / "glmtuner" / "tuner" / "__init__.py").write_text(f"{followed}\n")
    (tmp_path / "examples").mkdir()
    script = tmp_path / "examples" / "run.sh"
    usual = USUAL.replace("--template qwen3", "")
    script.write_text(f"python ../src/{name}.py {usual} --output_dir out\n")
    found = lint_file(script, target="llamafactory==0.9.1" if name == "train" else ())
    assert [one.code for one in found.diagnostics if one.code.startswith("LLF")] == expected


def test_a_stated_release_is_no_fork(tmp_path: Path) -> None:
    found = found_in(tmp_path, THREE, None, requirements="llamafactory==0.9.4\n")
    assert found == [("KEY001", "error")] * 3


@pytest.mark.parametrize("option", ["--pref_loss simp", "--mix_strategy none"])
def test_a_word_that_is_no_choice_is_refused_on_a_command_line(option: str, tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(f"llamafactory-cli train {USUAL} {option}\n")
    path = str(tmp_path / "run.sh")
    (one,) = lint_file(path, target="llamafactory==0.9.5", select=["TYP002"]).diagnostics
    assert (one.severity, one.upstream) == ("error", "rejects")


@each(
    ("word", "release", "refused"),
    [
        ("bitsandbytes", "0.9.3", True),
        ("bitsandbytes", "0.9.2", False),
        ("hqq", "0.9.3", False),
        ("fp8", "0.9.3", True),
    ],
)
def test_argparse_compares_a_word_with_the_choices_that_a_file_is_not_held_to(
    tmp_path: Path, word: str, release: str, refused: bool
) -> None:
    options = USUAL.replace("Qwen3-8B", "Qwen2-7B").replace("qwen3", "qwen")
    text = f"llamafactory-cli train {options} --output_dir out --quantization_method {word}\n"
    found = codes(tmp_path, text, "--target", f"llamafactory=={release}")
    assert ("TYP002" in found) is refused


@each(
    ("command", "name", "reads"),
    [
        ("chat", "model_name_or_path", {"0.8.3": True, "0.9.5": True}),
        ("chat", "vllm_config", {"0.9.0": False, "0.9.1": True}),
        # An option that is gone again.
        ("chat", "visual_inputs", {"0.7.0": True, "0.8.3": True, "0.9.0": False}),
        ("chat", "learning_rate", {"0.9.5": False}),
        ("train", "learning_rate", {"0.9.5": True}),
        ("train", "n_shot", {"0.9.5": False}),
    ],
)
def test_which_options_a_command_reads(command: str, name: str, reads: dict[str, bool]) -> None:
    framework = load_framework("llamafactory")
    found = {one: reads_of(command, framework.release_keys(one))(name) for one in reads}
    assert found == reads
