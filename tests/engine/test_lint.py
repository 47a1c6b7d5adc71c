"""Which findings of a file are told, when several rules see the same problem."""

from __future__ import annotations

from cfglint import lint_text
from cfglint.source.text import SourceText

#: A full preference run: 8 billion parameters, twice on the GPU.
_TWO_COPIES = """\
base_model: NousResearch/Meta-Llama-3-8B
rl: dpo
datasets:
  - path: ./data/ranked-answers.jsonl
    type: chatml.intel
sequence_len: 2048
micro_batch_size: 1
gradient_accumulation_steps: 1
num_epochs: 1
learning_rate: 0.0000005
optimizer: {optimizer}
bf16: true
output_dir: ./out
"""


def _codes(optimizer: str, ignore: tuple[str, ...] = ()) -> set[str]:
    report = lint_text(
        _TWO_COPIES.format(optimizer=optimizer),
        target="axolotl==0.19.0",
        gpus=1,
        gpu="a40",
        ignore=ignore,
    )
    return {found.code for found in report.diagnostics} & {"FIT501", "RLH003"}


def test_the_most_specific_rule_reports_a_problem() -> None:
    assert _codes("adamw_torch_fused") == {"FIT501"}


def test_the_other_rule_speaks_where_the_better_one_finds_nothing() -> None:
    assert _codes("paged_adamw_8bit") == {"RLH003"}


def test_the_other_rule_speaks_where_the_better_one_is_not_wanted() -> None:
    assert _codes("adamw_torch_fused", ignore=("FIT501",)) == {"RLH003"}


def test_a_key_that_the_loader_refuses_twice_hides_nothing_else() -> None:
    text = (
        "model_name_or_path: Qwen/Qwen2.5-7B\nstage: sft\ndo_train: true\n"
        "finetuning_type: full s\ndataset: tickets\ntemplate: qwen\noutput_dir: ./out\n"
        "report_to: none\nreport_to: wandb\n"
    )
    report = lint_text(text, framework="llamafactory", target="llamafactory==0.9.5")
    found = {one.code: one for one in report.diagnostics if one.severity == "error"}
    assert set(found) == {"YML013", "TYP002"}
    assert not any(one.fixes for one in found.values())


def test_what_is_wrong_behind_slips_is_told_at_its_place() -> None:
    """A slip that only one thing can have been meant by hides nothing else."""
    text = "base_model: 'a/b\nmicro_batch_size: 2\nsequence_lenn: 1\nlearning_rate: 0.1\n"
    report = lint_text(text, "train.yml", framework="axolotl", select=["YML", "KEY"])
    found = [(one.code, one.line, len(one.fixes)) for one in report.diagnostics]
    assert found == [("YML008", 1, 1), ("KEY001", 3, 0)]
    # With a second slip it is not known what was meant, and nothing behind them is told.
    two = text.replace("micro_batch_size: 2", "micro_batch_size 2")
    report = lint_text(two, "train.yml", framework="axolotl", select=["YML", "KEY"])
    assert [(one.code, one.fixes) for one in report.diagnostics] == [("YML008", ())]


def test_a_slip_whose_repair_is_a_guess_hides_no_other_key() -> None:
    """A tab below a list item may have been meant for two columns; the keys further down are what they are."""
    text = "base_model: a/b\ndatasets:\n  - path: a\n\ttyp: alpaca\nnum_train_epochs: 3\nsequence_lenn: 1\n"
    report = lint_text(text, "train.yml", framework="axolotl")
    found = [(one.code, one.line) for one in report.diagnostics]
    # Neither what is wrong where the guess was made, nor what a key that is missing would show.
    assert found == [("YML004", 4), ("KEY002", 5), ("KEY001", 6)]
    assert [len(one.fixes) for one in report.diagnostics] == [1, 0, 0]


def test_places_before_edits() -> None:
    from cfglint.diagnostic import Edit, Fix
    from cfglint.engine.unreadable import Mended

    text = "a,}b\t:c"
    mended = Mended(SourceText(text))
    mended.mend(Fix("x", "safe", (Edit(1, 2, ""), Edit(4, 5, "  ")), ()))
    assert mended.source.text == "a}b  :c"
    mended.mend(Fix("x", "safe", (Edit(0, 0, "--"),), ()))
    assert mended.source.text == "--a}b  :c"
    places = {char: mended._offset(mended.source.text.index(char)) for char in "a}b:c"}
    assert places == {char: text.index(char) for char in "a}b:c"}
