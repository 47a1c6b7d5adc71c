"""A repository that leads outside in every way that is known: links, absolute paths, `..`, imports, includes, hooks.

In its texts `{outside}` is a folder that it may not reach, `{up}` the way there from its top, and `{hook}` a program
that must not run.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

#: The repository lies so deep that its project does not reach `outside`, where git is not asked either.
REPOSITORY = "home/checkouts/repository"
UP = "../../../outside"

_CONFIG = """\
base_model: {up}/model
datasets:
  - {{path: {outside}/secret.json, type: alpaca}}
  - {{path: {up}/secret.json, type: alpaca}}
  - {{path: folder/secret.json, type: alpaca}}
  - {{path: ./chain/secret.jsonl, ds_type: json, type: chat_template}}
deepspeed: {outside}/secret.json
chat_template_jinja: ./folder/secret.jinja
accelerator_config: /etc/passwd
output_dir: ./out
sequence_lenn: 2048
micro_batch_size: 1
learning_rate: 1e-5
"""
_LINKED = """\
base_model: ./folder/model
adapter: lora
lora_model_dir: ./folder/adapter
deepspeed: folder/secret.json
datasets: [{{path: link.json, type: alpaca}}]
sequence_len: 2048
"""
_PPO = "python3 -m verl.trainer.main_ppo"
#: A program whose calls are given what is in files outside.
_LOADS = """\
import json
import sys
from pathlib import Path

import yaml
from folder.secret import one
from linked_helpers import two
from ..outside.secret import three
from trl import SFTConfig

sys.path.insert(0, "{outside}")
sys.path.append("folder")
here = Path(__file__).parent
first = yaml.safe_load(open("{outside}/secret.yml"))
second = yaml.safe_load(open("folder/secret.yml"))
third = yaml.safe_load((here / "{up}" / "secret.yml").read_text())
fourth = yaml.safe_load(open("chain.yml"))
fifth = yaml.safe_load((here / "chain" / "secret.yml").read_text())
sixth = json.load(open("link.json"))
SFTConfig(**first["training"])
SFTConfig(**second["training"])
SFTConfig(**third["training"])
SFTConfig(**fourth["training"])
SFTConfig(**fifth["training"])
SFTConfig(**sixth["training"], deepspeed="folder/secret.json")
"""
_HYDRA = """\
defaults:
  - folder/secret
  - chain/secret@actor
  - /{up}/secret
  - {outside}/secret
  - ../{up}/secret@critic
  - linked
  - _self_
hydra:
  searchpath: [file://{outside}, "file://folder", pkg://folder, "file://../folder"]
trainer: {{nothing: 1}}
"""
FILES = {
    "train.yml": _CONFIG,
    "linked.yml": _LINKED,
    "requirements.txt": "-r /etc/passwd\n-r {outside}/secret.txt\n-c {up}/secret.txt\n-r folder/secret.txt\ntorch==2.6.0\n",
    "pyproject.toml": '[project]\nname = "axolotl"\ndependencies = ["axolotl==0.12.2"]\n',
    "run.sh": "source {up}/secret.txt\nexport X=$(cat {outside}/secret.txt)\naxolotl train train.yml\n",
    "others.sh": (
        "axolotl train {outside}/secret.yml\naxolotl train {up}/secret.yml\naxolotl train folder/secret.yml\n"
        "accelerate launch --config_file {outside}/secret.yml sft.py --deepspeed folder/secret.json\n"
        "accelerate launch --config_file chain/secret.yml folder/secret.py\naxolotl train link.yml\n"
        "source folder/secret.txt\n. chain/secret.txt\npython ../outside/secret.py --config up.yml\n"
    ),
    "sft.yaml": "model_name_or_path: {outside}/model\ndataset_name: a/b\noutput_dir: ./o\nmax_seq_length: 5\n",
    "recipes/sft.yaml": "model_name_or_path: ../folder/model\ndataset_name: a/b\noutput_dir: ./o\nmax_seq_length: 5\n",
    "lora.yaml": "model_name_or_path: a/b\nstage: sft\ndo_train: true\ndataset: x\ndataset_dir: {outside}\noutput_dir: ./o\n",
    "lora_linked.yaml": (
        "model_name_or_path: folder/model\nstage: sft\ndo_train: true\ndataset: x\ndataset_dir: folder\n"
        "deepspeed: chain/secret.json\noutput_dir: ./o\nunknown_key: 1\n"
    ),
    "data/dataset_info.json": (
        '{{"x": {{"file_name": "{outside}/secret.json"}}, "y": {{"file_name": "{up}/secret.json"}},'
        ' "z": {{"file_name": "../folder/secret.json", "script_url": "../folder"}}}}'
    ),
    "lora_data.yaml": "model_name_or_path: a/b\nstage: sft\ndo_train: true\ndataset: x,y,z\ndataset_dir: data\noutput_dir: ./o\n",
    "train.sh": (
        "llamafactory-cli train --stage sft --do_train --dataset_dir {outside} --dataset secret \\\n"
        " --model_name_or_path {outside}/model --output_dir o $(cat {outside}/secret.txt)\n"
        "llamafactory-cli train --stage sft --do_train --dataset_dir folder --dataset secret --own_argument 1 \\\n"
        " --model_name_or_path folder/model --deepspeed chain/secret.json --output_dir o\n"
    ),
    "sft.py": (
        "import sys; sys.path.insert(0, '{outside}')\nfrom trl import SFTConfig\n"
        "SFTConfig(open('{outside}/secret.txt').read(), max_seq_length=1, deepspeed='{outside}/secret.json')\n"
    ),
    "loads.py": _LOADS,
    "nb.ipynb": '{{"cells": [{{"cell_type": "code", "source": ["%run {outside}/secret.txt\\n", "!cat {outside}/secret.txt\\n", "from trl import SFTConfig\\n", "SFTConfig(deepspeed=\'{outside}/secret.json\', max_seq_length=1)\\n"]}}]}}',
    "ppo.sh": (
        f"{_PPO} --config-path=config --config-name=own extra.size=2 trainer.nothing=1\n"
        f"{_PPO} --config-path={{up}} --config-name=secret a.b=1\n{_PPO} --config-path={{outside}} --config-name=secret a.b=1\n"
        f"{_PPO} --config-path=folder --config-name=secret a.b=1\n{_PPO} --config-path=config --config-name=linked a.b=1\n"
        f"{_PPO} trainer.nothing=1 actor_rollout_ref.no_such_key=1\n"
    ),
    "config/own.yaml": _HYDRA,
    "config/searched.yaml": "defaults:\n  - secret\n  - _self_\nhydra:\n  searchpath: [file://folder]\na: 1\n",
    "config/one.yaml": "defaults:\n  - linked\n  - _self_\na: 1\n",
    "config/two.yaml": "defaults:\n  - chain\n  - _self_\na: 1\n",
    "config/three.yaml": "defaults:\n  - folder/secret\n  - _self_\na: 1\n",
    "config/four.yaml": "defaults:\n  - ../{up}/secret\n  - _self_\na: 1\n",
    "config/five.yaml": "defaults:\n  - {outside}/secret\n  - _self_\na: 1\n",
    "more_ppo.sh": "".join(
        f"{_PPO} --config-path=config --config-name={name} a=2 b=3\n"
        for name in ("searched", "one", "two", "three", "four", "five")
    ),
    "copy/run.sh": f"{_PPO} trainer.nothing=1 actor_rollout_ref.no_such_key=1\n",
    "copy/verl/trainer/config/ppo_trainer.yaml": "defaults:\n  - actor/secret\n  - _self_\ntrainer: {{}}\n",
    "openrlhf.sh": (
        "deepspeed --module openrlhf.cli.train_sft --pretrain folder/model --dataset {outside}/secret.json"
        " --own_option 1 --max_lenn 2\n"
        "python -m openrlhf.cli.train_dpo --pretrain {outside}/model --own_option 1\n"
    ),
    "swift.sh": (
        "swift sft --model folder/model --dataset folder/secret.jsonl {outside}/secret.jsonl --deepspeed chain/secret.json"
        " --custom_register_path folder/secret.py --max_lengthh 2\nswift sft --config {outside}/secret.yml\n"
        "swift sft folder/secret.yml\n"
    ),
    "accessory.sh": (
        "torchrun main_finetune.py --llama_type llama --llama_config folder/secret.json {outside}/secret.json"
        " --data_config chain/secret.yml --pretrained_path folder/model --tokenizer_path folder/secret.txt --own 1\n"
    ),
    "run.log": "+ axolotl train {outside}/secret.yml\ntorch==2.6.0\nValueError: x\n",
    "up.log": "+ axolotl train {up}/secret.yml\nTraceback (most recent call last):\n  File \"{outside}/secret.txt\", line 1, in f\nKeyError: 'x'\n",
    "via.log": "+ axolotl train link.yml\nKeyError: 'x'\n",
    "settings/baseline/cfglint.toml": 'baseline = "known.json"\n',
    "settings/schema/cfglint.toml": '[[schemas]]\nschema = "schema.json"\nfiles = ["*.yml"]\n',
    "settings/schema/schema.json": '{{"properties": {{"a": {{"$ref": "file://{outside}/secret.json"}}}}}}',
    "settings/schema_beside/cfglint.toml": '[[schemas]]\nschema = "schema.json"\nfiles = ["*.yml"]\n',
    "settings/schema_beside/schema.json": '{{"properties": {{"a": {{"$ref": "linked.json"}}}}}}',
    "settings/schema_linked/cfglint.toml": '[[schemas]]\nschema = "linked.json"\nfiles = ["*.yml"]\n',
    "settings/rules/cfglint.toml": 'rules = ["own"]\n',
    "settings/rules/own/README": "a folder with a link\n",
    "settings/rules_folder/cfglint.toml": 'rules = ["own"]\n',
    "settings/extend/cfglint.toml": 'extend = "linked.toml"\n',
    "settings/extend_outside/cfglint.toml": 'extend = "{outside}/secret.toml"\n',
    **{
        f"settings/{name}/train.yml": "base_model: a/b\nsequence_lenn: 1\nmicro_batch_size: 1\n"
        for name in (
            *("baseline", "extend", "extend_outside", "itself", "rules", "rules_folder", "schema"),
            *("schema_beside", "schema_linked"),
        )
    },
    ".gitattributes": "* filter=x diff=x\n",
}
LINKS = {
    "link.yml": "{outside}/secret.yml",
    "link.json": "{outside}/secret.json",
    "up.yml": "{up}/secret.yml",
    "chain.yml": "second.yml",
    "second.yml": "folder/secret.yml",
    "link.log": "{outside}/secret.yml",
    "link.py": "{outside}/secret.py",
    "linked_helpers.py": "{outside}/secret.py",
    "environment.yml": "/proc/self/environ",
    "known.json": "{outside}/secret.json",
    "report.sarif": "{outside}/victim",
    "uv.lock": "{outside}/secret.txt",
    "poetry.lock": "chain/secret.txt",
    "setup.py": "{outside}/secret.py",
    "Dockerfile": "{outside}/secret.txt",
    "README.md": "{outside}/secret.txt",
    "job.slurm": "{outside}/secret.txt",
    "train_more.sh": "folder/secret.txt",
    ".gitignore": "{outside}/secret.txt",
    "recipes/.gitignore": "../chain/secret.txt",
    "folder": "{outside}",
    # A link to a link to a folder.
    "chain": "folder",
    # What is looked for by name.
    "scripts": "{outside}",
    "jobs": "chain",
    "docker": "{outside}",
    "requirements": "{outside}",
    "src": "{outside}",
    ".github": "{outside}",
    "LLaMA-Factory": "{outside}",
    "trl": "{outside}",
    "openrlhf": "{outside}",
    "accessory": "{outside}",
    "main_finetune.py": "{outside}/secret.py",
    "verl": "{outside}/verl",
    "config/folder": "{outside}",
    "config/chain": "../chain",
    "config/linked.yaml": "{outside}/secret.yaml",
    "config/chain.yaml": "../chain/secret.yaml",
    "copy/verl/trainer/config/actor": "{outside}",
    "copy/verl/trainer/main_ppo.py": "{outside}/secret.py",
    "settings/baseline/known.json": "{outside}/secret.json",
    "settings/schema_beside/linked.json": "{outside}/secret.json",
    "settings/schema_linked/linked.json": "../../chain/secret.json",
    "settings/rules/own/linked.yaml": "{outside}/secret.yaml",
    "settings/rules_folder/own": "{outside}",
    "settings/extend/linked.toml": "{outside}/secret.toml",
    "settings/itself/cfglint.toml": "{outside}/secret.toml",
    "settings/itself/pyproject.toml": "{outside}/secret.toml",
}
_YAML = "base_model: a/hunter2\nsequence_lenn: 1\ntraining: {max_lenn: 1, seed: hunter2}\n"
#: What lies outside. All of it has the word that must not be printed.
OUTSIDE = {
    "secret.yml": _YAML,
    "secret.yaml": _YAML,
    "secret.json": '{"training": {"max_lenn": 1}, "hunter2": 1, "zero_optimization": {"stage": "hunter2"}}',
    "secret.jsonl": '{"hunter2": 1}\n{"hunter2"\n',
    "secret.jinja": "{{ hunter2 \n",
    "secret.toml": "hunter2 = 1\n[tool.cfglint]\nhunter2 = 1\n",
    "secret.txt": "hunter2\ntorch==2.1.0\naxolotl train hunter2.yml --num-processes 8\n",
    "secret.py": "from trl import SFTConfig, hunter2\nSFTConfig('hunter2', max_lenth=1)\nadd_argument('--own')\n",
    "dataset_info.json": '{"secret": {"file_name": "secret.json", "hunter2": 1}}',
    "model/config.json": '{"model_type": "llama", "hunter2": 1}',
    "adapter/adapter_config.json": '{"peft_type": "hunter2"}',
    "__init__.py": "hunter2 = 1\n",
    "cli/train_sft.py": "add_argument('--own_option', default='hunter2')\n",
    "cli/train_dpo.py": "add_argument('--own_option', default='hunter2')\n",
    "llamafactory/hparams/hunter2.py": "own_argument: str = 'hunter2'\nunknown_key: str = ''\n",
    "workflows/hunter2.yml": "jobs: {a: {steps: [{run: pip install torch==2.1.0}]}}\n",
    "verl/trainer/config/ppo_trainer.yaml": "trainer: {nothing: hunter2}\n",
    "verl/trainer/config/secret.yaml": "trainer: {nothing: hunter2}\n",
    "train.sh": "axolotl train train.yml --num-processes 8 hunter2\n",
    "victim": "precious\n",
}
_GIT = (
    "[core]\n\tfsmonitor = {hook}\n\thooksPath = {hooks}\n\tpager = {hook}\n"
    '[diff]\n\texternal = {hook}\n[filter "x"]\n\tsmudge = {hook}\n\tclean = {hook}\n'
)


def lay_out(top: Path, *, in_git: bool = True) -> Path:
    """The hostile repository, next to the folder that it may not reach.

    Args:
        in_git: whether it is one; else it is a folder with the same files.
    """
    outside, repository = top / "outside", top / REPOSITORY
    for name, text in OUTSIDE.items():
        _write(outside / name, text)
    hook = top / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {top}/hook-was-run\n")
    hook.chmod(0o755)
    known = {"outside": str(outside), "up": UP, "hook": str(hook), "hooks": str(top)}
    for name, text in FILES.items():
        _write(repository / name, text.format(**known))
    git = shutil.which("git")
    if git is not None and in_git:
        _commit(git, repository)
    if in_git:
        _write(repository / ".git/config", _GIT.format(**known))
        _write(repository / ".git/HEAD", "ref: refs/heads/main\n")
    for name, target in LINKS.items():
        (repository / name).symlink_to(target.format(**known))
    return repository


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _commit(git: str, repository: Path) -> None:
    identity = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
        "-c",
        "init.defaultBranch=main",
    )
    for words in (("init", "-q"), ("add", "train.yml", "sft.yaml"), ("commit", "-qm", "all")):
        subprocess.run([git, *identity, *words], cwd=repository, check=True, capture_output=True)
