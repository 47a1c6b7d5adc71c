"""`cfglint init`: what a project needs to use cfglint, shown first and written on demand."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from textwrap import indent
from typing import NamedTuple

import click

import cfglint
from cfglint.base.paths import relative_path
from cfglint.cli.installed import HERE, source_of
from cfglint.cli.project import Unusable
from cfglint.cli.proposed_settings import proposed_settings
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.report.escaping import visible
from cfglint.source.files.base import Files
from cfglint.source.files.folders import is_inside
from cfglint.source.files.repository import repository_root

#: Of a git configuration so much is examined, in bytes.
_MAX_CONFIG = 100_000
_DISTRIBUTION = "cfglint-llm"
_RELEASE = f"{_DISTRIBUTION}=={cfglint.__version__}"
_OF_HERE = (
    "not proposed: this cfglint was installed from a folder or file of this machine, and whether the index has "
    f"{_RELEASE} is not known; --install-from {_RELEASE} takes that, --install-from git+https://… another source"
)
#: What pip takes that is no file: a requirement, an address, a repository.
_ADDRESS = re.compile(
    rf"(?:https?|git\+https?|git\+ssh|git\+file|file)://|{_DISTRIBUTION}(?:\[|==|>=|~=| *@ )"
)
_CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1  # v7.0.1"
_HOOK = """\
repos:
  - repo: local
    hooks:
      - id: cfglint
        name: cfglint (check training configs)
{run}        types_or: [yaml, json, shell, python, jupyter]
        require_serial: true
"""
_RUN = """\
        entry: cfglint --detect
        language: python
        additional_dependencies: [{spec}]
"""
#: A file of the repository, which pre-commit's own environments cannot name.
_RUN_FILE = """\
        entry: pipx run --spec {spec} cfglint --detect
        language: system
"""
_WORKFLOW = """\
name: Training configs

on: [pull_request, push]

permissions:
  contents: read

jobs:
  cfglint:
    runs-on: ubuntu-latest
    steps:
      - uses: {checkout}
        with:
          persist-credentials: false
      - run: pipx run --spec {spec} cfglint . --output github:/dev/stdout
"""
_JOB = """\
cfglint:
  image: python:3.13
  script:
    - pip install {spec}
    - cfglint . --output gitlab:gl-code-quality-report.json
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
"""


class _Proposal(NamedTuple):
    """A file that the project could have."""

    path: str
    text: str
    #: Why there is nothing to write; empty when there is.
    reason: str = ""
    #: What a person may add to the file that is there.
    addition: str = ""


@click.command("init", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--write", is_flag=True, help="Write the files that are shown.")
@click.option(
    "--install-from",
    metavar="SPEC",
    help="What the hook and the pipeline install: a wheel in the repository, or an address that pip takes."
    "  [default: what this cfglint was installed from]",
)
@click.pass_context
def command(ctx: click.Context, write: bool, install_from: str | None) -> None:
    """Show what the project around the current folder needs to use cfglint, as a diff.

    That is a settings file, a pre-commit hook, and a GitHub workflow or a GitLab job. No file that
    already exists is changed.
    """
    session = Session(Options(), SettingsFinder())
    top = repository_root(os.getcwd(), session.files)
    wanted, failed = [], False
    spec = _spec(install_from, top or os.getcwd(), session.files)
    for proposal in _proposals(session, top or os.getcwd(), spec, in_repository=top is not None):
        path = proposal.path
        path = visible(relative_path(path) if os.path.isabs(path) else path)
        if proposal.reason:
            click.echo(f"cfglint: {path}: {proposal.reason}", err=True)
            if proposal.addition:
                click.echo(indent(proposal.addition, "    "), err=True)
        elif write:
            failed |= not _written(proposal, path, top or os.getcwd())
        else:
            wanted.append(_as_diff(path, proposal.text))
    if wanted:
        # What is before a patch does not keep `git apply` from reading it.
        click.echo("`cfglint init --write` would write:")
        if spec is not None and any(spec in text for text in wanted):
            click.echo(f"({_source(spec, install_from)})")
        click.echo()
        click.echo("".join(wanted), nl=False)
    ctx.exit(2 if failed else 0)


def _source(spec: str, given: str | None) -> str:
    """What the hook and the pipeline install, and how to choose another source."""
    place = "" if "://" in spec else " from the package index"
    where = "" if given is not None else f"{place}; --install-from names another source"
    return f"the hook and the pipeline install {visible(spec)}{where}"


def _written(proposal: _Proposal, path: str, top: str) -> bool:
    from cfglint.fixes.writing import create_file

    try:
        create_file(proposal.path, proposal.text.encode("utf-8"), top)
    except OSError as error:
        click.echo(f"cfglint: {path}: not written: {error.strerror}", err=True)
        return False
    click.echo(f"{path} written")
    return True


def _spec(given: str | None, top: str, files: Files) -> str | None:
    """What pip installs: the release, an address, or a file from the top of the repository.

    None if this cfglint is of this machine alone, and nothing is given: no other one can install that.

    Raises:
        Unusable: it is neither an address nor a file of the repository.
    """
    if given is None:
        source = source_of(_DISTRIBUTION)
        if source == HERE:
            return None
        return f"{_DISTRIBUTION} @ {source}" if source else _RELEASE
    if not given.isprintable() or "'" in given or '"' in given:
        raise Unusable("--install-from: expected an address or a file, without quotes")
    if _ADDRESS.match(given):
        return given if given.startswith(_DISTRIBUTION) else f"{_DISTRIBUTION} @ {given}"
    path = os.path.join(os.getcwd(), given)
    try:
        found = files.is_file(path) and is_inside(path, top, files)
    except OSError:
        found = False
    if not found:
        raise Unusable(
            f"--install-from: {visible(given)} is neither an address that pip takes nor a file of the repository"
        )
    return "./" + os.path.relpath(path, top).replace(os.sep, "/")


def _proposals(
    session: Session, top: str, spec: str | None, *, in_repository: bool
) -> Iterator[_Proposal]:
    files = session.files
    yield _settings(session, top)
    if not in_repository:
        return
    if spec is None:
        yield _Proposal("hook and pipeline", "", _OF_HERE)
        return
    run = (
        _RUN_FILE.format(spec=shlex.quote(spec))
        if spec.startswith("./")
        else _RUN.format(spec=json.dumps(spec))
    )
    hook = _HOOK.format(run=run)
    path = os.path.join(top, ".pre-commit-config.yaml")
    yield _unless_there(files, path, hook, hook.removeprefix("repos:\n"))
    hosts = _hosts(top, files)
    on_github = "github" in hosts or files.is_folder(os.path.join(top, ".github"))
    on_gitlab = "gitlab" in hosts or files.has(os.path.join(top, ".gitlab-ci.yml"))
    if on_github:
        text = _WORKFLOW.format(spec=shlex.quote(spec), checkout=_CHECKOUT)
        path = os.path.join(top, ".github", "workflows", "cfglint.yml")
        yield _unless_there(files, path, text, text)
    if on_gitlab:
        path = os.path.join(top, ".gitlab-ci.yml")
        text = _JOB.format(spec=shlex.quote(spec))
        yield _unless_there(files, path, text, text)
    if not on_github and not on_gitlab:
        reason = (
            "none is proposed: no remote is on GitHub or GitLab, and there is neither .github nor .gitlab-ci.yml "
            "(docs/ci.md has others)"
        )
        yield _Proposal("CI pipeline", "", reason)


def _unless_there(files: Files, path: str, text: str, addition: str) -> _Proposal:
    if not files.has(path):
        return _Proposal(path, text)
    try:
        knows = b"cfglint" in files.read(path, _MAX_CONFIG)
    except OSError:
        knows = False
    if knows:
        return _Proposal(path, text, "already names cfglint")
    return _Proposal(path, text, "already exists and is not changed; add this to it:", addition)


def _settings(session: Session, top: str) -> _Proposal:
    path = os.path.join(top, "cfglint.toml")
    try:
        origin = session.settings(path).origin
        if origin is not None:
            return _Proposal(origin, "", "already has settings")
        text = proposed_settings(session, top)
    except RunError as error:
        raise Unusable(str(error)) from None
    return _Proposal(path, text)


def _hosts(top: str, files: Files) -> set[str]:
    """Where the repository's remotes are, as far as its configuration names them."""
    try:
        text = files.read(os.path.join(top, ".git", "config"), _MAX_CONFIG).decode(
            "utf-8", "replace"
        )
    except OSError:
        return set()
    urls = [line for line in text.splitlines() if line.strip().startswith("url")]
    return {host for host in ("github", "gitlab") if any(f"{host}." in url for url in urls)}


def _as_diff(path: str, text: str) -> str:
    lines = text.splitlines()
    shown = "".join(f"+{line}\n" for line in lines)
    name = path.replace(os.sep, "/")
    return f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,{len(lines)} @@\n{shown}"
