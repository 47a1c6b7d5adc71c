"""How a key that is not read becomes one that is."""

from __future__ import annotations

import pytest

from cfglint import lint_text
from cfglint.checks.key_repairs import concrete_path, own_path
from cfglint.diagnostic import ANY, Diagnostic
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.document import Entry, Mapping, Path, Scalar
from tests.draws import each
from tests.linting import fix, lint


def _asked(text: str) -> tuple[Diagnostic, ...]:
    """What is found in a text, what is harmless included."""
    return lint_text(text, select=["KEY"], min_confidence="low").diagnostics


def found(text: str, *path: str | int) -> Diagnostic:
    (one,) = [each for each in _asked(text) if each.path == path]
    return one


def test_a_section_keeps_what_else_is_in_it() -> None:
    text = "base_model: a/b\nspecial_tokens:\n  learning_rate: 0.1\n  bos_token: <s>\n"
    misplaced = found(text, "special_tokens", "learning_rate")
    (repair,) = misplaced.fixes
    assert misplaced.name == "misplaced-key"
    assert repair.safety == "safe"
    assert repair.paths == (("special_tokens", "learning_rate"), ("learning_rate",))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("special_tokens:\n  learning_rate: 0.1\nseed: 1\n", "seed: 1\nlearning_rate: 0.1\n"),
        ("special_tokens: {learning_rate: 0.1}\nseed: 1\n", "seed: 1\nlearning_rate: 0.1\n"),
        (
            "special_tokens:\n  # how fast\n  learning_rate: 0.1\n  seed: 1\n",
            "# how fast\nlearning_rate: 0.1\nseed: 1\n",
        ),
    ],
)
def test_a_section_that_would_be_left_empty_goes(before: str, after: str) -> None:
    start = "base_model: a/b\n"
    assert fix(start + before) == start + after


def test_an_entry_of_a_list_is_not_left_empty() -> None:
    text = "base_model: a/b\ndatasets:\n  - val_set_size: 0.1\n"
    assert not found(text, "datasets", 0, "val_set_size").fixes


def test_what_moves_along_has_to_be_read_there() -> None:
    trl = "base_model: a/b\nrl: grpo\ntrl:\n  vllm:\n    "
    assert not found(trl + "vllm_gpu_memory_utilization: 0.5\n", "trl", "vllm").fixes
    assert found(trl + "gpu_memory_utilization: 0.5\n", "trl", "vllm").fixes


def test_a_wish_that_other_keys_carry_out_is_not_deleted_safely() -> None:
    text = "base_model: a/b\nquantization_config:\n  load_in_4bit: true\n"
    (repair,) = found(text, "quantization_config").fixes
    assert repair.safety == "unsafe"
    # Nothing is wished here,
    (repair,) = found("base_model: a/b\nquantization_config:\n", "quantization_config").fixes
    assert repair.safety == "safe"
    # and here nothing can be done about it.
    (repair,) = found("base_model: a/b\nskip_memory_metrics: true\n", "skip_memory_metrics").fixes
    assert repair.safety == "safe"


def test_keys_of_another_program_go_together_with_those_that_are_off() -> None:
    text = (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\ndeepspeed_config:\n"
        "  zero_stage: 2\n  contiguous_gradients: false\n  overlap_comm: true\n"
    )
    (one,) = [each for each in lint(text, framework="accelerate") if each.code == "KEY002"]
    assert one.path == ("deepspeed_config", "overlap_comm")
    assert one.severity == "warning"
    assert one.fixes[0].title == "Delete these 2 keys"


def test_the_right_name_of_a_misspelt_key_may_bring_anything_to_light() -> None:
    (repair,) = found("base_model: a/b\nlearning_rat: 0.1\n", "learning_rat").fixes
    assert (repair.safety, repair.leads_to) == ("safe", (ANY,))


@pytest.mark.parametrize(
    ("line", "code"),
    [("gradient_clipping", "KEY003"), ("deepspeed", "KEY002"), ("something", "KEY001")],
)
def test_a_key_without_a_value_that_a_file_is_refused_for_can_go(line: str, code: str) -> None:
    base = "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\n"

    def finding(text: str) -> Diagnostic:
        (one,) = [each for each in lint(text, framework="accelerate") if each.path == (line,)]
        return one

    one = finding(f"{base}{line}:\n")
    assert (one.code, one.severity) == (code, "error")
    assert "It has no value and can be deleted." in one.message
    assert [(fix.title, fix.safety) for fix in one.fixes] == [("Delete it", "safe")]
    # What has a value asks for something.
    assert "It has no value" not in finding(f"{base}{line}: 1\n").message


@each(
    ("section", "written", "path"),
    [
        ("", ("a", "lr"), ("lr",)),
        ("optim", ("a", "lr"), ("optim", "lr")),
        ("a.b", ("lr",), ("a", "b", "lr")),
        # A name that the user chose is the one that the key is written under.
        ("groups.*", ("groups", "x", "lr"), ("groups", "x", "lr")),
        ("groups.*.more", ("groups", "x", "more", "lr"), ("groups", "x", "more", "lr")),
        ("groups.*", ("others", "x", "lr"), None),
        ("groups.*", ("groups", "x"), None),
        ("datasets[]", ("datasets", 1, "type", "lr"), ("datasets", 1, "lr")),
        ("datasets[]", ("datasets", 1, "lr"), None),
        ("datasets[]", ("datasets", "x", "type", "lr"), None),
        ("datasets[].type", ("datasets", 1, "lr"), ("datasets", 1, "type", "lr")),
        ("datasets[].type", ("datasets", 1, "type", "lr"), None),
        ("datasets[].type", ("datasets", "x", "lr"), None),
        ("datasets[].other", ("datasets", 1, "lr"), None),
    ],
)
def test_the_path_of_a_key_in_another_section(
    section: str, written: Path, path: Path | None
) -> None:
    assert concrete_path(section, "lr", written) == path


@each(
    ("section", "to", "path"),
    [
        ("", "lr", ("lr",)),
        ("a", "a.lr", ("a", "lr")),
        ("a", "b.c.lr", ("b", "c", "lr")),
        ("a", "lr", ("lr",)),
        ("datasets[]", "datasets[].lr", ("datasets", 2, "lr")),
        ("", "datasets[].lr", None),
        ("", "", None),
        ("", "lr=1", None),
        ("", "lr or rate", None),
    ],
)
def test_the_path_of_another_name(section: str, to: str, path: Path | None) -> None:
    written: Path = ("datasets", 2, "x") if "[]" in section else ("a", "x") if section else ("x",)
    name = Scalar(0, 1, None, None, "x", "", "tag:yaml.org,2002:str", "x")
    key = WrittenKey(
        section, written, Entry(name, name), "x", None, Mapping(0, 1, None, None, flow=False)
    )
    assert own_path(key, to) == path
    assert key.full_name == (f"{section}.x" if section else "x")
