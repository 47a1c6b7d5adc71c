"""Several keys with one cause are one finding, with the others shown beside it."""

from __future__ import annotations

import pytest

from cfglint import Diagnostic, fix_text, lint_text

DATA = "datasets:\n  - path: ./data/tickets.jsonl\n    type: alpaca\n"


def found(text: str, code: str, release: str = "0.18.0") -> tuple[Diagnostic, ...]:
    report = lint_text(
        "base_model: a/b\n" + text,
        target=[f"axolotl=={release}"],
        select=[code],
        framework="axolotl",
    )
    return report.diagnostics


def test_keys_of_a_plugin_that_is_not_listed() -> None:
    text = DATA + "liger_rope: true\nliger_rms_norm: true\ncut_cross_entropy: true\n"
    liger, cce = found(text, "KEY004")
    assert (liger.path, len(liger.related)) == (("liger_rope",), 1)
    assert (cce.path, len(cce.related)) == (("cut_cross_entropy",), 0)
    listed = fix_text("base_model: a/b\n" + text, unsafe=True, select=["KEY004"])
    assert listed.diagnostics == ()


def test_keys_that_a_plugin_of_ones_own_may_read() -> None:
    text = DATA + "plugins:\n  - ours.Plugin\nours_one: 1\nours_two: 2\nours_three: 3\n"
    (note,) = found(text, "KEY001")
    assert (note.severity, note.path, len(note.related)) == ("note", ("ours_one",), 2)


def test_a_newer_key_in_several_entries() -> None:
    entry = "  - path: a/b\n    type: chat_template.default\n    field_chosen: better\n"
    (hit,) = found(f"rl: dpo\ndatasets:\n{entry}{entry}", "KEY006", "0.17.0")
    assert (hit.severity, len(hit.related)) == ("error", 1)


def test_numbers_that_are_converted() -> None:
    text = f"base_model: a/b\n{DATA}learning_rate: 1e-5\nadam_epsilon: 1e-8\n"
    (note,) = lint_text(text, select=["YML021"]).diagnostics
    assert len(note.related) == 1
    assert fix_text(text, select=["YML021"]).text.endswith(
        "learning_rate: 1.0e-5\nadam_epsilon: 1.0e-8\n"
    )


THEIRS = "model_name_or_path: a/b\noptim: adamw_torch\ntarget_modules: [q_proj]\n"


def test_settings_of_another_program() -> None:
    (warning,) = found(THEIRS, "KEY002")
    assert (warning.severity, len(warning.related)) == ("warning", 2)
    assert "another program" in warning.message
    assert "`base_model`" in warning.message
    assert "`lora_target_modules`" in warning.related[1].note
    assert warning.fixes == ()


def test_settings_of_another_program_of_which_the_first_has_no_counterpart() -> None:
    (warning,) = found("do_train: true\n" + THEIRS, "KEY002")
    assert warning.path == ("do_train",)
    assert warning.message.startswith(
        "`do_train` is a key of transformers; Axolotl silently ignores it. It is not the only"
    )


@pytest.mark.parametrize("text", [THEIRS + DATA, "optim: adamw_torch\nepochs: 3\n"])
def test_a_few_borrowed_keys_are_reported_one_by_one(text: str) -> None:
    assert len(found(text, "KEY002")) > 1


@pytest.mark.parametrize(
    ("text", "code", "release", "count"),
    [
        # A validator takes it out of the section before the section's own class sees it.
        ("fsdp_config:\n  fsdp_version: 2\n", "KEY006", "0.13.2", 0),
        # Plugins are registered from the file as written.
        ("plugins:\n  - axolotl.integrations.liger.LigerPlugin\n", "KEY006", "0.5.0", 0),
        ("plugins:\n  - axolotl.integrations.liger.LigerPlugin\n", "KEY006", "0.4.1", 1),
    ],
)
def test_keys_that_are_read_before_the_schema(
    text: str, code: str, release: str, count: int
) -> None:
    assert len(found(text, code, release)) == count


def test_a_key_of_preference_data_without_preference_training() -> None:
    text = "datasets:\n  - path: a/b\n    type: completion\n    field_completion: answer\n"
    (hit,) = found(text, "KEY003")
    assert "only with `rl`" in hit.message
    (hit,) = found("rl: kto\n" + text, "KEY003")
    assert "only with `rl`" not in hit.message


def test_a_setting_that_another_one_decides() -> None:
    (hit,) = found(DATA + "epochs: 3\nmax_steps: 100\n", "KEY002")
    assert hit.severity == "note"


def test_newer_keys_of_one_plugin() -> None:
    text = DATA + "use_swanlab: true\nswanlab_project: a\nswanlab_mode: cloud\ndp_shard_size: 2\n"
    first, other = found(text, "KEY006", "0.11.0")
    assert (first.path, len(first.related)) == (("use_swanlab",), 2)
    assert other.path == ("dp_shard_size",)
