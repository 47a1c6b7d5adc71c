"""The class of Axolotl's schema that an entry of a list of datasets is of."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.axolotl.dataset_classes import DatasetClasses, chosen_class, refuses
from cfglint.roles.framework import load_framework
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

AXOLOTL = load_framework("axolotl")
SFT, DPO, KTO = "SFTDataset", "DPODataset", "KTODataset"
STEPWISE, SYNTHETIC = "StepwiseSupervisedDataset", "SyntheticDataset"


@each(
    ("release", "rl", "type_", "expected"),
    [
        ("0.21.0", None, "alpaca", SFT),
        ("0.21.0", "dpo", None, DPO),
        ("0.21.0", "ipo", None, DPO),
        ("0.21.0", "simpo", None, DPO),
        ("0.13.0", "ipo", None, DPO),
        ("0.12.2", "ipo", None, SFT),
        ("0.12.0", "simpo", None, DPO),
        ("0.11.0", "simpo", None, SFT),
        ("0.7.0", "dpo", None, DPO),
        ("0.21.0", "kto", "_synthetic", KTO),
        ("0.21.0", None, "_synthetic", SYNTHETIC),
        ("0.16.0", None, "_synthetic", SYNTHETIC),
        ("0.15.0", None, "_synthetic", SFT),
        ("0.6.0", "dpo", None, None),
    ],
)
def test_the_one_class(release: str, rl: Any, type_: Any, expected: str | None) -> None:
    keys = AXOLOTL.release_keys(release)
    assert chosen_class(keys, "datasets[]", rl, type_) == expected
    assert chosen_class(keys, "datasets[].type", rl, type_) == expected
    assert chosen_class(keys, "test_datasets[]", rl, type_) is None


@each(
    ("section", "release", "expected"),
    [
        ("datasets[]", "0.21.0", (DPO,)),
        ("datasets[]", "0.6.0", (SFT, DPO, KTO)),
        ("test_datasets[]", "0.6.0", (SFT, DPO, KTO)),
        ("test_datasets[]", "0.7.0", (SFT, DPO, KTO, STEPWISE)),
        ("test_datasets[]", "0.15.0", (SFT, DPO, KTO, STEPWISE)),
        ("test_datasets[]", "0.16.0", (SFT, DPO, KTO, STEPWISE, SYNTHETIC)),
        ("pretraining_dataset[]", "0.21.0", ("PretrainingDataset", SFT)),
    ],
)
def test_the_classes_of_an_entry(section: str, release: str, expected: tuple[str, ...]) -> None:
    document = language("yaml").read(SourceText("rl: dpo\ndatasets: [{type: _synthetic}]\n"))
    keys = AXOLOTL.release_keys(release)
    found = DatasetClasses().of_entry(keys, section, ("datasets", 0), document)
    assert found == expected


def test_the_type_of_an_entry_decides_where_it_is_a_text() -> None:
    document = language("yaml").read(
        SourceText("rl: [dpo]\ndatasets: [{type: _synthetic}, {type: {a: 1}}]\n")
    )
    keys = AXOLOTL.release_keys("0.21.0")
    found = [
        DatasetClasses().of_entry(keys, "datasets[]", ("datasets", number), document)
        for number in range(2)
    ]
    assert found == [(SYNTHETIC,), (SFT,)]


@each(
    ("section", "model", "expected"),
    [
        ("datasets[]", SFT, SFT),
        ("datasets[].type", SFT, "UserDefinedPrompterType"),
        ("datasets[].type", DPO, "UserDefinedDPOType"),
        ("datasets[].type", STEPWISE, STEPWISE),
    ],
)
def test_the_class_of_a_section(section: str, model: str, expected: str) -> None:
    assert DatasetClasses().of_section(section, model) == expected


@each(
    ("model", "entry", "expected"),
    [
        (SFT, {"chat_template": "jinja"}, True),
        (SFT, {"chat_template": "jinja", "chat_template_jinja": ""}, True),
        (SFT, {"chat_template": "jinja", "chat_template_jinja": "x"}, False),
        (SFT, {"chat_template": "llama3"}, False),
        (SFT, {}, False),
        (DPO, {"chat_template": "jinja"}, False),
    ],
)
def test_what_a_class_refuses(model: str, entry: dict[str, Any], expected: bool) -> None:
    assert refuses(model, entry) is expected
