"""The release reader, on small source trees made up for these tests."""

from __future__ import annotations

import io
import json
import tarfile
import textwrap
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from tools.axolotl_release import pins
from tools.axolotl_release.cli import main
from tools.axolotl_release.keys import NoRootModelError, read_keys
from tools.axolotl_release.sources import Release, UnreadableReleaseError, read_release
from tools.python_sources import table
from tools.python_sources.facts import KeyFacts, ReleaseKeys

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = "axolotl/utils/schemas/config.py"
PLUGIN_BASE = "axolotl/integrations/base.py"


def release(files: dict[str, str], version: str = "1.0") -> Release:
    """A release from file texts, packages being the folders that hold an ``__init__``."""
    modules: dict[str, str] = {}
    packages: set[str] = set()
    packaging: dict[str, str] = {}
    for name, indented in files.items():
        text = textwrap.dedent(indented)
        if not name.endswith(".py") or "/" not in name:
            packaging[name] = text
            continue
        dotted = name.removesuffix(".py").replace("/", ".")
        if dotted.endswith(".__init__"):
            dotted = dotted.removesuffix(".__init__")
            packages.add(dotted)
        modules[dotted] = text
    return Release(version, modules, frozenset(packages), packaging)


def read(schema: str, version: str = "1.0", **more: str) -> ReleaseKeys:
    """The keys of a release whose schema module is ``schema``."""
    files = {SCHEMA: schema, **{name.replace("__", "/") + ".py": t for name, t in more.items()}}
    return read_keys(release(files, version))


def one_field(annotation: str, value: str = "", before: str = "") -> KeyFacts:
    """The facts of a single field ``size`` with this annotation and value."""
    assignment = f" = {value}" if value else ""
    lines = [*before.splitlines(), "class AxolotlInputConfig(BaseModel):"]
    lines.append(f"    size: {annotation}{assignment}")
    return read("\n".join(lines)).keys["size"]


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("int", "int"),
        ("int | None", "int|null"),
        ("Optional[Union[str, int]]", "int|str|null"),
        ("'float | None'", "float|null"),
        ("dict[str, Any]", "dict<str,any>"),
        ("Dict[str, List[int]] | None", "dict<str,list<int>>|null"),
        ("dict", "dict<any,any>"),
        ("Any", "any"),
        ("Any | str | None", "any|null"),
        ("list[tuple[int, int]]", "list<tuple<int,int>>"),
        ("Literal['a', 'b'] | bool | None", "bool|literal|null"),
        ("conlist(str, min_length=1)", "list<str>"),
        ("Annotated[list[str], MinLen(1)] | None", "list<str>|null"),
        ("PositiveInt", "int"),
    ],
)
def test_types_have_one_spelling(annotation: str, expected: str) -> None:
    assert one_field(annotation).type == expected


def test_types_of_other_packages_keep_their_path() -> None:
    facts = one_field("Shade | None", before="from palette.colors import Shade")
    assert facts.type == "ext:palette.colors.Shade|null"


def test_type_aliases_are_followed() -> None:
    assert one_field("Amount", before="Amount = int | float").type == "float|int"


def test_literals_and_enums_are_closed_lists() -> None:
    facts = one_field("Literal['x', 'y'] | Mood | None", before=MOODS)
    assert facts.enum == ["calm", "wild", "x", "y"]


MOODS = """
class Mood(str, Enum):
    CALM = "calm"
    WILD = "wild"
"""


@pytest.mark.parametrize(
    ("annotation", "value", "default", "required"),
    [
        ("int", "", None, True),
        ("int | None", "", None, True),
        ("int", "3", 3, False),
        ("int", "Field(...)", None, True),
        ("int", "Field(default=1 << 4)", 16, False),
        ("int", "Field(7, ge=0)", 7, False),
        ("list[str]", "Field(default_factory=list)", [], False),
        ("list[str]", "Field(default_factory=lambda: ['a'])", ["a"], False),
        ("float", "-0.5", -0.5, False),
        ("Annotated[int, Field(default=4)]", "", 4, False),
        ("str", "Field(description='no default')", None, True),
        ("int", "count()", {"computed_from": ["machine.count"]}, False),
    ],
)
def test_defaults(annotation: str, value: str, default: Any, required: bool) -> None:
    facts = one_field(annotation, value, before="from machine import count")
    assert (facts.default, facts.required) == (default, required)


def test_defaults_come_from_enums_constants_and_other_modules() -> None:
    found = read(
        """
        from axolotl.numbers import WIDTHS
        from axolotl.moods import Mood

        class AxolotlInputConfig(BaseModel):
            OWN: ClassVar[int] = int(WIDTHS["wide"])
            mood: Mood = Mood.CALM
            width: int = Field(default=OWN)
        """,
        axolotl__numbers='WIDTHS = {"wide": 9.0}',
        axolotl__moods=MOODS,
    )
    assert found.keys["mood"].default == "calm"
    assert found.keys["width"].default == 9
    assert "OWN" not in found.keys


def test_limits_are_kept_apart_for_items() -> None:
    assert one_field("int", "Field(ge=1, le=9)").constraints == {"ge": 1, "le": 9}
    assert one_field("dict[str, PositiveInt]").constraints == {"items": {"gt": 0}}
    assert one_field("conlist(int, min_items=2)").constraints == {"min_length": 2}
    text = "Annotated[str, StringConstraints(pattern='^a')]"
    assert one_field(text).constraints == {"pattern": "^a"}


def test_the_nearest_class_wins() -> None:
    found = read(
        """
        class Root(BaseModel):
            a: int = 0
            b: int = 0

        class Left(Root):
            a: int = 1

        class Right(Root):
            a: int = 2
            b: int = 2

        class AxolotlInputConfig(Left, Right):
            c: int = 3
        """
    )
    assert {key: facts.default for key, facts in found.keys.items()} == {"a": 1, "b": 2, "c": 3}


def test_sections_lists_and_dicts_of_models() -> None:
    found = read(
        """
        class Wheel(BaseModel):
            model_config = ConfigDict(extra="forbid")
            size: int = 1

        class Box(BaseModel):
            wheel: Wheel | None = None

        class AxolotlInputConfig(BaseModel):
            box: Box = Field(default_factory=lambda: Box())
            wheels: list[Wheel] | None = None
            named: dict[str, Wheel] | None = None
        """
    )
    assert set(found.keys) == {
        "box",
        "box.wheel",
        "box.wheel.size",
        "wheels",
        "wheels[].size",
        "named",
        "named.*.size",
    }
    assert found.keys["box"].default == {}
    assert found.forbidding == {
        "": False,
        "box": False,
        "box.wheel": True,
        "wheels[]": True,
        "named.*": True,
    }


def test_alternative_models_share_a_section() -> None:
    found = read(
        """
        class Plain(BaseModel):
            path: str | None = None
            name: str | None = None

        class Paired(BaseModel):
            path: str | None = None
            chosen: int = 0

        class AxolotlInputConfig(BaseModel):
            data: list[Plain | Paired] | None = None
        """
    )
    assert found.keys["data"].type == "list<model:Paired|model:Plain>|null"
    assert found.keys["data[].path"].models == []
    assert found.keys["data[].chosen"].models == ["Paired"]


def test_a_model_inside_itself_ends() -> None:
    found = read(
        """
        class Tree(BaseModel):
            leaf: int = 0
            more: "Tree | None" = None

        class AxolotlInputConfig(BaseModel):
            tree: Tree | None = None
        """
    )
    assert set(found.keys) == {"tree", "tree.leaf", "tree.more"}


def test_aliases() -> None:
    found = read(
        """
        class Section(BaseModel):
            version_: int | None = Field(default=None, alias="version")
            kind: int | None = Field(validation_alias=AliasChoices("kind", "sort"), default=None)

        class AxolotlInputConfig(BaseModel):
            model_config = {"populate_by_name": True}
            extras_of: dict[str, Any] | None = Field(default=None, alias="extras")
            section: Section | None = None
        """
    )
    assert found.keys["extras_of"].alias == ["extras"]
    assert found.keys["section.version"].alias == []
    assert "section.version_" not in found.keys
    assert found.keys["section.kind"].alias == ["sort"]


def test_deprecations_and_early_validators() -> None:
    found = read(
        """
        class AxolotlInputConfig(BaseModel):
            newer: int | None = None
            old: int | None = Field(default=None, deprecated="take `newer`")
            older: int | None = None
            oldest: int | None = None
            free: str | None = None
            kind: str | None = None

            @field_validator("older")
            @classmethod
            def refuse(cls, value):
                raise DeprecationWarning("`older` (once handy) is no longer supported")

            @field_validator("free", mode="before")
            @classmethod
            def tidy(cls, value):
                return value

            @field_validator("kind")
            @classmethod
            def no_old_kind(cls, value):
                LOG.warning("`kind: x` is deprecated")
                return value

            @model_validator(mode="before")
            @classmethod
            def look(cls, data):
                LOG.warning("the 'oldest' argument is deprecated, write newer")
                return data
        """
    )
    deprecated = {key for key, facts in found.keys.items() if facts.deprecated}
    assert deprecated == {"old", "older", "oldest"}
    assert found.keys["old"].mentions == ["newer"]
    assert found.keys["oldest"].mentions == ["newer"]
    assert [key for key, facts in found.keys.items() if facts.coerced] == ["free"]


PLUGIN_FILES = {
    SCHEMA: """
        class AxolotlInputConfig(BaseModel):
            shared: int | None = None
    """,
    PLUGIN_BASE: 'class BasePlugin: ...\nBUILTIN_PLUGINS = ("axolotl.integrations.on.OnPlugin",)',
    "axolotl/integrations/on/__init__.py": """
        def __getattr__(name):
            from .plugin import OnPlugin
            return OnPlugin
    """,
    "axolotl/integrations/on/plugin.py": """
        from axolotl.integrations.base import BasePlugin
        class OnPlugin(BasePlugin):
            def get_input_args(self):
                return "axolotl.integrations.on.args.OnArgs"
    """,
    "axolotl/integrations/on/args.py": """
        class OnArgs(BaseModel):
            shared: str = "core wins"
            own: int = 1
    """,
    "axolotl/integrations/lazy/__init__.py": '_TABLE = {"LazyPlugin": ".deep"}',
    "axolotl/integrations/lazy/deep.py": """
        from axolotl.integrations.base import BasePlugin
        class LazyPlugin(BasePlugin):
            pass
    """,
}


def test_plugins() -> None:
    points = "[axolotl.plugins]\nlazy = axolotl.integrations.lazy:LazyPlugin\n"
    found = read_keys(release({**PLUGIN_FILES, "entry_points.txt": points}))
    assert set(found.plugins) == {
        "axolotl.integrations.on.OnPlugin",
        "axolotl.integrations.lazy.LazyPlugin",
    }
    on = found.plugins["axolotl.integrations.on.OnPlugin"]
    assert on.also == ["axolotl.integrations.on.plugin.OnPlugin"]
    assert on.builtin
    assert found.plugins["axolotl.integrations.lazy.LazyPlugin"].builtin
    assert found.keys["own"].plugin == "axolotl.integrations.on.OnPlugin"
    assert found.keys["shared"].plugin is None
    assert found.keys["shared"].type == "int|null"


def test_the_schema_is_found_wherever_it_lives() -> None:
    files = {
        "axolotl/utils/config/models/input/v0_4_1/__init__.py": "class AxolotlInputConfig:\n  a: int = 1"
    }
    assert set(read_keys(release(files)).keys) == {"a"}
    with pytest.raises(NoRootModelError):
        read_keys(release({"axolotl/__init__.py": ""}))


def test_code_that_cannot_be_parsed_does_no_harm() -> None:
    found = read("class AxolotlInputConfig(BaseModel):\n    a: int = 1", axolotl__broken="def (:")
    assert set(found.keys) == {"a"}


def _history() -> list[ReleaseKeys]:
    first = """
        class AxolotlInputConfig(BaseModel):
            gone: int | None = None
            mood: Literal["calm", "wild"] = "calm"
            flips: int = 1
    """
    second = """
        class AxolotlInputConfig(BaseModel):
            mood: Literal["calm", "gay"] | None = None
            flips: bool = True
            fresh: str | None = Field(default=None, alias="crisp")
    """
    third = """
        class Section(BaseModel):
            model_config = ConfigDict(extra="forbid")
            a: int = 1

        class AxolotlInputConfig(BaseModel):
            mood: Literal["calm", "gay"] | None = None
            flips: bool = Field(default=True, deprecated=True)
            fresh: Section | None = None
    """
    return [read(first, "0.9"), read(second, "0.10"), read(third, "0.10.post1")]


def _folded(order: list[int]) -> dict[str, Any]:
    history = table.Table()
    releases = _history()
    for position in order:
        table.merge(history, releases[position])
    return table.fold(history, {}, "axolotl")


def test_the_history_says_what_changed() -> None:
    folded = _folded([0, 1, 2])
    assert folded["releases"] == ["0.9", "0.10", "0.10.post1"]
    keys = folded["keys"]
    assert keys["gone"] == {"since": "0.9", "removed": "0.10", "type": "int|null"}
    assert keys["mood"]["types"] == [["0.9", "literal"], ["0.10", "literal|null"]]
    assert keys["mood"]["enums"] == [
        ["0.9", ["calm", "wild"]],
        ["0.10", {"add": ["gay"], "drop": ["wild"]}],
    ]
    assert keys["mood"]["defaults"] == [["0.9", "calm"], ["0.10", None]]
    assert "default" not in keys["mood"]
    assert keys["flips"]["defaults"] == [["0.9", 1], ["0.10", True]]
    assert keys["flips"]["deprecated"] == "0.10.post1"
    assert keys["fresh.a"]["since"] == "0.10.post1"
    assert folded["sections"]["fresh"] == {
        "since": "0.10.post1",
        "forbids_unknown_since": "0.10.post1",
    }


@pytest.mark.parametrize("order", [[2, 1, 0], [1, 0, 2], [0, 1, 2, 1], [2, 2, 0, 1, 0]])
def test_order_and_repetition_do_not_matter(order: list[int]) -> None:
    assert table.dump(_folded(order)) == table.dump(_folded([0, 1, 2]))


def test_a_table_on_disk_can_be_continued(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    for one in reversed(_history()):
        history = table.load(path)
        table.merge(history, one)
        path.write_text(table.dump(table.fold(history, {}, "axolotl")), encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == _folded([0, 1, 2])


def test_a_key_may_be_absent_for_a_while() -> None:
    history = table.Table()
    for version, body in (("1", "a: int = 1"), ("2", "b: int = 1"), ("3", "a: int = 1")):
        table.merge(history, read(f"class AxolotlInputConfig(M):\n    {body}", version))
    folded = table.fold(history, {}, "axolotl")
    assert folded["keys"]["a"]["absent"] == ["2"]
    assert folded["keys"]["b"]["removed"] == "3"


def test_a_name_that_became_an_alias_is_not_gone() -> None:
    history = table.Table()
    bodies = ("a: int = 1", 'b: int = Field(default=1, alias="a")', "b: int = 1")
    config = 'class AxolotlInputConfig(M):\n    model_config = {"populate_by_name": True}\n    '
    for version, body in zip("12", bodies, strict=False):
        table.merge(history, read(config + body, version))
    keys = table.fold(history, {}, "axolotl")["keys"]
    assert keys["a"] == {
        "since": "1",
        "type": "int",
        "default": 1,
        "alias_of": "b",
        "alias_since": "2",
    }
    table.merge(history, read(config + bodies[2], "3"))
    assert table.fold(history, {}, "axolotl")["keys"]["a"]["removed"] == "2"


def test_reviewed_facts_are_added_last() -> None:
    history = table.Table()
    table.merge(history, _history()[0])
    folded = table.fold(
        history, {"keys": {"gone": {"rename": "mood"}, "unknown": {"rename": "x"}}}, "axolotl"
    )
    assert folded["keys"]["gone"]["rename"] == "mood"
    assert "unknown" not in folded["keys"]


def test_reviewed_facts_hold_for_a_release_that_is_read_later(tmp_path: Path) -> None:
    reviewed = {
        "keys": {
            "size": {"type": "int|null"},
            "mood": {"coerced_history": [["1", False], ["2", True]], "rename": "x"},
        }
    }
    config = "class AxolotlInputConfig(M):\n    mood: str = 'calm'\n    size: "
    releases = [
        read(config + kind, str(n)) for n, kind in enumerate(("int | None", "int", "int"), 1)
    ]
    path = tmp_path / "table.json"
    for some in (releases[:2], releases[2:]):
        history = table.load(path)
        for release in some:
            table.merge(history, release)
        path.write_text(table.dump(table.fold(history, reviewed, "axolotl")), encoding="utf-8")
    keys = json.loads(path.read_text(encoding="utf-8"))["keys"]
    assert keys["size"] == {"since": "1", "type": "int|null", "required": True}
    assert keys["mood"]["coerced"] is True
    at_once = table.Table()
    for release in releases:
        table.merge(at_once, release)
    assert table.dump(table.fold(at_once, reviewed, "axolotl")) == path.read_text(encoding="utf-8")


def test_the_table_has_a_line_for_each_key() -> None:
    folded = _folded([0, 1, 2])
    lines = table.dump(folded).partition(' "keys": {')[2].splitlines()
    for key in folded["keys"]:
        assert sum(line.startswith(f'  "{key}": {{"since"') for line in lines) == 1


def _archives(folder: Path) -> list[Path]:
    files = {
        "src/axolotl/__init__.py": "",
        "src/axolotl/utils/schemas/config.py": "class AxolotlInputConfig(M):\n    a: int = 1\n",
        "PKG-INFO": "Name: axolotl\nVersion: 3.1\n",
    }
    tar = folder / "axolotl-3.1.tar.gz"
    with tarfile.open(tar, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"axolotl-3.1/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    wheel = folder / "axolotl-3.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        for name, text in files.items():
            packed.writestr(name.removeprefix("src/"), text)
    tree = folder / "axolotl-3.1"
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")
    return [tar, wheel, tree]


def test_wheels_archives_and_folders_read_alike(tmp_path: Path) -> None:
    for path in _archives(tmp_path):
        found = read_release(path)
        assert found.version == "3.1"
        assert set(read_keys(found).keys) == {"a"}
    assert read_release(tmp_path / "axolotl-3.1", "9").version == "9"


def test_what_holds_no_release_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "axolotl-1-py3-none-any.whl"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("axolotl-1.dist-info/METADATA", "Version: 1\n")
    with pytest.raises(UnreadableReleaseError):
        read_release(empty)
    with pytest.raises(UnreadableReleaseError):
        read_release(tmp_path / "notes.txt")
    assert main(["keys", "--wheel", str(empty), "--table", str(tmp_path / "keys.json")]) == 2
    assert not (tmp_path / "keys.json").exists()


def test_the_command_writes_both_tables(tmp_path: Path) -> None:
    tar = _archives(tmp_path)[0]
    keys, releases = tmp_path / "keys.json", tmp_path / "releases.json"
    assert main(["keys", "--wheel", str(tar), "--table", str(keys)]) == 0
    assert main(["keys", "--wheel", f"3.0={tar}", "--table", str(keys)]) == 0
    written = json.loads(keys.read_text(encoding="utf-8"))
    assert written["releases"] == ["3.0", "3.1"]
    dated = ["--date", "3.1=2030-01-02"]
    assert main(["pins", "--wheel", str(tar), "--table", str(releases), *dated]) == 0
    assert main(["pins", "--wheel", str(tar), "--table", str(releases)]) == 0
    assert json.loads(releases.read_text(encoding="utf-8")) == {
        "newest": "3.1",
        "releases": {"3.1": {"date": "2030-01-02", "pins": {}}},
    }


def test_pins_of_a_wheel() -> None:
    metadata = """\
Name: axolotl
Version: 1
Requires-Python: >=3.12
Requires-Dist: torch<=2.9,>=2.8; sys_platform == 'linux'
Requires-Dist: torch==2.2; sys_platform == 'darwin'
Requires-Dist: trl==1.0
Requires-Dist: peft
Requires-Dist: Flash_Attn==2.8.3; extra == 'flash-attn'
Requires-Dist: deepspeed==0.1; extra == 'everything'
"""
    found = pins.read_pins(release({"METADATA": metadata}))
    assert found == {
        "python": ">=3.12",
        "pins": {"torch": ">=2.8,<=2.9", "trl": "==1.0", "flash-attn": "==2.8.3"},
    }


def test_pins_of_a_source_archive() -> None:
    files = {
        "requirements.txt": "trl==1.0  # newest\n--extra-index-url x\ndeepspeed==9\npeft>=0.1\n",
        "setup.py": """
            extras = {"deepspeed": ["deepspeed==0.5"], "vllm": ["vllm==1"]}
            extras["vllm"] = ["vllm==2"]
        """,
        "PKG-INFO": "Version: 1\nRequires-Dist: torch==2.3.1\n",
        "pyproject.toml": '[project]\nrequires-python = ">=3.10"\n',
    }
    assert pins.read_pins(release(files)) == {
        "python": ">=3.10",
        "pins": {"trl": "==1.0", "peft": ">=0.1", "deepspeed": "==0.5"},
    }
