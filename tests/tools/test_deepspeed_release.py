"""DeepSpeed's releases are read as text: keys looked up by hand, models, defaults, choices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.deepspeed_release import compare, pins
from tools.deepspeed_release.cli import main
from tools.deepspeed_release.keys import NoRootClassError, read_keys, refused_keys
from tools.deepspeed_release.reviewed import complete
from tools.python_sources import table
from tools.python_sources.facts import ReleaseKeys
from tools.python_sources.sources import Release

_UTILS = """
from pydantic import BaseModel

class DeepSpeedConfigModel(BaseModel):
    class Config:
        extra = "forbid"
        allow_population_by_field_name = True

class pp_int(int):
    pass

def get_scalar_param(param_dict, name, default):
    return param_dict.get(name, default)
"""
_SECOND = _UTILS.replace(
    'class Config:\n        extra = "forbid"\n        allow_population_by_field_name = True',
    'model_config = ConfigDict(extra="forbid", populate_by_name=True)',
)


def read(config: str, utils: str = _UTILS, **more: str) -> ReleaseKeys:
    """The keys of an invented release whose configuration class reads `param_dict`."""
    return read_keys(release(config, utils, **more))


def release(config: str, utils: str = _UTILS, **more: str) -> Release:
    head = "from deepspeed.runtime.config_utils import *\nfrom .constants import *\n"
    modules = {
        "deepspeed.runtime": "",
        "deepspeed.runtime.config": head + config,
        "deepspeed.runtime.config_utils": utils,
        "deepspeed.runtime.constants": more.pop("constants", ""),
        **{f"deepspeed.{name.replace('__', '.')}": text for name, text in more.items()},
    }
    return Release("1.0", modules, frozenset({"deepspeed.runtime"}))


def root(body: str, before: str = "") -> str:
    """A configuration class whose constructor hands the settings on as DeepSpeed does."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return f"""
{before}
class DeepSpeedConfig:
    def __init__(self, config):
        if isinstance(config, dict):
            self._param_dict = config
        else:
            self._param_dict = hjson.load(open(config))
        self._initialize(copy.copy(self._param_dict))

    def _initialize(self, param_dict):
{lines}
"""


def test_a_key_is_found_through_the_function_and_the_constants_that_name_it() -> None:
    keys = read(
        root(
            "self.steps = get_steps(param_dict)",
            "def get_steps(d):\n    return get_scalar_param(d, STEPS, STEPS_DEFAULT)",
        ),
        constants='STEPS = "steps_per_print"\nSTEPS_DEFAULT = 10',
    )
    assert keys.keys["steps_per_print"].type == "int"
    assert keys.keys["steps_per_print"].default == 10
    assert keys.keys["steps_per_print"].coerced
    assert (keys.forbidding[""], keys.readers[""]) == (False, "hand")


@pytest.mark.parametrize(
    "body",
    [
        'self.x = param_dict["section"]["key"]',
        'self.x = param_dict.get("section", {}).get("key", 1)',
        's = param_dict["section"]\nself.x = "key" in s.keys()',
        's = {} if "section" not in param_dict else param_dict["section"]\nself.x = s["key"]',
        'for name in ["section", "other"]:\n    self.x = param_dict[name]["key"]',
        'if "section" in param_dict:\n    s = param_dict["section"]\nelse:\n    s = param_dict.get("other", {})\ns["key"]',
        'def inner(d):\n    return d["key"]\nself.x = inner(param_dict["section"])',
    ],
)
def test_a_section_is_followed_wherever_it_is_handed_to(body: str) -> None:
    keys = read(root(body)).keys
    assert keys["section"].type == "model:section"
    assert not keys["section"].coerced
    assert "section.key" in keys


def test_a_section_is_followed_into_a_class_and_through_what_it_imports_itself() -> None:
    keys = read(
        root(
            "from deepspeed.parts import parse\nself.x = parse(param_dict)\nself.y = Part(param_dict)",
            "class Part:\n    def __init__(self, d):\n        self._take(d['part'])\n"
            "    def _take(self, d):\n        self.z = d.get('inside', True)",
        ),
        parts="def parse(d):\n    return d['parsed']",
    ).keys
    assert {"parsed", "part", "part.inside"} <= keys.keys()
    assert keys["part.inside"].type == "bool"


def test_what_is_written_into_the_settings_is_no_key() -> None:
    assert "made" not in read(root('param_dict["made"] = {}')).keys


@pytest.mark.parametrize(
    "body",
    [
        's = copy.copy(param_dict["amp"])\nself.on = s["enabled"]',
        'for key, value in param_dict.get("amp", {}).items():\n    self.x[key] = value',
    ],
)
def test_a_section_that_is_taken_whole_is_open(body: str) -> None:
    assert read(root(body)).keys["amp"].type == "dict<str,any>"


def test_the_keys_below_names_of_ones_own_are_known() -> None:
    body = 's = param_dict["groups"]\nfor k, v in s.items():\n    self.x = s[k]["params"]["bits"]'
    keys = read(root(body)).keys
    assert keys["groups"].type == "dict<str,model:groups>"
    assert "groups.*.params.bits" in keys


def test_an_assertion_about_a_key_states_its_choices() -> None:
    keys = read(
        root(
            'output = {}\noutput["method"] = param_dict.get("method", "l1")\n'
            'assert output["method"] in [L1, "topk"], "no"'
        ),
        constants='L1 = "l1"',
    ).keys
    assert (keys["method"].type, keys["method"].enum) == ("literal", ["l1", "topk"])
    assert not keys["method"].coerced


_MODEL = """
class Inner(DeepSpeedConfigModel):
    device: str = "none"

class Zero(DeepSpeedConfigModel):
    stage: int = 0
    size: int = Field(pp_int(5e8), ge=0, alias="stage3_size")
    inner: Inner = None
    old: bool = Field(False, deprecated=True, new_param="size")
    legacy = 3
"""


def test_a_section_that_a_model_reads_refuses_unknown_keys() -> None:
    found = read(root('self.z = Zero(**param_dict.get("zero", {}))', _MODEL))
    assert found.forbidding["zero"]
    assert found.readers["zero"] == found.readers["zero.inner"] == "pydantic-1"
    size = found.keys["zero.size"]
    assert (size.type, size.default, size.constraints) == ("int", 500_000_000, {"ge": 0})
    assert size.alias == ["stage3_size"]
    assert size.auto
    assert found.keys["zero.inner"].type == "model:Inner|null"
    assert (found.keys["zero.old"].deprecated, found.keys["zero.old"].new_param) == (True, "size")
    assert (found.keys["zero.legacy"].type, found.keys["zero.legacy"].default) == ("int", 3)


def test_pydantic_two_takes_no_null_that_is_not_declared() -> None:
    found = read(root('self.z = Zero(**param_dict.get("zero", {}))', _MODEL), _SECOND)
    assert found.readers["zero"] == "pydantic-2"
    assert found.keys["zero.inner"].type == "model:Inner"


def test_a_deprecation_inside_json_schema_extra_counts() -> None:
    model = (
        "class Zero(DeepSpeedConfigModel):\n    old: bool = Field(False, json_schema_extra="
        '{"deprecated": True, "new_param": "new"})\n    same: int = Field(1, json_schema_extra={"new_param": "same"})'
    )
    keys = read(root('Zero(**param_dict["zero"])', model), _SECOND).keys
    assert keys["zero.old"].new_param == "new"
    assert not keys["zero.same"].deprecated
    assert keys["zero.same"].new_param is None


def test_a_model_of_some_keys_describes_these_keys_at_the_top() -> None:
    found = read(
        root(
            'picked = {key: param_dict.get(key, {}) for key in ("tensorboard", "wandb")}\n'
            "self.m = Monitor(**picked)",
            "class Board(DeepSpeedConfigModel):\n    enabled: bool = False\n\n"
            "class Monitor(DeepSpeedConfigModel):\n    tensorboard: Board = {}\n    wandb: Board = {}",
        )
    )
    assert found.keys["tensorboard"].type == "model:Board"
    assert found.forbidding["wandb"]
    assert not found.forbidding[""]


def test_a_model_without_deepspeeds_base_does_not_drop_auto() -> None:
    plain = "from pydantic import BaseModel\nclass Log(BaseModel):\n    enabled: bool = False"
    found = read(root('self.log = Log(**param_dict["comms_logger"])', plain))
    assert found.readers["comms_logger"] == "pydantic-1-plain"
    assert not found.keys["comms_logger.enabled"].auto


def test_keys_that_a_release_refuses_by_name() -> None:
    config = root("pass", '_REMOVED_TOP_LEVEL_CONFIG_KEYS = {"amp": "gone"}')
    assert list(refused_keys(release(config))) == ["amp"]


def test_a_package_without_the_class_is_no_deepspeed() -> None:
    with pytest.raises(NoRootClassError):
        read("x = 1")


def test_reviewed_facts_complete_what_is_looked_up_by_hand() -> None:
    reviewed: dict[str, Any] = {
        "hand": {
            "size": {"type": "int", "checked": True, "from": {"2.0": {"type": "str"}}},
            "pipe.stages": {"type": "str", "added": True},
            "elsewhere.key": {"type": "str", "added": True},
            "zero.stage": {"type": "str"},
        },
        "models": {"zero.stage": {"type": "literal", "enum": [1]}},
    }
    body = (
        'self.s = param_dict.get("size")\nself.p = param_dict["pipe"]\nZero(**param_dict["zero"])'
    )
    found = complete(read(root(body, _MODEL)), reviewed)
    assert (found.keys["size"].type, found.keys["size"].coerced) == ("int", False)
    assert found.keys["pipe.stages"].type == "str"
    assert found.readers["pipe"] == "hand"
    assert "elsewhere.key" not in found.keys
    assert (found.keys["zero.stage"].type, found.keys["zero.stage"].enum) == ("literal", [1])


def _folder(home: Path, config: str) -> Path:
    for name, text in release(config).modules.items():
        path = home.joinpath(*name.split("."))
        path = path / "__init__.py" if name == "deepspeed.runtime" else path.with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (home / "requirements").mkdir()
    (home / "requirements" / "requirements.txt").write_text("pydantic<2.0.0\nhjson\n")
    return home


def test_the_table_tells_when_a_section_closed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = _folder(tmp_path / "old", root('self.x = param_dict["fp16"].get("enabled", False)'))
    model = "class FP16(DeepSpeedConfigModel):\n    enabled: bool = False"
    new = _folder(tmp_path / "new", root('self.x = FP16(**param_dict["fp16"])', model))
    target = tmp_path / "table.json"
    assert (
        main(["keys", "--release", f"1.0={old}", "--release", f"1.1={new}", "--table", str(target)])
        == 0
    )
    assert "2 keys in all" in capsys.readouterr().out
    section = json.loads(target.read_text())["sections"]["fp16"]
    assert section["forbids_unknown_since"] == "1.1"
    assert section["readers"] == [["1.0", "hand"], ["1.1", "pydantic-1"]]
    before = target.read_text()
    assert main(["keys", "--release", f"1.0={old}", "--table", str(target)]) == 0
    assert target.read_text() == before


def test_pins_and_dates(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "old", root("pass"))
    target = tmp_path / "releases.json"
    arguments = ["pins", "--release", f"1.0={folder}", "--date", "1.0=2030-01-31"]
    assert main([*arguments, "--table", str(target)]) == 0
    assert pins.load(target)["releases"] == {
        "1.0": {"date": "2030-01-31", "pins": {"pydantic": "<2.0.0"}}
    }


def test_no_package_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", "--release", f"1.0={tmp_path}", "--table", str(tmp_path / "t")]) == 2
    assert "no package named 'deepspeed'" in capsys.readouterr().err


def test_the_comparison_names_every_difference() -> None:
    history = table.Table()
    table.merge(history, read(root('Zero(**param_dict["zero"])', _MODEL)))
    field: dict[str, Any] = {
        "alias": None, "required": False, "default": 0, "null": False, "limits": {},
        "deprecated": False, "new_param": None,
    }  # fmt: skip
    fields: dict[str, Any] = {
        "stage": {**field, "default": 1},
        "size": {**field, "default": 500_000_000, "alias": "stage3_size", "limits": {"ge": 0}},
        "inner": {**field, "default": None, "null": True},
        "old": {**field, "default": False, "deprecated": True, "new_param": "size"},
        "fresh": field,
    }
    inner = {"forbids": False, "fields": {"device": {**field, "default": "none"}}}
    real = {
        "version": "1.0",
        "models": {"Zero": {"forbids": True, "fields": fields}, "Inner": inner},
    }
    assert list(compare.differences(history, real)) == [
        "1.0 zero.fresh: only in the models",
        "1.0 zero.legacy: only in the table",
        "1.0 zero.stage: default is 1, not 0",
        "1.0 zero.inner: forbids unknown keys: False",
    ]
    assert compare.count(history, real) == 6
