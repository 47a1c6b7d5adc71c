"""Values that a release refuses, where more than the type of the key decides."""

from __future__ import annotations

import math

from cfglint import lint_text
from cfglint.base.type_names import Any
from cfglint.checks.value_types import found_words, wanted_words
from cfglint.knowledge.keys.release_keys import Schema
from cfglint.roles.framework import load_framework
from tests.draws import each
from tests.linting import lint

BASE = """\
base_model: Qwen/Qwen3-8B
learning_rate: 0.0002
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
"""
ROW = "datasets:\n  - path: ./data.jsonl\n    type: alpaca\n"


def found(text: str, release: str) -> dict[str, str]:
    """The paths of what the type checks find, with the codes."""
    return {
        ".".join(map(str, d.path)): d.code
        for d in lint(BASE + text, target=[f"axolotl=={release}"])
        if d.code.startswith("TYP") and d.upstream == "rejects"
    }


@each(
    ("text", "release", "expected"),
    [
        # which class looks at an entry follows from rl
        (ROW + "    name: {}\n", "0.21.0", {"datasets.0.name": "TYP001"}),
        (ROW + "    name: {}\nrl: dpo\n", "0.21.0", {}),
        (ROW + "    name: {}\nrl: simpo\n", "0.10.0", {"datasets.0.name": "TYP001"}),
        (ROW + "    name: {}\nrl: simpo\n", "0.12.2", {}),
        (ROW + "    data_files: x.json\n", "0.21.0", {}),
        (ROW + "    data_files: x.json\nrl: dpo\n", "0.21.0", {"datasets.0.data_files": "TYP001"}),
        (ROW + "    message_property_mappings: {role: 1}\n", "0.21.0",
         {"datasets.0.message_property_mappings": "TYP001"}),
        # before, an entry was taken when any class took it
        (ROW + "    name: {}\n", "0.6.0", {}),
        (ROW.replace("datasets", "test_datasets") + "    name: {}\n" + ROW, "0.21.0", {}),
        (ROW.replace("datasets", "test_datasets").replace("./data.jsonl", "5") + ROW, "0.21.0",
         {"test_datasets.0.path": "TYP001"}),
        # empty lists, empty entries
        ("datasets: []\npretraining_dataset: [{path: a}]\n", "0.20.0", {"datasets": "TYP003"}),
        ("datasets: [[]]\n", "0.21.0", {}),
        ("datasets: [[1]]\n", "0.21.0", {"datasets": "TYP001"}),
        # keys of a plugin count when it is listed
        (ROW + "liger_rope: maybe\n", "0.21.0", {}),
        (ROW + "liger_rope: maybe\nplugins: [axolotl.integrations.liger.LigerPlugin]\n", "0.21.0",
         {"liger_rope": "TYP001"}),
        (ROW + "plugins: [axolotl.integrations.llm_compressor.LLMCompressorPlugin]\n", "0.21.0",
         {"plugins": "TYP004"}),
        # what a section must have
        (ROW + "lr_groups: [{name: a, modules: [b]}]\n", "0.21.0", {"lr_groups.0": "TYP004"}),
        (ROW + "lr_groups: [{name: a, modules: [b], lr: 0.1}]\n", "0.21.0", {}),
        # names that a release takes from the transformers that it requires
        (ROW + "optimizer: adamw_hf\n", "0.7.0", {}),
        (ROW + "optimizer: adamw_hf\n", "0.16.1", {"optimizer": "TYP002"}),
        (ROW + "lr_scheduler: rex\n", "0.7.0", {"lr_scheduler": "TYP002"}),
        # bounds and early validators have a history
        (ROW + "relora_prune_ratio: 2\n", "0.16.1", {}),
        (ROW + "relora_prune_ratio: 2\n", "0.17.0", {"relora_prune_ratio": "TYP003"}),
        (ROW + "attn_implementation: 5\n", "0.16.1", {"attn_implementation": "TYP001"}),
        # an anchor on a known key does not hide it
        (ROW.replace("datasets:", "datasets: &d") + "    name: {}\nx_copy: *d\n", "0.21.0",
         {"datasets.0.name": "TYP001"}),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, release: str, expected: dict[str, str]) -> None:
    assert found(text, release) == expected


def test_false_is_no_name_in_quotes() -> None:
    text = "base_model: a/b\nresume_from_checkpoint: {}\n"
    (found,) = [one for one in lint(text.format("false")) if one.code == "TYP001"]
    assert [(one.title, one.safety) for one in found.fixes] == [("Delete it", "unsafe")]
    (found,) = [one for one in lint(text.format("12")) if one.code == "TYP001"]
    assert [(one.title, one.safety) for one in found.fixes] == [("Quote it", "safe")]


def test_a_number_that_is_read_as_text_is_no_trap_of_yaml() -> None:
    text = (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nmixed_precision: bf16\n"
        "num_machines: 1\nnum_processes: 2\ndynamo_config:\n  dynamo_backend: 7\n"
    )
    (only,) = lint(text, framework="accelerate", select=("TYP",))
    assert (only.code, only.path) == ("TYP001", ("dynamo_config", "dynamo_backend"))


@each(
    ("written", "words"),
    [("{}", "a mapping"), ("x", "the text 'x'"), ("null", "nothing"), ("1.5", "the number 1.5")],
)
def test_what_is_there_in_place_of_a_number(written: str, words: str) -> None:
    text = f"base_model: Qwen/Qwen3-8B\nlearning_rate: 0.0002\nsequence_len: {written}\n"
    (found,) = lint(text, target=["axolotl==0.21.0"], select=("TYP001",))
    assert found.message == f"`sequence_len` expects a whole number but got {words}."


@each(
    ("template", "meant"),
    [("qwen2", "qwen"), ("qwen2.5", "qwen"), ("llama3.1", "llama3"), ("zzz1", "")],
)
def test_a_word_of_all_versions_is_meant_where_a_version_is_named(
    template: str, meant: str
) -> None:
    text = (
        "model_name_or_path: a/b\nstage: sft\ndo_train: true\nfinetuning_type: lora\ndataset: a\n"
        f"output_dir: o\ntemplate: {template}\n"
    )
    report = lint_text(text, "x.yaml", framework="llamafactory", target="llamafactory==0.9.4")
    (found,) = (one for one in report.diagnostics if one.code == "TYP002")
    assert found.message.endswith(f"Did you mean `{meant}`?") is bool(meant)
    assert all(fix.safety == "unsafe" for fix in found.fixes)


@each(("release", "severity"), [("4.41.2", "warning"), ("4.42.0", "error")])
def test_a_part_of_a_step_where_nothing_looks_at_it(release: str, severity: str) -> None:
    text = (
        "from transformers import TrainingArguments\nTrainingArguments('out', warmup_steps=0.03)\n"
    )
    found = lint_text(text, "train.py", target=[f"transformers=={release}"])
    assert ("TYP001", severity) in {(one.code, one.severity) for one in found.diagnostics}


@each(
    ("value", "words"),
    [
        (None, "nothing"),
        (True, "true"),
        (False, "false"),
        (3, "the number 3"),
        (0.5, "the number 0.5"),
        (math.inf, "the number inf"),
        ([], "a list"),
        ({}, "a mapping"),
        ("", "an empty text"),
        ("a", "the text 'a'"),
        ("${a}", "the placeholder '${a}'"),
        ("a" * 99, "the text '" + "a" * 39 + "…'"),
    ],
)
def test_what_was_found_in_words(value: Any, words: str) -> None:
    assert found_words(value) == words


MANY = ("adamw", "adam", "sgd", *(f"x{n}" for n in range(9)))


@each(
    ("type_", "choices", "written", "words"),
    [
        ("int", (), "", "a whole number"),
        ("int|float", (), "", "a number"),
        ("bool|null", (), "", "true or false"),
        ("literal", ("a",), "", "a"),
        ("literal", ("a", "b", 3), "", "a, b, 3"),
        ("literal", MANY[:9], "", ", ".join(MANY[:9])),
        ("literal", MANY, "", ", ".join(MANY[:8]) + " and 4 others"),
        ("literal", MANY, "ADAX", "adamw, adam, sgd, x0, x1, x2, x3, x4 and 4 others"),
        ("literal", MANY, "x8", "x8, adamw, adam, sgd, x0, x1, x2, x3 and 4 others"),
        ("made_up", (), "", "another value"),
    ],
)
def test_what_is_wanted_in_words(
    type_: str, choices: tuple[Any, ...], written: str, words: str
) -> None:
    judge = load_framework("axolotl").release_keys("0.21.0").judge
    assert wanted_words(Schema(type_, choices, {}, judge), written) == words


def test_less_than_one_step_is_what_a_share_was_meant_to_be() -> None:
    text = 'from transformers import TrainingArguments\n\nTrainingArguments("out", warmup_steps=0.03)\n'
    (one,) = lint_text(text, "train.py", target=["transformers==4.38.2"]).diagnostics
    assert (one.code, one.severity, one.upstream) == ("TYP001", "warning", "silent")
    assert one.message.endswith("A share of all steps is `warmup_ratio`.")
    assert one.cost == "nothing refuses this, and less than one step is none"


@each(
    ("word", "hint"),
    [("internvl3", "Earlier releases accepted it."), ("internvl9", "Did you mean `internvl`?")],
)
def test_a_word_that_later_releases_have_under_another_name(word: str, hint: str) -> None:
    text = f"swift sft --model a/b --dataset c/d --model_type {word}\n"
    found = lint_text(text, "run.sh", framework="swift", target=["ms-swift==4.6.0"]).diagnostics
    (one,) = (one for one in found if one.code == "TYP002")
    assert one.message.endswith(hint)


TYPE, CHOICE = "wrong-type", "unknown-choice"
RL = "expected dpo, ipo, kto, orpo, simpo, grpo, gdpo or ebft."


@each(
    ("line", "name", "words", "fixes"),
    [
        ("micro_batch_size: x", TYPE, "expects a whole number but got the text 'x'", []),
        ("micro_batch_size: 1.5", TYPE, "but got the number 1.5", []),
        ("micro_batch_size: 4k", TYPE, "but got the text '4k'", []),
        ("micro_batch_size: []", TYPE, "but got a list", []),
        ("micro_batch_size: {a: 1}", TYPE, "but got a mapping", []),
        # A number that is read as text is text; what is not is meant as it is.
        ("wandb_project: 12", TYPE, "expects text but got the number 12", [("Quote it", "safe", '"12"')]),
        ("wandb_project: 1.50", TYPE, "but got the number 1.5", [("Quote it", "safe", '"1.50"')]),
        ("wandb_project: false", TYPE, "but got false", [("Delete it", "unsafe", "")]),
        ("output_dir: false", TYPE, "but got false", [("Delete it", "unsafe", "")]),
        ("wandb_project: true", TYPE, "but got true", [("Quote it", "unsafe", '"true"')]),
        ("wandb_project: [a]", TYPE, "but got a list", []),
        ("lora_target_modules: 1", TYPE, "a list or text", [("Quote it", "safe", '"1"')]),
        # A list of one, or of several with commas between them.
        ("plugins: a.x.Y", TYPE, "expects a list", [("Write [a.x.Y]", "safe", "[a.x.Y]")]),
        ("plugins: a, b", TYPE, "expects a list", [("Write [a, b]", "safe", "[a, b]")]),
        ("plugins: 'a, b'", TYPE, "expects a list", []),
        ("plugins: a,,b", TYPE, "expects a list", []),
        ("plugins: 5", TYPE, "but got the number 5", []),
        ("datasets: x", TYPE, "expects a list but got the text 'x'", []),
        # One of several words.
        ("rl: dpoo", CHOICE, f"{RL} Did you mean `dpo`?", [("Write dpo", "unsafe", "dpo")]),
        ("rl: DPO", CHOICE, f"{RL} Did you mean `dpo`?", [("Write dpo", "safe", "dpo")]),
        ("rl: zzz", CHOICE, RL, []),
        ("rl: [dpo]", TYPE, "but got a list", []),
        ("bf16: maybe", CHOICE, "expected true, false or auto.", []),
        ("strict: maybe", TYPE, "expects true or false but got the text 'maybe'", []),
        # Of many words, those first that begin alike.
        ("chat_template: gemma_99", CHOICE, "expected gemma, ", [("Write gemma", "unsafe", "gemma")]),
        ("chat_template: qwen_99", CHOICE, "expected qwen_25, qwen2_vl, qwen3, ", []),
        ("chat_template: zz", CHOICE, " others.", []),
    ],
)  # fmt: skip
def test_a_value_with_its_words_and_repairs(
    line: str, name: str, words: str, fixes: list[tuple[str, str, str]]
) -> None:
    text = f"base_model: a/b\n{line}\n"
    (one,) = [
        found
        for found in lint(text, target=["axolotl==0.21.0"], select=["TYP"])
        if found.name in (TYPE, CHOICE)
    ]
    assert (one.name, one.severity, one.upstream) == (name, "error", "rejects")
    assert words in one.message
    assert [
        (fix.title, fix.safety, "".join(edit.text for edit in fix.edits)) for fix in one.fixes
    ] == fixes


@each(
    "line",
    ["micro_batch_size: 2.0", "micro_batch_size: '2'", "micro_batch_size: 2_000", "rl: dpo", "rl:"],
)
def test_values_that_are_taken(line: str) -> None:
    text = f"base_model: a/b\n{line}\n"
    found = lint(text, target=["axolotl==0.21.0"], select=["TYP"])
    assert not [one for one in found if one.name in (TYPE, CHOICE)]


def test_a_placeholder_is_a_warning() -> None:
    (one,) = [
        found
        for found in lint("base_model: a/b\nplugins: $P\n", select=["TYP"])
        if found.name == TYPE
    ]
    assert (one.severity, one.fixes) == ("warning", ())
    assert one.message.endswith("expects a list but got the placeholder '$P'.")
