"""Stated versions: what is understood, and what each says of itself."""

from __future__ import annotations

import pytest

from cfglint.base.type_names import Any
from cfglint.environment.pins import Fact, Pin, TargetError, is_version, packages, parse_pin
from tests.draws import each

PIN = Pin(None, None, "a file")


@each(
    ("text", "expected"),
    [
        ("1", True),
        ("1.2.3", True),
        ("v1.2", True),
        ("1.2rc1", True),
        ("1.2.dev0", True),
        ("1.2-post.1", True),
        ("2.6.0+cu124", True),
        ("1.", False),
        ("a.1", False),
        ("1.2x", False),
        ("", False),
        ("1." * 31 + "10", True),
        ("1." * 32 + "1", False),
    ],
)
def test_a_version(text: str, expected: bool) -> None:
    assert is_version(text) is expected


@each(
    ("text", "package", "version", "commit"),
    [
        ("torch==2.6.0", "torch", "2.6.0", None),
        (" Torch == v2.6.0 ", "torch", "2.6.0", None),
        ("flash_attn==2.7", "flash-attn", "2.7", None),
        ("torch@4E5400C", "torch", None, "4e5400c"),
        ("torch@" + "a" * 40, "torch", None, "a" * 40),
    ],
)
def test_a_target(text: str, package: str, version: str | None, commit: str | None) -> None:
    assert parse_pin(text, "here") == (package, Pin(version, commit, "here"))
    assert package in packages()


@each(
    ("text", "said"),
    [
        ("torch", "is not a target; write PACKAGE==VERSION"),
        ("torch=2.6", "is not a target"),
        ("torch==", "is not a target"),
        ("torhc==2", "no rule depends on the package 'torhc' (did you mean 'torch'?)"),
        ("unheard-of==2", "no rule depends on the package 'unheard-of'; expected one of "),
        ("torch@main", "'main' is not a commit; give 7 to 40 hexadecimal digits"),
        ("torch@abcdef", "'abcdef' is not a commit"),
        ("torch@" + "a" * 41, "is not a commit"),
        ("torch==new", "'new' is not a version of torch; give one, such as torch==1.2.3"),
    ],
)
def test_what_is_none(text: str, said: str) -> None:
    with pytest.raises(TargetError) as told:
        parse_pin(text, "here")
    assert said in str(told.value)


@each(
    ("changes", "lost", "is_range", "shown"),
    [
        ({"version": "1.2"}, False, False, "1.2"),
        ({"commit": "abcdef0123456"}, True, False, "abcdef012"),
        ({"commit": "abcdef0", "between": ("1", "2")}, False, False, "abcdef0"),
        ({"commit": "abcdef0", "version": "1.2"}, False, False, "1.2"),
        ({"spec": ">=1"}, False, True, ">=1"),
        ({"spec": ">=1", "version": "1.2"}, False, False, "1.2"),
        ({"spec": ">=1", "commit": "abcdef0"}, True, False, "abcdef0"),
        ({"spec": ">=1", "commits": ("a", "b")}, False, False, ">=1"),
        ({"fork": "me/it"}, False, False, "me/it"),
        ({}, False, False, "of any version"),
    ],
)
def test_what_a_pin_is(changes: dict[str, Any], lost: bool, is_range: bool, shown: str) -> None:
    pin = PIN.replaced(**changes)
    assert (pin.is_lost, pin.is_range, str(pin)) == (lost, is_range, shown)


def test_what_is_stated_without_more_is_certain() -> None:
    doubts = ("implied", "inferred", "weak", "in_project", "dated")
    assert not any(getattr(PIN, name) for name in doubts)
    assert not Fact(1, "here").weak
