"""The type of a model, and files in one pair of quotes."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.accessory.checks.model_types import CHECKS
from cfglint.frameworks.accessory.checks.words import CHECKS as WORDS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CODES = codes_of(CHECKS) + codes_of(WORDS)
BASE = "torchrun --nproc_per_node 8 main_finetune.py --output_dir o "


def said(words: str, release: str, files: Mapping[str, str]) -> list[str]:
    target = (f"llama2-accessory=={release}",) if release else ()
    found = lint_in(
        files, BASE + words, name="run.sh", framework="accessory", select=CODES, target=target
    )
    return messages(found)


@each(
    ("words", "release", "files", "expected"),
    [
        ("--llama_type llama\n", "", {}, []),
        (
            "--llama_type lama\n",
            "",
            {},
            [
                "error: `lama` is not a valid `--llama_type`: there is no module `accessory/model/LLM/lama.py`. Did you mean `llama`?"
            ],
        ),
        (
            "--llama_type llama_pft\n",
            "",
            {},
            [
                "error: `llama_pft` is not a valid `--llama_type`: there is no module `accessory/model/LLM/llama_pft.py`. Did you mean `llama_peft`?"
            ],
        ),
        (
            "--llama_type mine\n",
            "",
            {},
            [
                "warning: `mine` is not a valid `--llama_type`: there is no module `accessory/model/LLM/mine.py`."
            ],
        ),
        ("--llama_type mine\n", "", {"accessory/model/LLM/mine.py": "x"}, []),
        (
            "--llama_type mine\n",
            "",
            {"accessory/model/LLM/other.py": "x"},
            [
                "error: `mine` is not a valid `--llama_type`: there is no module `accessory/model/LLM/mine.py`."
            ],
        ),
        (
            "--llama_type othr\n",
            "",
            {"model/LLM/other.py": "x"},
            [
                "error: `othr` is not a valid `--llama_type`: there is no module `accessory/model/LLM/othr.py`. Did you mean `other`?"
            ],
        ),
        (
            "--llama_type mine\n",
            "",
            {"model/LLM/notes.txt": "x"},
            [
                "warning: `mine` is not a valid `--llama_type`: there is no module `accessory/model/LLM/mine.py`."
            ],
        ),
        ("--llama_type $TYPE\n", "", {}, []),
        (
            "--llama_config 'a.json b.json'\n",
            "",
            {},
            [
                "error: The quotes make one argument of 2 files, so `--llama_config` looks for a single file of that name. Remove the quotes."
            ],
        ),
        (
            '--llama_config "a.json b.json"\n',
            "",
            {},
            [
                "error: The quotes make one argument of 2 files, so `--llama_config` looks for a single file of that name. Remove the quotes."
            ],
        ),
        (
            '--llama_config "a.json $B"\n',
            "",
            {},
            [
                "error: The quotes make one argument of 2 files, so `--llama_config` looks for a single file of that name. Remove the quotes."
            ],
        ),
        ('--llama_config "a.json b.yaml"\n', "", {}, []),
        ("--llama_config a.json b.json\n", "", {}, []),
        ('--llama_config "a b.json"\n', "", {}, []),
        (
            '--pretrained_path "to/a to/b to/c"\n',
            "",
            {},
            [
                "error: The quotes make one argument of 3 files, so `--pretrained_path` looks for a single file of that name. Remove the quotes."
            ],
        ),
        ('--pretrained_path "a b"\n', "", {}, []),
        (
            "--llama_config x.json 'a.json b.json'\n",
            "",
            {},
            [
                "error: The quotes make one argument of 2 files, so `--llama_config` looks for a single file of that name. Remove the quotes."
            ],
        ),
    ],
)
def test_findings(words: str, release: str, files: Mapping[str, str], expected: list[str]) -> None:
    assert said(words, release, files) == expected
