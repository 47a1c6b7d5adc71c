"""What the tables advise in place of a key holds in the release that is checked: all tables, commands and releases."""

from __future__ import annotations

import pytest

from cfglint.frameworks.for_files import variant
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyInfo
from cfglint.roles.foreign_names import ForeignName, in_release, renamed
from cfglint.roles.framework import Framework, load_framework
from tests.linting import lint

FRAMEWORKS = compiled.load("frameworks").FRAMEWORKS
#: Releases of one command that are looked at: the first and the last ones, and some between them.
_STEP = 4


def _kinds() -> list[tuple[str, str]]:
    return [(name, kind) for name, row in FRAMEWORKS.items() for kind in ("", *row["kinds"])]


def _framework(name: str, kind: str) -> Framework:
    own = load_framework(name)
    return variant(own, kind=kind) if kind else own


def _keys_of(framework: Framework, release: str) -> ReleaseKeys:
    of_release = getattr(framework.key_policy, "keys_of", None)
    return framework.release_keys(release) if of_release is None else of_release(release)


def _releases(framework: Framework) -> set[str]:
    versions = framework.releases.versions
    return {*versions[::_STEP], *versions[-3:]}


def _info(framework: Framework, name: str) -> KeyInfo | None:
    section, _, last = name.rpartition(".")
    table = framework.keys
    own = framework.key_policy.own_key(section, last)
    return table.info("", name) or table.info(section, last) or table.info(section, own)


@pytest.mark.parametrize(("name", "kind"), _kinds())
def test_no_advice_names_a_key_that_the_release_has_no_longer(name: str, kind: str) -> None:
    framework = _framework(name, kind)
    policy = framework.key_policy
    for release in sorted(_releases(framework)):
        keys = _keys_of(framework, release)
        for key, row in policy.aliases().items():
            found = in_release(ForeignName(*row), key, policy, keys)
            info = _info(framework, found.to) if found is not None and found.to else None
            if info is not None:
                assert not keys.is_gone(info.removed), (release, key, found)
            elif found is not None and found.to and "." not in found.to:
                assert not framework.keys.is_closed(""), (release, key, found)
        for section in framework.keys.sections():
            for key in framework.keys.names(section):
                own = framework.keys.info(section, key)
                if own is None or own.rename is None or not keys.is_gone(own.removed):
                    continue
                newer = renamed(own, policy, keys)
                info = _info(framework, newer) if newer else None
                assert info is None or not keys.is_gone(info.removed), (release, key, newer)


SCRIPT = "deepspeed --module openrlhf.cli.train_sft --model_name_or_path a/b --dataset a/c\n"


@pytest.mark.parametrize(
    ("release", "advice"),
    [("0.9.0", "Use `pretrain`."), ("0.11.2", "Use `model.model_name_or_path`.")],
)
def test_the_name_is_that_of_the_release(release: str, advice: str) -> None:
    found = lint(SCRIPT, framework="openrlhf", target=[f"openrlhf=={release}"])
    (one,) = (
        one for one in found if one.path == ("model_name_or_path",) or "model_name" in one.message
    )
    assert one.message.endswith(advice)
