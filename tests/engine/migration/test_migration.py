"""Migrations as a chain of steps, and the release that a file was written for."""

from __future__ import annotations

from cfglint.engine.migration.one_text import Migration, migrate
from cfglint.engine.severity.releases.written_for import WrittenFor, written_for
from cfglint.roles.framework import load_framework
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import environment, lint

BASE = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
micro_batch_size: 2
gradient_accumulation_steps: 4
learning_rate: 0.0001
"""


def migrated(text: str, release: str = "0.21.0", *, unsafe: bool = False) -> Migration:
    framework = load_framework("axolotl")
    target = environment([f"axolotl=={release}"])
    return migrate(SourceText.from_str(text), framework, target, unsafe=unsafe)


def after(text: str, release: str = "0.21.0") -> str:
    """What all steps make of the base with more lines; those lines only."""
    result = migrated(BASE + text, release, unsafe=True).result.text
    assert result.startswith(BASE)
    return result.removeprefix(BASE)


def test_nothing_to_do() -> None:
    found = migrated(BASE)
    assert (found.steps, found.proposed, found.left) == ((), (), ())
    assert found.complete
    assert found.result is found.original


def test_safe_steps_are_taken_and_unsafe_ones_proposed() -> None:
    text = BASE.replace("alpaca", "sharegpt") + "flash_attention: true  # fast\n"
    found = migrated(text)
    assert [(step.code, step.safe) for step in found.steps] == [("MIG002", True)]
    assert [(step.code, step.safe) for step in found.proposed] == [("DAT101", False)]
    assert found.result.text == text.replace(
        "flash_attention: true", "attn_implementation: flash_attention_2"
    )
    assert "type: chat_template" in found.whole.text
    assert found.proposed[0].look_at.startswith("Are these the keys of your data")
    assert not found.complete


def test_a_safe_step_does_not_lead_to_a_refusal() -> None:
    found = migrated(BASE + "chat_templates: gemma4\n", "0.12.2")
    assert found.steps == ()
    assert (found.proposed[0].code, found.proposed[0].safe) == ("KEY001", False)
    question = "Is the file right then? It would be reported for MIG998: The release refuses"
    assert found.proposed[0].look_at.startswith(question)


def test_unsafe_steps_are_taken_when_they_are_asked_for() -> None:
    found = migrated(BASE.replace("alpaca", "sharegpt"), unsafe=True)
    assert [step.code for step in found.steps] == ["DAT101"]
    assert found.proposed == ()
    assert found.complete
    assert found.result is found.steps[-1].after


def test_steps_follow_on_each_other() -> None:
    found = migrated(BASE + "fsdp:\nflash_attention: true\nevaluation_strategy: 'no'\n")
    assert len(found.steps) == 3
    texts = [found.original, *(step.after for step in found.steps)]
    assert [step.before for step in found.steps] == texts[:-1]


def test_what_no_step_settles_is_listed() -> None:
    found = migrated(BASE.replace("learning_rate: 0.0001\n", ""))
    (left,) = found.left
    assert (left.code, left.refused, left.why) == ("TYP004", True, "no step can resolve it")
    assert not found.complete


def test_findings_that_are_not_about_the_release_are_left_alone() -> None:
    text = BASE + "seed: 1\nseed: 2\n"
    assert "YML020" in [found.code for found in lint(text)]
    assert migrated(text).complete


def test_of_a_duplicate_key_that_a_step_is_about_one_goes_first() -> None:
    found = migrated(BASE + "seed: 1\nseed: 2\nflash_attention: false\nflash_attention: true\n")
    # The run is the same without the line that is ignored.
    assert [(step.code, step.safe) for step in found.steps] == [("YML020", True), ("MIG002", True)]
    assert found.result.text == BASE + "seed: 1\nseed: 2\nattn_implementation: flash_attention_2\n"


def test_lines_in_the_way_go_before_steps_that_look_at_them() -> None:
    # With `streaming` the split would be one to look at.
    data = "pretraining_dataset:\n  - path: ./books\n    type: pretrain\nmax_steps: 10\n"
    text = BASE.replace("datasets:\n  - path: ./data/train.jsonl\n    type: alpaca\n", data)
    found = migrated(text + "val_set_size: 0.1\nseed: 1\nval_set_size: 0.2\n")
    assert found.complete
    after = text.replace("max_steps", "streaming: true\nmax_steps")
    assert found.result.text == after + "seed: 1\n"


def test_a_safe_fix_that_leads_to_another_finding_is_one_to_look_at() -> None:
    found = migrated(BASE + "rope_scaling:\n  type: linear\n  factor: 2.0\n")
    (step,) = found.proposed
    assert (step.code, step.safe) == ("MIG002", False)
    question = "Is the file right then? It would be reported for ENV410: Write `rope_type`"
    assert step.look_at.startswith(question)


def test_each_step_to_review_asks_something() -> None:
    text = BASE.replace("alpaca", "sharegpt") + "use_bettertransformer: true\nfsdp: [full_shard]\n"
    found = migrated(text)
    assert len(found.proposed) > 2
    questions = {step.code: step.look_at for step in found.proposed}
    assert all(questions.values())
    assert questions["KEY002"] == "May it go, or does the run need it in another form?"
    assert not any(step.look_at for step in found.steps)


def test_no_step_ends_with_a_file_that_is_refused() -> None:
    text = BASE + "attn_implementation: flash_attention_2\nsdp_attention: true\neval_dataset: x\n"
    found = migrated(text, "0.16.1", unsafe=True)
    assert "MIG003" not in [step.code for step in found.steps]
    assert "attn_implementation: flash_attention_2" in found.result.text
    (left,) = [left for left in found.left if left.code == "MIG003"]
    assert left.why == "the release would refuse the file then: PAK109"
    assert not left.refused


def test_what_only_some_machines_refuse_is_no_step() -> None:
    text = BASE + "bf16: true\n"
    assert migrated(text).complete


def test_a_plain_check_does_not_know_the_steps() -> None:
    text = BASE + "flash_attention: true\nfsdp:\ngc_steps: 10\n"
    assert not [found for found in lint(text) if found.code.startswith("MIG")]


@each(
    ("before", "expected"),
    [
        ("sdp_attention: true\n", "attn_implementation: sdpa\n"),
        ("flash_attention: false\n", ""),
        ("dataset_processes: 8\n", "dataset_num_proc: 8\n"),
        ("dataset_processes: 8\ndataset_num_proc: 8\n", "dataset_num_proc: 8\n"),
        ("dataset_processes: 4\ndataset_num_proc: 8\n", "dataset_num_proc: 8\n"),
        ("dataset_processes: 4\ndataset_num_proc:\n", "dataset_num_proc: 4\n"),
        (
            "gradient_checkpointing: offload\n",
            "gradient_checkpointing: true\nactivation_offloading: true\n",
        ),
        ("team_number: 12\n", ""),
        ("team_number: 12\nplugins: [team.Plugin]\n", "team_number: 12\nplugins: [team.Plugin]\n"),
        ("unsloth_lora_mlp: true\n", "lora_mlp_kernel: true\n"),
    ],
)
def test_forwards(before: str, expected: str) -> None:
    assert after(before) == expected


@each(
    ("before", "release", "expected"),
    [
        ("attn_implementation: flash_attention_2\n", "0.16.1", "flash_attention: true\n"),
        (
            "flash_attention: true\ncontext_parallel_size: 2\n",
            "0.11.0",
            "flash_attention: true\nsequence_parallel_degree: 2\n",
        ),
        ("dataset_num_proc: 8\n", "0.12.2", "dataset_processes: 8\n"),
        ("dataset_num_proc: 8\n", "0.13.0", "dataset_num_proc: 8\n"),
        (
            "gradient_checkpointing: true\nactivation_offloading: true\n",
            "0.11.0",
            "gradient_checkpointing: offload\n",
        ),
        ("neftune_noise_alpha: 5\n", "0.5.0", "neftune_noise_alpha: 5\n"),
    ],
)
def test_backwards(before: str, release: str, expected: str) -> None:
    assert after(before, release) == expected


def test_what_an_older_release_cannot_say_is_listed() -> None:
    found = migrated(BASE + "activation_offloading: disk\n", "0.9.0", unsafe=True)
    assert [left.code for left in found.left] == ["KEY006"]
    assert found.result is found.original


def test_message_fields_of_preference_data_stay() -> None:
    data = BASE.replace("type: alpaca\n", "type: chat_template\n    message_field_role: from\n")
    assert "message_property_mappings" in migrated(data).result.text
    # Another class of entries, which reads the key itself.
    assert "message_property_mappings" not in migrated(data + "rl: kto\n").result.text


@each(
    ("refusing", "expected"),
    [
        ({}, WrittenFor("0.21.0", 0)),
        # The only release that reads the key refuses a value, which outweighs one key.
        ({"0.21.0": 1}, WrittenFor("0.20.0", 1)),
        ({"0.21.0": 1, "0.20.0": 1}, WrittenFor("0.19.0", 1)),
        # All of them refuse the file for as much.
        (dict.fromkeys(load_framework("axolotl").releases.versions, 1), WrittenFor("0.21.0", 0, 1)),
    ],
)
def test_what_a_release_refuses_counts_as_two_keys(
    refusing: dict[str, int], expected: WrittenFor
) -> None:
    document = compose(SourceText.from_str(BASE + "coreweave: {a: 1}\n"))
    found = written_for(
        document, load_framework("axolotl"), lambda version: refusing.get(version, 0)
    )
    assert found == expected


@each(
    ("text", "expected"),
    [
        ("", WrittenFor("0.21.0", 0)),
        ("fsdp: [full_shard]\n", WrittenFor("0.19.0", 0)),
        ("fsdp:\n", WrittenFor("0.21.0", 0)),
        ("fsdp: [full_shard]\nrelora_steps: 10\n", WrittenFor("0.11.0.post1", 0)),
        # No release has both.
        ("relora_steps: 10\nlarge_head_attention: auto\n", WrittenFor("0.21.0", 1)),
        ("no_such_key: 1\n", WrittenFor("0.21.0", 0)),
    ],
)
def test_for_which_release_a_file_was_written(text: str, expected: WrittenFor) -> None:
    document = compose(SourceText.from_str(BASE + text))
    assert written_for(document, load_framework("axolotl")) == expected
