"""Sections that are walked, and sizes that nobody fills in."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.deepspeed.checks import CHECKS
from tests.draws import each
from tests.linting import lint_in
from tests.shipped import codes_of

CODES = codes_of(CHECKS)
OWN = "import deepspeed\nengine, *_ = deepspeed.initialize(config='ds.json', model=m)\n"
ZERO = '{"zero_optimization": {"stage": 2}, '
AUTO = f'{ZERO}"gradient_accumulation_steps": "auto", "train_batch_size": "auto"}}'


def found(text: str, files: Mapping[str, str] = {}) -> list[tuple[object, ...]]:
    """Name of the rule and path of each finding."""
    files = {".git/HEAD": "", **files}
    result = lint_in(files, text, name="ds.json", framework="deepspeed", select=CODES)
    return [(one.name, *one.path) for one in result]


@each(
    ("files", "expected"),
    [
        ({}, []),
        ({"train.py": OWN}, [("train_batch_size",)]),
        ({"train.py": OWN, "more.py": "x = 1\n"}, [("train_batch_size",)]),
        # What may fill it in, or hands it to something else.
        ({"train.py": OWN + "Trainer()\n"}, []),
        ({"train.py": OWN + "config['train_batch_size'] = 8\n"}, []),
        ({"train.py": OWN + "x = 'auto'\n"}, []),
        ({"train.py": "print('ds.json')\n"}, []),
        ({"train.py": OWN, "other.py": "Trainer(deepspeed='ds.json')\n"}, []),
        ({"train.py": "import sizes\n" + OWN, "sizes.py": "train_batch_size = 8\n"}, []),
        ({"train.py": OWN, "sizes.py": "train_batch_size = 8\n"}, [("train_batch_size",)]),
    ],
)
def test_sizes_that_nobody_fills_in(
    files: Mapping[str, str], expected: list[tuple[object, ...]]
) -> None:
    assert [path for _, *path in found(AUTO, files)] == [list(one) for one in expected]


@each(
    ("text", "expected"),
    [
        (f'{ZERO}"optimizer": 3, "train_batch_size": "auto"}}', [["optimizer"]]),
        (f'{ZERO}"optimizer": null, "train_batch_size": "auto"}}', []),
        (f'{ZERO}"optimizer": {{}}, "train_batch_size": "auto"}}', []),
        # A file that nobody fills in.
        (f'{ZERO}"optimizer": 3, "train_batch_size": 8}}', []),
        (
            f'{ZERO}"fp16": true, "scheduler": [], "train_batch_size": "auto"}}',
            [["fp16"], ["scheduler"]],
        ),
    ],
)
def test_sections_that_are_walked(text: str, expected: list[list[object]]) -> None:
    assert sorted(path for _, *path in found(text)) == expected
