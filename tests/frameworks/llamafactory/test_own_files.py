"""Which lists of datasets are LLaMA-Factory's."""

from __future__ import annotations

import json
from typing import Any

from cfglint.frameworks.for_files import for_path
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each

OWN = {"file_name": "a.json", "formatting": "sharegpt"}


@each(
    ("entries", "expected"),
    [
        ({"a": OWN}, True),
        ({"a": OWN, "b": {"path": "x"}}, True),
        ({}, True),
        # Programs write lists of what they made under the same name.
        ({"a": {"path": "x"}}, False),
        # Other programs have these keys, too.
        ({"a": {"split": "train", "subset": "x", "folder": "y", "num_samples": 1}}, False),
        ({"a": {"split": "train", "hf_hub_url": "x/y"}}, True),
        # At least half of the values are entries.
        ({"a": OWN, "rows": 1}, True),
        ({"a": OWN, "rows": 1, "made": "today"}, False),
        ({"a": OWN, "b": OWN, "rows": 1, "made": "today", "by": "me"}, False),
        ({"rows": 1}, False),
    ],
)
def test_a_list_of_datasets(entries: dict[str, Any], expected: bool) -> None:
    framework = for_path(load_framework("llamafactory"), "/project/data/dataset_info.json")
    document = framework.language.read(SourceText(json.dumps(entries)))
    assert framework.own_files.is_own(document) is expected
