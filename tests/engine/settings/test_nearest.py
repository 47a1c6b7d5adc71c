"""Which settings file applies to a file."""

from __future__ import annotations

import os

import pytest

from cfglint.engine.settings.nearest import Settings, SettingsError, SettingsFinder, read_settings
from cfglint.source.files.memory import InMemory
from tests.draws import each

GPUS = "[tool.cfglint]\ngpus = {}\n"


def finder(
    files: dict[str, str], *, config: str | None = None, isolated: bool = False
) -> SettingsFinder:
    contents = {"p/.git/HEAD": "", "p/a/b/x.yml": "", **files}
    data = {path: text.encode() for path, text in contents.items()}
    return SettingsFinder(config=config, isolated=isolated, files=InMemory(data))


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
