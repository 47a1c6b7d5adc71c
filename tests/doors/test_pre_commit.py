"""The pre-commit hooks, with the real pre-commit in a repository made up for the test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
#: What an installation of the hooks needs of this project.
NEEDED = (
    ".pre-commit-hooks.yaml",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "rules",
    "src",
    "tools/hatch_build.py",
)

GOOD = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
sequence_len: 2048
sample_packing: true  # rows are short
micro_batch_size: 1
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0001
output_dir: ./out
"""
BROKEN = GOOD.replace("sample_packing", "sample_pakcing")
#: Files that are none of our business; some are not even valid.
OTHERS = {
    "docker-compose.yml": """\
services:
  train:
    image: example/train
    datasets: yes
""",
    ".github/workflows/ci.yml": """\
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps: [{run: make}]
""",
    "chart/templates/job.yaml": """\
{{- if .Values.enabled }}
apiVersion: batch/v1
kind: Job
metadata: {name: {{ .Release.Name }}
{{ end -}}
datasets: {{ .Values.datasets | toYaml }
""",
    "package.json": '{"name": "site", "version": "1.0.0", "type": "module", "scripts": {}}\n',
    "tsconfig.json": '{\n  // comments are fine there\n  "compilerOptions": {"strict": true,}\n}\n',
}


class Repository:
    """A git repository in a folder, with an environment that stays in the test's folders."""

    def __init__(self, folder: Path, home: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GIT_", "PRE_COMMIT", "PYTHON")) and name != "SKIP"
        }
        self.environment = {
            **clean,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
            "PIP_CACHE_DIR": str(home / "pip"),
            "PRE_COMMIT_COLOR": "never",
            "PRE_COMMIT_HOME": str(home / "pre-commit"),
            "VIRTUALENV_OVERRIDE_APP_DATA": str(home / "virtualenv"),
            "XDG_CACHE_HOME": str(home / "cache"),
        }
        self.git("init", "--quiet", "--initial-branch=main")

    def run(self, *command: str) -> tuple[int, str]:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    def git(self, *arguments: str) -> str:
        code, output = self.run("git", *arguments)
        assert code == 0, output
        return output.strip()

    def pre_commit(self, *arguments: str) -> tuple[int, str]:
        return self.run(sys.executable, "-m", "pre_commit", *arguments)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")

    def read(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode("utf-8")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Repository:
    """This project as it stands in the working tree, committed to a repository of its own."""
    repository = Repository(tmp_path_factory.mktemp("hooks") / "cfglint", home)
    for name in NEEDED:
        source, place = ROOT / name, repository.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "_compiled", "*.egg-info")
            shutil.copytree(source, place, ignore=ignored)
        else:
            shutil.copy(source, place)
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--message=The hooks")
    return repository


@pytest.fixture
def repository(tmp_path: Path, home: Path) -> Repository:
    """A repository with other people's files, and a broken config that is not committed yet."""
    made = Repository(tmp_path / "a project", home)
    for name, text in OTHERS.items():
        made.write(name, text)
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message=Others")
    for name, text in OTHERS.items():
        # Changed, so that pre-commit hands them over together with the config.
        made.write(name, text + "\n")
    made.write("configs/first run.yml", BROKEN)
    made.git("add", "--all")
    return made


def _others_are_untouched(repository: Repository, output: str) -> None:
    for name, text in OTHERS.items():
        assert repository.read(name) == text + "\n"
        assert Path(name).name not in output


def test_hooks_choose_files_by_content() -> None:
    assert [hook["id"] for hook in HOOKS] == ["cfglint", "cfglint-fix"]
    for hook in HOOKS:
        assert hook["entry"].split()[:2] == ["cfglint", "--detect"]
        assert hook["language"] == "python"
        # What a search of folders looks at.
        assert hook["types_or"] == ["yaml", "json", "shell", "python", "jupyter"]
        # One process, so that there is one summary.
        assert hook["require_serial"] is True


@pytest.mark.doors
def test_an_installed_hook_stops_repairs_and_lets_pass(
    repository: Repository, hooks: Repository, home: Path
) -> None:
    repository.write(
        ".pre-commit-config.yaml",
        yaml.safe_dump(
            {
                "repos": [
                    {
                        "repo": str(hooks.folder),
                        "rev": hooks.git("rev-parse", "HEAD"),
                        "hooks": [{"id": "cfglint"}, {"id": "cfglint-fix"}],
                    }
                ]
            }
        ),
    )
    repository.git("add", "--all")
    code, output = repository.pre_commit("install", "--install-hooks")
    assert code == 0, output
    assert (home / "pre-commit").is_dir()
    head = repository.git("rev-parse", "HEAD")

    code, output = repository.run("git", "commit", "--message=A broken config")
    assert code == 1
    assert repository.git("rev-parse", "HEAD") == head
    assert "configs/first run.yml:6:1" in output
    assert "KEY001 unknown-key" in output
    assert "files were modified by this hook" in output
    assert repository.read("configs/first run.yml") == GOOD
    _others_are_untouched(repository, output)

    repository.git("add", "--all")
    code, output = repository.run("git", "commit", "--message=A repaired config")
    assert code == 0, output
    assert repository.git("rev-parse", "HEAD^") == head
    _others_are_untouched(repository, repository.pre_commit("run", "--all-files")[1])

    # What cannot be repaired stops the commit, and stays as it is.
    broken = GOOD + "num_epochs: 3\nlogging_steps: often\n"
    repository.write("configs/first run.yml", broken)
    repository.git("add", "--all")
    code, output = repository.run("git", "commit", "--message=Twice")
    assert code == 1
    assert "files were modified by this hook" not in output
    assert repository.read("configs/first run.yml") == broken


@pytest.mark.doors
def test_try_repo(repository: Repository, hooks: Repository) -> None:
    repository.write("--output=out.yml", BROKEN)
    repository.git("add", "--all")
    code, output = repository.pre_commit("try-repo", str(hooks.folder), "cfglint", "--all-files")
    assert code == 1
    # Two files with one text have one finding.
    assert "./--output=out.yml:6:1" in output
    assert "also in configs/first run.yml:6" in output.replace("./", "")
    assert output.count("2 errors in 2 files") == output.lower().count("checked for") == 1
    assert not (repository.folder / "out.yml").exists()
    assert repository.read("configs/first run.yml") == BROKEN
    _others_are_untouched(repository, output)
