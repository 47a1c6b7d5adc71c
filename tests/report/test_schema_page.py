"""docs/schema.md: its commands print schemas, and the example is valid with the first one."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

from tests.cli.running import run
from tests.draws import each

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "schema.md").read_text(encoding="utf-8")
COMMANDS = "".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S))
(EXAMPLE,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)


@each("command", COMMANDS.splitlines())
def test_the_commands(command: str) -> None:
    words = shlex.split(command)
    end = words.index(">") if ">" in words else len(words)
    result = run(*words[1:end])
    assert (result.code, result.err) == (0, "")
    validator = Draft202012Validator(json.loads(result.out))
    if "axolotl" in command and ">" in words:
        errors = [error.message for error in validator.iter_errors(yaml.safe_load(EXAMPLE))]
        assert errors == ["'learning_rate' is a required property"]
        assert f"$schema={words[-1]}\n" in EXAMPLE
