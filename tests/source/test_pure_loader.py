"""PyYAML's own loader without its pattern over all of Unicode."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from cfglint.source.pure_loader import PureLoader
from tests.draws import each


def outcome(text: str, loader: Any) -> object:
    try:
        return yaml.load(text, Loader=loader)
    except (yaml.YAMLError, ValueError) as error:
        return str(error)


@each("place", ["{}", "a: x{}y\nb: 1", "# {}\na: 1"])
@each("code", [*range(0x180), 0x2028, 0xD7FF, 0xD800, 0xFFFE, 0x1F600])
def test_it_accepts_what_pyyaml_does(place: str, code: int) -> None:
    text = place.format(chr(code))
    assert outcome(text, PureLoader) == outcome(text, yaml.SafeLoader)


def test_ascii_is_not_looked_at_with_the_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def check(self: Any, data: Any) -> None:
        asked.append(data)

    monkeypatch.setattr(yaml.SafeLoader, "check_printable", check)
    for text in ("a: 1\r\nb:\t2\n", "a: é\n", "a: \x1b\n"):
        PureLoader(text).dispose()
    assert asked == ["a: é\n", "a: \x1b\n"]
