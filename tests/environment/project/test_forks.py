"""Forks of frameworks: what a project installs in place of a release."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.environment.project.forks import fork_at, package_of
from cfglint.environment.project.readers.clones import read as clones
from cfglint.report.target import as_data, described
from tests.draws import each

CONFIG = (
    "model_name_or_path: a/b\nstage: sft\ndo_train: true\nfinetuning_type: lora\ntemplate: {template}\n"
    "dataset: identity\noutput_dir: out\nlearning_rate: {rate}\nmy_own_key: 1\n"
)
OURS = "git+https://github.com/hiyouga/LLaMA-Factory.git"
THEIRS = "git+https://github.com/someone/LLaMA-Factory.git"


@each(
    ("address", "fork"),
    [
        (OURS, ""),
        (THEIRS, "someone/LLaMA-Factory"),
        (f"{THEIRS}@main#egg=llamafactory", "someone/LLaMA-Factory"),
        ("git@github.com:someone/trl.git", "someone/trl"),
        ("https://github.com/HuggingFace/trl", ""),
        ("https://github.com/someone/transformers/", "someone/transformers"),
        # Of no account is it known whose it is; and another repository is another program.
        ("https://git.example.org/someone/trl.git", ""),
        ("https://github.com/someone/trl-tools", ""),
        ("https://github.com/someone/datasets", ""),
    ],
)
def test_addresses(address: str, fork: str) -> None:
    assert fork_at(address) == fork


def test_a_fork_of_a_stated_package_has_any_name() -> None:
    address = "https://github.com/someone/my-own-trainer"
    assert fork_at(address) == ""
    assert fork_at(address, "openrlhf") == "someone/my-own-trainer"
    assert fork_at("https://github.com/OpenRLHF/OpenRLHF-dev.git", "openrlhf") == ""
    for package, owner in (
        *(("accelerate", "huggingface"), ("axolotl", "axolotl-ai-cloud")),
        *(("deepspeed", "deepspeedai"), ("llamafactory", "hiyouga"), ("ms-swift", "modelscope")),
        *(("transformers", "huggingface"), ("trl", "huggingface"), ("verl", "volcengine")),
    ):
        assert fork_at(f"https://github.com/{owner}/{package}", package) == ""
        assert fork_at(f"https://github.com/someone/{package}-x", package) == f"someone/{package}-x"


def ray_script(folder: Path) -> Path:
    script = folder / "train.sh"
    script.write_text(
        "python -m openrlhf.cli.train_ppo_ray --pretrain m --reward_pretrain r --our_option 1 "
        "--ref_num_nodes 1 --rollout_batch_size 32 --micro_rollout_batch_size 8\n"
    )
    return script


def test_what_is_said_without_a_fork(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(
        "openrlhf @ git+https://github.com/OpenRLHF/OpenRLHF\n"
    )
    found = lint_file(ray_script(tmp_path)).diagnostics
    assert {one.code for one in found} == {"KEY001", "KEY005", "ORL009"}
    assert any("No file states the release" in one.message for one in found)


FORK = "https://github.com/someone/trainer-of-ours"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
PROJECT = '[project]\nname = "ours"\nversion = "1"\ndependencies = ["openrlhf[vllm]"]\n'
POETRY = "[tool.poetry.dependencies]\nopenrlhf"


@pytest.mark.parametrize(
    ("name", "text", "version"),
    [
        ("pyproject.toml", f'{PROJECT}[tool.uv.sources]\nopenrlhf = {{ git = "{FORK}" }}\n', None),
        (
            "pyproject.toml",
            f'{PROJECT}[tool.uv.sources]\nopenrlhf = [{{ git = "{FORK}", marker = "a" }}]\n',
            None,
        ),
        ("pyproject.toml", f'{POETRY} = {{ git = "{FORK}.git", branch = "a" }}\n', None),
        ("pyproject.toml", f'{POETRY} = {{ git = "{FORK}", tag = "v0.6.4" }}\n', "0.6.4"),
        ("Pipfile", f'[packages]\nopenrlhf = {{ git = "{FORK}", ref = "a" }}\n', None),
        ("requirements.txt", f"openrlhf @ git+{FORK}@a\n", None),
        ("requirements.txt", f"-e git+{FORK}.git#egg=openrlhf\n", None),
        ("Dockerfile", f"FROM a\nRUN pip install 'openrlhf @ git+{FORK}@a'\n", None),
        (
            "uv.lock",
            '[[package]]\nname = "openrlhf"\nversion = "0.6.4"\n'
            f'source = {{ git = "{FORK}?branch=a#{COMMIT}" }}\n',
            "0.6.4",
        ),
        (
            ".gitmodules",
            '[submodule "a"]\n\tpath = a\n\turl = https://github.com/someone/OpenRLHF.git\n',
            None,
        ),
    ],
)
def test_where_a_fork_is_stated(tmp_path: Path, name: str, text: str, version: str | None) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_text(text)
    report = lint_file(ray_script(tmp_path))
    assert [(one.code, one.severity) for one in report.diagnostics] == [("KEY001", "note")]
    pin = report.target.fork_of("openrlhf")
    assert pin is not None
    assert pin.version == version
    assert pin.fork == ("someone/OpenRLHF" if name == ".gitmodules" else FORK[19:])


def test_the_package_of_a_repository() -> None:
    assert package_of("LLaMA-Factory") == "llamafactory"
    assert package_of("Other_Thing") == "other-thing"


def findings(folder: Path, requirement: str, **values: str) -> dict[str, str]:
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "requirements.txt").write_text(f"{requirement}\n")
    config = folder / "sft.yaml"
    config.write_text(CONFIG.format(**{"template": "qwen", "rate": "1.0e-4", **values}))
    found = lint_file(config, framework="llamafactory").diagnostics
    return {one.code: one.severity for one in found if one.code[:3] in ("KEY", "TYP")}


def test_what_a_fork_may_read_is_a_note(tmp_path: Path) -> None:
    assert findings(tmp_path, OURS) == {"KEY001": "error"}
    assert findings(tmp_path, f"{OURS}@v0.9.4") == {"KEY001": "error"}
    for fork in (THEIRS, f"{THEIRS}@v0.9.4", f"llamafactory @ {THEIRS}@0123456789abcdef"):
        assert findings(tmp_path, fork) == {"KEY001": "note"}


def test_what_a_fork_may_add_to_a_list(tmp_path: Path) -> None:
    assert findings(tmp_path, OURS, template="mine")["TYP002"] == "error"
    assert "TYP002" not in findings(tmp_path, THEIRS, template="mine")
    # What is no number is none in a fork either.
    assert findings(tmp_path, THEIRS, rate="fast")["TYP001"] == "error"


def test_the_finding_and_the_target_name_the_fork(tmp_path: Path) -> None:
    findings(tmp_path, THEIRS)
    report = lint_file(tmp_path / "sft.yaml", framework="llamafactory")
    (found,) = (one for one in report.diagnostics if one.code == "KEY001")
    assert "requirements.txt line 1 has the fork someone/LLaMA-Factory)" in described(report.target)
    assert as_data(report.target)["llamafactory"]["fork"] == "someone/LLaMA-Factory"
    assert "but the project installs a fork, someone/LLaMA-Factory, which may (" in found.message


def test_clones() -> None:
    theirs = "git clone https://github.com/someone/LLaMA-Factory.git\ncd LLaMA-Factory\npip install -e .\n"
    (found,) = clones("Dockerfile", theirs)
    assert (found.package, found.fork) == ("llamafactory", "someone/LLaMA-Factory")
    assert (found.version, found.commit, found.place.line) == (None, None, 1)
    # Without a tag or a commit, a clone of the project's own says nothing.
    assert clones("Dockerfile", theirs.replace("someone", "hiyouga")) == []
    tagged = theirs.replace("cd LLaMA-Factory", "cd LLaMA-Factory && git checkout v0.9.3")
    (found,) = clones("Dockerfile", tagged)
    assert (found.version, found.fork) == ("0.9.3", "someone/LLaMA-Factory")
