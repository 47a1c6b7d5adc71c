"""The files that a script names."""

from __future__ import annotations

from typing import Any

from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.accessory.files import data_document, model_documents, model_settings
from cfglint.source.document import Mapping
from tests.draws import each
from tests.linting import case_in

FILES = {
    "a.json": '{"dim": 1, "n_layers": 2}',
    "b.json": '{"dim": 3}',
    "broken.json": "{",
    "data.yaml": "META: []\n",
}


def script(words: str) -> tuple[Mapping, Surroundings]:
    text = f"torchrun main_finetune.py --llama_type llama {words}\n"
    case, source = case_in(FILES, text, name="run.sh", framework="accessory")
    document = case.framework.language.read(source)
    return document.root, case.around


@each(
    ("words", "names", "settings"),
    [
        ("--llama_config a.json", ["a.json"], {"dim": 1, "n_layers": 2}),
        # Later ones count over earlier ones.
        ("--llama_config a.json b.json", ["a.json", "b.json"], {"dim": 3, "n_layers": 2}),
        ("--llama_config b.json a.json", ["b.json", "a.json"], {"dim": 1, "n_layers": 2}),
        ("--llama_config a.json none.json", None, None),
        ("--llama_config a.json broken.json", None, None),
        ("--llama_config $CONFIG", None, None),
        ("--lr 1", None, None),
    ],
)
def test_the_files_of_the_model(
    words: str, names: list[str] | None, settings: dict[str, Any] | None
) -> None:
    root, around = script(words)
    found = model_documents(root, around)
    assert (None if found is None else [path.rpartition("/")[2] for path, _ in found]) == names
    assert model_settings(root, around) == settings


@each(
    ("words", "expected"),
    [
        ("--data_config data.yaml", "/project/data.yaml"),
        ("--data_config none.yaml", None),
        ("--data_config $DATA", None),
        ("--lr 1", None),
    ],
)
def test_the_file_of_the_data(words: str, expected: str | None) -> None:
    found = data_document(*script(words))
    assert (None if found is None else found[0]) == expected
