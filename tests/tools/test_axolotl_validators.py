"""The comparison of two releases' validators, and what a release takes from other packages."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from tools.axolotl_release.cli import main
from tools.axolotl_release.external import members_used, resolve
from tools.axolotl_release.keys import read_keys
from tools.axolotl_release.validators import Changes, compare, describe, read_validators
from tools.python_sources import table
from tools.python_sources.sources import Release

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SCHEMA = "axolotl.utils.schemas.config"


def release(schema: str, version: str = "1.0", requirements: str = "") -> Release:
    text = textwrap.dedent(schema)
    return Release(version, {SCHEMA: text}, packaging={"requirements.txt": requirements})


OLD = """
    class AxolotlInputConfig(BaseModel):
        \"\"\"Words.\"\"\"

        @model_validator(mode="before")
        def check_one(cls, data):
            \"\"\"Words about it.\"\"\"
            if data.get("a"):
                raise ValueError("a is not for you")  # a comment
            return data

        @model_validator(mode="before")
        def check_two(cls, data):
            if data.get("b"):
                raise ValueError("b is gone")
            return data

        @field_validator("c")
        def check_three(cls, value):
            return value

        def no_validator(self):
            return 1
"""
NEW = """
    class Mixin(BaseModel):
        @field_validator("c")
        def check_three(cls, value):
            return value

    class AxolotlInputConfig(BaseModel):
        @model_validator(mode="before")
        def check_one(cls, data):
            if data.get("a") or data.get("z"):
                raise ValueError(f"{data['a']} or z: not for you")
            return data

        @model_validator(mode="after")
        def check_four(self):
            raise ValueError("four")
"""


def test_validators_are_compared_by_their_code() -> None:
    changes = compare(read_validators(release(OLD)), read_validators(release(NEW, "2.0")))
    assert [one.name for one in changes.new] == ["check_four"]
    assert [one.name for one in changes.gone] == ["check_two"]
    assert [old.name for old, _ in changes.changed] == ["check_one"]
    assert [(old.owner, now.owner) for old, now in changes.moved] == [
        ("AxolotlInputConfig", "Mixin")
    ]
    lines = list(describe(changes, code=True))
    assert f"new      {SCHEMA}.AxolotlInputConfig.check_four" in lines
    assert "           ValueError: four" in lines
    assert "         - ValueError: a is not for you" in lines
    assert "         + ValueError: {data['a']} or z: not for you" in lines
    assert any("+if data.get('a') or data.get('z'):" in line for line in lines)


def test_words_and_layout_do_not_count() -> None:
    other = OLD.replace("Words about it", "Other words").replace("# a comment", "")
    changes = compare(read_validators(release(OLD)), read_validators(release(other)))
    assert changes == Changes([], [], [], [])


def test_the_command_prints_the_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("old", OLD), ("new", NEW)):
        folder = tmp_path / name / "axolotl" / "utils" / "schemas"
        folder.mkdir(parents=True)
        (folder / "config.py").write_text(textwrap.dedent(text))
    paths = [f"1.0={tmp_path / 'old'}", f"2.0={tmp_path / 'new'}"]
    assert main(["validators", "--old", paths[0], "--new", paths[1]]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "1.0 -> 2.0: 3 validators, 1 new, 1 changed, 1 gone, 1 moved"


def test_names_come_from_the_required_transformers() -> None:
    type_, enum = resolve("ext:transformers.SchedulerType|literal|null", ["rex"], "==4.51.3")
    assert type_ == "enum:SchedulerType|literal|null"
    assert {"rex", "cosine", "linear"} <= set(enum)
    assert "greedy" not in enum


def test_an_open_requirement_takes_what_any_fitting_series_has() -> None:
    _, old = resolve("ext:transformers.training_args.OptimizerNames", [], "==4.46.3")
    _, some = resolve("ext:transformers.training_args.OptimizerNames", [], ">=4.46.3")
    assert set(old) < set(some)


def test_series_without_what_the_release_uses_do_not_count() -> None:
    default = {"computed_from": ["transformers.training_args.OptimizerNames.ADAMW_HF.value"]}
    used = members_used([default, "cosine", None])
    assert used == {"OptimizerNames.ADAMW_HF"}
    key = "ext:transformers.training_args.OptimizerNames"
    _, all_series = resolve(key, [], ">=4.46.3")
    _, those = resolve(key, [], ">=4.46.3", used)
    assert set(all_series) - set(those) == {"stable_adamw"}
    assert {"adamw_hf", "apollo_adamw"} <= set(those)
    _, later = resolve("ext:transformers.SchedulerType", [], ">=4.46.3", used)
    assert "greedy" not in later


def test_an_unknown_transformers_leaves_the_type_as_it_is() -> None:
    kept = resolve("ext:transformers.SchedulerType|null", [], "==3.0.0")
    assert kept == ("ext:transformers.SchedulerType|null", [])
    assert resolve("ext:PIL.Image.Resampling", [], "==4.51.3")[0] == "ext:PIL.Image.Resampling"


CLASSES = """
    class SFTDataset(BaseModel):
        path: str | None
        data_files: str | list[str] | None

    class DPODataset(BaseModel):
        path: str | None
        data_files: list[str] | None

    class AxolotlInputConfig(BaseModel):
        datasets: list[SFTDataset | DPODataset]
        size: int

        {validator}
        def check_size(cls, value):
            return value
"""


def test_types_that_differ_between_classes_are_kept() -> None:
    keys = read_keys(release(CLASSES.format(validator='@field_validator("size")'))).keys
    assert keys["datasets[].path"].model_types == {}
    assert keys["datasets[].data_files"].model_types == {
        "SFTDataset": "list<str>|str|null",
        "DPODataset": "list<str>|null",
    }


def test_early_validators_have_a_history() -> None:
    early = CLASSES.format(validator='@field_validator("size", mode="before")')
    late = CLASSES.format(validator='@field_validator("size")')
    history = table.Table()
    for version, schema in (("1.0", late), ("2.0", early)):
        table.merge(history, read_keys(release(schema, version)))
    folded = table.fold(history, {}, "axolotl")["keys"]["size"]
    assert folded["coerced"] is True
    assert folded["coerced_history"] == [["1.0", False], ["2.0", True]]


def test_choices_of_the_keys_of_a_mapping() -> None:
    schema = """
        class AxolotlInputConfig(BaseModel):
            max_memory: dict[int | Literal["cpu"], int | str] | None
    """
    facts = read_keys(release(schema)).keys["max_memory"]
    assert (facts.type, facts.enum) == ("dict<int|literal,int|str>|null", ["cpu"])
