"""Empty packages with the names, versions and needs of real ones: wheels, and packages for conda."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any

#: What a training project locks: name -> (version, what it needs, extras).
WHEELS: dict[str, tuple[str, list[str], dict[str, list[str]]]] = {
    "axolotl": (
        "0.9.2",
        [
            "accelerate==1.6.0",
            "bitsandbytes==0.45.4",
            "datasets==3.5.1",
            "huggingface_hub",
            "liger-kernel==0.5.9",
            "peft==0.15.2",
            "tokenizers>=0.21.1",
            "torch==2.6.0",
            "transformers==4.51.3",
            "trl==0.17.0",
            "xformers==0.0.29.post2; sys_platform == 'linux'",
        ],
        {"deepspeed": ["deepspeed==0.15.4"], "flash-attn": ["flash-attn==2.7.4.post1"]},
    ),
    "accelerate": ("1.6.0", ["torch>=2.0.0", "numpy"], {}),
    "bitsandbytes": ("0.45.4", ["torch<3,>=2.0"], {}),
    "datasets": ("3.5.1", ["numpy", "huggingface-hub"], {}),
    "deepspeed": ("0.15.4", ["torch"], {}),
    "flash-attn": ("2.7.4.post1", ["torch"], {}),
    "huggingface-hub": ("0.30.2", [], {}),
    "liger-kernel": ("0.5.9", ["torch", "triton>=2.3.1; sys_platform == 'linux'"], {}),
    "numpy": ("2.0.1", [], {}),
    "peft": ("0.15.2", ["accelerate>=0.21.0", "transformers", "torch>=1.13.0"], {}),
    "tokenizers": ("0.21.1", ["huggingface-hub<1.0,>=0.16.4"], {}),
    "torch": ("2.6.0", ["triton==3.2.0; sys_platform == 'linux'"], {}),
    "transformers": ("4.51.3", ["tokenizers<0.22,>=0.21", "huggingface-hub<1.0,>=0.30.0"], {}),
    "triton": ("3.2.0", [], {}),
    "trl": ("0.17.0", ["accelerate>=0.34.0", "datasets>=3.0.0", "transformers>=4.46.0"], {}),
    "xformers": ("0.0.29.post2", ["torch==2.6.0", "numpy"], {}),
}
#: Newer ones that a resolver must not take when something is pinned to the older.
NEWER = {"torch": "2.7.1", "transformers": "4.55.0", "trl": "0.21.0", "numpy": "2.2.0"}
#: Packages of conda: name -> (version, build, what it needs).
CONDA: dict[str, tuple[str, str, list[str]]] = {
    "accelerate": ("1.6.0", "pyhd8ed1ab_0", ["python >=3.9", "pytorch >=2.0"]),
    "bitsandbytes": ("0.45.4", "cuda126py311h1a2b3c4_0", ["python >=3.11,<3.12.0a0"]),
    "cuda-version": ("12.6", "h7480c83_3", []),
    "huggingface_hub": ("0.30.2", "pyhd8ed1ab_0", ["python >=3.9"]),
    "pip": ("25.1.1", "pyh8b19718_0", ["python >=3.9,<3.13.0a0"]),
    "python": ("3.11.12", "h9e4cc4f_0_cpython", []),
    "pytorch": ("2.6.0", "cuda126_mkl_py311_h30b5a27_300", ["python >=3.11,<3.12.0a0"]),
    "tokenizers": ("0.21.1", "py311h182c674_0", ["python >=3.11,<3.12.0a0"]),
    "transformers": ("4.51.3", "pyhd8ed1ab_0", ["python >=3.9", "tokenizers >=0.21,<0.22"]),
}
#: What pip installs into the environment of conda.
PIPPED = ("trl", "peft", "axolotl", "datasets")
_WHEN = (2025, 5, 14, 0, 0, 0)


def write_wheels(folder: Path) -> None:
    """All wheels, the same bytes each time."""
    for name, (version, needs, extras) in WHEELS.items():
        _write_wheel(folder, name, version, needs, extras)
    for name, version in NEWER.items():
        _write_wheel(folder, name, version, [], {})


def _write_wheel(
    folder: Path, name: str, version: str, needs: list[str], extras: dict[str, list[str]]
) -> None:
    plain = name.replace("-", "_")
    head = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", "Summary: a package"]
    head.append("Requires-Python: >=3.9")
    head += [f"Requires-Dist: {need}" for need in needs]
    for extra, brought in extras.items():
        head.append(f"Provides-Extra: {extra}")
        head += [f"Requires-Dist: {need}; extra == '{extra}'" for need in brought]
    info = f"{plain}-{version}.dist-info"
    files = {
        f"{info}/METADATA": "\n".join(head) + "\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [f"{path},sha256={_digest(text)},{len(text.encode())}" for path, text in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""])
    with zipfile.ZipFile(folder / f"{plain}-{version}-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path, _WHEN), text)


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


def write_simple(wheels: Path, folder: Path) -> None:
    """The pages of an index, one a package (PEP 503)."""
    pages: dict[str, list[str]] = {}
    for wheel in sorted(wheels.glob("*.whl")):
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        name = wheel.name.partition("-")[0].replace("_", "-")
        link = f'<a href="../../wheels/{wheel.name}#sha256={digest}">{wheel.name}</a>'
        pages.setdefault(name, []).append(link)
    for name, links in pages.items():
        page = folder / name / "index.html"
        page.parent.mkdir(parents=True)
        page.write_text("<!DOCTYPE html>\n" + "<br>\n".join(links) + "\n", encoding="utf-8")


def write_channel(folder: Path) -> None:
    """A channel of conda: each platform's packages and their list."""
    listed: dict[str, dict[str, Any]] = {"noarch": {}, "linux-64": {}}
    for name, (version, build, needs) in CONDA.items():
        platform = "noarch" if build.startswith("pyh") else "linux-64"
        record: dict[str, Any] = {
            "name": name,
            "version": version,
            "build": build,
            "build_number": 0,
            "depends": needs,
            "subdir": platform,
            "timestamp": 1747180800000,
        }
        if platform == "noarch":
            record["noarch"] = "generic"
        data = _conda_package(record)
        file = f"{name}-{version}-{build}.tar.bz2"
        place = folder / platform / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        record["size"] = len(data)
        record["md5"] = hashlib.md5(data, usedforsecurity=False).hexdigest()
        record["sha256"] = hashlib.sha256(data).hexdigest()
        listed[platform][file] = record
    for platform, packages in listed.items():
        whole = {"info": {"subdir": platform}, "packages": packages, "packages.conda": {}}
        (folder / platform / "repodata.json").write_text(json.dumps(whole), encoding="utf-8")


def _conda_package(record: dict[str, Any]) -> bytes:
    paths = {"paths": [], "paths_version": 1}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:bz2") as archive:
        for name, text in (
            ("info/index.json", json.dumps(record)),
            ("info/paths.json", json.dumps(paths)),
            ("info/files", ""),
        ):
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()
