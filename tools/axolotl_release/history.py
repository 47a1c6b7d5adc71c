"""Commits between releases and the images of releases, read from a clone.

``python -m tools.axolotl_release.history CLONE rules/axolotl/history.json`` writes the table by which a
pinned commit or a dated container image is placed between two releases. A release without a tag
stays as the table has it. Clones of other frameworks are read as well; ``--first 0.8.0`` began TRL's table.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from packaging.version import Version

from tools.git import git

#: Commits before this release of Axolotl are of no interest: nothing is known about what they accept.
FIRST = "0.4.0"
_WORKFLOW = ".github/workflows/main.yml"
#: The image of the framework itself, not one for a cloud that is made from it.
_OWN_IMAGE = re.compile(r"\b(?:axolotlai|winglian)/axolotl(?![\w-])")
_TAG = re.compile(r"v\d+(?:\.\d+)+(?:\.post\d+)?")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the clone and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path, help="a clone with tags, bare or not")
    parser.add_argument("table", type=Path)
    parser.add_argument("--branch", default="HEAD")
    parser.add_argument(
        "--first", help="the oldest release of interest; by default the table's own"
    )
    parser.add_argument(
        "--day",
        action="append",
        default=[],
        metavar="VERSION=YYYYMMDD",
        help="when a release without a tag came out",
    )
    options = parser.parse_args(arguments)
    untagged = dict(argument.split("=") for argument in options.day)
    first, known = _known(options.table)
    first = options.first or first
    table = read_history(options.clone, options.branch, untagged, known, first)
    options.table.write_text(dump(table), encoding="utf-8")
    return 0


def _known(table: Path) -> tuple[str, dict[str, Any]]:
    """The first release and the releases of a table that may not be there yet."""
    if not table.exists():
        return FIRST, {}
    known: dict[str, Any] = json.loads(table.read_text(encoding="utf-8"))
    return known["first"], known["releases"]


def read_history(
    clone: Path,
    branch: str,
    untagged: dict[str, str],
    known: dict[str, Any],
    first: str = FIRST,
) -> dict[str, Any]:
    """Commits of a branch (oldest first), where each release left it, and what its images hold.

    Args:
        untagged: the days of releases without a tag.
        known: releases that were read before; of these, those without a commit stay as they are.
        first: the oldest release of interest.
    """
    rows = git(clone, "log", "--first-parent", "--reverse", "--format=%H %ct", branch).split("\n")
    commits = [row.split(" ") for row in rows if row]
    position = {sha: number for number, (sha, _) in enumerate(commits)}
    releases = {version: entry for version, entry in known.items() if not entry["commit"]}
    start = 0
    for tag in sorted(filter(_TAG.fullmatch, git(clone, "tag").split()), key=Version):
        base = git(clone, "merge-base", tag, branch).strip()
        if tag == f"v{first}":
            start = position[base]
        sha = git(clone, "rev-parse", f"{tag}^{{commit}}").strip()
        releases[tag.removeprefix("v")] = {
            "commit": sha[:12],
            "base": base[:9],
            **_images(clone, tag),
        }
    minutes = [_minute(int(when)) for _, when in commits]
    for version, day in untagged.items():
        base = commits[sum(minute < f"{day}2400" for minute in minutes) - 1][0]
        releases[version] = {"commit": "", "base": base[:9]}
    return {
        "first": first,
        "ended": {
            build: day
            for build, day in _ended(clone, branch).items()
            if day >= _minute(int(commits[start][1]))[:8]
        },
        "releases": {
            version: entry
            for version, entry in sorted(releases.items(), key=lambda item: Version(item[0]))
            if Version(version) >= Version(first)
        },
        "commits": [f"{_minute(int(when))} {sha[:9]}" for sha, when in commits[start:]],
    }


def _minute(seconds: int) -> str:
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y%m%d%H%M")


def _images(clone: Path, tag: str) -> dict[str, Any]:
    """Repository -> (python, cuda, torch) of the image that carries no more than the version."""
    try:
        text = git(clone, "show", f"{tag}:{_WORKFLOW}")
    except subprocess.CalledProcessError:
        return {}
    workflow = yaml.safe_load(text)
    images: dict[str, list[str]] = {}
    for job in workflow["jobs"].values():
        steps = str(job.get("steps"))
        for repository in sorted(set(re.findall(r"\b(?:axolotlai|winglian)/([a-z-]+)", steps))):
            for row in _latest(job):
                images.setdefault(repository, row)
    # Since 0.18.0 only the newest combination also gets the release alone as its tag.
    bare = {"bare": True} if "github.ref_type == 'tag' && matrix.is_latest" in text else {}
    return {"images": images, **bare} if images else {}


def _latest(job: dict[str, Any]) -> Iterator[list[str]]:
    rows = job.get("strategy", {}).get("matrix", {}).get("include", ())
    for row in rows:
        if row.get("is_latest"):
            yield [str(row["python_version"]), str(row["cuda"]), str(row["pytorch"])]


def _ended(clone: Path, branch: str) -> dict[str, str]:
    """The builds (`py3.10-cu118-2.0.1`) of the branch that came to an end -> the day of their last images."""
    rows = git(
        clone, "log", "--first-parent", "--reverse", "--format=%H %ct", branch, "--", _WORKFLOW
    )
    last: dict[str, str] = {}
    built: set[str] = set()
    for row in filter(None, rows.split("\n")):
        sha, when = row.split(" ")
        now = _builds(clone, sha)
        # A workflow that is gone, or cannot be read, says nothing about what it built.
        for build in built - now if now else ():
            last[build] = _minute(int(when))[:8]
        built = now or built
        for build in built:
            last.pop(build, None)
    return dict(sorted(last.items()))


def _builds(clone: Path, commit: str) -> set[str]:
    """The builds of the framework's own image, as the ends of their tags name them."""
    try:
        workflow = yaml.safe_load(git(clone, "show", f"{commit}:{_WORKFLOW}"))
    except (subprocess.CalledProcessError, yaml.YAMLError):
        return set()
    found = set()
    for job in workflow["jobs"].values():
        if not _OWN_IMAGE.search(str(job.get("steps"))):
            continue
        for row in job.get("strategy", {}).get("matrix", {}).get("include", ()):
            if {"python_version", "cuda", "pytorch"} <= row.keys():
                found.add(f"py{row['python_version']}-cu{row['cuda']}-{row['pytorch']}")
    return found


def dump(table: dict[str, Any]) -> str:
    """The table as JSON, a line per release and a line per commit."""
    releases = ",\n".join(
        f"  {json.dumps(version)}: {json.dumps(entry)}"
        for version, entry in table["releases"].items()
    )
    commits = ",\n".join(f"  {json.dumps(commit)}" for commit in table["commits"])
    ended = f' "ended": {json.dumps(table["ended"])},\n' if table.get("ended") else ""
    return (
        f'{{\n "first": {json.dumps(table["first"])},\n{ended} "releases": {{\n{releases}\n }},\n'
        f' "commits": [\n{commits}\n ]\n}}\n'
    )


if __name__ == "__main__":
    sys.exit(main())
