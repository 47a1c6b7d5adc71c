"""Which settings file applies to a file."""

from __future__ import annotations

import os

import pytest

from cfglint.engine.settings.nearest import Settings, SettingsError, SettingsFinder, read_settings
from cfglint.source.files.memory import InMemory
from tests.draws import each

GPUS = "[tool.cfglint]\ngpus = {}\n"


def finder(
    files: dict[str, str],
    *,
    config: str | None = None,
    isolated: bool = False,
    overrides: tuple[str, ...] = (),
) -> SettingsFinder:
    contents = {"p/.git/HEAD": "", "p/a/b/x.yml": "", **files}
    data = {path: text.encode() for path, text in contents.items()}
    return SettingsFinder(
        config=config, isolated=isolated, files=InMemory(data), overrides=overrides
    )


@each(
    ("files", "gpus", "origin"),
    [
        ({}, None, None),
        ({"p/cfglint.toml": "gpus = 1"}, 1, "p/cfglint.toml"),
        ({"p/pyproject.toml": GPUS.format(2)}, 2, "p/pyproject.toml"),
        ({"p/cfglint.toml": "gpus = 1", "p/pyproject.toml": GPUS.format(2)}, 1, "p/cfglint.toml"),
        (
            {"p/cfglint.toml": "gpus = 1", "p/a/pyproject.toml": GPUS.format(2)},
            2,
            "p/a/pyproject.toml",
        ),
        ({"p/cfglint.toml": "gpus = 1", "p/a/b/cfglint.toml": ""}, None, "p/a/b/cfglint.toml"),
        # One that says nothing of cfglint is no settings file.
        ({"p/cfglint.toml": "gpus = 1", "p/a/pyproject.toml": "[tool.x]\n"}, 1, "p/cfglint.toml"),
        ({"p/cfglint.toml": "gpus = 1", "p/a/pyproject.toml": "# cfglint\n"}, 1, "p/cfglint.toml"),
        ({"cfglint.toml": "gpus = 1"}, 1, "cfglint.toml"),
        ({"p/a/c/cfglint.toml": "gpus = 1"}, None, None),
    ],
)
def test_the_nearest_file(files: dict[str, str], gpus: int | None, origin: str | None) -> None:
    one = finder(files)
    for path in ("p/a/b/x.yml", "p/a/b/y.yml"):
        found = one.for_file(path)
        assert found.gpus == gpus
        assert found.origin == (None if origin is None else os.path.abspath(origin))
    assert finder(files, isolated=True).for_file("p/a/b/x.yml") == Settings()
    named = finder({**files, "other.toml": "gpus = 9"}, config="other.toml")
    assert named.for_file("p/a/b/x.yml").gpus == 9


@each(
    ("name", "text", "said"),
    [
        ("x.yml", "a: 1", "a training config is an argument"),
        ("x.json", "{}", "a training config is an argument"),
        ("gone.toml", None, "gone.toml: cannot be read: No such file or directory"),
        ("x.toml", "gpus = 'x'", "x.toml: "),
        ("x.toml", "gpus = ", "x.toml: "),
        ("x.toml", f"# {'x' * 1_000_000}", "x.toml: "),
    ],
)
def test_what_is_no_settings_file(name: str, text: str | None, said: str) -> None:
    files = InMemory({} if text is None else {name: text.encode()})
    with pytest.raises(SettingsError) as told:
        read_settings(name, files)
    assert said in str(told.value)


def test_a_file_without_settings_of_ours() -> None:
    files = InMemory({"pyproject.toml": b"[tool.x]\n"})
    assert read_settings("pyproject.toml", files) == Settings(origin="pyproject.toml")
    plain = Settings()
    assert (plain.preview, plain.show_fixes, plain.force_exclude) == (False, False, False)


def test_what_is_left_out_is_relative_to_the_file_that_says_so() -> None:
    one = Settings(origin="p/cfglint.toml", exclude=("/old", "*.json"))
    assert [one.excludes(path) for path in ("p/old/x.yml", "p/a/x.json", "p/a/old/x.yml")] == [
        *(True, True, False),
    ]
    assert not Settings(origin="p/cfglint.toml").excludes("p/old/x.yml")
    assert not Settings(exclude=("*",)).excludes("p/old/x.yml")
    extending = one.replaced(sources=(("exclude", "p/a/base.toml"),))
    assert [extending.excludes(path) for path in ("p/old/x.yml", "p/a/old/x.yml")] == [False, True]
    assert (extending.source("exclude"), extending.source("gpus")) == (
        "p/a/base.toml",
        "p/cfglint.toml",
    )


@each(
    ("overrides", "expected"),
    [
        (("gpus = 2",), {"gpus": 2, "gpu": "h100", "ignore": ("KEY",)}),
        (("gpus = 2", "gpu = 'a100'"), {"gpus": 2, "gpu": "a100"}),
        (("fail-on = 'never'", "ignore = []"), {"fail_on": "never", "ignore": (), "gpus": 8}),
        (("extend-select = 'DAT'",), {"extend_select": ("DAT",), "ignore": ("KEY",)}),
    ],
)
def test_single_settings_win_over_those_of_files(
    overrides: tuple[str, ...], expected: dict[str, object]
) -> None:
    text = "gpus = 8\ngpu = 'h100'\nignore = 'KEY'\n"
    for config in (None, "p/cfglint.toml"):
        given = finder({"p/cfglint.toml": text}, overrides=overrides, config=config)
        found = given.for_file("p/a/x.yml")
        assert {name: getattr(found, name) for name in expected} == expected
        named = [one.partition(" = ")[0] for one in overrides]
        assert [found.source(name) for name in named] == ["--config"] * len(named)
        others = [name for name in ("gpus", "gpu", "ignore") if name not in named]
        file = found.origin
        assert file is not None
        assert [found.source(name) for name in others] == [file] * len(others)
    alone = finder({"p/cfglint.toml": text}, isolated=True, overrides=overrides)
    assert alone.for_file("p/a/x.yml").origin is None


def test_single_settings_of_many_rules_come_first() -> None:
    text = "severity = {KEY = 'note', DAT = 'note'}\nper-file-ignores = {a = 'KEY'}\n"
    given = ("severity = {KEY = 'error'}", "per-file-ignores = {b = 'KEY'}")
    found = finder({"p/cfglint.toml": text}, overrides=given).for_file("p/x.yml")
    assert [(one.rule, one.severity) for one in found.severity] == [
        *(("KEY", "error"), ("DAT", "note")),
    ]
    assert [one.pattern for one in found.per_file_ignores] == ["b", "a"]


@each(
    ("setting", "said"),
    [
        ("fail-on = never", "texts need quotes: --config 'fail-on = \"never\"'"),
        ("ignore = [KEY, DAT]", 'texts need quotes: --config \'ignore = ["KEY", "DAT"]\''),
        ("select=KEY", "texts need quotes: --config 'select = \"KEY\"'"),
        # Quotes are not all that is missing.
        ("fail-on = nevr", "fail-on expects one of error, warning, note, never"),
        ("gpuss = two", "unknown setting 'gpuss'; did you mean 'gpus'?"),
        ("gpus = '2'", "gpus expects a whole number"),
        ("gpus", "not valid TOML"),
        ("gpus =", "not valid TOML"),
        ("gpus = 'x", "gpus expects a whole number"),
    ],
)
def test_single_settings_that_are_refused(setting: str, said: str) -> None:
    with pytest.raises(SettingsError) as told:
        finder({}, overrides=("gpus = 1", setting))
    assert str(told.value).startswith(f"--config {setting}: {said}")


@each(
    ("name", "said"),
    [
        ("gpus=2", "this command takes a settings file alone (cfglint.toml)"),
        ("gpus", "a check takes a single setting with its value: --config 'gpus = …'"),
        ("a=b.toml", "a=b.toml: cannot be read: No such file or directory"),
    ],
)
def test_a_setting_in_the_place_of_a_file(name: str, said: str) -> None:
    with pytest.raises(SettingsError) as told:
        read_settings(name, InMemory({}))
    assert said in str(told.value)
    assert ("takes a settings file alone" in str(told.value)) is ("alone" in said)


def test_a_settings_file_that_cannot_be_opened_is_passed_over() -> None:
    class Closed(InMemory):
        def read(self, path: str, limit: int, *, pipes: bool = False) -> bytes:
            if path.endswith(os.path.join("a", "cfglint.toml")):
                raise PermissionError(13, "Permission denied", path)
            return super().read(path, limit, pipes=pipes)

    files = Closed({"p/.git/HEAD": b"", "p/a/cfglint.toml": b"", "p/cfglint.toml": b"gpus = 1"})
    assert SettingsFinder(files=files).for_file("p/a/x.yml").gpus == 1
