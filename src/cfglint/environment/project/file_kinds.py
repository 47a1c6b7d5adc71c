"""Which module reads a file that states versions or hardware, by the file's name."""

from __future__ import annotations

import os
from collections.abc import Container

from cfglint.base.paths import SCRIPT_SUFFIXES
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import all_marks, is_about_any, settings_files
from cfglint.source.files.base import Files
from cfglint.source.starting_programs import starts_others

#: A file of this kind without any of these words says nothing of interest; most are like that.
_WORDS_OF_LAUNCHES = ("gpu", "accelerators", "nproc", "num_", "num-", "device")
_EXACT = {
    "uv.lock": ("toml_locks", 0),
    "poetry.lock": ("toml_locks", 1),
    "pdm.lock": ("toml_locks", 2),
    "pylock.toml": ("toml_locks", 3),
    "pipfile.lock": ("pipenv", 3),
    "pixi.lock": ("conda_locks", 3),
    "requirements.txt": ("requirements", 4),
    "pyproject.toml": ("pyproject", 6),
    "setup.py": ("setup_script", 6),
    "pipfile": ("pipenv", 6),
    ".gitmodules": ("submodules", 7),
    "makefile": ("launch", 14),
    "justfile": ("launch", 14),
    ".gitlab-ci.yml": ("images", 15),
    ".gitlab-ci.yaml": ("images", 15),
    "azure-pipelines.yml": ("images", 15),
    "bitbucket-pipelines.yml": ("images", 15),
    "readme.md": ("readme", 18),
    "readme.rst": ("readme", 18),
    "cloudbuild.yaml": ("images", 15),
    "cloudbuild.yml": ("images", 15),
    "jenkinsfile": ("images", 15),
}
#: Folders whose files say what is installed for the configs next to them.
OF_ENVIRONMENTS = frozenset(
    {
        *("container", "containers", "docker", "dockerfiles"),
        *("env", "environment", "environments", "envs", "requirements"),
    }
)
#: Folders with scripts for the configs next to them.
OF_SCRIPTS = frozenset({"jobs", "launch", "scripts", "slurm"})
_SCRIPTS_RANK = 17
#: A script whose name does not say that it launches something: what it starts does.
_SCRIPT = ("script", 20)
_WORKFLOW_RANK = 16
#: Configs of platforms, if their contents say so: mostly a file of such a name is a run's.
_OF_PLATFORMS = frozenset({"cog.yaml", "cog.yml", "config.yaml", "config.yml"})
_PLATFORM = ("platforms", 11)
_YAML = (".yml", ".yaml")
#: How much of a file shows whether an environment was exported to it, in bytes; of so many files of a folder at most.
_HEAD = 3_000
_MAX_HEADS = 60
_EXPORTED = ("conda", 8), ("requirements", 8)
#: What a list of requirements has at least, to be one whatever its name.
_MIN_PINS = 8
#: Words in the names of lists for other hardware than GPUs of the usual maker.
_OTHER_HARDWARE = frozenset(
    {"amd", "ascend", "cpu", "gaudi", "hpu", "mlu", "mlx", "mps", "npu", "rocm", "tpu", "xpu"}
)
#: Words in the names of environments that nothing is trained in.
_NOT_OF_TRAINING = frozenset(
    {
        *("demo", "dev", "docs", "eval", "evaluation", "gradio", "inference", "lint", "serve"),
        *("serving", "test", "tests"),
    }
)
#: Words in the name of a file that launches something.
_LAUNCHING = frozenset(
    {"sky", "skypilot", "k8s", "kube", "kubernetes", "job", "pod", "deploy", "deployment", "launch"}
)
_SUBMITTING = frozenset({"job", "sbatch", "slurm", "submit", "train"})
_INSTALLING = frozenset({"install", "setup"})
_CLOUDS = frozenset({"modal", "runpod"})
#: Signs of an installation, an image, or the releases in one.
_SIGNS = ("install", "FROM ", "_version")
#: What a program of any name imports that runs another one in a container of its own making.
_STARTS_CONTAINERS = (
    *("import modal", "from modal", "import truss_train", "from truss_train"),
    *("import sagemaker", "from sagemaker"),
)
#: Words of the names of YAML files that launch something.
_OF_YAML = _LAUNCHING | {"runpod"}
#: Files of one folder that are read; the nearest in rank first.
_MAX_FILES = 40
#: Scripts of one folder whose names say nothing that are looked into.
_MAX_SCRIPTS = 100
#: Path, kind and rank of a file.
_Row = tuple[str, str, int]


def kind_of(name: str) -> tuple[str, int] | None:
    """(the module that reads a file of this name, its rank); None for all other files.

    No regular expressions: compiling them would cost more than all the rest when there is nothing to find.
    """
    lower = name.lower()
    known = _EXACT.get(lower)
    if known is not None:
        return known
    stem, _, suffix = lower.rpartition(".")
    if lower.endswith(_YAML):
        return _kind_of_yaml(lower, stem)
    if suffix == "txt":
        named = stem.startswith("requirements") or stem.endswith(("-requirements", "_requirements"))
        # `pip freeze > pip-freeze.txt`
        if named or "freeze" in _words(stem):
            return "requirements", 5
        # `conda list --export > environment.txt`, `conda list --explicit > spec-file.txt`
        listed = stem.startswith(("conda", "environment", "explicit", "spec-file", "spec_file"))
        return ("conda_locks", 7) if listed else None
    if suffix == "lock":
        # `requirements.lock` is what rye writes, and pip-compile where it is asked to.
        named = stem.split("-")[0] == "requirements"
        known = ("requirements", 4) if named else ("conda_locks", 7)
        return known if named or stem.startswith("conda-") else None
    if suffix == "toml":
        return ("toml_locks", 3) if stem.startswith("pylock.") else None
    if lower.startswith(("dockerfile", "containerfile")) or suffix == "dockerfile":
        return "images", 9
    if suffix == "py":
        return ("launch", 12) if _words(stem) & _CLOUDS else ("program", 19)
    if suffix == "json":
        return ("launch", 11) if _words(stem) & (_LAUNCHING | _CLOUDS) else None
    if suffix == "sh":
        named = stem.startswith(("train", "run", "launch", "start", "finetune"))
        submits = named or _words(stem) & _SUBMITTING or _names_framework(stem)
        if not submits:
            return ("install", 14) if _installs(stem) else None
        return "launch", 13
    return ("launch", 13) if suffix in ("sbatch", "slurm") else None


#: Kinds of files that list packages, which a command installs as a whole.
LISTS = frozenset(
    {"conda", "conda_locks", "pipenv", "pyproject", "requirements", "setup_script", "toml_locks"}
)
#: Those of them that `conda env export` writes, too.
EXPORTS = frozenset({"conda", "conda_locks"})
#: Kinds of files with commands that install something, and with commands that start something.
WITH_COMMANDS = frozenset({"install", "launch"})


def kind_in_folder(name: str) -> tuple[str, int] | None:
    """The same for a file that is found in a folder, which its contents may show to be something else."""
    known = kind_of(name)
    if known is not None:
        return known
    lower = name.lower()
    return (
        _SCRIPT
        if lower.endswith(SCRIPT_SUFFIXES)
        else _PLATFORM
        if lower in _OF_PLATFORMS
        else None
    )


def _kind_of_yaml(lower: str, stem: str) -> tuple[str, int] | None:
    if stem.startswith("conda-lock") or stem.endswith((".conda-lock", "-conda-lock")):
        return "conda_locks", 3
    words = _words(stem)
    if "environment" in words or stem in ("env", "conda_env") or stem.startswith("conda"):
        return "conda", 8
    if stem.startswith(("compose", "docker-compose")):
        return "launch", 10
    for kind in settings_files():
        if stem.startswith(kind.starts) or stem in kind.named:
            return "settings", 13
    return ("launch", 11) if lower[0] != "." and not words.isdisjoint(_OF_YAML) else None


def scripts_in(folder: str, files: Files) -> list[_Row]:
    """The launch files in a folder next to the configs', and the programs, which may start something."""
    try:
        names = files.names(folder)
    except OSError:
        return []
    found = []
    for name in names:
        kind = kind_in_folder(name)
        if kind is not None and kind[0] in ("launch", "script", "program"):
            row = {"launch": ("launch", _SCRIPTS_RANK), "program": _SCRIPT}.get(kind[0], kind)
            found.append((os.path.join(folder, name), *row))
    return found


def to_read(files: tuple[_Row, ...], workflows: tuple[_Row, ...]) -> tuple[_Row, ...]:
    """The files of a folder, and the workflows of its repository, as far as they are read."""
    telling = [row for row in files if row[1] != _SCRIPT[0]]
    scripts = [row for row in files if row[1] == _SCRIPT[0]]
    return (*(*telling, *workflows)[:_MAX_FILES], *scripts[:_MAX_SCRIPTS])


def workflows_in(root: str, files: Files) -> tuple[_Row, ...]:
    """The workflows at the top of a repository."""
    folder = os.path.join(root, ".github", "workflows")
    try:
        names = sorted(files.names(folder))
    except OSError:
        return ()
    return tuple(
        (os.path.join(folder, name), "images", _WORKFLOW_RANK)
        for name in names
        if name.endswith(_YAML)
    )


def _words(stem: str) -> set[str]:
    return set(stem.replace("_", "-").replace(".", "-").split("-"))


def _installs(stem: str) -> bool:
    """Whether a script of this name installs what is trained with, for the usual hardware."""
    words = _words(stem)
    others = _OTHER_HARDWARE | _NOT_OF_TRAINING
    return not words.isdisjoint(_INSTALLING) and words.isdisjoint(others)


def _names_framework(stem: str) -> bool:
    return any(not _words(stem).isdisjoint(marks.words) for marks in all_marks())


def is_of_other_hardware(name: str, names: Container[str]) -> bool:
    """Whether a list of requirements is for accelerators that few have, beside one for all."""
    stem, _, suffix = name.lower().rpartition(".")
    is_list = suffix == "txt" and "requirements" in (words := _words(stem))
    return is_list and "requirements.txt" in names and not words.isdisjoint(_OTHER_HARDWARE)


def is_not_of_training(stem: str) -> bool:
    """Whether a name says that what is there serves, tests or shows what was trained."""
    return not _words(stem.lower()).isdisjoint(_NOT_OF_TRAINING)


def may_be_exported(name: str) -> bool:
    """Whether a file of a name that says nothing may have an exported environment."""
    stem, _, suffix = name.lower().rpartition(".")
    is_known = kind_of(name) is not None or suffix not in ("txt", "yaml", "yml")
    return not is_known and not is_not_of_training(stem)


def exported_in(folder: str, names: list[str], files: Files) -> list[_Row]:
    """(path, kind, rank) of the environments in a folder whose names say nothing; in a folder of many files nothing."""
    found = []
    unclear = [name for name in names if may_be_exported(name)]
    for name in unclear if len(unclear) <= _MAX_HEADS else ():
        path = os.path.join(folder, name)
        try:
            data = files.read(path, _HEAD)
        except OSError:
            continue
        wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        kind = kind_of_head(data.decode("utf-16" if wide else "utf-8", "replace"))
        if kind is not None:
            found.append((path, *kind))
    return found


def kind_of_head(head: str) -> tuple[str, int] | None:
    """The same as `kind_of` for an environment exported under any name, of which the beginning is given."""
    lines = head.splitlines()
    if len(head) >= _HEAD:
        lines = lines[:-1]  # the last one may be cut
    written = [line for line in lines if line.strip() and line.lstrip()[0] != "#"]
    if any(line.startswith("dependencies:") for line in written):
        keys = {line.partition(":")[0] for line in written if line[0].isalpha()}
        items = [line.strip()[2:] for line in written if line.lstrip().startswith("- ")]
        has_python = any(item.startswith(("python", "pip")) for item in items)
        is_conda = "channels" in keys or ("name" in keys and has_python)
        return _EXPORTED[0] if is_conda else None
    pinned = sum(map(_is_pin, written))
    return _EXPORTED[1] if pinned >= _MIN_PINS and 10 * pinned >= 9 * len(written) else None


def _is_pin(line: str) -> bool:
    """Whether a line is as `pip freeze` writes it."""
    if " @ " in line:
        return True
    name, equal, version = line.strip().partition("==")
    plain = name.translate({ord(sign): None for sign in "-_.[]"})
    return bool(equal) and plain.isalnum() and version[:1].isdigit()


def is_of_any_name(path: str, kind: str) -> bool:
    """Whether a file is read as an environment for what it has in it alone."""
    return kind in ("conda", "requirements") and may_be_exported(os.path.basename(path))


def may_tell(kind: str, text: str) -> bool:
    """Whether a file of a kind has a word that something of interest has."""
    if kind in ("platforms", "pyproject", "setup_script", "readme"):
        return any(word in text for word in compiled.load("frameworks").TELLING_WORDS)
    if kind == "program":
        return any(word in text for word in _STARTS_CONTAINERS) and may_install(text)
    if kind == "launch" and any(word in text for word in _WORDS_OF_LAUNCHES):
        return True
    return kind not in ("images", "install", "launch") or may_install(text)


def may_install(text: str) -> bool:
    """Whether a text may have an image, a clone or an installation of something of interest."""
    if is_about_any(text):
        return True
    return any(sign in text for sign in _SIGNS) and any(
        word in text for word in compiled.load("frameworks").TELLING_WORDS
    )


def starts_config(path: str, text: str) -> bool:
    """Whether a command of a script, or of a program, starts a framework with a config, whatever it is called."""
    if not is_about_any(text) or (path.endswith(".py") and not starts_others(text)):
        return False
    from cfglint.runs.starts import commands

    return bool(commands.read(path, text))
