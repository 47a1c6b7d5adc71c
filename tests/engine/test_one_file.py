"""How the questions about one file read it, and what they judge it by."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.engine.one_file import config_of, environment, known_facts
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.source.files.memory import InMemory
from tests.draws import each

AXOLOTL = "base_model: a/b\nmicro_batch_size: 1\ndatasets: [{path: a, type: alpaca}]\n"
FILES = {
    "p/.git/HEAD": "",
    "p/run.sh": "axolotl train few.yml\n",
    "p/cfglint.toml": "gpus = 4\n",
}


def session(**options: Any) -> Session:
    contents = {name: text.encode() for name, text in FILES.items()}
    return Session(Options(**options), SettingsFinder(files=InMemory(contents)))


@each(
    ("file", "text", "framework"),
    [
        ("p/a.yml", AXOLOTL, "axolotl"),
        ("-", AXOLOTL, "axolotl"),
        ("p/a.yml", "model_name_or_path: a\nstage: sft\nfinetuning_type: lora\n", "llamafactory"),
        ("p/ds.json", '{"zero_optimization": {"stage": 2}}', "deepspeed"),
        # A command of the project starts it, though it has few keys.
        ("p/few.yml", "base_model: a/b\n", "axolotl"),
    ],
)
def test_whose_config_it_is(file: str, text: str, framework: str) -> None:
    document, found = config_of(session(), file, text.encode())
    assert found.name == framework
    assert document.text == text


@each(
    ("file", "data", "said"),
    [
        ("p/a.yml", b"a: 1\n", "p/a.yml: not a training config that cfglint knows"),
        ("p/a.json", b'{"a": 1}', "p/a.json: not a training config that cfglint knows"),
        ("p/a.yml", b"", "p/a.yml: The file holds no settings at all"),
        ("p/a.yml", AXOLOTL.encode() + b"a: [1\n", "p/a.yml:"),
        ("p/a.yml", b"base_model: \xff\n", "p/a.yml: "),
    ],
)
def test_what_is_refused(file: str, data: bytes, said: str) -> None:
    with pytest.raises(RunError) as caught:
        config_of(session(), file, data)
    assert str(caught.value).startswith(said)


def test_the_line_of_what_cannot_be_read() -> None:
    with pytest.raises(RunError) as caught:
        config_of(session(), "p/a.yml", (AXOLOTL + "a: 'x\n").encode())
    assert str(caught.value).startswith("p/a.yml:4: ")


def test_what_a_file_is_checked_against() -> None:
    one = session()
    _, framework = config_of(one, "p/a.yml", AXOLOTL.encode())
    target, around = environment(one, framework, "p/a.yml")
    assert (target.facts["gpus"].value, around.project is not None) == (4, True)
    # A text that is no file has settings of the current folder, and no project.
    target, around = environment(one, framework, "-")
    assert (dict(target.facts), around.project) == ({}, None)
    foreign = session(target=("axolotl==0.0.3",))
    with pytest.raises(RunError, match=r"axolotl 0\.0\.3 is older"):
        environment(foreign, framework, "p/a.yml")


@each(
    ("file", "text", "options", "gpus"),
    [
        ("p/a.yml", AXOLOTL, {"gpus": 2}, 2),
        ("p/a.yml", AXOLOTL, {}, 4),
        ("-", AXOLOTL, {}, None),
    ],
)
def test_facts(file: str, text: str, options: dict[str, Any], gpus: int | None) -> None:
    one = session(**options)
    document, framework = config_of(one, file, text.encode())
    facts = known_facts(document, *environment(one, framework, file))
    assert facts.get("gpus") == gpus


def test_a_script_names_its_gpus_itself() -> None:
    text = "#!/bin/bash\nNPROC_PER_NODE=8 swift sft --model a/b --dataset c\n"
    one = session()
    document, framework = config_of(one, "q/train.sh", text.encode())
    assert framework.name == "swift"
    target, around = environment(one, framework, "q/train.sh")
    assert "gpus" not in target.facts
    assert known_facts(document, target, around)["gpus"] == 8
    stated, around = environment(session(gpus=2), framework, "q/train.sh")
    assert known_facts(document, stated, around)["gpus"] == 2
