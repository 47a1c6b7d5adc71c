"""Templates get one note in the place of what is found at their placeholders."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.engine.severity.filled_in.templates import _is_hole
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.cli.running import run
from tests.draws import each

#: A file that runs, line by line.
LINES = {
    "base_model": "a/b",
    "datasets": "[{path: x.jsonl, type: alpaca}]",
    "micro_batch_size": "2",
    "gradient_accumulation_steps": "2",
    "learning_rate": "0.0002",
}


def written(**changes: str | None) -> str:
    lines = {**LINES, **changes}
    return "".join(f"{key}: {value}\n" for key, value in lines.items() if value is not None)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


#: Something else is said about a file that has these lines.
REMARKED = "seed: 7\nseed: 7\n"


def codes(text: str, name: str = "train.yml", remarked: str = REMARKED) -> dict[str, str]:
    """What is found beside the remark."""
    Path(name).write_text(text + remarked, encoding="utf-8")
    out = run(name, "--format", "concise").out
    found = {line.split()[2]: line.split()[1] for line in out.splitlines()}
    if remarked == REMARKED:
        assert found.pop("YML020", "") or found == {"CFG004": "note"}
    return found


def test_a_template_of_which_nothing_else_is_said_gets_no_note() -> None:
    text = written(micro_batch_size="MICRO_BATCH_SIZE")
    assert codes(text, remarked="") == {}
    assert codes(text) == {"CFG004": "note"}
    assert codes(text + "learning_rte: 1.0\n", remarked="") == {"CFG004": "note", "KEY001": "error"}


@pytest.mark.parametrize(
    "value",
    [
        *("MICRO_BATCH_SIZE", "__BATCH__", "'{micro_batch_size}'", "<your batch size>"),
        *("'{{ batch }}'", "YOUR_BATCH", "your-batch", "/path/to/batch", "<batch size>"),
        *("your batch size", "Your batch"),
        *(
            "'[batch size]'",
            "[your_batch]",
            "[your batch]",
            "[your batch, example: 7]",
            "[your batch. For example: 7]",
        ),
        "[<first size>, <second size>]",
        "${BATCH}",
    ],
)
def test_a_placeholder(value: str) -> None:
    found = codes(written(micro_batch_size=value))
    assert found.pop("CFG004") == "note"
    assert "error" not in found.values()


def test_a_value_that_is_only_wrong() -> None:
    for value in (
        "many",
        "BATCH",
        "'{other}'",
        "yours",
        "all [of them]",
        "[<first size>, 2]",
        "a <b>",
        "[x]",
        "xpath/to/y",
    ):
        assert codes(written(micro_batch_size=value))["TYP001"] == "error"


def test_braces_without_quotes() -> None:
    assert codes(written(learning_rate="{learning_rate}")) == {"CFG004": "note"}


def test_what_is_missing_in_a_template() -> None:
    without = written(datasets=None)
    assert codes(without) == {"DAT102": "error"}
    assert codes(without, "train_template.yml") == {"CFG004": "note"}
    assert codes(without, "template-lora.yml") == {"CFG004": "note"}
    # A chat template is something else.
    assert codes(without, "sft_template_llama3.yml") == {"DAT102": "error"}
    for comment in (
        "we programmatically append this field to config",
        "TEMPLATE FIELDS (replaced at runtime by train.py)",
    ):
        assert codes(f"# {comment}\n{without}") == {"CFG004": "note"}


def test_the_braces_of_a_chat_template_are_no_placeholder() -> None:
    text = written(learning_rate=None) + "chat_template_jinja: '{{ bos_token }}{{ x }}'\n"
    assert codes(text)["TYP004"] == "error"


def test_other_findings_stay() -> None:
    found = codes(written(micro_batch_size="MICRO_BATCH_SIZE") + "learning_rte: 1.0\n")
    assert found["KEY001"] == "error"
    # A key may be wrong although its value is a placeholder.
    found = codes(written() + "learning_rte: LEARNING_RTE\n")
    assert "KEY001" in found


def test_keys_are_left_open_where_a_program_fills_in_half_of_the_file() -> None:
    names = (
        *("micro_batch_size", "gradient_accumulation_steps", "learning_rate", "warmup_steps"),
        *("optimizer", "lr_scheduler", "num_epochs", "output_dir", "sequence_len", "seed"),
    )
    filled = {name: f"${{{name.upper()}}}" for name in names}
    removed = {"relora_steps": "${RELORA_STEPS}"}
    assert codes(written(**filled, **removed), remarked="") == {}
    # One that is written says something, a slip is one in any file, and a few blanks are of a file that runs.
    assert codes(written(**filled, relora_steps="100"), remarked="")["KEY005"] == "warning"
    assert codes(written(**filled, learning_rte="${RATE}"), remarked="")["KEY001"] == "error"
    assert codes(written(**removed), remarked="") == {"KEY005": "warning"}


def test_the_note_can_be_switched_off() -> None:
    Path("train.yml").write_text(written(micro_batch_size="MICRO_BATCH_SIZE"), encoding="utf-8")
    assert "TYP001" in run("train.yml", "--ignore", "CFG004").out


def test_a_list_of_all_options() -> None:
    options = [f"gpu_memory_limit_{number}:\n" for number in range(40)]
    text = written(no_such_key_anywhere="1") + "".join(options)
    assert codes(text, remarked="") == {"CFG004": "note"}
    assert "40 of its 46 keys have no value); it is not checked" in run("train.yml").out
    assert "TYP001" in codes(written(micro_batch_size="two") + "".join(options[:39]))


def test_a_value_that_a_template_leaves_out() -> None:
    text = written(micro_batch_size="")
    assert "CFG004" not in codes(text)
    assert codes(text, "template.yaml") == {"CFG004": "note"}


def test_each_command_with_blanks_gets_one_note() -> None:
    command = "trl sft --model_name_or_path [your model] --dataset_name a/b --learning_rate <lr>"
    lines = f"{command} --max_steps=<n> --warmup_steps [how many] --output_dir out"
    assert codes(lines, "train.sh", "") == {}
    twice = f"{lines} --seed 7 --seed 8\n"
    assert codes(twice, "train.sh", "") == {"CFG004": "note", "LCH813": "warning"}
    assert "TYP001" in codes(lines.replace("<lr>", "fast").replace("<n>", "5"), "train.sh", "")


@pytest.mark.parametrize(("key", "is_hole"), [("pad_token", False), ("path", True)])
def test_a_token_that_looks_like_a_placeholder(key: str, is_hole: bool) -> None:
    document = language("yaml").read(SourceText(f"{key}: <pad>\n"))
    assert _is_hole(document, (key,)) is is_hole


def test_one_name_in_braces_in_several_values() -> None:
    alone = codes(written(base_model="{name}"))
    assert "CFG004" not in alone
    assert "error" in alone.values()
    assert codes(written(base_model="{name}", output_dir="out/{name}"))["CFG004"] == "note"


def test_a_program_is_no_template_for_its_name() -> None:
    program = "from trl import SFTConfig\nSFTConfig(output_dir='out', made_up=1{})\n"
    assert codes(program.format(""), "chat_template.py", "") == {"KEY001": "error"}
    found = codes(program.format(", seed='<your seed>', data_seed='x'"), "chat_template.py", "")
    assert found["CFG004"] == "note"


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("'trainer.project_name=\"open'", "VRL002"),
        ("trainer.project_name=a=b", "VRL002"),
        ("'~trainer.no_such_key'", "VRL005"),
    ],
)
def test_words_that_hydra_refuses_are_not_left_open(word: str, code: str) -> None:
    text = f"python3 -m verl.trainer.main_ppo data.train_files=/path/to/train.parquet {word}\n"
    assert code in codes(text, "train.sh", "")
    # One that a person fills in is.
    assert "VRL002" not in codes(text.replace(word, "'trainer.project_name=<a=b>'"), "train.sh", "")


@pytest.mark.parametrize(
    ("value", "is_hole"),
    [
        ("your", True),
        ("Your image max pixels", True),
        ("your name in no more than", True),
        ("your name in no more than six", False),
        ("yours", False),
        ("it is your name", False),
        *((f"'your name{mark}'", False) for mark in ".!?:,"),
        ("''", False),
    ],
)
def test_a_value_that_asks_for_the_reader_s_own(value: str, is_hole: bool) -> None:
    document = language("yaml").read(SourceText(f"path: {value}\n"))
    assert _is_hole(document, ("path",)) is is_hole


def test_a_word_in_capitals_is_a_placeholder_where_the_file_is_called_a_template() -> None:
    text = written(learning_rate="RATE_OF_RUN")
    assert codes(text, "mac_template.yml") == {"CFG004": "note"}
    assert "CFG004" not in codes(text, "train.yml")


def test_words_in_braces_are_blanks_of_a_script() -> None:
    start = "trl sft --model_name_or_path a/b --dataset_name a/b --lerning_rate 1 "
    blank = "BATCH='{BATCH}'\n" + start + "--per_device_train_batch_size $BATCH\n"
    assert codes(blank, "run.sh", remarked="") == {"CFG004": "note", "KEY001": "error"}
    slip = "BATCH=2\n" + start + "--per_device_train_batch_size {BATCH}\n"
    assert codes(slip, "run.sh", remarked="") == {"TYP001": "error", "KEY001": "error"}


@each(
    ("line", "path", "is_hole", "where_named"),
    [
        # A text that can be nothing else.
        ("a: __MODEL__", "a", True, True),
        ("a: x__MODEL__y", "a", True, True),
        ("a: <your model>", "a", True, True),
        ("a: '{{ model }}'", "a", True, True),
        ("a: '{{ model }} x'", "a", False, False),
        ("a: YOUR_MODEL", "a", True, True),
        ("a: my-your-x", "a", True, True),
        ("a: yours", "a", False, False),
        ("a: x/path/to/model", "a", True, True),
        ("a: '[model name]'", "a", True, True),
        ("a: '[1]'", "a", False, False),
        ("a: '<lr>'", "a", True, True),
        ("a: ${MODEL}", "a", True, True),
        ("a: ${model}", "a", False, False),
        ("a: $MODEL", "a", False, False),
        # The name of its key.
        ("model: MODEL", "model", True, True),
        ("lr: LR", "lr", False, False),
        ("LR: LR", "LR", False, False),
        ("model: '{model}'", "model", True, True),
        ("model: '{other}'", "model", False, False),
        ("model: 'model'", "model", False, False),
        ("model: ${MODEL}", "model", True, True),
        # Capitals count where the file is called a template.
        ("a: CHAT_MODEL", "a", False, True),
        ("a: CHATMODEL", "a", False, False),
        ("a: CHAT_model", "a", False, False),
        # What has other uses.
        ("pad_token: <pad>", "pad_token", False, False),
        ("tokens: <pad>", "tokens", False, False),
        ("pad: <pad>", "pad", True, True),
        ("a: 1", "a", False, False),
        ("a: ''", "a", False, False),
        ("a:", "a", False, False),
        ("b: 1", "a", False, False),
        # Mappings and lists.
        ("a: {a}", "a", True, True),
        ("a: {b}", "a", False, False),
        ("a: {b}\nc: x/{b}", "a", True, True),
        ("a: {a: 1}", "a", False, False),
        ("a: {a, b}", "a", False, False),
        ("a: !!set {a}", "a", False, False),
        ("a:\n  a:", "a", False, False),
        ("a: [your lr]", "a", True, True),
        ("a: [your lr, x]", "a", True, True),
        ("a: [<lr>, <rate>]", "a", True, True),
        ("a: [<lr>, 1]", "a", False, False),
        ("a: []", "a", False, False),
    ],
)
def test_holes(line: str, path: str, is_hole: bool, where_named: bool) -> None:
    document = language("yaml").read(SourceText(f"{line}\n"))
    assert _is_hole(document, (path,)) is is_hole
    assert _is_hole(document, (path,), is_named=True) is where_named
