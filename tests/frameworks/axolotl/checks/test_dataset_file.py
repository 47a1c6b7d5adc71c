"""What the first rows of a data file show about the settings that read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frameworks.axolotl.checks.project_files import found

#: The config, the files beside it, releases, and what is found.
CASES: list[tuple[str, dict[str, str], tuple[str, ...], list[str]]] = [
    # It is made before the run, or kept out of the repository.
    (
        "base_model: a/b\ndatasets:\n  - path: data/tran.jsonl\n    type: alpaca\n",
        {
            "data/train.jsonl": '{"instruction": "a", "output": "b"}\n',
            "prepare.py": "open('data/tran.jsonl', 'w')\n",
        },
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/tran.jsonl\n    type: alpaca\n",
        {
            "data/train.jsonl": '{"instruction": "a", "output": "b"}\n',
            ".gitignore": "data/*\n",
        },
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: alpaca\n",
        {
            "data/a.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n'
        },
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/tran.jsonl\n    type: alpaca\n",
        {
            "data/train.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n'
        },
        (),
        [
            "DAT550 | error | train.yml:3 | 'path: data/tran.jsonl' | data/tran.jsonl train.jsonl | fix: Name train.jsonl"
        ],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/q.jsonl\n    type: alpaca\n",
        {
            "data/train.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n',
            "data/x.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n',
        },
        (),
        [
            "DAT550 | warning | train.yml:3 | 'path: data/q.jsonl' | data/q.jsonl x.jsonl | fix: Name x.jsonl"
        ],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/q.json\n    type: alpaca\n",
        {
            "data/train.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n'
        },
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: tran.jsonl\n    type: alpaca\n",
        {
            "train.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n'
        },
        (),
        [
            "DAT550 | error | train.yml:3 | 'path: tran.jsonl' | tran.jsonl train.jsonl | fix: Name train.jsonl"
        ],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: ./q.jsonl\n    type: alpaca\n",
        {
            "train.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n'
        },
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/tran.jsonl\n    type: alpaca\n    data_files: x\n",
        {
            "data/train.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n'
        },
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: alpaca\n",
        {
            "data/a.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n{x\n'
        },
        (),
        ["DAT551 | error | a.jsonl:3 | '{x' | "],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: alpaca\n    \n  - path: data/a.jsonl\n    type: alpaca\n",
        {
            "data/a.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n'
        },
        (),
        [
            "DAT551 | error | a.jsonl:3 | '{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' | "
        ],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: alpaca\n",
        {"data/a.jsonl": '{"input": "a", "output": "b"}\n'},
        (),
        ["DAT552 | error | train.yml:4 | 'type: alpaca' | instruction input output"],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: input_output\n",
        {
            "data/a.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n'
        },
        (),
        ["DAT552 | error | train.yml:4 | 'type: input_output' | segments instruction output"],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: completion\n",
        {
            "data/a.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n'
        },
        (),
        ["DAT552 | error | train.yml:4 | 'type: completion' | text instruction output"],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: completion\n    field: output\n",
        {
            "data/a.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n'
        },
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: completion\n    field: answer\n",
        {
            "data/a.jsonl": '{"instruction": "a", "output": "b"}\n{"instruction": "c", "output": "d"}\n'
        },
        (),
        ["DAT552 | error | train.yml:5 | 'field: answer' | answer instruction output"],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n",
        {"data/a.jsonl": '{"conversations": [{"from": "human", "value": "x"}]}\n'},
        (),
        [
            "DAT552 | error | train.yml:4 | 'type: chat_template' | messages field_messages: conversations conversations | fix: Read the conversations from conversations"
        ],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n",
        {"data/a.jsonl": '{"conversations": [{"from": "human", "value": "x"}]}\n'},
        ("axolotl==0.6.0",),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n    field_messages: conversations\n",
        {"data/a.jsonl": '{"conversations": [{"from": "human", "value": "x"}]}\n'},
        (),
        [
            "DAT553 | error | train.yml:4 | 'type: chat_template' | role from value | fix: Map from and value"
        ],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n    field_messages: conversations\n    message_property_mappings:\n      role: from\n",
        {"data/a.jsonl": '{"conversations": [{"from": "human", "value": "x"}]}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n    field_messages: conversations\n    message_property_mappings:\n      role: speaker\n",
        {"data/a.jsonl": '{"conversations": [{"from": "human", "value": "x"}]}\n'},
        (),
        ["DAT553 | error | train.yml:6 | 'message_property_mappings' | speaker from value"],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n    message_field_role: who\n",
        {"data/a.jsonl": '{"messages": [{"role": "user", "content": "x"}]}\n'},
        (),
        ["DAT553 | error | train.yml:4 | 'type: chat_template' | who content role"],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n",
        {"data/a.jsonl": '{"messages": [{"role": "user", "content": "x"}]}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n",
        {"data/a.jsonl": '{"x": [{"a": 1}], "y": [{"b": 1}]}\n'},
        (),
        ["DAT552 | error | train.yml:4 | 'type: chat_template' | messages x y"],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n",
        {"data/a.jsonl": '{"messages": "no"}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n",
        {"data/a.jsonl": '{"messages": [{"from": 1}, 3]}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\nrl: dpo\ndatasets:\n  - path: data/a.jsonl\n    type: alpaca\n",
        {"data/a.jsonl": '{"x": 1}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\nrl: dpo\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template.default\n",
        {"data/a.jsonl": '{"messages": [], "chosen": {}}\n'},
        (),
        ["DAT552 | error | train.yml:5 | 'type: chat_template.default' | rejected messages chosen"],
    ),
    (
        "base_model: a/b\nrl: ipo\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template.default\n    field_rejected: bad\n",
        {"data/a.jsonl": '{"messages": [], "chosen": {}, "rejected": {}}\n'},
        (),
        ["DAT552 | error | train.yml:6 | 'field_rejected: bad' | bad messages chosen rejected"],
    ),
    (
        "base_model: a/b\nrl: kto\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template.default\n",
        {"data/a.jsonl": '{"x": []}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\nreward_model: true\ndatasets:\n  - path: data/a.jsonl\n    type: alpaca\n",
        {"data/a.jsonl": '{"x": 1}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\nprocess_reward_model: true\ndatasets:\n  - path: data/a.jsonl\n    type: alpaca\n",
        {"data/a.jsonl": '{"x": 1}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type: alpaca\n",
        {"data/a.jsonl": '{"input_ids": [1]}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type:\n      field_instruction: q\n      field_output: a\n",
        {"data/a.jsonl": '{"q": 1}\n'},
        (),
        ["DAT552 | error | train.yml:4 | 'type' | a q"],
    ),
    (
        "base_model: a/b\ndatasets:\n  - path: data/a.jsonl\n    type:\n      field: text\n      field_output: a\n",
        {"data/a.jsonl": '{"q": 1}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\ndatasets: 3\ntest_datasets:\n  - path: data/a.jsonl\n    type: alpaca\n  - 3\n",
        {
            "data/a.jsonl": '{"c0": 1, "c1": 1, "c2": 1, "c3": 1, "c4": 1, "c5": 1, "c6": 1, "c7": 1, "c8": 1, "c9": 1}\n'
        },
        (),
        ["DAT552 | error | train.yml:5 | 'type: alpaca' | instruction c0 c1 c2 c3 c4 c5 c6 c7"],
    ),
    (
        "base_model: a/b\nrl: dpo\nprocessor_type: AutoProcessor\nchat_template: chatml\npad_to_multiple_of: 8\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n    chat_template: llava\n",
        {"data/a.jsonl": '{"images": [], "messages": [], "chosen": 1, "rejected": 1}\n'},
        (),
        [
            "DAT800 | warning | train.yml:5 | 'pad_to_multiple_of: 8' | pad_to_multiple_of: 8",
            "DAT800 | warning | train.yml:9 | 'chat_template: llava' | chat_template: llava",
        ],
    ),
    (
        "base_model: a/b\nrl: grpo\nprocessor_type: AutoProcessor\nchat_template: chatml\npad_to_multiple_of: 8\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n    chat_template: chatml\n",
        {"data/a.jsonl": '{"image": 1}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\nrl: dpo\npad_to_multiple_of: 8\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n    chat_template: llava\n",
        {"data/a.jsonl": '{"images": []}\n'},
        (),
        [],
    ),
    # Entries for testing are read in another way.
    (
        "base_model: a/b\nrl: dpo\nprocessor_type: AutoProcessor\npad_to_multiple_of: 8\ntest_datasets:\n  - path: data/a.jsonl\n    type: chat_template\n    chat_template: llava\n",
        {"data/a.jsonl": '{"images": [], "messages": [], "chosen": 1, "rejected": 1}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\nrl: orpo\nprocessor_type: AutoProcessor\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n    chat_template: llava\n",
        {"data/a.jsonl": '{"images": []}\n'},
        (),
        [],
    ),
    (
        "base_model: a/b\nrl: kto\nprocessor_type: AutoProcessor\npad_to_multiple_of: 8\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n    chat_template: llava\n",
        {"data/a.jsonl": '{"x": []}\n'},
        (),
        [],
    ),
]


@pytest.mark.parametrize(("config", "files", "target", "expected"), CASES)
def test_data_files(
    tmp_path: Path,
    config: str,
    files: dict[str, str],
    target: tuple[str, ...],
    expected: list[str],
) -> None:
    rules = ("DAT55", "DAT800")
    assert found(tmp_path, {"train.yml": config, **files}, rules, target=target) == expected


@pytest.mark.parametrize("count", [2, 8, 9])
def test_at_most_eight_roles_are_named(tmp_path: Path, count: int) -> None:
    names = [f"r{number}" for number in range(count)]
    config = (
        "base_model: a/b\nrl: dpo\ndatasets:\n  - path: data/a.jsonl\n    type: chat_template\n"
        f"    roles: {{user: [{', '.join(names)}]}}\n"
    )
    row = '{"messages": [{"role": "other", "content": "a"}]}\n'
    (said,) = found(tmp_path, {"train.yml": config, "data/a.jsonl": row}, ("DAT570",))
    assert [name for name in names if name in said.split()] == names[:8]
