"""What the system sees of every command in a hostile repository."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tools.campaigns import boundaries

pytestmark = [
    pytest.mark.doors,
    pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace"),
]


# `python -m tools.campaigns.boundaries` tries all of them.
SAMPLE = (*boundaries.USED[:6], *boundaries.REFUSED[:6])


@pytest.mark.parametrize("words", SAMPLE, ids=" ".join)
def test_nothing_outside_is_opened_or_started(words: tuple[str, ...], tmp_path: Path) -> None:
    assert boundaries.breaches(words, tmp_path) == []


@pytest.mark.parametrize("words", boundaries.USED[:6], ids=" ".join)
def test_nor_without_git(words: tuple[str, ...], tmp_path: Path) -> None:
    assert boundaries.breaches(words, tmp_path, in_git=False) == []


@pytest.mark.parametrize(
    ("line", "breach"),
    [
        ('1 openat(AT_FDCWD, "/t/outside/secret.yml", O_RDONLY|O_CLOEXEC) = 3', True),
        ('1 openat(AT_FDCWD, "../outside/x", O_RDONLY) = 3', True),
        ('1 openat(AT_FDCWD, "/t/outside", O_RDONLY|O_DIRECTORY) = 3', True),
        ('1 openat(AT_FDCWD, "/t/outside/secret.yml", O_RDONLY) = -1 ENOENT', False),
        ('1 openat(AT_FDCWD, "train.yml", O_WRONLY|O_CREAT, 0600) = 3', False),
        ('1 openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3', True),
        ('1 openat(AT_FDCWD, "/home/x", O_WRONLY|O_CREAT, 0666) = 3', True),
        ('1 execve("/bin/sh", ["sh"], 0x1 /* 1 var */) = 0', True),
        ("1 socket(AF_INET, SOCK_STREAM, IPPROTO_IP) = 3", True),
    ],
)
def test_a_breach_is_seen(line: str, breach: bool) -> None:
    repository = Path("/t/repository")
    assert (boundaries._breach(line, Path("/t"), repository, repository) is not None) == breach


def test_what_a_link_leads_to_counts(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x.yml").touch()
    repository.mkdir()
    (repository / "folder").symlink_to("../outside")
    (repository / "chain").symlink_to("folder")
    (repository / "own").symlink_to(".")
    for name, breach in (("chain/x.yml", True), ("folder", True), ("own/train.yml", False)):
        line = f'1 openat(AT_FDCWD, "{name}", O_RDONLY) = 3'
        found = boundaries._breach(line, tmp_path, repository, repository)
        assert (found is not None) == breach, name
