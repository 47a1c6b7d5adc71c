"""A folder of rules as the modules that a run loads."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from cfglint.base.packing import unpack
from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.modules import build, framework_folders, is_checked, key_histories
from cfglint.knowledge.rules.rule import Rule

#: What every folder of rules has. Two of its frameworks have code, so that files of theirs are checked.
FILES = {
    "families.yaml": "KEY: Keys\nOLD: Older names\n",
    "packages.yaml": "asked: [torch]\nof_training: []\ntelling_words: []\nshown: [torch]\n",
    "programs.yaml": "other: {title: Other, has: [[a, b]]}\n",
    "hardware.yaml": "nvidia: {h100: {memory_gb: 80}}\namd: {mi300: {also: [mi300x]}}\n",
    "models.json": '[{"pattern": "^small", "context": null, "layers": 2}]',
    "accessory/framework.yaml": (
        "title: Accessory\npackages: [llama2-accessory]\nlanguage: yaml\nkinds: [pretrain]\n"
        "below: lower\nplugins_key: plugins\n"
    ),
    "accessory/releases.json": json.dumps(
        {
            "newest": "1.1",
            "releases": {
                "1.1": {"date": "2026-02-01", "pins": {"torch": ">=2.6"}, "python": ">=3.10"},
                "1.0": {"date": "2026-01-01", "pins": {"torch": "==2.5.0"}},
            },
        }
    ),
    "accessory/tables/llama2-accessory.json": json.dumps(
        {
            "releases": ["1.0", "1.1"],
            "plugins": {},
            "sections": {},
            "beside": {"1.0": "0.1", "1.1": "0.2"},
            "keys": {
                "rate": {"since": "1.0", "type": "float", "default": 0.1},
                "both": {"since": "1.0", "type": "int"},
                "old_rate": {
                    "since": "1.0", "type": "float", "deprecated": "1.1", "rename": "rate",
                },
            },
        }
    ),
    "accessory/tables/pretrain.json": json.dumps(
        {
            "releases": ["1.0", "1.1"],
            "plugins": {},
            "sections": {},
            "keys": {"both": {"since": "1.1", "type": "int"}},
        }
    ),
    "accessory/tables/lower.json": json.dumps(
        {
            "releases": ["0.1", "0.2"],
            "plugins": {},
            "sections": {},
            "keys": {"seed": {"since": "0.1", "type": "int", "default": 1}},
        }
    ),
    "accessory/keys/rate-zero.yaml": """\
code: KEY001
formerly: [KEY900]
summary: rate of zero
severity: warning
confidence: high
bites: train
upstream: silent
applies: {torch: ">=2.6"}
when:
  - rate: {eq: 0}
  - strategy: {eq: plain}
view: late
at: [rate]
message: >-
  A rate of
  zero.
cost: the run
why: Because.
references: [{kind: docs, title: t, url: https://a.example/b}]
examples:
  - {bad: "rate: 0  # <- KEY001"}
  - {good: "rate: 1"}
""",
    "accessory/keys/old-name.yaml": """\
code: OLD001
summary: an older name
severity: note
confidence: high
bites: start
upstream: silent
check: older-name
migration: only
message: Old.
cost: nothing
why: Because.
references: [{kind: docs, title: t, url: https://a.example/b}]
examples:
  - {bad: "old_rate: 0  # <- OLD001"}
  - {good: "rate: 1"}
""",
    "shared/keys/unknown.yaml": """\
code: KEY002
summary: an unknown key
severity: warning
confidence: high
bites: silent
upstream: silent
check: unknown-key
differs: {other: {severity: note}}
message: Unknown.
cost: nothing
why: Because.
references: [{kind: docs, title: t, url: https://a.example/b}]
examples:
  - {framework: accessory, bad: "a: 0  # <- KEY002"}
  - {framework: accessory, good: "rate: 1"}
""",
    "other/framework.yaml": "title: Other\npackages: [other]\nlanguage: yaml\n",
}  # fmt: skip


def folder_of(place: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return place


def built(place: Path, **more: str) -> dict[str, dict[str, Any]]:
    """The modules of a folder, each with its constants.

    Args:
        more: texts of further files of the framework, by their names with `__` for what no name has.
    """
    files = {f"accessory/{name.replace('__', '.')}": text for name, text in more.items()}
    return {
        name: constants(text) for name, text in build(folder_of(place, {**FILES, **files})).items()
    }


def constants(source: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(source, found)
    del found["__builtins__"], found["__doc__"]
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The modules of the folder as it is above."""
    return built(tmp_path_factory.mktemp("rules"))


def rules(rows: tuple[bytes, ...]) -> list[Rule]:
    return [Rule.from_row(unpack(row)) for row in rows]


def test_only_frameworks_with_code_have_modules(tmp_path: Path, plain: dict[str, Any]) -> None:
    folder = folder_of(tmp_path, FILES)
    assert framework_folders(folder) == ["accessory", "other"]
    assert [is_checked(folder / name) for name in ("accessory", "other")] == [True, False]
    assert not [name for name in plain if name.startswith("other")]
    assert {name for name in plain if "accessory" in name} == {
        *("accessory_aliases.py", "accessory_below.py", "accessory_effective.py"),
        *("accessory_keys.py", "accessory_meanings.py", "accessory_migrations.py"),
        *("accessory_pretrain_fields.py", "accessory_pretrain_keys.py", "accessory_rules.py"),
        *("accessory_words.py", "llama2_accessory_releases.py"),
    }


def test_rules(plain: dict[str, Any]) -> None:
    module = plain["accessory_rules.py"]
    found = rules(module["RULES"])
    assert [(one.code, one.name, one.severity) for one in found] == [
        ("KEY001", "rate-zero", "warning"),
        ("KEY002", "unknown", "warning"),
    ]
    # One bit a release: 1.0 pins a torch that is older, 1.1 one that is not.
    applies = found[0].applies["torch"]
    assert (applies.yes, applies.maybe) == (0b10, 0)
    # What is looked for other than by the keys of a file: a bit for the number of each rule.
    assert module["CHECKS"] == {"unknown-key": 0b10}
    assert module["FAMILIES"] == {"KEY": 0b11}
    assert module["EDGES"] == {}
    assert module["RENAMED"] == {"KEY900": "KEY001"}
    assert unpack(module["LABELS"]) == {"rate-zero": (0, "KEY001"), "unknown": (1, "KEY002")}
    words = {code: unpack(row) for code, row in plain["accessory_words.py"]["WORDS"].items()}
    assert words["KEY001"][0] == "A rate of zero."
    assert sorted(words) == ["KEY001", "KEY002", "OLD001"]


def test_steps_of_migrations_are_apart(plain: dict[str, Any]) -> None:
    module = plain["accessory_migrations.py"]
    assert [one.code for one in rules(module["RULES"])] == ["OLD001"]
    assert module["OLDER_NAMES"] == {"old_rate": ("1.1", "rate", None, ())}


def test_a_rule_may_differ_for_a_framework(tmp_path: Path) -> None:
    text = FILES["shared/keys/unknown.yaml"].replace("differs: {other", "differs: {accessory")
    folder = folder_of(tmp_path, FILES | {"shared/keys/unknown.yaml": text})
    modules = {name: constants(text) for name, text in build(folder).items()}
    assert rules(modules["accessory_rules.py"]["RULES"])[1].severity == "note"


def test_keys_of_the_package_below(tmp_path: Path, plain: dict[str, Any]) -> None:
    fields = plain["accessory_effective.py"]["FIELDS"][""]
    assert sorted(fields) == ["both", "old_rate", "rate", "seed"]
    assert fields["seed"]["since"] == "lower 0.1"
    assert plain["accessory_pretrain_fields.py"]["FIELDS"][""].keys() == {"both", "seed"}
    assert plain["accessory_below.py"] == {
        "PACKAGE": "lower",
        "RELEASES": ("0.1", "0.2"),
        "BESIDE": {"1.0": "0.1", "1.1": "0.2"},
        # A key that all kinds have, or none, tells nothing about the kind.
        "KINDS": {},
    }
    table, kinds = key_histories(folder_of(tmp_path, FILES) / "accessory", "llama2-accessory")
    assert table["keys"]["seed"]["since"] == "lower 0.1"
    assert list(kinds) == ["pretrain"]
    assert "seed" in kinds["pretrain"]["keys"]


def test_keys_of_some_kinds_tell_which(tmp_path: Path) -> None:
    described = FILES["accessory/framework.yaml"].replace("[pretrain]", "[pretrain, tuning]")
    one = FILES["accessory/tables/pretrain.json"]
    (tmp_path / "accessory" / "tables").mkdir(parents=True)
    (tmp_path / "accessory" / "tables" / "tuning.json").write_text(one.replace("both", "rate"))
    found = built(tmp_path, framework__yaml=described)["accessory_below.py"]["KINDS"]
    assert found == {"both": frozenset({"pretrain"}), "rate": frozenset({"tuning"})}


def test_a_framework_without_a_package_below(tmp_path: Path) -> None:
    described = FILES["accessory/framework.yaml"].replace("below: lower\n", "")
    modules = built(tmp_path, framework__yaml=described)
    assert "accessory_below.py" not in modules
    assert "seed" not in modules["accessory_effective.py"]["FIELDS"][""]
    assert modules["frameworks.py"]["ABOVE"] == {}


def test_a_framework_on_the_arguments_of_another_package(tmp_path: Path) -> None:
    table = json.loads(FILES["accessory/tables/llama2-accessory.json"])
    table |= {"classes": {"Own": ["rate", "seed"]}}
    upper = {
        "openrlhf/framework.yaml": (
            "title: Upper\npackages: [upper]\nlanguage: yaml\nkinds: [pretrain]\n"
            "arguments_of: accessory/lower\n"
        ),
        "openrlhf/releases.json": FILES["accessory/releases.json"],
        "openrlhf/tables/upper.json": json.dumps(table),
        "openrlhf/tables/pretrain.json": FILES["accessory/tables/pretrain.json"],
    }
    modules = build(folder_of(tmp_path, FILES | upper))
    found = constants(modules["openrlhf_effective.py"])
    assert found["RELEASES"] == ("0.1", "0.2")
    assert found["BESIDE"] == {"1.0": "0.1", "1.1": "0.2"}
    assert found["CLASSES"] == {"Own": ["rate", "seed"]}
    # The keys of its own classes, and those of the package that they stand on.
    assert sorted(found["FIELDS"][""]) == ["rate", "seed"]
    kind = constants(modules["openrlhf_pretrain_fields.py"])["FIELDS"]
    assert sorted(kind[""]) == ["both"]


def test_rewrites(tmp_path: Path) -> None:
    row = "- {{name: {0}, view: {1}, when: {{rate: {{set: true}}}}, set: {{both: 2}}, reason: r}}\n"
    (tmp_path / "accessory").mkdir()
    kind = tmp_path / "accessory" / "pretrain-derivations.yaml"
    kind.write_text(row.format("of-kind", "effective"))
    text = "".join(row.format(view, view) for view in ("effective", "late", "both"))
    modules = built(tmp_path, derivations__yaml=text)

    def names(module: str) -> list[str]:
        return [name for name, *_ in modules[module]["DERIVATIONS"]]

    assert names("accessory_rules.py") == ["late", "both"]
    assert names("accessory_effective.py") == ["effective", "both"]
    # A kind of files has a list of its own, or else that of the framework.
    assert names("accessory_pretrain_fields.py") == ["of-kind"]
    kind.unlink()
    assert "DERIVATIONS" not in built(tmp_path)["accessory_pretrain_fields.py"]


def test_history(tmp_path: Path, plain: dict[str, Any]) -> None:
    assert "llama2_accessory_history.py" not in plain
    history = {
        "commits": ["abc", "def"],
        "releases": {
            "1.0": {"commit": "abc0", "base": "abc", "images": {"main": ["a", "b"]}, "bare": True},
            "1.1": {"commit": "def0", "base": "def"},
        },
        "ended": {"1.0.dev0": "abc"},
    }
    found = built(tmp_path, history__json=json.dumps(history))["llama2_accessory_history.py"]
    assert found == {
        "COMMITS": "abc\ndef",
        "RELEASES": {"1.0": ("abc0", "abc"), "1.1": ("def0", "def")},
        "IMAGES": {"1.0": {"main": ("a", "b")}, "1.1": {}},
        "ENDED": {"1.0.dev0": "abc"},
        "BARE_TAGS": ("1.0",),
        "DATES": {"1.0": "20260101", "1.1": "20260201"},
        "PYTHONS": {"1.1": ">=3.10"},
    }


def test_names_of_other_tools(tmp_path: Path, plain: dict[str, Any]) -> None:
    assert plain["accessory_aliases.py"]["ALIASES"] == {}
    (tmp_path / "accessory").mkdir()
    row = "- {{foreign: {0}, from: Other, to: rate}}\n"
    (tmp_path / "accessory" / "pretrain-aliases.yaml").write_text(row.format("b"))
    (tmp_path / "concepts.yaml").write_text(
        "speed: {kind: value, meaning: m, names: {transformers: [lr, both]}}\n"
    )
    modules = built(
        tmp_path, aliases__yaml=f"aliases:\n{row.format('a')}", concepts__yaml="speed: rate\n"
    )
    found = modules["accessory_aliases.py"]["ALIASES"]
    # What is a key of its own is no other tool's.
    assert {name: to for name, (_, to, *_) in found.items()} == {"a": "rate", "lr": "rate"}
    assert list(modules["accessory_pretrain_aliases.py"]["ALIASES"]) == ["b"]


def test_tables_of_no_framework(tmp_path: Path, plain: dict[str, Any]) -> None:
    assert plain["hardware.py"]["GPUS"] == {
        "h100": {"vendor": "nvidia", "also": (), "memory_gb": 80},
        "mi300": {"vendor": "amd", "also": ["mi300x"]},
    }
    ((starts, pattern, row),) = plain["models.py"]["MODELS"]
    assert (starts, pattern, unpack(row)) == (("small",), "", {"pattern": "^small", "layers": 2})
    assert plain["frameworks.py"]["ABOVE"] == {"accessory": "llama2-accessory"}
    assert list(plain["frameworks.py"]["FRAMEWORKS"]) == ["accessory"]
    assert sorted(plain["frameworks.py"]["MARKS"]) == ["accessory", "other"]
    assert plain["pythons.py"]["FLOORS"] == {"llama2-accessory": (("1.1", "3.10"),)}
    assert plain["families.py"]["FAMILIES"] == {"KEY": "Keys", "OLD": "Older names"}
    assert sorted(plain["details.py"]["DETAILS"]) == ["KEY001", "KEY002", "OLD001"]
    # What a folder does not have is empty.
    assert plain["measured.py"]["RUNS"] == []
    assert plain["shapes.py"]["SHAPES"] == {}
    assert plain["upstream.py"] == {"BYTES": 6, "FILES": {}}
    more = {
        "measured.json": '[{"gb": 1}]',
        "upstream.json": json.dumps({"Project": base64.b64encode(b"abcdef").decode()}),
        "shapes.yaml": "- {names: [small], config: {layers: 2}}\n",
    }
    found = build(folder_of(tmp_path, FILES | more))
    assert constants(found["measured.py"])["RUNS"] == [{"gb": 1}]
    assert constants(found["upstream.py"])["FILES"] == {"Project": b"abcdef"}
    assert constants(found["shapes.py"])["SHAPES"] == {"small": {"layers": 2}}


def test_what_is_generated_says_so(tmp_path: Path) -> None:
    for text in build(folder_of(tmp_path, FILES)).values():
        assert text.startswith('"""Generated from `rules/`')


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("accessory/framework.yaml", "title: 1\n"),
        ("accessory/framework.yaml", "{"),
        ("programs.yaml", "other: {title: Other, has: []}\n"),
        ("programs.yaml", "other: {title: Other, has: [[a]], text: '('}\n"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(RuleFileError, match=Path(name).name):
        build(folder_of(tmp_path, FILES | {name: text}))
