"""Projects on which a command once took minutes or ended with a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import environment, run
from tests.draws import drawn, product

AXOLOTL = "base_model: a/b\ndatasets:\n  - {path: c/d, type: alpaca}\nmicro_batch_size: 1\n"
TRL = "model_name_or_path: a/b\ndataset_name: c/d\noutput_dir: out\nlearning_rate: 0.1\n"
LLAMAFACTORY = "model_name_or_path: a/b\nstage: sft\ntemplate: llama3\noutput_dir: o\n"
DEEPSPEED = '{"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 2}'
KNOWN = "base_model: NousResearch/Llama-3.2-1B\nsequence_len: 2048\nmicro_batch_size: 1\noptimizer: adamw_torch\n"


def _rows(text: str, count: int) -> str:
    return "".join(text.replace("#", str(number)) for number in range(count))


#: What grows with its square where a guard is missing, at sizes that take several seconds then:
#: files by their names, the first one checked.
LARGE: dict[str, Callable[[], dict[str, str]]] = {
    "unknown keys of JSON": lambda: {"ds.json": DEEPSPEED + _rows(', "k#": 1', 8_000) + "}"},
    "one key of JSON again and again": lambda: {"ds.json": DEEPSPEED + ', "k": 1' * 4_000 + "}"},
    "datasets in flow": lambda: {
        "train.yml": "base_model: a/b\nmicro_batch_size: 1\ndatasets: ["
        + _rows("{path: c/d#, tipe: alpaca}, ", 150)
        + _rows("{path: e/f#, type: alpaca}, ", 4_000)
        + "]\n",
        # Without a stated release, the file is checked with an older one, too.
        "requirements.txt": "axolotl==0.16.1\n",
    },
    "merges": lambda: {"train.yml": AXOLOTL + "a: &a {b: 1}\n" + _rows("k#: {<<: *a}\n", 4_000)},
    "dependencies": lambda: {
        "train.yml": AXOLOTL,
        "pyproject.toml": "[project]\nname='a'\ndependencies=['peft',"
        + _rows("'p#==1',", 20_000)
        + "]\n",
    },
    "one dependency again and again": lambda: {
        "train.yml": AXOLOTL,
        "pyproject.toml": "[project]\nname='a'\ndependencies=["
        + _rows("'peft>=#',", 20_000)
        + "]\n",
    },
    # With more of them, the comment is not read.
    "names in a comment": lambda: {
        "train.yml": AXOLOTL
        + f"x: 1  # cfglint: ignore[{_rows('dataset-without-a-typ#, ', 1_900)}]\n"
    },
    "codes in a comment": lambda: {
        "train.yml": AXOLOTL + f"x: 1  # cfglint: ignore[{'A1,' * 300_000}]\n"
    },
    "comments with codes": lambda: {
        "train.yml": AXOLOTL + "# cfglint: ignore[KEY001]\n" * 20_000 + "x: 1\n"
    },
    "keys beside a program": lambda: {
        "train.yml": TRL + _rows("key_#: 1\n", 5_000),
        "train.py": "from trl import TrlParser\nTrlParser((ScriptArguments, SFTConfig))\n",
    },
    "excluded globs": lambda: {
        "c0.yml": AXOLOTL,
        **{f"c{number}.yml": AXOLOTL for number in range(1, 40)},
        "cfglint.toml": f"exclude = [{_rows(chr(39) + 'a#/*.yml' + chr(39) + ', ', 8_000)}]\n",
    },
    "misspelt datasets": lambda: {
        "train.yml": LLAMAFACTORY + f"dataset: {_rows('rihgt#,', 800)}\ndataset_dir: .\n",
        "dataset_info.json": json.dumps({f"right{n}": {"hf_hub_url": "a/b"} for n in range(800)}),
    },
    "findings at one long value": lambda: {
        "train.yml": LLAMAFACTORY + f"dataset: {_rows('rihgt#,', 4_000)}\ndataset_dir: .\n",
        "dataset_info.json": '{"right": {"hf_hub_url": "a/b"}}',
    },
}


@pytest.fixture(scope="module")
def _loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What the first run alone loads, or makes in a new checkout."""
    folder = tmp_path_factory.mktemp("loaded")
    texts = {"a.yml": AXOLOTL, "t.yml": TRL, "l.yml": LLAMAFACTORY, "ds.json": DEEPSPEED + "}"}
    for name, text in texts.items():
        (folder / name).write_text(text + "typo: 1\n" * name.endswith(".yml"))
        run(str(folder / name), "--statistics")


@product
@pytest.mark.usefixtures("_loaded")
@pytest.mark.parametrize("name", drawn(LARGE, 3))
def test_a_large_file_is_checked_in_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    files = LARGE[name]()
    (tmp_path / ".git").mkdir()
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    started = time.process_time()
    result = run("." if name == "excluded globs" else next(iter(files)), "--statistics")
    # At most two on a quiet machine, and more on a shared one; what grows with the square takes a minute.
    assert time.process_time() - started < 8
    assert result.code in (0, 1)


def test_a_migration_of_many_steps(tmp_path: Path) -> None:
    datasets = _rows("  - path: c/d#\n    type: sharegpt\n    conversation: chatml\n", 40)
    config = tmp_path / "train.yml"
    config.write_text(
        "base_model: a/b\nmicro_batch_size: 2\nlearning_rate: 0.0001\nflash_attention: true\n"
        f"datasets:\n{datasets}" + "# a comment\n" * 150
    )
    words = ("migrate", str(config), "--to", "axolotl==0.21.0", "--unsafe-fixes", "--isolated")
    assert run(*words).code in (0, 1)  # what is loaded once
    started = time.process_time()
    result = run(*words)
    assert time.process_time() - started < 2  # 0.4 on a machine that does nothing else
    assert "41 steps" in result.out


@pytest.mark.parametrize(
    "more",
    [
        "model_type: [X]\n",
        "type_of_model: {a: 1}\n",
        "fsdp_config: {2025-03-01: 1}\n",
        "fsdp_config: {1: 2}\n",
        "fsdp: [[1]]\n",
        "optimizer: 2025-03-01\n",
        "adapter: !!set {a}\n",
    ],
)
def test_fit_takes_values_of_every_type(tmp_path: Path, more: str) -> None:
    (tmp_path / "train.yml").write_text(KNOWN.replace("optimizer: adamw_torch\n", "") + more)
    result = run("fit", str(tmp_path / "train.yml"), "--isolated")
    assert result.code in (0, 1, 2)
    assert "CFG003" not in run(str(tmp_path / "train.yml"), "--isolated", "--gpu", "h100").out


def test_fit_takes_a_model_with_a_list_as_type(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model/config.json").write_text('{"model_type": ["llama"], "hidden_size": 64}')
    (tmp_path / "train.yml").write_text(KNOWN.replace("NousResearch/Llama-3.2-1B", "./model"))
    assert run("fit", str(tmp_path / "train.yml")).code in (0, 1, 2)
    assert "CFG003" not in run(str(tmp_path / "train.yml")).out


def test_a_long_regular_expression_is_one(tmp_path: Path) -> None:
    modules = "|".join(f"model.layers.{number}.self_attn.q_proj" for number in range(60))
    config = tmp_path / "train.yml"
    config.write_text(f"{AXOLOTL}adapter: lora\nlora_target_modules: ['({modules})']\n")
    assert len(modules) > 1_600
    assert "PEF136" not in run(str(config), "--isolated").out


@pytest.mark.skipif(os.name == "nt", reason="a folder in use stays")
@pytest.mark.parametrize("words", [("init",), (".",), ("settings",), ("diagnose", "-")])
def test_in_a_deleted_folder(tmp_path: Path, words: tuple[str, ...]) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    code = f"import os, sys; os.chdir({str(folder)!r}); os.rmdir({str(folder)!r}); from cfglint.cli import main; main({list(words)!r})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=environment(),
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("cfglint: ")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize("words", ["missing.yml", "--no-such-option", "diagnose missing.log"])
def test_an_error_without_standard_error_is_exit_code_2(tmp_path: Path, words: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m cfglint {words} 2>&-', sys.executable],
        cwd=tmp_path,
        env=environment(),
        check=False,
        timeout=60,
    )
    assert done.returncode == 2


def test_pipefail_in_a_script_with_crlf(tmp_path: Path) -> None:
    script = tmp_path / "train.sh"
    script.write_bytes(
        b"#!/bin/bash\r\ntorchrun main_finetune.py --llama_type llama --tokenizer_path t \\\r\n"
        b" --data_config d.yaml --output_dir o | tee log\r\n"
    )
    run(str(script), "--fix", "--unsafe-fixes", "--isolated")
    assert b"pipefail\r" not in script.read_bytes()
