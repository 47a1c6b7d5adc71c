"""Models that a program loads: compared with what transformers 4.43.4, 4.46.1, 4.52.4 and 4.57.1 do."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
import torch
from transformers import AutoConfig, AutoModelForCausalLM, Trainer, TrainingArguments
{}
Trainer(model, TrainingArguments(output_dir="out")).train()
"""


def found(load: str, release: str) -> list[str]:
    linter = Linter(target=[f"transformers=={release}"], settings=False, select=["TRP002"])
    report = linter.lint(PROGRAM.format(load), "train.py")
    return [f"{one.code} {one.start.line}" for one in report.diagnostics]


LOAD = "model = AutoModelForCausalLM.from_pretrained('a/b', dtype=torch.bfloat16)"


@each(
    ("release", "refused"),
    [("4.43.4", True), ("4.46.3", True), ("4.55.4", True), ("4.56.0", False), ("5.3.0", False)],
)
def test_the_release_decides(release: str, refused: bool) -> None:
    assert found(LOAD, release) == (["TRP002 3"] if refused else [])


@each(
    "load",
    [
        LOAD.replace("dtype=", "torch_dtype="),
        LOAD.replace("torch.bfloat16", "None"),
        LOAD.replace("dtype=", "torch_dtype=x, dtype="),
        LOAD.replace("AutoModelForCausalLM", "AutoConfig"),
        LOAD.replace("AutoModelForCausalLM", "Own"),
        LOAD.replace("from_pretrained", "from_config"),
    ],
)
def test_what_is_no_such_keyword_of_a_model(load: str) -> None:
    assert found(load, "4.46.3") == []


def test_without_a_stated_release_the_newest_takes_it() -> None:
    report = Linter(settings=False, select=["TRP002"]).lint(PROGRAM.format(LOAD), "train.py")
    assert not report.diagnostics


OLDER = "model = AutoModelForCausalLM.from_pretrained('a/b', {})"


def older(load: str, release: str) -> list[str]:
    linter = Linter(
        target=[f"transformers=={release}"], settings=False, select=["TRP773", "TRP774", "TRP777"]
    )
    report = linter.lint(PROGRAM.format(load), "train.py")
    return [f"{one.code} {one.severity}" for one in report.diagnostics]


@each(
    ("keywords", "release", "expected"),
    [
        ("load_in_4bit=True", "4.57.1", []),
        ("load_in_4bit=True", "5.0.0", ["TRP773 error"]),
        ("use_auth_token=None", "5.0.0", ["TRP777 error"]),
        ("use_auth_token=True, token=a", "4.57.1", []),
        ("load_in_8bit=False", "5.24.0", ["TRP773 error"]),
        ("load_in_8bit=True, trust_remote_code=True", "5.24.0", ["TRP773 warning"]),
        ("load_in_8bit=True, trust_remote_code=False", "5.24.0", ["TRP773 error"]),
        ("use_flash_attention_2=True", "4.52.4", []),
        ("use_flash_attention_2=True", "4.53.0", ["TRP774 error"]),
        ("attn_implementation='flash_attention_2', dtype='auto'", "5.24.0", []),
        ("quantization_config=BitsAndBytesConfig(load_in_4bit=True)", "5.24.0", []),
    ],
)
def test_keywords_of_older_releases(keywords: str, release: str, expected: list[str]) -> None:
    assert older(OLDER.format(keywords), release) == expected


def test_older_keywords_of_other_classes() -> None:
    load = OLDER.format("load_in_4bit=True")
    named = load.replace("AutoModelForCausalLM", "transformers.LlamaForCausalLM")
    assert older(f"import transformers\n{named}", "5.24.0") == ["TRP773 error"]
    assert older(load.replace("AutoModelForCausalLM", "AutoConfig"), "5.24.0") == []
    assert older(f"import unsloth\n{load}", "5.24.0") == []
    # BART's classifier takes whatever it is given.
    classifier = load.replace("AutoModelForCausalLM", "AutoModelForSequenceClassification")
    assert older(f"import transformers\n{classifier}", "5.24.0") == []
    named = classifier.replace("AutoModel", "transformers.AutoModel")
    assert older(f"import transformers\n{named}", "5.24.0") == ["TRP773 warning"]
    taking = named.replace("AutoModel", "Bart")
    assert older(f"import transformers\n{taking}", "5.24.0") == []


def test_a_migration_leaves_what_the_release_refuses() -> None:
    from cfglint import migrate

    text = PROGRAM.format(OLDER.format("load_in_4bit=True"))
    done = migrate(
        "train.py", text=text, from_=["transformers==4.44.2"], to=["transformers==5.24.0"]
    )
    assert [one.code for one in done.left] == ["TRP773"]


@each(
    ("keywords", "advice"),
    [
        ("load_in_8bit=True", "Write `quantization_config=BitsAndBytesConfig(load_in_8bit=True)`"),
        (
            "load_in_8bit=wanted",
            "Write `quantization_config=BitsAndBytesConfig(load_in_8bit=True)`",
        ),
        ("load_in_4bit=False", "Delete `load_in_4bit`"),
        ("load_in_4bit=args.bits, quantization_config=config", "Delete `load_in_4bit`"),
        ("use_flash_attention_2=True", 'Write `attn_implementation="flash_attention_2"`'),
    ],
)
def test_what_to_do_about_an_older_keyword(keywords: str, advice: str) -> None:
    linter = Linter(target=["transformers==5.24.0"], settings=False, select=["TRP773", "TRP774"])
    (found,) = linter.lint(PROGRAM.format(OLDER.format(keywords)), "train.py").diagnostics
    assert found.message.startswith(advice)


def test_both_widths_are_one_finding() -> None:
    assert older(OLDER.format("load_in_4bit=a, load_in_8bit=b"), "5.24.0") == ["TRP773 error"]
