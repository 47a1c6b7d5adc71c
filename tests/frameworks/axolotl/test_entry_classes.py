"""The class of Axolotl's schema that an entry of a list of datasets is of, as its framework file has it."""

from __future__ import annotations

from cfglint.roles.framework import load_framework
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

AXOLOTL = load_framework("axolotl")
SFT, DPO, KTO = "SFTDataset", "DPODataset", "KTODataset"
STEPWISE, SYNTHETIC = "StepwiseSupervisedDataset", "SyntheticDataset"


@each(
    ("release", "text", "expected"),
    [
        ("0.21.0", "datasets: [{type: alpaca}]\n", (SFT,)),
        ("0.21.0", "rl: dpo\ndatasets: [{}]\n", (DPO,)),
        ("0.21.0", "rl: ipo\ndatasets: [{}]\n", (DPO,)),
        ("0.21.0", "rl: simpo\ndatasets: [{}]\n", (DPO,)),
        ("0.13.0", "rl: ipo\ndatasets: [{}]\n", (DPO,)),
        ("0.12.2", "rl: ipo\ndatasets: [{}]\n", (SFT,)),
        ("0.12.0", "rl: simpo\ndatasets: [{}]\n", (DPO,)),
        ("0.11.0", "rl: simpo\ndatasets: [{}]\n", (SFT,)),
        ("0.7.0", "rl: dpo\ndatasets: [{}]\n", (DPO,)),
        ("0.6.0", "rl: dpo\ndatasets: [{}]\n", (SFT, DPO, KTO)),
        ("0.21.0", "rl: kto\ndatasets: [{type: _synthetic}]\n", (KTO,)),
        ("0.21.0", "datasets: [{type: _synthetic}]\n", (SYNTHETIC,)),
        ("0.16.0", "datasets: [{type: _synthetic}]\n", (SYNTHETIC,)),
        ("0.15.0", "datasets: [{type: _synthetic}]\n", (SFT,)),
        ("0.21.0", "rl: [dpo]\ndatasets: [{type: {a: 1}}]\n", (SFT,)),
    ],
)
def test_an_entry_that_is_trained_with(release: str, text: str, expected: tuple[str, ...]) -> None:
    document = language("yaml").read(SourceText(text))
    classes = AXOLOTL.release_keys(release).entry_classes
    assert classes.of_entry("datasets[]", ("datasets", 0), document) == expected


@each(
    ("section", "release", "expected"),
    [
        ("test_datasets[]", "0.6.0", (SFT, DPO, KTO)),
        ("test_datasets[]", "0.7.0", (SFT, DPO, KTO, STEPWISE)),
        ("test_datasets[]", "0.16.0", (SFT, DPO, KTO, STEPWISE, SYNTHETIC)),
        ("pretraining_dataset[]", "0.21.0", ("PretrainingDataset", SFT)),
    ],
)
def test_an_entry_that_may_be_of_several(
    section: str, release: str, expected: tuple[str, ...]
) -> None:
    document = language("yaml").read(SourceText("rl: dpo\n"))
    classes = AXOLOTL.release_keys(release).entry_classes
    assert classes.of_entry(section, (section[:-2], 0), document) == expected


@each(
    ("section", "release", "expected"),
    [
        ("datasets[]", "0.7.0", True),
        ("datasets[]", "0.6.0", False),
        ("test_datasets[]", "0.21.0", False),
        ("plugins[]", "0.21.0", False),
    ],
)
def test_where_one_class_is_chosen(section: str, release: str, expected: bool) -> None:
    assert AXOLOTL.release_keys(release).entry_classes.chooses(section) is expected


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
    classes = AXOLOTL.release_keys("0.21.0").entry_classes
    assert classes.of_section(section, model) == expected
