"""Which files are ms-swift's own."""

from __future__ import annotations

import json

from cfglint.frameworks.for_files import for_path
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each


@each(
    ("keys", "expected"),
    [
        ("model dataset output_dir", True),
        # What a run writes beside its checkpoints.
        ("model global_world_size model_dir training_args", False),
        ("global_world_size model_dir training_args", False),
        ("local_rank training_args world_size", False),
        ("model_type local_rank training_args world_size seed", False),
        ("model local_rank world_size", True),
        ("model model_dir training_args", True),
    ],
)
def test_what_a_run_has_written_is_none(keys: str, expected: bool) -> None:
    framework = for_path(load_framework("swift"), "/project/args.json")
    document = framework.language.read(SourceText(json.dumps(dict.fromkeys(keys.split(), 1))))
    assert framework.own_files.is_own(document) is expected
