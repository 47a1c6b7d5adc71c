"""What each tool is told to do, and how it lists what it locked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tools.locks.packages import PIPPED
from tools.locks.workshop import REPOSITORY, Workshop

#: File -> text, and package -> version as the tool itself lists them.
Made = tuple[dict[str, str], dict[str, str]]

_PROJECT = """\
[project]
name = "tune"
version = "0.1.0"
requires-python = ">=3.11,<3.13"
dependencies = ["axolotl[deepspeed]==0.9.2", "flash-attn", "trl>=0.16"]
"""
_POETRY = """\
[tool.poetry]
name = "tune"
version = "0.1.0"
description = ""
authors = ["Somebody <somebody@example.invalid>"]
package-mode = false

[tool.poetry.dependencies]
python = ">=3.11,<3.13"
axolotl = {{version = "0.9.2", extras = ["deepspeed"]}}
flash-attn = "*"
trl = ">=0.16"

[[tool.poetry.source]]
name = "simple"
url = "{url}/simple/"
priority = "primary"
"""
_PIPFILE = """\
[[source]]
url = "{url}/simple"
verify_ssl = false
name = "pypi"

[packages]
axolotl = {{version = "==0.9.2", extras = ["deepspeed"]}}
flash-attn = "*"
trl = ">=0.16"

[requires]
python_version = "3.11"
"""
_WANTED = "axolotl[deepspeed]==0.9.2\nflash-attn\ntrl>=0.16\n"
_ENVIRONMENT = """\
name: tune
channels:
  - conda-forge
dependencies:
  - python=3.11
  - pip
  - pytorch=2.6
  - transformers=4.51.3
  - accelerate>=1.6
  - bitsandbytes
  - cuda-version=12.6
"""


def uv(shop: Workshop) -> Made:
    """Resolved, exported in both formats, installed and listed by uv."""
    tool, index = shop.find("uv"), f"{shop.url}/simple"
    shop.write("pyproject.toml", _PROJECT)
    shop.call(tool, "lock", UV_DEFAULT_INDEX=index)
    for output, form in (("pylock.toml", "pylock.toml"), ("requirements.txt", "requirements.txt")):
        shop.call(tool, "export", "-q", "--format", form, "-o", output, UV_DEFAULT_INDEX=index)
    shop.call(tool, "sync", UV_DEFAULT_INDEX=index)
    rows = json.loads(shop.call(tool, "pip", "list", "--format", "json"))
    files = ("uv.lock", "pylock.toml", "requirements.txt")
    return {name: shop.cleaned(name) for name in files}, _rows(rows)


def uv_git(shop: Workshop) -> Made:
    """Axolotl at a commit, as uv has it."""
    tool, index = shop.find("uv"), f"{shop.url}/simple"
    shop.write("pyproject.toml", _at_commit(shop))
    shop.call(tool, "lock", UV_DEFAULT_INDEX=index)
    for output, form in (("pylock.toml", "pylock.toml"), ("requirements.txt", "requirements.txt")):
        shop.call(tool, "export", "-q", "--format", form, "-o", output, UV_DEFAULT_INDEX=index)
    listed = _frozen(shop.call(tool, "export", "-q", "--no-hashes", UV_DEFAULT_INDEX=index))
    files = ("uv.lock", "pylock.toml", "requirements.txt", "pyproject.toml")
    return {name: shop.cleaned(name) for name in files}, listed | {"axolotl": "0.13.0.dev0"}


def pdm_git(shop: Workshop) -> Made:
    """Axolotl at a commit, as pdm has it."""
    tool = shop.find("pdm")
    source = (
        f'\n[[tool.pdm.source]]\nname = "pypi"\nurl = "{shop.url}/simple"\nverify_ssl = false\n'
    )
    shop.write("pyproject.toml", _at_commit(shop) + source + "\n[tool.pdm]\ndistribution = false\n")
    shop.call(tool, "venv", "create", "3.11")
    shop.call(tool, "use", "-f", ".venv")
    shop.call(tool, "lock")
    shop.call(tool, "export", "--no-hashes", "-f", "requirements", "-o", "requirements.txt")
    shop.call(tool, "export", "-f", "pylock", "-o", "pylock.toml")
    files = {n: shop.cleaned(n) for n in ("pdm.lock", "pylock.toml", "requirements.txt")}
    return files, _frozen(files["requirements.txt"]) | {"axolotl": "0.13.0.dev0"}


def poetry_git(shop: Workshop) -> Made:
    """Axolotl at a commit, as Poetry has it."""
    tool = shop.find("poetry", "poetry2")
    wanted = f'axolotl = {{git = "{REPOSITORY}", rev = "{shop.commit}"}}'
    text = re.sub(r"(?m)^axolotl = .*", wanted, _POETRY.format(url=shop.url))
    shop.write("pyproject.toml", text)
    shop.call(tool, "lock", "-n", POETRY_SYSTEM_GIT_CLIENT="true")
    lines = shop.call(tool, "show", "-n", "--no-ansi").replace("(!)", "   ").splitlines()
    listed = {line.split()[0]: line.split()[1] for line in lines if line.strip()}
    return {name: shop.cleaned(name) for name in ("poetry.lock", "pyproject.toml")}, listed


def _at_commit(shop: Workshop) -> str:
    return _PROJECT.replace(
        "axolotl[deepspeed]==0.9.2", f"axolotl @ git+{REPOSITORY}@{shop.commit}"
    )


def poetry_1(shop: Workshop) -> Made:
    return _poetry(shop, "poetry1")


def poetry_2(shop: Workshop) -> Made:
    return _poetry(shop, "poetry2")


def _poetry(shop: Workshop, folder: str) -> Made:
    tool = shop.find("poetry", folder)
    shop.write("pyproject.toml", _POETRY.format(url=shop.url))
    shop.call(tool, "lock", "-n")
    # The mark says that a package is not installed yet.
    lines = shop.call(tool, "show", "-n", "--no-ansi").replace("(!)", "   ").splitlines()
    listed = {line.split()[0]: line.split()[1] for line in lines if line.strip()}
    files = ("poetry.lock", "pyproject.toml")
    return {name: shop.cleaned(name) for name in files}, listed


def pdm(shop: Workshop) -> Made:
    """Both of pdm's lock formats, both exports, and addresses written or not."""
    tool = shop.find("pdm")
    source = (
        f'\n[[tool.pdm.source]]\nname = "pypi"\nurl = "{shop.url}/simple"\nverify_ssl = false\n'
    )
    shop.write("pyproject.toml", _PROJECT + source + "\n[tool.pdm]\ndistribution = false\n")
    shop.call(tool, "venv", "create", "3.11")
    shop.call(tool, "use", "-f", ".venv")
    shop.call(tool, "lock", "-L", "urls.lock", "-S", "static_urls")
    shop.call(tool, "lock")
    shop.call(tool, "sync")
    rows = json.loads(shop.call(tool, "list", "--json"))
    shop.call(tool, "export", "-f", "requirements", "-o", "requirements.txt")
    shop.call(tool, "export", "-f", "pylock", "-o", "pylock.exported.toml")
    names = ("pdm.lock", "urls.lock", "requirements.txt", "pylock.exported.toml")
    files = {name: shop.cleaned(name) for name in names}
    files["pdm.static-urls.lock"] = files.pop("urls.lock")
    # A lock file of the one format is kept when the other is asked for.
    (shop.folder / "pdm.lock").unlink()
    shop.call(tool, "config", "--local", "lock.format", "pylock")
    shop.call(tool, "lock")
    return {**files, "pylock.toml": shop.cleaned("pylock.toml")}, _rows(rows)


def pip(shop: Workshop) -> Made:
    """`pip lock`, and what `pip install --report` would install."""
    tool = shop.find("pip3", "newpip")
    shop.write("requirements.in", _WANTED)
    shop.call(tool, "lock", "-r", "requirements.in", "-o", "pylock.toml")
    report = shop.call(
        tool, "install", "-q", "--dry-run", "--ignore-installed", "--report", "-", "-r",
        "requirements.in",
    )  # fmt: skip
    rows = [entry["metadata"] for entry in json.loads(report)["install"]]
    return {"pylock.toml": shop.cleaned("pylock.toml")}, _rows(rows)


def pip_tools(shop: Workshop) -> Made:
    """`pip-compile` with hashes, and a file that includes the result."""
    shop.write("requirements.in", _WANTED)
    index = ("--index-url", f"{shop.url}/simple", "--trusted-host", "127.0.0.1")
    shop.call(shop.find("pip-compile"), "-q", "--generate-hashes", *index, "requirements.in")
    text = shop.cleaned("requirements.txt")
    return {"requirements.txt": text}, _frozen(text)


def pipenv(shop: Workshop) -> Made:
    """`pipenv lock`, installed and listed."""
    tool = shop.find("pipenv")
    shop.write("Pipfile", _PIPFILE.format(url=shop.url))
    own = {"PIPENV_VENV_IN_PROJECT": "1", "PIPENV_IGNORE_VIRTUALENVS": "1", "CI": "1"}
    shop.call(tool, "lock", **own)
    shop.call(tool, "sync", **own)
    rows = json.loads(shop.call(tool, "run", "pip", "list", "--format", "json", **own))
    files = {name: shop.cleaned(name) for name in ("Pipfile", "Pipfile.lock")}
    files["requirements.txt"] = shop.clean(shop.call(tool, "requirements", "--hash", **own))
    return files, _rows(rows)


def conda(shop: Workshop) -> Made:
    """An environment made from a channel, then exported in each of conda's formats."""
    tool = shop.find("conda")
    prefix = str(shop.folder / "prefix")
    own = {"CONDA_CHANNEL_ALIAS": shop.url, "CONDA_SOLVER": "classic", "CONDARC": "/dev/null"}
    own["CONDA_PKGS_DIRS"] = str(shop.folder / "pkgs")
    shop.write("environment.yml", _ENVIRONMENT)
    wanted = re.findall(r"(?m)^  - ([a-z].*\d.*|pip|bitsandbytes)$", _ENVIRONMENT)
    channel = ("--override-channels", "-c", "conda-forge", "--no-default-packages")
    shop.call(tool, "create", "-y", "-q", "-p", prefix, *channel, *wanted, **own)
    packages = shop.folder / "prefix" / "lib" / "python3.11" / "site-packages"
    needed = (f"{name}" for name in PIPPED)
    shop.call(
        shop.find("pip3", "newpip"), "install", "-q", "--no-deps", "--target", str(packages),
        "axolotl==0.9.2", "trl==0.17.0", *(n for n in needed if n not in ("axolotl", "trl")),
    )  # fmt: skip
    export = ("env", "export", "-p", prefix)
    files = {
        "environment.yml": shop.call(tool, *export, **own),
        "environment.no-builds.yml": shop.call(tool, *export, "--no-builds", **own),
        "environment.from-history.yml": shop.call(tool, *export, "--from-history", **own),
        "conda-list.txt": shop.call(tool, "list", "-p", prefix, **own),
        "conda-export.txt": shop.call(tool, "list", "-p", prefix, "--export", **own),
        "conda-explicit.txt": shop.call(tool, "list", "-p", prefix, "--explicit", **own),
    }
    rows = json.loads(shop.call(tool, "list", "-p", prefix, "--json", **own))
    return {name: shop.clean(text) for name, text in files.items()}, _rows(rows)


def conda_lock(shop: Workshop) -> Made:
    """`conda-lock.yml` and an explicit list rendered from it."""
    tool = shop.find("conda-lock")
    shop.write("environment.yml", _ENVIRONMENT)
    own = {"CONDA_CHANNEL_ALIAS": shop.url, "CONDA_SOLVER": "classic", "CONDARC": "/dev/null"}
    own["CONDA_PKGS_DIRS"] = str(shop.folder / "pkgs")
    shop.call(
        tool, "lock", "--conda", shop.find("conda"), "--no-mamba", "-f", "environment.yml",
        "-p", "linux-64", "--lockfile", "conda-lock.yml", **own,
    )  # fmt: skip
    shop.call(tool, "render", "-k", "explicit", "-p", "linux-64", "conda-lock.yml", **own)
    text = shop.cleaned("conda-linux-64.lock")
    rows = re.findall(r"/([^/\s]+?)-(\d[^-/\s]*)-[^-/\s]+\.(?:tar\.bz2|conda)", text)
    files = {"conda-lock.yml": shop.cleaned("conda-lock.yml"), "conda-linux-64.lock": text}
    return files, {_plain(name): version for name, version in rows}


def pixi(shop: Workshop) -> Made:
    """`pixi.lock`, written by the library that pixi writes it with."""
    script = shop.folder.parent / "pixi_lock.py"
    script.write_text(_RATTLER, encoding="utf-8")
    python = shop.find("python", "rattler")
    listed = json.loads(shop.call(python, str(script), shop.url))
    return {"pixi.lock": shop.cleaned("pixi.lock")}, listed


_RATTLER = """\
import asyncio, json, sys
from rattler import Channel, LockChannel, LockFile, LockPlatform, Platform, solve

async def main(url):
    channel = Channel(url + "/conda-forge")
    specs = ["python 3.11.*", "pytorch 2.6.*", "transformers", "accelerate", "bitsandbytes", "pip"]
    records = await solve([channel], specs, platforms=[Platform("linux-64"), Platform("noarch")])
    platform = LockPlatform("linux-64")
    lock = LockFile([platform])
    lock.set_channels("default", [LockChannel(url + "/conda-forge/")])
    listed = {}
    for record in sorted(records, key=lambda one: one.name.normalized):
        lock.add_conda_package("default", platform, record)
        listed[record.name.normalized] = str(record.version)
    for name, version in (("axolotl", "0.9.2"), ("trl", "0.17.0"), ("peft", "0.15.2")):
        wheel = f"{url}/wheels/{name}-{version}-py3-none-any.whl"
        lock.add_pypi_package("default", platform, name, version, wheel)
        listed[name] = version
    lock.to_path("pixi.lock")
    print(json.dumps(listed))

asyncio.run(main(sys.argv[1]))
"""


def _rows(rows: list[dict[str, str]]) -> dict[str, str]:
    return {_plain(row["name"]): row["version"] for row in rows}


def _frozen(text: str) -> dict[str, str]:
    found = re.findall(r"(?m)^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;]+)", text)
    return {_plain(name): version for name, version in found}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


RECIPES: dict[str, Callable[[Workshop], Made]] = {
    "conda": conda,
    "conda-lock": conda_lock,
    "pdm": pdm,
    "pdm-git": pdm_git,
    "pip": pip,
    "pip-tools": pip_tools,
    "pipenv": pipenv,
    "pixi": pixi,
    "poetry-1": poetry_1,
    "poetry-2": poetry_2,
    "poetry-git": poetry_git,
    "uv": uv,
    "uv-git": uv_git,
}
