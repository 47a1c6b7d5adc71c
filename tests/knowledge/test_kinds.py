"""What is known about one kind of a framework's files."""

from __future__ import annotations

from cfglint.knowledge.kinds import FileKind
from cfglint.knowledge.rules.index.candidates import numbers
from cfglint.roles.framework import load_framework


def of(framework: str, kind: str = "") -> FileKind:
    return FileKind(framework, load_framework(framework).row, kind)


def prefixes(kind: FileKind) -> set[str]:
    knowledge = load_framework(kind.framework).knowledge
    return {knowledge.rule(number).code[:3] for number in numbers(kind.rules(knowledge, ()))}


def test_the_rules_of_a_kind() -> None:
    of_any = prefixes(of("llamafactory"))
    assert "LLF" in of_any
    assert "LFV" not in of_any
    of_v1 = prefixes(of("llamafactory", "v1"))
    assert {"LFV", "KEY", "YML"} <= of_v1
    assert prefixes(of("llamafactory", "dataset_info")) >= {"JSN", "LLF"}
    assert prefixes(of("trl_programs")) == set()


def test_a_kind_that_a_name_decides() -> None:
    assert of("llamafactory", "dataset_info").has_file_name
    assert not of("llamafactory").has_file_name


def test_a_class() -> None:
    config, other = of("trl", "trl.SFTConfig"), of("trl", "transformers.BitsAndBytesConfig")
    assert config.is_class
    assert not of("trl", "sft").is_class
    assert "max_length" in config.keys.names("")
    assert prefixes(other) == {"KEY", "TRC", "TYP"}
    assert "TRL" in prefixes(config)


def test_tables_of_their_own() -> None:
    assert "train_dataset" in of("llamafactory", "v1").keys.names("")
    assert "train_dataset" not in of("llamafactory").keys.names("")
    assert "train_dataset" in of("llamafactory", "v1").fields[""]
    assert "dataset" in of("llamafactory").fields[""]
