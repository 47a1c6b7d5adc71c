"""Environments with a release's own prompt strategies, on a CPU."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

#: Where the old loaders are: a tag, and the last commit that had them. No package has either.
_TAG, _LAST = "v0.4.0", "3265b7095e550e8a8a53a706f83cf5bae8a7db54"
_TORCH = "torch==2.13.0"
_COMMON = (
    _TORCH,
    "addict",
    "art",
    "colorama",
    "jinja2",
    "posthog",
    "PyYAML",
    "sentencepiece",
    "termcolor",
)
_OLD = (
    *("transformers==4.46.1", "tokenizers==0.20.3", "huggingface_hub==0.26.5", "datasets==3.0.1"),
    *("accelerate==1.1.0", "pydantic==2.10.6"),
)
_NEW = (
    *("transformers==5.20.1", "tokenizers==0.23.3", "huggingface_hub==1.31.0", "datasets==5.0.1"),
    *("accelerate==1.15.0", "pydantic==2.13.5"),
)
#: FastChat's own requirements are those of a server.
_ALONE = ("fschat==0.2.36", "markdown2", "shortuuid")


class Loader(NamedTuple):
    """A release whose loaders are asked."""

    name: str
    packages: tuple[str, ...]
    #: Installed without what they require.
    alone: tuple[str, ...]
    #: The revision of a clone that has the source; None for a package of that name.
    revision: str | None


LOADERS = {
    "0.4.0": Loader("0.4.0", _OLD, _ALONE, _TAG),
    "2024-11-08": Loader("2024-11-08", _OLD, _ALONE, _LAST),
    "0.21.0": Loader("0.21.0", _NEW, ("axolotl==0.21.0",), None),
}


class LoaderError(Exception):
    """An environment cannot be made or used; the message says why."""


def ask(loader: Loader, script: str, request: Any, *, cache: Path, clone: Path, python: str) -> Any:
    """What a script of this folder, run with a loader, answers to a request.

    Args:
        clone: Axolotl's repository.
        python: a Python 3.11, the one that old and new packages share.

    Raises:
        LoaderError: something could not be installed, or the script failed.
    """
    interpreter, paths = _environment(loader, cache, clone, python)
    environment = {
        "PYTHONPATH": ":".join(map(str, paths)),
        "HF_HUB_OFFLINE": "1",
        "AXOLOTL_DO_NOT_TRACK": "1",
        "CUDA_VISIBLE_DEVICES": "",
    }
    worker = Path(__file__).with_name(script)
    done = subprocess.run(
        [str(interpreter), str(worker)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    if done.returncode:
        raise LoaderError(f"{script} with {loader.name} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def _environment(
    loader: Loader, cache: Path, clone: Path, python: str
) -> tuple[Path, tuple[Path, ...]]:
    kind = "old" if loader.packages is _OLD else "new"
    folder = cache / kind
    interpreter = folder / "bin" / "python"
    extra = folder / "alone"
    if not (folder / "finished").exists():
        shutil.rmtree(folder, ignore_errors=True)
        _run([python, "-m", "venv", str(folder)])
        pip = [str(interpreter), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        _run([*pip, *_COMMON, *loader.packages])
        # 0.21.0 asks for Python 3.12, which its prompt strategies do without.
        alone = ["--no-deps", "--ignore-requires-python", "--only-binary=:all:", "--target"]
        _run([*pip, *alone, str(extra), *loader.alone])
        if kind == "old":
            _add_style(extra / "fastchat" / "conversation.py")
        (folder / "finished").touch()
    if loader.revision is None:
        return interpreter, (extra,)
    source = cache / "sources" / loader.name
    if not source.exists():
        _unpack(clone, loader.revision, source)
    return interpreter, (source / "src", extra)


def _add_style(module: Path) -> None:
    """Add the names that Axolotl needs of a later FastChat, which was never released.

    What the styles look like is Axolotl's own code.
    """
    text = module.read_text(encoding="utf-8")
    if "LLAMA3 = auto()" not in text:
        text = text.replace(
            "    LLAMA2 = auto()\n",
            "    LLAMA2 = auto()\n    LLAMA3 = auto()\n    GEMMA = auto()\n",
        )
        module.write_text(text, encoding="utf-8")


def _run(command: list[str]) -> bytes:
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        tail = done.stderr.decode(errors="replace").strip()[-1500:]
        raise LoaderError(f"{' '.join(command)} failed:\n{tail}")
    return done.stdout


def _unpack(clone: Path, revision: str, folder: Path) -> None:
    packed = _run(["git", "-C", str(clone), "archive", revision, "src"])
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
