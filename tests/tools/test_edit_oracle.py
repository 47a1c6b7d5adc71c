"""The oracle of random edits knows where a value ends, also one that is an alias."""

from __future__ import annotations

import pytest
import yaml

from tools.campaigns.edit_oracle import last_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: &x 1\nb:\n  - c: 2\n    d: *x\n\n# more\ne: 3\n", 3),
        ("a: &x 1\nb:\n  - *x\ne: 3\n", 2),
        ("a: &x 1\nb:\n  - c: 2\n    d: 4\ne: 3\n", 3),
        ("b:\n  c: |\n    text\n\n# more\ne: 3\n", 2),
    ],
)
def test_last_line(text: str, line: int) -> None:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    assert isinstance(root, yaml.MappingNode)
    (value,) = [value for key, value in root.value if key.value == "b"]
    assert last_line(text.splitlines(), value) == line
