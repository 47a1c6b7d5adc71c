"""Projects that grow in one respect: keys, depth, datasets, pins, comments, globs and so on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

#: A size -> the files of a project by their names; `train.yml` or the like is checked.
Make = Callable[[int], "dict[str, str]"]

AXOLOTL = "base_model: a/b\ndatasets:\n  - {path: c/d, type: alpaca}\nmicro_batch_size: 1\n"
TRL = "model_name_or_path: a/b\ndataset_name: c/d\noutput_dir: out\nlearning_rate: 0.1\n"
LLAMAFACTORY = "model_name_or_path: a/b\nstage: sft\ndataset: c\ntemplate: llama3\noutput_dir: o\n"
DEEPSPEED = '"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 2}'
SCRIPT = (
    "#!/bin/bash\ntorchrun main_finetune.py --llama_type llama --data_config a.yaml \\\n --epochs 1"
)


class Case(NamedTuple):
    """One way to grow."""

    name: str
    #: The file that is checked.
    named: str
    #: The smaller of two sizes.
    size: int
    make: Make
    #: Arguments of the command to run instead of a check of the file.
    command: tuple[str, ...] = ()


def _one(name: str, named: str, size: int, text: Callable[[int], str]) -> Case:
    return Case(name, named, size, lambda n: {named: text(n)})


def _beside(name: str, file: str, size: int, text: Callable[[int], str]) -> Case:
    """A file of the project beside a small config."""
    return Case(
        f"{file}: {name}", "train.yml", size, lambda n: {"train.yml": AXOLOTL, file: text(n)}
    )


def _keys(count: int, value: str = "1") -> str:
    return "".join(f"key_{number}: {value}\n" for number in range(count))


def _configs() -> list[Case]:
    cases = []
    for framework, text in (("axolotl", AXOLOTL), ("trl", TRL), ("llamafactory", LLAMAFACTORY)):
        for name, size, grow in (
            ("unknown keys", 400, _keys),
            ("one key again and again", 400, lambda n: "seed: 1\n" * n),
            ("items of a list", 1000, lambda n: f"extra: [{'a, ' * n}b]\n"),
            ("items below each other", 1000, lambda n: "extra:\n" + "  - a\n" * n),
            ("depth", 20, lambda n: "extra: " + "[" * n + "]" * n + "\n"),
            ("digits", 4000, lambda n: f"learning_rate: {'9' * n}x\n"),
            ("underscores", 4000, lambda n: f"learning_rate: 1{'_' * n}x\n"),
            ("dotted digits", 4000, lambda n: f"learning_rate: {'1.' * n}\n"),
            ("a long text", 8000, lambda n: f"run_name: {'a' * n}\n"),
            ("blanks in a text", 8000, lambda n: f"run_name: 'a{' ' * n}b'\n"),
            ("comments", 2000, lambda n: "# lora_r: 8\n" * n),
            ("signs of a comment", 20000, lambda n: "#" * n + "\n"),
            ("a long comment", 20000, lambda n: "# " + "a " * n + "\n"),
            ("a long comment behind a value", 20000, lambda n: "seed: 1  # " + "lora_r: 8 " * n + "\n"),
            ("blank lines", 4000, lambda n: "\n" * n),
            ("anchors", 400, lambda n: "".join(f"key_{i}: &a{i} x\n" for i in range(n))),
            ("aliases", 400, lambda n: "a: &a {b: 1}\n" + "".join(f"k{i}: *a\n" for i in range(n))),
            ("merges", 200, lambda n: "a: &a {b: 1}\n" + "".join(f"k{i}: {{<<: *a}}\n" for i in range(n))),
            ("numbers as text", 400, lambda n: "".join(f"key_{i}: 1e-5\n" for i in range(n))),
            ("words as booleans", 400, lambda n: "".join(f"key_{i}: no\n" for i in range(n))),
            ("dates", 400, lambda n: "".join(f"key_{i}: 2025-01-01\n" for i in range(n))),
            ("octal numbers", 400, lambda n: "".join(f"key_{i}: 010\n" for i in range(n))),
            ("curly quotes", 400, lambda n: "".join(f"key_{i}: \u201ca\u201d\n" for i in range(n))),
            ("codes in a comment", 200, lambda n: "x: 1  # cfglint: ignore[" + ", ".join(f"ABC{i}" for i in range(n)) + "]\n"),
            ("comments with codes", 200, lambda n: "".join(f"key_{i}: 1  # cfglint: ignore[KEY001]\n" for i in range(n))),
            ("opened brackets", 2000, lambda n: "x: 1 # " + "cfglint: ignore[" * n + "\n"),
            ("codes of the file", 100, lambda n: "# cfglint: ignore-file[" + ", ".join(f"ABC{i}" for i in range(n)) + "]\n" + _keys(n)),
            ("codes without commas", 200, lambda n: "x: 1  # cfglint: ignore[" + " ".join(f"ABC{i}" for i in range(n)) + "]\n"),
            ("one code again and again", 200, lambda n: "x: 1  # cfglint: ignore[" + "K, " * n + "]\n"),
            ("comments with codes above a key", 400, lambda n: "".join(f"# cfglint: ignore[ABC{i}]\n" for i in range(n)) + "x: 1\n"),
            ("comments with codes above blank lines", 400, lambda n: "# cfglint: ignore[KEY001]\n" + "\n# cfglint: ignore[KEY001]\n" * n),
            ("templates", 1000, lambda n: f"run_name: \"{'{{a' * n}\"\n"),
            ("what does not load", 1000, lambda n: "a: b\n" * n + " c: [\n"),
            ("tabs", 1000, lambda n: "a:\n" + "\tb: 1\n" * n),
            ("quotes that are open", 1000, lambda n: "a: 'b\n" * n),
            ("colons", 1000, lambda n: "a: b: c\n" * n),
        ):  # fmt: skip
            cases.append(_one(f"{framework}: {name}", f"{framework}.yml", size, lambda n, t=text, g=grow: t + g(n)))  # type: ignore[misc]  # fmt: skip
    return cases


def _of_axolotl() -> list[Case]:
    def datasets(count: int) -> str:
        return "base_model: a/b\nmicro_batch_size: 1\ndatasets:\n" + "".join(
            f"  - {{path: c/d{number}, type: alpaca}}\n" for number in range(count)
        )

    def in_flow(count: int) -> str:
        inner = ", ".join(f"{{path: c/d{number}, type: alpaca}}" for number in range(count))
        return f"base_model: a/b\nmicro_batch_size: 1\ndatasets: [{inner}]\n"

    return [
        _one("axolotl: datasets", "train.yml", 300, datasets),
        _one("axolotl: datasets in flow", "train.yml", 300, in_flow),
        _one(
            "axolotl: modules", "train.yml", 500,
            lambda n: AXOLOTL + "lora_target_modules:\n" + "".join(f"  - m{i}\n" for i in range(n)),
        ),
        _one(
            "axolotl: plugins", "train.yml", 200,
            lambda n: AXOLOTL + "plugins:\n" + "".join(f"  - a.b{i}.C\n" for i in range(n)),
        ),
    ]  # fmt: skip


def _of_json() -> list[Case]:
    def made(extra: str) -> str:
        return "{" + DEEPSPEED + extra + "}"

    return [
        _one("json: unknown keys", "ds.json", 400, lambda n: made("".join(f', "k{i}": 1' for i in range(n)))),
        _one("json: one key again and again", "ds.json", 400, lambda n: made(', "k": 1' * n)),
        _one("json: depth", "ds.json", 20, lambda n: made(', "k": ' + "[" * n + "]" * n)),
        _one("json: comments", "ds.json", 1000, lambda n: made("\n// a\n" * n)),
        _one("json: commas", "ds.json", 1000, lambda n: made("," * n)),
        _one("json: a long text", "ds.json", 8000, lambda n: made(f', "k": "{"a" * n}"')),
        _one("json: what is open", "ds.json", 1000, lambda n: made(', "k": {' * n)),
        _one("json: backslashes", "ds.json", 4000, lambda n: made(', "k": "' + "\\" * n)),
    ]  # fmt: skip


def _of_shell() -> list[Case]:
    return [
        _one(f"shell: {name}", "train.sh", size, lambda n, g=grow: f"{SCRIPT}\n{g(n)}\n")  # type: ignore[misc]
        for name, size, grow in (
            ("blanks behind let", 8000, lambda n: "let" + " " * n),
            ("brackets", 2000, lambda n: "((" * n),
            ("variables", 500, lambda n: "".join(f"A{i}=$A{i - 1}x\n" for i in range(n))),
            ("options", 200, lambda n: SCRIPT.split("\n", 1)[1] + "".join(f" --o{i} 1" for i in range(n))),
            ("commands", 100, lambda n: (SCRIPT.split("\n", 1)[1] + "\n") * n),
            ("substitutions", 500, lambda n: "a=" + "$(" * n),
            ("quotes", 2000, lambda n: "a='" * n),
            ("backslashes", 2000, lambda n: "a \\\n" * n),
            ("comments with CRLF", 500, lambda n: SCRIPT.split("\n", 1)[1] + " \\\r\n" + "#a\\\r\n" * n),
            ("here-documents", 300, lambda n: "cat <<A\nA\n" * n),
            ("pipes", 1000, lambda n: "a | " * n),
            ("lists", 1000, lambda n: "a=(" + "b " * n + ")"),
            ("defaults", 1000, lambda n: "${x:=" * n),
        )
    ]  # fmt: skip


def _of_projects() -> list[Case]:
    lock = '[[package]]\nname = "{}"\nversion = "1.0"\n'
    rows: tuple[tuple[str, str, int, Callable[[int], str]], ...] = (
        ("requirements.txt", "requirements", 400, lambda n: "".join(f"p{i}==1.0\n" for i in range(n))),
        ("requirements.txt", "one package", 200, lambda n: "".join(f"peft=={i}.0\n" for i in range(n))),
        ("requirements.txt", "fragments", 4000, lambda n: "https://a/b" + "#&" * n + "\n"),
        ("requirements.txt", "a wheel", 4000, lambda n: "https://a/" + "a" * n + ".whl\n"),
        ("requirements.txt", "dashes of a wheel", 2000, lambda n: "https://a/" + "a-1-" * n + "\n"),
        ("requirements.txt", "a marker", 2000, lambda n: "peft==0.17.0; a" + " )" * n + "x\n"),
        ("requirements.txt", "operators", 2000, lambda n: "peft==1" + ",==1" * n + " x\n"),
        ("requirements.txt", "blanks", 4000, lambda n: "peft" + " " * n + "x\n"),
        ("pyproject.toml", "dependencies", 400, lambda n: "[project]\nname='a'\ndependencies=[" + ",".join(f"'p{i}==1'" for i in range(n)) + "]\n"),
        ("pyproject.toml", "one dependency", 400, lambda n: "[project]\nname='a'\ndependencies=[" + ",".join(f"'peft>={i}'" for i in range(n)) + "]\n"),
        ("uv.lock", "packages", 400, lambda n: "".join(lock.format(f"p{i}") for i in range(n))),
        ("uv.lock", "an open address", 2000, lambda n: lock.format("peft") + 'source = { url = "x/' + ".whl#" * n + "\n"),
        ("poetry.lock", "packages", 400, lambda n: "".join(lock.format(f"p{i}") for i in range(n))),
        ("pdm.lock", "packages", 400, lambda n: "".join(lock.format(f"p{i}") for i in range(n))),
        ("pylock.toml", "packages", 400, lambda n: "".join(lock.format(f"p{i}").replace("package", "packages") for i in range(n))),
        ("Pipfile.lock", "packages", 400, lambda n: json.dumps({"_meta": {}, "default": {f"p{i}": {"version": "==1"} for i in range(n)}}, indent=1)),
        ("environment.yml", "packages", 400, lambda n: "dependencies:\n" + "".join(f"  - p{i}=1.0\n" for i in range(n))),
        ("environment.yml", "blanks", 4000, lambda n: "dependencies:\n  - peft" + " " * n + "x\n"),
        ("conda-lock.yml", "packages", 200, lambda n: "package:\n" + "".join(f"- name: p{i}\n  version: 1.0\n" for i in range(n))),
        ("Dockerfile", "lines", 400, lambda n: "FROM a:b\n" + "RUN pip install peft\n" * n),
        ("Dockerfile", "words", 1000, lambda n: "FROM a:b\nRUN pip install" + " a" * n + "\n"),
        ("run.sh", "installs", 300, lambda n: "pip install \\\r\n" * n),
        ("sky.yaml", "blanks behind a key", 4000, lambda n: "resources:\n  accelerators: A" + " " * n + "x\n"),
        ("pod.yaml", "blanks behind a number", 4000, lambda n: "      nvidia.com/gpu: 1" + " " * n + "x\n"),
        ("job.slurm", "directives", 400, lambda n: "#!/bin/bash\n" + "#SBATCH --gpus=1\n" * n),
        ("setup.py", "lines", 400, lambda n: "from setuptools import setup\n" + "a = 1\n" * n + "setup(install_requires=['peft'])\n"),
        ("Pipfile.lock", "sections", 200, lambda n: json.dumps({"_meta": {}} | {f"s{i}": {"peft": {"version": "==1"}} for i in range(n)}, indent=1)),
        ("dataset_info.json", "datasets", 400, lambda n: json.dumps({f"d{i}": {"hf_hub_url": "a/b"} for i in range(n)})),
        (".gitignore", "globs", 400, lambda n: "".join(f"a{i}/*.yml\n" for i in range(n))),
        (".gitignore", "stars", 100, lambda n: "*a" * n + "*b\n"),
        ("cfglint.toml", "exclude", 200, lambda n: f"exclude = {[f'a{i}/*.yml' for i in range(n)]}\n"),
        ("cfglint.toml", "ignore", 100, lambda n: f"ignore = {['KEY001'] * n}\n"),
        ("cfglint.toml", "stars", 100, lambda n: "exclude = ['" + "*a" * n + "*b']\n"),
        ("cfglint.toml", "per-file-ignores", 50, lambda n: "[per-file-ignores]\n" + "".join(f"'a{i}' = 'KEY'\n" for i in range(n))),
    )  # fmt: skip
    return [_beside(name, file, size, text) for file, name, size, text in rows]


def _of_pairs() -> list[Case]:
    return [
        Case("trl: unknown keys beside a program", "train.yml", 400, _beside_program),
        Case("llamafactory: misspelt datasets", "train.yml", 100, _misspelt_datasets),
    ]


def _beside_program(count: int) -> dict[str, str]:
    program = "parser = TrlParser((ScriptArguments, SFTConfig, ModelConfig))\n"
    return {"train.yml": TRL + _keys(count), "train.py": f"from trl import TrlParser\n{program}"}


def _misspelt_datasets(count: int) -> dict[str, str]:
    names = ",".join(f"rihgt{number}" for number in range(count))
    config = LLAMAFACTORY.replace("dataset: c\n", f"dataset: {names}\ndataset_dir: .\n")
    known = {f"right{number}": {"hf_hub_url": "a/b"} for number in range(count)}
    return {"train.yml": config, "dataset_info.json": json.dumps(known)}


#: Texts that any reader may meet.
_ANYWHERE: tuple[tuple[str, int, Callable[[int], str]], ...] = (
    ("one package per line", 400, lambda n: "peft==0.17.0\n" * n),
    ("blank lines", 4000, lambda n: "\n" * n),
    ("a long line", 8000, lambda n: "peft" + "a" * n),
    ("open brackets", 2000, lambda n: "[" * n),
    ("open quotes", 2000, lambda n: "peft = \"'" * n),
    ("settings", 400, lambda n: "".join(f"peft_{i} = 1\n" for i in range(n))),
)  # fmt: skip


def _of_readers() -> list[Case]:
    """What no tool writes, in each file of a project that is read."""
    files = list(dict.fromkeys(case.name.partition(":")[0] for case in _of_projects()))
    files += ["Pipfile", "requirements-dev.in", "setup.cfg", "pixi.lock", "Makefile", "compose.yml"]
    return [
        _beside(name, file, size, text)
        for file in files
        if file != "cfglint.toml"
        for name, size, text in _ANYWHERE
    ]


def cases() -> list[Case]:
    """All of them."""
    from tools.growth.commands import commands
    from tools.growth.run_files import run_files

    return [
        *_configs(),
        *_of_axolotl(),
        *_of_json(),
        *_of_shell(),
        *run_files(),
        *_of_projects(),
        *_of_readers(),
        *_of_pairs(),
        *commands(),
    ]
