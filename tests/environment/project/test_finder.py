"""Which file is asked before which."""

from __future__ import annotations

from cfglint.environment.project.finder import kind_of


def test_ranks() -> None:
    """What is locked is asked first, then what is asked for, then images and scripts."""
    names = ["poetry.lock", "requirements.txt", "pyproject.toml", "Makefile", "cloudbuild.yaml"]
    found = [kind_of(name) for name in names]
    ranks = [kind[1] for kind in found if kind is not None]
    assert len(ranks) == len(names)
    assert ranks == sorted(set(ranks))


def test_images_of_build_services_are_of_one_rank() -> None:
    names = [
        *(".gitlab-ci.yml", ".gitlab-ci.yaml", "azure-pipelines.yml", "bitbucket-pipelines.yml"),
        *("cloudbuild.yaml", "cloudbuild.yml", "Jenkinsfile"),
    ]
    assert {kind_of(name) for name in names} == {("images", 15)}
