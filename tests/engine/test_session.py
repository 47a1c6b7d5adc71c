"""What the files of one run share, and which of options, settings and projects wins."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import Settings, SettingsFinder
from cfglint.knowledge.resemblance import Resemblance
from cfglint.source.files.memory import InMemory
from tests.draws import each

RULE = """\
code: ACME001
name: acme-project
summary: It is so
framework: axolotl
severity: warning
confidence: high
bites: silent
upstream: silent
when: {wandb_project: {set: true}}
at: [wandb_project]
message: It is so.
cost: nothing
why: Because.
examples: [{bad: "wandb_project: a  # <- ACME001"}, {good: "a: 1"}]
"""
FILES = {
    "p/.git/HEAD": "",
    "p/cfglint.toml": "gpus = 4\n",
    "p/rules/acme-project.yaml": RULE,
    "p/broken/cfglint.toml": "gpus = x",
    "p/run.sh": "axolotl train a.yml\nllamafactory-cli train b.yaml\n",
    "p/both.sh": "axolotl train c.yml\nllamafactory-cli train c.yml\n",
    **{f"p/{name}": "learning_rate: 1\n" for name in ("a.yml", "b.yaml", "c.yml", "d.yml")},
}


def session(
    files: dict[str, str] | None = None, *, isolated: bool = False, **options: Any
) -> Session:
    contents = {name: text.encode() for name, text in {**FILES, **(files or {})}.items()}
    finder = SettingsFinder(isolated=isolated, files=InMemory(contents))
    return Session(Options(**options), finder)


def test_the_case_of_a_file() -> None:
    one = session(select=("KEY",))
    case = one.case("axolotl", "p/a.yml")
    assert case.framework.name == "axolotl"
    assert case.target.facts["gpus"].value == 4
    assert case.selection.select == ("KEY",)
    assert len(case.around.launches) == 1
    assert case.edges is not None
    again = one.case("axolotl", "p/a.yml")
    assert again.target is case.target
    assert again.selection is case.selection
    assert again.framework is case.framework
    alone = session(isolated=True).case("axolotl", "p/a.yml")
    assert (dict(alone.target.facts), alone.around.project, alone.around.launches) == ({}, None, ())


@each(
    ("path", "name"),
    [
        ("p/a.yml", "axolotl"),
        ("p/b.yaml", "llamafactory"),
        # Commands of two frameworks start it, and of none.
        ("p/c.yml", None),
        ("p/d.yml", None),
    ],
)
def test_whose_commands_start_a_file(path: str, name: str | None) -> None:
    one = session()
    assert one.started_as(path) == name
    nothing = Resemblance(None, (), is_certain=False, program=None)
    assert one.framework_of(nothing, path) == name
    # The keys of another program's file say more than the name of it in a command.
    assert one.framework_of(nothing.replaced(program="Other"), path) is None
    assert one.framework_of(nothing, None) is None


def test_what_a_file_resembles_comes_first() -> None:
    certain = Resemblance("trl", (), is_certain=True, program=None)
    assert session().framework_of(certain, "p/a.yml") == "trl"
    assert session().framework_of(certain, None) == "trl"


@each(
    ("options", "settings", "expected"),
    [
        ({}, {}, {"select": (), "ignore": (), "confidence": None, "preview": False}),
        ({"select": ("key001",)}, {"select": ("DAT",)}, {"select": ("KEY001",)}),
        ({}, {"select": ("DAT",)}, {"select": ("DAT",)}),
        ({"select": ("all",)}, {"select": ("DAT",)}, {"select": ("ALL",)}),
        ({"ignore": ("KEY",)}, {"ignore": ("dat",)}, {"ignore": ("KEY", "DAT")}),
        (
            {"extend_select": ("KEY",)},
            {"extend_select": ("DAT",)},
            {"extend": ("KEY", "DAT"), "select": ()},
        ),
        ({"min_confidence": "low"}, {"min_confidence": "high"}, {"confidence": "low"}),
        ({}, {"min_confidence": "high"}, {"confidence": "high"}),
        ({"min_severity": "note"}, {"min_severity": "error"}, {"least": "note"}),
        ({}, {"min_severity": "error"}, {"least": "error"}),
        ({"preview": True}, {}, {"preview": True}),
        ({}, {"preview": True}, {"preview": True}),
        ({"fixable": ("KEY",), "unfixable": ("DAT",)}, {}, {"fixable": ("KEY",)}),
        ({"ignore_suppressions": True}, {}, {"unsilenced": True}),
        # Rules of other frameworks may be named: their files may be met in the same run.
        ({"ignore": ("VRL",)}, {}, {"ignore": ("VRL",)}),
    ],
)
def test_rules_that_are_switched_on(
    options: dict[str, Any], settings: dict[str, Any], expected: dict[str, Any]
) -> None:
    one = session(**options)
    found = one.selection(Settings(**settings), one.framework("axolotl"))
    assert {name: getattr(found, name) for name in expected} == expected


@each(
    ("given", "of_project", "path", "silenced"),
    [
        ((), "'old/' = 'KEY'", "p/old/a.yml", ("KEY",)),
        ((), "'old/' = 'KEY'", "p/a.yml", ()),
        ((), "'old/' = 'KEY'", None, ()),
        (("new/:dat",), "'old/' = ['KEY', 'YML']", "p/old/a.yml", ("KEY", "YML")),
        (("*.yml:dat",), "'old/' = 'KEY'", "p/old/a.yml", ("DAT", "KEY")),
        (("*.yml:dat,TYP",), "", "p/a.yml", ("DAT", "TYP")),
    ],
)
def test_rules_that_are_left_out_of_a_file(
    given: tuple[str, ...], of_project: str, path: str | None, silenced: tuple[str, ...]
) -> None:
    settings = f"per-file-ignores = {{{of_project}}}\n"
    one = session({"p/cfglint.toml": settings}, per_file_ignores=given)
    own = one.settings("p/a.yml")
    found = one.selection(own, one.framework("axolotl"), path)
    assert found.silenced == silenced


def test_severities() -> None:
    text = "extend = 'base.toml'\n[severity]\nKEY001 = 'note'\nunknown-key = 'note'\nDAT = 'note'\n"
    base = "[severity]\nKEY001 = 'error'\nyml = 'error'\n"
    one = session({"p/cfglint.toml": text, "p/base.toml": base}, severity=("dat=warning,TYP=note",))
    found = one.selection(one.settings("p/a.yml"), one.framework("axolotl"))
    assert dict(found.severities) == {
        "YML": "error", "KEY001": "note", "unknown-key": "note", "DAT": "warning", "TYP": "note",
    }  # fmt: skip
    plain = session()
    assert plain.selection(plain.settings("p/a.yml"), plain.framework("axolotl")).severities == ()


@each(
    ("options", "settings", "said"),
    [
        ({"select": ("KEY0O1",)}, {}, "unknown rule 'KEY0O1'; did you mean KEY001?"),
        ({"select": ("zzz",)}, {}, "unknown rule 'zzz'; `cfglint rules` lists codes and names"),
        ({}, {"ignore": ("zzz",)}, "p/cfglint.toml: unknown rule 'zzz'"),
        ({"per_file_ignores": ("zzz",)}, {}, "--per-file-ignores: "),
        ({"per_file_ignores": ("old/:zzz",)}, {}, "unknown rule 'zzz'"),
        ({"severity": ("zzz",)}, {}, "--severity: "),
        ({"severity": ("zzz=note",)}, {}, "unknown rule 'zzz'"),
    ],
)
def test_rules_that_there_are_not(
    options: dict[str, Any], settings: dict[str, Any], said: str
) -> None:
    one = session(**options)
    own = Settings(origin="p/cfglint.toml").replaced(**settings)
    with pytest.raises(RunError) as caught:
        one.selection(own, one.framework("axolotl"), "p/a.yml")
    assert str(caught.value).startswith(said)


def test_rules_of_a_project() -> None:
    files = {"p/cfglint.toml": "rules = 'rules'\n"}
    one = session(files, select=("ACME001",))
    with_rules = one.case("axolotl", "p/a.yml").framework
    assert [rule.code for rule in with_rules.knowledge.project_rules] == ["ACME001"]
    assert one.case("axolotl", "p/d.yml").framework is with_rules
    assert not one.framework("axolotl").knowledge.has_project_rules
    # An option may name one of them, if the settings of the current folder do.
    one.check_options("p/config.yml", "axolotl")
    with pytest.raises(RunError, match="unknown rule 'ACME001'"):
        one.check_options("config.yml", "axolotl")
    broken = session(files | {"p/rules/acme-project.yaml": "code: 1\n"})
    with pytest.raises(RunError, match="acme-project"):
        broken.case("axolotl", "p/a.yml")


@each(
    ("options", "said"),
    [
        ({"target": ("axolotl==x",)}, "'x' is not a version"),
        ({"gpus": 0}, "number of GPUs"),
        ({"gpu": "no-gpu"}, "no-gpu"),
        ({"ignore": ("zzz",)}, "unknown rule 'zzz'"),
    ],
)
def test_options_are_understood_before_any_file_is_read(options: dict[str, Any], said: str) -> None:
    session().check_options("p/config.yml", "axolotl")
    with pytest.raises(RunError, match=said):
        session(**options).check_options("p/config.yml", "axolotl")
    # What is wrong with the settings is told of the files that they are for.
    session().check_options("p/broken/config.yml", "axolotl")
    with pytest.raises(RunError, match="broken"):
        session().case("axolotl", "p/broken/config.yml")


def test_schemas_for_some_files() -> None:
    text = (
        "[[schemas]]\nschema = 's.json'\nfiles = 'a.yml'\n"
        "[[schemas]]\nschema = 't.json'\nframework = 'trl'\n[[schemas]]\nschema = 's.json'\n"
    )
    files = {"p/cfglint.toml": text, "p/s.json": "{}", "p/t.json": "{}"}

    def names(one: Session, framework: str, path: str) -> list[str]:
        return [schema.name for schema in one.case(framework, path).around.schemas]

    one = session(files)
    assert len(names(one, "axolotl", "p/a.yml")) == 2
    assert len(names(one, "axolotl", "p/d.yml")) == 1
    assert len(names(one, "trl", "p/d.yml")) == 2
    assert one.environment(one.framework("axolotl"), one.settings("p/a.yml"))[1].schemas == ()
    with pytest.raises(RunError, match=r"s\.json"):
        session(files | {"p/s.json": "{"}).case("axolotl", "p/a.yml")


def test_the_same_over_other_files() -> None:
    one = session(gpu="h100")
    texts = {**FILES, "p/run.sh": "axolotl train d.yml\n"}
    over = one.over(InMemory({name: text.encode() for name, text in texts.items()}))
    assert over.options is one.options
    assert [over.started_as(f"p/{name}") for name in ("a.yml", "d.yml")] == [None, "axolotl"]
    assert one.started_as("p/a.yml") == "axolotl"
    alone = session(isolated=True)
    assert alone.over(alone.files).case("axolotl", "p/a.yml").around.project is None
