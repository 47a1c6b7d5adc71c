"""What follows from a program: its calls, each a section, and the files that these name."""

from __future__ import annotations

from tests.draws import each
from tests.linting import case_in

HEAD = "from trl import SFTConfig\nfrom peft import LoraConfig\n"


@each(
    ("text", "expected"),
    [
        ("SFTConfig('o', seed=1)\n", [("trl", 1, "")]),
        ("SFTConfig('o', seed=1)\nSFTConfig('p')\n", [("trl", 1, ""), ("trl", 1, "")]),
        ("SFTConfig('o', deepspeed='ds.json')\n", [("trl", 1, ""), ("deepspeed", 2, "ds.json")]),
        ("SFTConfig('o', deepspeed={'bf16': {}})\n", [("trl", 1, ""), ("deepspeed", 2, "")]),
        ("SFTConfig('o', deepspeed='none.json')\n", [("trl", 1, "")]),
        # Only what configures a trainer has such settings.
        ("LoraConfig(r=8, deepspeed='ds.json')\n", [("trl", 1, "")]),
        (
            "LoraConfig(r=8)\nSFTConfig('o', deepspeed='ds.json')\n",
            [("trl", 1, ""), ("trl", 1, ""), ("deepspeed", 2, "ds.json")],
        ),
    ],
)
def test_calls_and_their_files(text: str, expected: list[tuple[str, int, str]]) -> None:
    files = {".git/HEAD": "", "ds.json": "{}"}
    case, source = case_in(files, HEAD + text, name="train.py", framework="trl_programs")
    document = case.framework.language.read(source)
    readings = case.framework.readings
    found = [
        (one.framework, len(one.at), (one.path or "").rpartition("/")[2])
        for one in readings.references(document, case.around)
    ]
    assert found == expected
    assert readings.reading(case.target) is None
