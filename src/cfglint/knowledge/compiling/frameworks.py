"""Compiles `framework.yaml` of every framework, and `packages.yaml`, into one small module.

It is what a run loads before it knows which framework a file is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, ValidationError

from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.marks_model import MarksModel
from cfglint.knowledge.compiling.model import Model


class Sign(Model):
    """One way to tell a file of this framework: so many of its keys at the top level."""

    has: list[str] = Field(default_factory=list, description="Keys that all have to be present.")
    own: Annotated[int, Field(ge=0)] = 0
    all: Annotated[int, Field(ge=0)] = 0


class Recognized(Model):
    """The keys at the top level that tell a framework's files from others."""

    own: list[str] = Field(default_factory=list, description="Keys of this framework alone.")
    shared: list[str] = Field(default_factory=list, description="Keys that few others have.")
    when: list[Sign] = Field(min_length=1, description="Any of these is enough.")
    named: list[Sign] = Field(
        default_factory=lambda: [Sign(own=1)],
        description="Any of these is enough for a file that is named, if most of its keys are known.",
    )
    never: list[str] = Field(
        default_factory=list, description="With any of these, the file is not one."
    )


class OtherProgram(Model):
    """A program that is not a framework of cfglint, and whose files look like those of one."""

    title: str
    has: list[list[str]] = Field(min_length=1, description="All keys of any of these lists.")
    text: str = Field("", description="A regular expression for a text that is certainly its.")


class ChoiceModel(Model):
    """Words of a key that choose the class of an entry."""

    key: str = Field(description="A key at the top level, or of the entry.")
    in_entry: bool = False
    words: dict[str, str] = Field(description="Each with the release since when it does.")
    becomes: str


class ChosenModel(Model):
    """How the class of an entry is chosen whatever its keys."""

    since: str
    by: list[ChoiceModel] = Field(description="The first one that holds decides.")
    otherwise: str


class EntryClassesModel(Model):
    """The classes that the entries of a list may be of, and which of them one is."""

    classes: dict[str, str] = Field(
        description="Class, in the order of the schema's union -> the release that it came with; empty for any."
    )
    below: dict[str, dict[str, str]] = Field(
        default_factory=dict,
        description="A section of an entry -> class of the entry -> class of the section.",
    )
    chosen: ChosenModel | None = None


class NamedFileModel(Model):
    """A file that a framework itself looks for by its name."""

    kind: str = Field(description="The kind of its files that it is.")
    never: list[str] = Field(
        default_factory=list,
        description="Keys of other programs' files of that name, anywhere in them.",
    )


class OtherClassModel(Model):
    """A class that has no table of its own, as it configures no run."""

    always: list[str] = Field(
        default_factory=list, description="The fields that it has in every release."
    )
    since: dict[str, str] = Field(
        default_factory=dict, description="Field -> the first release that has it."
    )
    until: dict[str, str] = Field(
        default_factory=dict, description="Field -> the first release without it."
    )


class OffersModel(Model):
    """What an editor offers for keys whose values no schema lists."""

    models: list[str] = Field(
        default_factory=list,
        description="Keys that name a model; the first is the one that is trained.",
    )
    modules: list[str] = Field(
        default_factory=list, description="Keys that name modules of the model that is trained."
    )
    files: dict[str, list[str]] = Field(
        default_factory=dict,
        description="Key that names a file -> how the names of such files end, or whose files they are.",
    )
    names: dict[str, list[str]] = Field(
        default_factory=dict, description="Key -> names that the framework's own repository has."
    )
    alike: dict[str, str] = Field(
        default_factory=dict,
        description="List at the top level -> the one whose entries take the same values.",
    )


class Documented(Model):
    """What the README and the guides show of a framework.

    `python -m tools.framework_pages` writes it there.
    """

    project: str = Field(description="The address of its project.", pattern="^https://")
    files: str = Field(description="What its files are, as Markdown.")
    recognized_by: str = Field(description="How its files are recognized, as Markdown.")


class FrameworkModel(Model):
    """`framework.yaml`: what is known about a framework before one of its files is met."""

    title: str
    packages: list[str] = Field(min_length=1)
    language: Literal["yaml", "omegaconf", "json", "shell", "python"]
    scripts: bool = Field(
        False,
        description="A shell script whose commands start it with options (`started_by`) is a file of it, too.",
    )
    fallback: bool = Field(
        False,
        description="It handles files of its language that are named explicitly but not recognized.",
    )
    named_by_others: bool = Field(False, description="Files of other frameworks name its files.")
    below: str = Field(
        "", description="A package whose keys its files have in addition to its own."
    )
    arguments_of: str = Field(
        "",
        description="`FOLDER/PACKAGE`: the table of a package whose classes its own stand on, which tells"
        " their types and defaults release by release. Its own table has the keys, too.",
    )
    kinds: list[str] = Field(
        default_factory=list, description="Kinds of its files, each with a key table."
    )
    parsers: dict[str, str] = Field(
        default_factory=dict,
        description="A parser by which programs of people's own let options replace what a file says -> the option that"
        " names the file; empty where it is the first argument.",
    )
    filled_classes: dict[str, str] = Field(
        default_factory=dict,
        description="The full name of a class that programs call, too -> the kind of files whose keys fill it.",
    )
    other_classes: dict[str, OtherClassModel] = Field(
        default_factory=dict,
        description="The full name of a class that keys of its files fill besides -> its fields.",
    )
    rules_of_kinds: dict[str, str] = Field(
        default_factory=dict,
        description="Kind -> the prefix of the rules for its files alone; of the others they get those of"
        " checks in code. The kind `call` is all classes that programs call and that do not configure a run.",
    )
    named_files: dict[str, NamedFileModel] = Field(
        default_factory=dict,
        description="Name -> a JSON file that the framework itself looks for by this name. Its kind is"
        " decided by the name, and its rules are the checks in code alone.",
    )
    of_sections: bool = Field(
        False, description="Its files have no keys: all there is to check is in their sections."
    )
    plugins_key: str = Field("", description="The key that lists plugins, which read further keys.")
    essential: list[str] = Field(
        default_factory=list,
        description="Keys, at least one of which is in every file of its own; without them, many settings under"
        " the names of other tools mean that the file is another program's.",
    )
    basics: list[str] = Field(
        default_factory=list,
        description="What most files of its own set, the most basic first: the keys that a short list of keys begins with.",
    )
    in_all_runs: bool = Field(
        False,
        description="A finding counts if it is in the run of every command that starts the file, not of any one.",
    )
    null_is_default: bool = Field(
        False,
        description="Its files are mostly read by programs of people's own, for which null is the default:"
        " an unknown key without a value is a note.",
    )
    rules_of_all_releases: list[str] = Field(
        default_factory=list,
        description="The names of its own rules that hold for whatever release, and for a fork.",
    )
    entry_classes: dict[str, EntryClassesModel] = Field(
        default_factory=dict,
        description="The section of a list whose entries may be of several classes -> these classes.",
    )
    spread_by: list[str] = Field(
        default_factory=list, description="Keys each of which requests work shared between GPUs."
    )
    offers: OffersModel = OffersModel()
    recognized: Recognized | None = None
    marks: MarksModel = MarksModel()
    families: dict[Annotated[str, Field(pattern="^[A-Z]{3}$")], str] = Field(
        default_factory=dict,
        description="The titles of the families of rules that only this framework has.",
    )
    documented: Documented | None = Field(
        None, description="Left out while the framework is not in the README and the guides."
    )
    no_upkeep: str = Field(
        "",
        description="Why there is no `tools/NAME_release/upkeep.py`, which reads new releases into the tables.",
    )


#: What a run needs of a framework before its package is imported.
_OF_RUNS = (
    *("title", "packages", "language", "named_by_others", "kinds", "rules_of_kinds"),
    *("of_sections", "plugins_key", "scripts", "spread_by", "named_files", "offers"),
    *("parsers", "filled_classes", "other_classes", "entry_classes"),
    *("essential", "basics", "in_all_runs", "null_is_default", "rules_of_all_releases"),
)


def has_package(name: str) -> bool:
    """Whether there is code for a framework, so that its files can be checked."""
    return find_spec(f"cfglint.frameworks.{name}") is not None


def described(home: Path) -> dict[str, Any]:
    """The checked contents of a framework's `framework.yaml`.

    Raises:
        RuleFileError: it is malformed.
    """
    path = home / "framework.yaml"
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        return FrameworkModel.model_validate(data).model_dump(exclude_none=True)
    except (yaml.YAMLError, ValidationError) as error:
        raise RuleFileError(f"{path}: {error}") from None


def compiled(folder: Path, homes: list[Path]) -> dict[str, Any]:
    """The constants of the generated module `frameworks`."""
    rows = {home.name: described(home) for home in homes}
    checked = {home.name: rows[home.name] for home in homes if has_package(home.name)}
    packages = yaml.safe_load((folder / "packages.yaml").read_text(encoding="utf-8"))
    return {
        "FRAMEWORKS": {
            name: {part: _constant(row[part]) for part in _OF_RUNS} for name, row in checked.items()
        },
        "FALLBACKS": {row["language"]: name for name, row in checked.items() if row["fallback"]},
        "ABOVE": {name: row["packages"][0] for name, row in checked.items() if row["below"]},
        "NAMED_FILES": {
            file: (name, frozenset(one["never"]))
            for name, row in checked.items()
            for file, one in row["named_files"].items()
        },
        "RECOGNIZED": {
            name: _recognized(row["recognized"])
            for name, row in checked.items()
            if "recognized" in row
        },
        "PROGRAMS": tuple(_programs(folder / "programs.yaml")),
        "MARKS": {
            name: {"package": row["packages"][0], **_constant(row["marks"])}
            for name, row in rows.items()
        },
        **{name.upper(): tuple(members) for name, members in packages.items()},
        **{
            name.upper(): _with_own(packages[name], checked.values())
            for name in ("asked", "of_training", "telling_words")
        },
    }


def _with_own(members: list[str], frameworks: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    """Packages, and those of every framework that are not among them.

    The packages whose classes programs call say nothing by themselves: transformers is in most projects.
    """
    own = (package for row in frameworks if not row["of_sections"] for package in row["packages"])
    return tuple(dict.fromkeys((*members, *own)))


def _recognized(row: dict[str, Any]) -> tuple[Any, ...]:
    """(own keys, all keys, signs, keys of others, signs of named files) as sets and tuples."""
    own = frozenset(row["own"])
    signs, named = (
        tuple((frozenset(sign["has"]), sign["own"], sign["all"]) for sign in row[kind])
        for kind in ("when", "named")
    )
    return own, own | frozenset(row["shared"]), signs, frozenset(row["never"]), named


def _programs(path: Path) -> Iterator[tuple[Any, ...]]:
    """(title, sets of keys, regular expression) of the other programs.

    Raises:
        RuleFileError: the file is malformed.
    """
    try:
        rows = yaml.safe_load(path.read_text(encoding="utf-8"))
        programs = [OtherProgram.model_validate(row) for row in rows.values()]
        for one in programs:
            re.compile(one.text)
    except (yaml.YAMLError, ValidationError, re.error) as error:
        raise RuleFileError(f"{path}: {error}") from None
    for one in programs:
        yield one.title, tuple(map(frozenset, one.has)), one.text


def _constant(value: Any) -> Any:
    """The same with tuples for lists."""
    if isinstance(value, dict):
        return {key: _constant(item) for key, item in value.items()}
    return tuple(map(_constant, value)) if isinstance(value, list) else value
