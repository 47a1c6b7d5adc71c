"""What surrounds a run besides its config, for random command lines: scripts, programs, notebooks, logs."""

from __future__ import annotations

import json
import random
import re

from cfglint.knowledge import compiled

SCRIPTS = (
    "#!/bin/bash\nexport N=8\nARGS=(--stage sft --bf16 true)\nllamafactory-cli train \\\n"
    '  --model_name_or_path a/b "${ARGS[@]}" --dataset c --template llama3 \\\n'
    "  --output_dir out --learning_rate 1e-4 --lora_target q_proj,v_proj | tee train.log\n",
    "set -e\nMODEL=a/b\naccelerate launch --num_processes $N --config_file accelerate.yaml \\\n"
    '  trl/scripts/sft.py --model_name_or_path "$MODEL" --dataset_name c/d --output_dir out \\\n'
    "  --max_seq_length 512 --evaluation_strategy steps\ntrl dpo --config train.yml --beta 0.1\n",
    "torchrun --nproc_per_node=8 main_finetune.py --llama_type llama --tokenizer_path t \\\n"
    '  --pretrained_path p --lr 0.00002 --epochs "$2" --data_config data.yaml --output_dir o\n',
    "deepspeed --num_gpus=4 src/train.py --deepspeed ds.json --stage pt --do_train train.yml\n",
)
PROGRAMS = (
    "import torch\nfrom peft import LoraConfig\nfrom trl import SFTConfig, SFTTrainer\n\n"
    "LENGTH = 1024 * 2\n\nargs = SFTConfig(\n    output_dir='out',\n    max_seq_length=LENGTH,\n"
    '    eval_stratgey="steps",  # often\n    bf16=True,\n)\nadapter = LoraConfig(r=16, '
    "target_module=['q_proj'])\nSFTTrainer('a/b', args=args, peft_config=adapter, packing=True)\n",
    "from transformers import TrainingArguments as T, BitsAndBytesConfig\nimport trl\n\n"
    "def main(lr):\n    for rate in (1e-4, lr):\n        yield T('out', learning_rate=rate, "
    "evaluation_strategy='no', num_train_epochs='3')\n\nquantized = BitsAndBytesConfig(load_in_4bit=True)\n"
    "trl.GRPOConfig(**{}, num_generations=0, beta=-1)\nprint(f'{main(1)!r}')\n",
)
#: What may stand in the place of a value or a word, in Python and in shell.
_ODD = (
    *("None", "True", "-1", "1e400", "0x1f", "9" * 5000, "b'x'", "f'{x!r:>{y}}'", "'\\ud800'"),
    *("[1, *x]", "{**x}", "lambda: 0", "(yield)", "(x := 1)", "x if y else z", "[i for i in x]"),
    *("1 +" * 300 + "1", "(" * 150 + ")" * 150, "-" * 2000 + "1", "2 ** 10 ** 10", "'a' * 10 ** 9"),
    *("...", "..", "*", '"""', "$(x", "`x`", "${a:-${b", "<<E", "\\", "#", "\x00", "\u202e"),
)
_LOG_HEAD = (
    "torch==2.6.0 transformers: 4.57.1 trl 0.24.0 axolotl version 0.12.2",
    "+ axolotl train {config} --learning-rate 1e-4",
    "world_size=8 num_processes: 4",
    "\x1b[32mINFO\x1b[0m loading",
    " 10%|#         | 1/10 [00:01<00:09]\r 20%|##        | 2/10",
    "{{'loss': 1.0, 'grad_norm': nan, 'epoch': 0.1}}",
)
_FRAMES = (
    "Traceback (most recent call last):",
    '  File "/a/b.py", line 12, in build',
    "    raise ValueError('x')",
    "│ /a/trainer.py:120 in train                                     │",
    "During handling of the above exception, another exception occurred:",
    "train.py: error: unrecognized arguments: --lrr 1",
    "failed (exitcode: -9) local_rank: 1",
    "Signal 9 (SIGKILL) received by PID 12",
    "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1)",
)
_MARKS = ("", "", "", "[rank3]: ", "[default1]:", "3: ", "(worker pid=12) ", "\x1b[31m", "│ ")
#: What a log may hold and no program should believe.
_HOSTILE = ("\x1b]0;x\x07", "\u202e", "::error::x", "\x00", "]]>", "../outside/x.yml", "=" * 3000)


def script_program_or_notebook(rng: random.Random) -> tuple[str, str]:
    """(name, text) of a file that starts or is a run, some of whose values and words are odd."""
    kind = rng.randrange(3)
    if kind == 0:
        return "run_it.sh", _with_odd_parts(rng, rng.choice(SCRIPTS))
    program = _with_odd_parts(rng, rng.choice(PROGRAMS))
    if kind == 1:
        return "train_it.py", program
    return "train_it.ipynb", notebook(program)


def _with_odd_parts(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        places = [match.span() for match in re.finditer(r"(?<=[=, ])[\w.'\"$@/*-]+", text)]
        start, end = rng.choice(places)
        text = text[:start] + rng.choice(_ODD) + text[end:]
    return text


def notebook(program: str) -> str:
    """A program as the cells of a notebook, as Jupyter writes them."""
    cells = [
        {
            "cell_type": "code",
            "execution_count": 1,
            "metadata": {},
            "outputs": [],
            "source": part.splitlines(keepends=True),
        }
        for part in ("!pip install -q trl==0.24.0\n%matplotlib inline", *program.split("\n\n"))
    ]
    return json.dumps(
        {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1
    )


def log(rng: random.Random, config: str) -> str:
    """The log of a run of a config: what it states, errors that rules and others know, and what harms."""
    rows = compiled.load("symptoms").RULES
    lines = [line.format(config=config) for line in rng.sample(_LOG_HEAD, rng.randint(0, 4))]
    for _ in range(rng.randint(1, 12)):
        choice = rng.random()
        if choice < 0.4:
            _, _, pieces = rng.choice(rows)
            words = rng.choice(("…", " 'x' ", "1e-5", "\n")).join(pieces)
            lines.append(f"{rng.choice(('ValueError', 'pydantic.ValidationError'))}: {words}")
        elif choice < 0.9:
            lines.append(rng.choice(_FRAMES))
        else:
            lines.append(rng.choice(_HOSTILE))
    text = "\n".join(rng.choice(_MARKS) + line for line in lines)
    if rng.random() < 0.1:
        text = re.sub(r"\n", "\r\n", text)
    return text * rng.choice((1, 1, 1, 40))
