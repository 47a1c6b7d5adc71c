"""How a change of a setting is written."""

from __future__ import annotations

from cfglint.runs.memory.spelling import as_key, as_keyword, as_option
from tests.draws import each


@each(
    ("title", "option", "keyword"),
    [
        ("`a: 1`", "`--a 1`", "`a=1`"),
        ("`a: 1.5`", "`--a 1.5`", "`a=1.5`"),
        ("`a: 1.5.2`", "`--a 1.5.2`", '`a="1.5.2"`'),
        ("`a: true` and `b_2: false`", "`--a` and `--b_2 false`", "`a=True` and `b_2=False`"),
        ("`a: null`", "`--a null`", "`a=None`"),
        ("`a: x y`", "`--a x y`", '`a="x y"`'),
        ("without `a`", "without `--a`", "without `a`"),
        ("2 GPUs, `A: 1`", "2 GPUs, `A: 1`", "2 GPUs, `A: 1`"),
    ],
)
def test_titles(title: str, option: str, keyword: str) -> None:
    assert (as_key(title), as_option(title), as_keyword(title)) == (title, option, keyword)
