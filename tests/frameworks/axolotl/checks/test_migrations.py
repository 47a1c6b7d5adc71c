"""Steps of migrations that are more than another name."""

from __future__ import annotations

import pytest

from tests.draws import each
from tests.engine.migration.test_migration import BASE, after, migrated

GRPO = BASE + "rl: grpo\ntrl:\n  num_generations: {group}\n"


@each(
    ("words", "section", "expected"),
    [
        (
            "[full_shard, auto_wrap, offload]",
            "",
            "fsdp_config:\n  auto_wrap_policy: TRANSFORMER_BASED_WRAP\n  offload_params: true\n",
        ),
        (
            "[shard_grad_op]",
            "fsdp_config:\n  state_dict_type: FULL_STATE_DICT\n",
            "fsdp_config:\n  state_dict_type: FULL_STATE_DICT\n  reshard_after_forward: false\n",
        ),
        (
            # What the section says already stays as it is.
            "[auto_wrap]",
            "fsdp_config:\n  auto_wrap_policy: SIZE_BASED_WRAP\n",
            "fsdp_config:\n  auto_wrap_policy: SIZE_BASED_WRAP\n",
        ),
        ("[full_shard]", "", "fsdp_config:\n  reshard_after_forward: true\n"),
        # The sizes of the groups are not told.
        ("[hybrid_shard]", "", None),
    ],
)
def test_fsdp_list(words: str, section: str, expected: str | None) -> None:
    before = f"fsdp: {words}\n{section}"
    assert after(before) == (before if expected is None else expected)


def test_fsdp_list_beside_deepspeed_is_for_a_person() -> None:
    text = "fsdp: [full_shard]\ndeepspeed: ds.json\n"
    assert after(text) == text


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("fsdp_offload_params: true", "offload_params: true"),
        ("fsdp_version: 2\n  fsdp_offload_params: true", "fsdp_version: 2\n  offload_params: true"),
        ("offload_params: true\n  fsdp_offload_params: true", "offload_params: true"),
    ],
)
def test_prefixes(section: str, expected: str) -> None:
    assert after(f"fsdp_config:\n  {section}\n") == f"fsdp_config:\n  {expected}\n"


def test_prefix_beside_another_value_stays() -> None:
    text = "fsdp_config:\n  offload_params: false\n  fsdp_offload_params: true\n"
    assert after(text) == text


@pytest.mark.parametrize(
    ("numbers", "steps", "codes"),
    [
        ("micro_batch_size: 2\nbatch_size: 8\n", 4, ["MIG107"]),
        ("micro_batch_size: 3\nbatch_size: 8\n", 2, []),
        ("micro_batch_size: 2\ngradient_accumulation_steps:\nbatch_size: 8\n", 4, ["MIG107"]),
    ],
)
def test_batch_size(numbers: str, steps: int, codes: list[str]) -> None:
    text = BASE.replace("micro_batch_size: 2\ngradient_accumulation_steps: 4\n", numbers)
    assert [step.code for step in migrated(text).steps] == codes
    result = migrated(text, unsafe=True).result.text
    assert f"gradient_accumulation_steps: {steps}\n" in result
    assert "\nbatch_size" not in result


def test_batch_size_below_one_pass_stays() -> None:
    text = BASE.replace("gradient_accumulation_steps: 4", "batch_size: 1")
    assert migrated(text, unsafe=True).result.text == text


@each(("group", "steps"), [(8, 4), (6, 6), (3, 6), (16, 8), (7, 7)])
def test_fewest_steps_that_hold_groups(group: int, steps: int) -> None:
    text = GRPO.format(group=group)
    result = migrated(text, "0.18.0", unsafe=True).result.text
    assert result == text.replace("steps: 4", f"steps: {steps}")


def test_groups_over_an_unknown_number_of_gpus_are_left() -> None:
    text = GRPO.format(group=16)
    assert migrated(text, "0.21.0", unsafe=True).result.text == text


def test_plugins_are_listed_once() -> None:
    plugin = "axolotl.integrations.liger.LigerPlugin"
    assert after("unsloth_rms_norm: true\nunsloth_rope: true\n") == (
        f"liger_rms_norm: true\nplugins:\n  - {plugin}\nliger_rope: true\n"
    )


def test_a_switch_that_is_there_is_kept() -> None:
    plugin = "axolotl.integrations.liger.LigerPlugin"
    text = f"plugins: [{plugin}]\nliger_rope: false\n"
    assert after(f"{text}unsloth_rope: true\n") == text


def test_cache_steps_below_one() -> None:
    assert after("gc_steps: -1\n") == "gc_collect_steps: -1\n"


@each(
    ("entry", "expected"),
    [
        ("type: sharegpt:chat", {"conversations", "role: from"}),
        ("type: sharegpt_simple.load_role", {"conversations", "role: role"}),
        (
            "type: sharegpt\n    roles:\n      input: [system, user]\n      output: [gpt]",
            {"role: from"},
        ),
        (
            "type: sharegpt\n    field_human: client\n    field_model: agent",
            {"- client", "- agent", "user:", "assistant:"},
        ),
    ],
)
def test_sharegpt(entry: str, expected: set[str]) -> None:
    text = BASE.replace("type: alpaca", entry)
    result = migrated(text, unsafe=True)
    assert result.complete
    assert "type: chat_template" in result.result.text
    for part in expected:
        assert part in result.result.text
    assert "field_human" not in result.result.text
    assert "input:" not in result.result.text


def test_sharegpt_with_other_roles_is_left() -> None:
    text = BASE.replace("type: alpaca", "type: sharegpt\n    roles: {narrator: [x]}")
    assert [left.code for left in migrated(text, unsafe=True).left] == ["DAT101"]


@each(
    ("before", "expected"),
    [
        ("save_steps: ''\n", ""),
        ("tokens: '<a>, <b>'\n", "tokens:\n  - <a>\n  - <b>\n"),
        ("logging_steps: 0.2\n", ""),
        ("wandb_name: 3.5\n", 'wandb_name: "3.5"\n'),
    ],
)
def test_refused_values(before: str, expected: str) -> None:
    assert after(before) == expected


def test_a_required_value_is_never_deleted() -> None:
    text = BASE.replace("learning_rate: 0.0001", "learning_rate: [0.1]")
    found = migrated(text, unsafe=True)
    assert found.result is found.original
    assert [left.code for left in found.left] == ["TYP001"]


@each(
    ("epochs", "schedule", "expected"),
    [
        (2, "", "eval_steps: 0.5\nsave_steps: 0.5\n"),
        (2, "eval_strategy: epoch\n", "eval_steps: 0.5\nsave_steps: 0.5\n"),
        (1, "evals_per_epoch: 4\nsaves_per_epoch: 2\n", "eval_steps: 0.25\nsave_steps: 0.5\n"),
        (1, "evals_per_epoch: 2\nsaves_per_epoch: 2\n", "eval_steps: 0.5\nsave_steps: 0.5\n"),
        # A number of 1 is a step, not a part of the run.
        (1, "", None),
        (1, "evals_per_epoch: 2\nsaves_per_epoch: 1\n", None),
        # A checkpoint needs an evaluation.
        (3, "evals_per_epoch: 1\nsaves_per_epoch: 2\n", None),
        (2, "max_steps: 5\n", None),
        (2, "eval_strategy: steps\n", None),
        (2, "eval_steps: 0.5\n", None),
    ],
)
def test_early_stopping(epochs: int, schedule: str, expected: str | None) -> None:
    before = f"num_epochs: {epochs}\nval_set_size: 0.1\nearly_stopping_patience: 3\n"
    wanted = schedule if expected is None else expected
    assert migrated(BASE + before + schedule).result.text == BASE + before + wanted
