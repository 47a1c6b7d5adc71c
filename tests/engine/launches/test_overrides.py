"""A config as the project's launch lines run it: findings that go, and findings that come."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import fix_text, lint_file
from cfglint.engine.file_report import FileReport
from cfglint.engine.launches.overrides import _shown
from tests.engine.files_together.test_other_files import CONFIG

LORA = CONFIG + "adapter: lora\nlora_r: 8\nlora_alpha: 16\nlora_target_linear: true\n"
QLORA = LORA.replace("adapter: lora", "adapter: qlora")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()


def report(config: str, script: str, release: str = "0.18.0") -> FileReport:
    Path("train.yml").write_text(config)
    Path("train.sh").write_text(script)
    return lint_file("train.yml", target=[f"axolotl=={release}"])


def codes(config: str, script: str) -> tuple[list[str], list[str]]:
    """(errors of the config, errors of the script)."""
    found = report(config, script)
    theirs = [d.code for other in found.elsewhere for d in other.diagnostics]
    return [d.code for d in found.diagnostics if d.severity == "error"], theirs


@pytest.mark.parametrize(
    ("config", "script", "own", "theirs"),
    [
        (QLORA, "axolotl train other.yml --load-in-4bit\n", ["PEF103"], []),
        (QLORA, "axolotl train train.yml\n", ["PEF103"], []),
        (QLORA, "axolotl train train.yml --load-in-4bit\n", [], []),
        (QLORA, "axolotl train train.yml --adapter=lora --seed 3\n", [], []),
        # one of the runs meets it
        (
            QLORA,
            "axolotl train train.yml --load-in-4bit\naxolotl train train.yml\n",
            ["PEF103"],
            [],
        ),
        # a variable is as many words as it has, unless quotes keep them together
        (QLORA, 'O="--load-in-4bit --seed 3"\naxolotl train train.yml $O\n', [], []),
        (LORA, 'O="--seed 3 --adapter qlora"\naxolotl train train.yml $O\n', [], ["PEF103"]),
        (LORA, 'O="--seed 3"\naxolotl train train.yml "$O"\n', [], ["LCH001"]),
        # no run of a training
        (QLORA, "axolotl preprocess train.yml --load-in-4bit\n", ["PEF103"], ["LCH801"]),
        # nobody knows
        (QLORA, "axolotl train train.yml --adapter $ADAPTER\n", ["PEF103"], []),
        (LORA, "axolotl train train.yml --adapter qlora\n", [], ["PEF103"]),
        (LORA, "axolotl train train.yml --adapter qlora --load-in-4bit\n", [], []),
        (LORA, "accelerate launch -m axolotl.cli.train train.yml --adapter qlora\n", [], ["PEF103"]),
        (LORA, "axolotl train train.yml --warmup-steps 9 --warmup-ratio 0.1\n", [], ["OPT104"]),
        (LORA, "axolotl train train.yml --adapter qlora  # cfglint: ignore[PEF103]\n", [], []),
        # a value that is refused anyway brings about nothing else
        (LORA, "axolotl train train.yml --micro-batch-size none-at-all\n", [], ["LCH002"]),
    ],
)  # fmt: skip
def test_findings(config: str, script: str, own: list[str], theirs: list[str]) -> None:
    assert codes(config, script) == (own, theirs)


def test_the_place_and_the_words() -> None:
    found = report(LORA, "set -e\naxolotl train train.yml --seed 3 --adapter qlora\n")
    (other,) = found.elsewhere
    (diagnostic,) = other.diagnostics
    assert other.path == "train.sh"
    span = diagnostic.span
    assert other.source.text[span.start : span.end] == "--adapter qlora"
    assert diagnostic.message.endswith(
        " It applies with `seed: 3`, `adapter: qlora` from this line."
    )
    assert diagnostic.fixes == ()


def test_what_is_ruled_out_is_not_repaired() -> None:
    script = "axolotl train train.yml --load-in-4bit\n"
    report(QLORA, script)
    assert "load_in_4bit: true" in fix_text(QLORA, unsafe=True, target=["axolotl==0.18.0"]).text
    from cfglint.engine.runner import Runner
    from cfglint.engine.session import Options
    from cfglint.engine.settings.nearest import SettingsFinder

    options = Options(target=("axolotl==0.18.0",), fix=True, unsafe_fixes=True)
    Runner(options, SettingsFinder()).check_file("train.yml", named=True)
    assert Path("train.yml").read_text() == QLORA


def test_options_with_many_values_make_no_run_of_their_own() -> None:
    runs = [f"axolotl train train.yml --load-in-4bit --seed {n}\n" for n in range(20)]
    assert codes(QLORA, "".join(runs)) == ([], [])
    assert codes(QLORA, "".join([*runs, "axolotl train train.yml --seed 3\n"])) == (["PEF103"], [])
    other = "axolotl train train.yml --no-load-in-4bit --seed 21\n"
    assert codes(QLORA, "".join([*runs, other])) == ([], ["PEF103"])


def test_many_different_runs_are_left_alone() -> None:
    script = "".join(
        f"axolotl train train.yml --load-in-4bit --{name} 4\n"
        for name in ("seed", "lora-r", "sequence-len", "num-epochs", "lora-alpha", "eval-batch-size", "logging-steps")
    )  # fmt: skip
    assert codes(QLORA, script) == (["PEF103"], [])


@pytest.mark.parametrize(("written", "own"), [("train.yml", ["PEF103"]), ("conf/train.yml", [])])
def test_a_config_of_the_same_name_in_another_folder(written: str, own: list[str]) -> None:
    Path("conf").mkdir()
    Path("conf/train.yml").write_text(QLORA)
    Path("train.sh").write_text(f"axolotl train {written} --load-in-4bit\n")
    found = lint_file("conf/train.yml", target=["axolotl==0.18.0"])
    assert [d.code for d in found.diagnostics if d.severity == "error"] == own


def test_how_a_value_would_be_written_is_no_matter() -> None:
    assert codes(LORA, "axolotl train train.yml --learning-rate 1e-5\n") == ([], [])


@pytest.mark.parametrize(
    "config", ["x: &x {adapter: qlora}\n<<: *x\n", "? a\n: b\n", "{adapter: qlora}\n"]
)
def test_unusual_configs(config: str) -> None:
    script = "axolotl train train.yml --adapter lora --lora-r 8 --lora-alpha 8\n"
    assert "CFG003" not in codes(config, script)[0]


def test_long_values_are_cut() -> None:
    assert _shown("x" * 41) == "x" * 40
    assert _shown("x" * 40) == "x" * 40
    assert [_shown(value) for value in (None, True, False, 3)] == ["null", "true", "false", "3"]


@pytest.mark.parametrize(
    "config",
    [
        # Axolotl lays an option over the mapping that it has read, however the file writes it.
        "x-base: &base {adapter: qlora}\n<<: *base\n" + LORA.replace("adapter: lora\n", ""),
        QLORA + "x-adapter: &adapter lora\nadapter: qlora\n",
        QLORA.replace("adapter: qlora", "adapter: &adapter qlora") + "x-adapter: *adapter\n",
    ],
    ids=["merged", "duplicate", "anchored"],
)
def test_an_option_reaches_a_key_however_the_file_writes_it(config: str) -> None:
    assert "PEF103" in codes(config, "axolotl train train.yml\n")[0]
    assert "PEF103" not in codes(config, "axolotl train train.yml --load-in-4bit\n")[0]
    assert "PEF103" not in codes(config, "axolotl train train.yml --adapter lora\n")[0]


def test_a_comment_beside_a_key_silences_what_an_option_makes_of_it() -> None:
    config = LORA.replace("adapter: lora", "adapter: lora  # cfglint: ignore[PEF103]")
    assert codes(config, "axolotl train train.yml --adapter qlora\n") == ([], [])


def test_a_comment_about_the_whole_file_silences_what_an_option_adds() -> None:
    script = "axolotl train train.yml --warmup-steps 9 --warmup-ratio 0.1\n"
    assert codes("# cfglint: ignore-file[OPT104]\n" + LORA, script) == ([], [])


def test_a_comment_on_the_last_line_is_not_about_a_key_that_only_the_command_gives() -> None:
    config = LORA.replace("adapter: lora\n", "") + "seed: 3  # cfglint: ignore[PEF103]"
    assert codes(config, "axolotl train train.yml --adapter qlora\n")[1] == ["PEF103"]


ACCELERATE = "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\nnum_processes: 2\n"
ZERO = "deepspeed_config:\n  zero_stage: 2\n"


@pytest.mark.parametrize(
    ("comment", "severity"),
    [
        ("# NOTE: --multi_gpu makes this plain DDP", "note"),
        ("# run it", "warning"),
        ("# --multi_gpu", "warning"),
        # a command that was taken out
        ("#  --num_processes 2 --multi_gpu train.py --seed 3", "warning"),
        ("# accelerate launch --multi_gpu train.py", "warning"),
    ],
)
def test_what_a_comment_says_of_an_option_is_meant(comment: str, severity: str) -> None:
    Path("acc.yaml").write_text(ACCELERATE + ZERO)
    script = f"{comment}\naccelerate launch --config_file acc.yaml --multi_gpu train.py\n"
    Path("train.sh").write_text(script)
    (other,) = lint_file("acc.yaml").elsewhere
    assert [(d.code, d.severity) for d in other.diagnostics] == [("ACC670", severity)]
