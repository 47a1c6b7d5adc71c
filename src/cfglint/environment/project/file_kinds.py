"""Which module reads a file that states versions or hardware, by the file's name."""

from __future__ import annotations

from cfglint.knowledge import compiled
from cfglint.knowledge.marks import all_marks, is_about_any, settings_files

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
_YAML = (".yml", ".yaml")
#: Words in the name of a file that launches something.
_LAUNCHING = frozenset(
    {"sky", "skypilot", "k8s", "kube", "kubernetes", "job", "pod", "deploy", "deployment", "launch"}
)
_SUBMITTING = frozenset({"job", "sbatch", "slurm", "submit", "train"})
_CLOUDS = frozenset({"modal", "runpod"})
#: What a program of any name imports that runs another one in a container of its own making.
_STARTS_CONTAINERS = ("import modal", "from modal")
#: Words of the names of YAML files that launch something.
_OF_YAML = _LAUNCHING | {"runpod"}


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
        return ("launch", 13) if submits else None
    return ("launch", 13) if suffix in ("sbatch", "slurm") else None


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


def _words(stem: str) -> set[str]:
    return set(stem.replace("_", "-").replace(".", "-").split("-"))


def _names_framework(stem: str) -> bool:
    return any(not _words(stem).isdisjoint(marks.words) for marks in all_marks())


def may_tell(kind: str, text: str) -> bool:
    """Whether a file of a kind has a word that something of interest has."""
    if kind in ("pyproject", "setup_script", "readme"):
        return any(word in text for word in compiled.load("frameworks").TELLING_WORDS)
    if kind == "program":
        return any(word in text for word in _STARTS_CONTAINERS) and may_install(text)
    if kind == "launch" and any(word in text for word in _WORDS_OF_LAUNCHES):
        return True
    return kind not in ("images", "launch") or may_install(text)


def may_install(text: str) -> bool:
    """Whether a text may have an image, a clone or an installation of something of interest."""
    if is_about_any(text):
        return True
    return "install" in text and any(
        word in text for word in compiled.load("frameworks").TELLING_WORDS
    )
