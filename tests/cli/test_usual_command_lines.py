"""The usual command lines are read without click, and mean what click takes them for."""

from __future__ import annotations

from typing import Any

import click
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cfglint.cli import check as as_click_sees_it
from cfglint.cli.options import OPTIONS, CheckOptions, Option, read
from tests.draws import each, examples

VALUES = st.one_of(
    st.sampled_from(
        [
            *["", "-", "--", "8", "0", "-1", "08", "1_0", " 8", "json", "JSON", "error", "never"],
            *[
                "axolotl==0.18.0",
                "A,B",
                "a b",
                ",",
                "x.yml",
                ".",
                "/",
                "--fix",
                "-h",
                "٣",
                "9" * 30,
            ],
        ]
    ),
    # No process is started with a NUL in its arguments, nor with half a character.
    st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=4),
)
ARGUMENTS = st.one_of(
    st.sampled_from([option.flag for option in OPTIONS]),
    st.builds("{}={}".format, st.sampled_from([option.flag for option in OPTIONS]), VALUES),
    st.sampled_from(
        ["train.yml", "configs", "-", "--", "-x", "--fixx", "--help", "-h", "=", "a=b"]
    ),
    VALUES,
)


def by_click(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """What click gives the check, or the exit code with which it stops before."""
    got: list[Any] = []

    def check(paths: tuple[str, ...], options: CheckOptions) -> int:
        got.append((paths, options))
        return 0

    monkeypatch.setattr(as_click_sees_it, "check", check)
    try:
        as_click_sees_it.command.main(args=list(arguments), standalone_mode=False)
    except click.exceptions.Exit:
        pass
    except click.ClickException as error:
        return error.exit_code
    return got[0] if got else 0


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(ARGUMENTS, max_size=6))
@example(["x.yml", "--select", "A,B", "--select=C", "--gpus", "8", "--fix"])
@example(["x.yml", "--gpus", "1_0"])
@example(["x.yml", "--output", "."])
@example(["--target", "--fix"])
def test_same_as_click(arguments: list[str]) -> None:
    usual = read(arguments)
    if usual is not None:
        with pytest.MonkeyPatch.context() as patch:
            assert usual == by_click(arguments, patch), arguments


@pytest.mark.parametrize(
    "arguments",
    [
        ["x.yml"],
        ["."],
        ["-", "--stdin-filename", "x.yml"],
        ["a.yml", "b.yml", "--fix", "--unsafe-fixes", "--diff"],
        ["--target", "axolotl==0.18.0,trl==0.15.1", "x.yml", "--gpus=8", "--gpu", "h100"],
        ["x.yml", "--format", "json", "--fail-on", "note", "--select", "KEY", "--ignore=YML021"],
        ["x.yml", "--fail-on", "info"],
        ["x.yml", "--statistics", "--isolated", "--detect", "--color", "never"],
        ["x.yml", "--config", "c.toml", "--output", "report.txt"],
        ["x.yml", "--output", "sarif:a,b.sarif", "--output=junit:c d.xml"],
        ["x.yml", "--sweep", "sweep.yml"],
        ["a.yml", "b.yml", "--sweep=sweep.yml"],
    ],
    ids=" ".join,
)
def test_usual(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    usual = read(arguments)
    assert usual is not None
    assert usual == by_click(arguments, monkeypatch)


@each(
    "arguments",
    [
        [],
        ["--help"],
        ["x.yml", "-h"],
        ["x.yml", "--gpus", "0"],
        ["x.yml", "--gpus", "many"],
        ["x.yml", "--format", "xml"],
        ["x.yml", "--unknown"],
        ["x.yml", "--fix=yes"],
        ["x.yml", "--output"],
        ["x.yml", "--target"],
        ["x.yml", "--sweep"],
        ["--", "x.yml"],
        [""],
        ["--fix"],
    ],
)
def test_left_to_click(arguments: list[str]) -> None:
    assert read(arguments) is None


def test_every_option_has_its_field() -> None:
    assert tuple(option.name for option in OPTIONS) == CheckOptions._fields


@each("option", OPTIONS)
def test_an_option_that_is_not_given_has_the_value_of_its_kind(option: Option) -> None:
    unset = getattr(CheckOptions(), option.name)
    if option.kind == "flag":
        assert unset is False
    elif option.kind in ("list", "texts", "reports"):
        assert unset == ()
    else:
        assert unset is None or isinstance(unset, str)
    if option.kind == "choice":
        assert unset is None or unset in option.choices
