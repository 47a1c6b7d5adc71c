"""Texts that set a switch."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.verl.checks.booleans import CHECKS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CODES = codes_of(CHECKS)
BASE = "python3 -m verl.trainer.main_ppo data.train_files=a "


def said(words: str, release: str, files: Mapping[str, str]) -> list[str]:
    target = (f"verl=={release}",) if release else ()
    found = lint_in(
        files, BASE + words, name="run.sh", framework="verl", select=CODES, target=target
    )
    return messages(found)


@each(
    ("words", "release", "files", "expected"),
    [
        (
            "trainer.val_before_train=no\n",
            "0.7.0",
            {},
            [
                "error: `trainer.val_before_train` is a switch, and the text `no` counts as true, which turns it on. Write `false`."
            ],
        ),
        (
            "trainer.val_before_train=OFF\n",
            "0.7.0",
            {},
            [
                "error: `trainer.val_before_train` is a switch, and the text `OFF` counts as true, which turns it on. Write `false`."
            ],
        ),
        (
            "trainer.val_before_train=none\n",
            "0.7.0",
            {},
            [
                "error: `trainer.val_before_train` is a switch, and the text `none` counts as true, which turns it on. Write `false`."
            ],
        ),
        (
            "trainer.val_before_train=disabled\n",
            "0.7.0",
            {},
            [
                "error: `trainer.val_before_train` is a switch, and the text `disabled` counts as true, which turns it on. Write `false`."
            ],
        ),
        (
            "trainer.val_before_train=Flase\n",
            "0.7.0",
            {},
            [
                "error: `trainer.val_before_train` is a switch, and the text `Flase` counts as true, which turns it on. Write `false`."
            ],
        ),
        (
            "trainer.val_before_train=treu\n",
            "0.7.0",
            {},
            [
                "warning: `trainer.val_before_train` is a switch, and the text `treu` counts as true. Write `true`."
            ],
        ),
        ("trainer.val_before_train=True\n", "0.7.0", {}, []),
        ("trainer.val_before_train=false\n", "0.7.0", {}, []),
        ("trainer.val_before_train=maybe\n", "0.7.0", {}, []),
        ("trainer.val_before_train=0\n", "0.7.0", {}, []),
        ("trainer.val_before_train=t1ue\n", "0.7.0", {}, []),
        (
            "'trainer.val_before_train=no'\n",
            "0.7.0",
            {},
            [
                "error: `trainer.val_before_train` is a switch, and the text `no` counts as true, which turns it on. Write `false`."
            ],
        ),
        (
            "++trainer.val_before_train=no\n",
            "0.7.0",
            {},
            [
                "error: `trainer.val_before_train` is a switch, and the text `no` counts as true, which turns it on. Write `false`."
            ],
        ),
        ("~trainer.val_before_train=no\n", "0.7.0", {}, []),
        ("trainer.project_name=no\n", "0.7.0", {}, []),
        (
            'trainer.val_before_train=\\"no\\"\n',
            "0.7.0",
            {},
            [
                "error: `trainer.val_before_train` is a switch, and the text `no` counts as true, which turns it on. Write `false`."
            ],
        ),
        ("actor_rollout_ref.actor.profiler.enable=no\n", "0.7.0", {}, []),
        (
            "actor_rollout_ref.actor.profiler.enable=treu\n",
            "0.7.0",
            {},
            [
                "warning: `actor_rollout_ref.actor.profiler.enable` is a switch, and the text `treu` counts as true. Write `true`."
            ],
        ),
        ("trainer.nothing=no\n", "0.7.0", {}, []),
        ("trainer.val_before_train=$NO\n", "0.7.0", {}, []),
    ],
)
def test_findings(words: str, release: str, files: Mapping[str, str], expected: list[str]) -> None:
    assert said(words, release, files) == expected
