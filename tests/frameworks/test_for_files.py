"""Which framework object is for a file: its kind, and the language that it is in."""

from __future__ import annotations

from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.for_files import for_document, for_path, variant
from cfglint.roles.framework import Framework, load_framework
from cfglint.source.text import SourceText


def test_a_variant_is_made_once() -> None:
    framework = load_framework("llamafactory")
    assert variant(framework) is framework
    first = variant(framework, kind="v1")
    assert (first.kind, first.in_scripts, first.project_rules) == ("v1", False, None)
    assert variant(framework, kind="v1") is first
    assert variant(first, kind="v1", language="yaml") is first
    script = variant(first, language="shell")
    assert (script.kind, script.in_scripts) == ("v1", True)
    # Axolotl has no scripts of its own.
    assert not variant(load_framework("axolotl"), language="shell").in_scripts


def test_a_name_decides() -> None:
    framework = load_framework("llamafactory")
    assert for_path(framework, "data/dataset_info.json").kind == "dataset_info"
    assert for_path(framework, "run.sh").in_scripts
    assert for_path(framework, "train.yaml") is framework


def test_a_document_decides() -> None:
    def kind(framework: Framework, text: str) -> str:
        document = framework.language.read(SourceText(text))
        return for_document(framework, document, nowhere()).kind

    assert kind(load_framework("llamafactory"), "model: a/b\ntrain_dataset: x.yaml\n") == "v1"
    assert kind(load_framework("llamafactory"), "model_name_or_path: a/b\n") == ""
    assert (
        kind(load_framework("openrlhf"), "python -m openrlhf.cli.train_sft --x 1\n") == "train_sft"
    )
