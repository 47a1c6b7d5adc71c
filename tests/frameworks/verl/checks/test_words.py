"""The words of a command that Hydra refuses, and what is said of each."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.verl.checks.words import CHECKS
from cfglint.knowledge.releases.table import releases_of
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CODES = codes_of(CHECKS)
NEWEST = releases_of("verl").newest


def said(words: str, release: str = "0.7.0", program: str = "main_ppo") -> list[str]:
    text = f"python3 -m verl.trainer.{program} {words}\n"
    target = (f"verl=={release}",) if release else ()
    found = lint_in({}, text, name="run.sh", framework="verl", select=CODES, target=target)
    return [one.replace(f"verl {NEWEST}", "verl NEWEST") for one in messages(found)]


OWN: Mapping[str, str] = {
    "verl/trainer/config/ppo_trainer.yaml": (
        "defaults:\n  - part@inner: small\n  - _self_\n\n"
        "data: {size: 8, files: [a], seed: null}\ntrainer: {epochs: 1}\n"
    ),
    "verl/trainer/config/part/small.yaml": "width: 1\n",
    "verl/trainer/config/part/large.yaml": "width: 2\n",
    "verl/trainer/main_ppo.py": (
        "import hydra\n@hydra.main(config_path='config', config_name='ppo_trainer')\n"
        "def main(config):\n    pass\n"
    ),
    "verl/__init__.py": "",
}


def of_copy(words: str, files: Mapping[str, str] = {}) -> list[str]:
    """The same where the project has verl itself."""
    text = f"python3 -m verl.trainer.main_ppo {words}\n"
    found = lint_in({**OWN, **files}, text, name="run.sh", framework="verl", select=CODES)
    return messages(found)


@each(
    ("words", "expected"),
    [
        ("data.train_files=a", []),
        (
            "data.train_files=a stray",
            ["error: `stray` is not of the form `key=value`: Hydra refuses the command."],
        ),
        (
            "data.train_files=a stray --also ''",
            ["error: `--also` is not of the form `key=value`: Hydra refuses the command."],
        ),
        (
            "data.train_files=a =3",
            ["error: `=3` is not of the form `key=value`: Hydra refuses the command."],
        ),
        (
            "data.train_files=[a",
            [
                "error: Hydra cannot read the value of `data.train_files`: `]` is missing. Put quotes for Hydra inside those for the shell, as in `'data.train_files=\"…\"'`."
            ],
        ),
        ("data.train_files=<path_to_data>", []),
        (
            "data.train_files=a b]",
            ["error: `b]` is not of the form `key=value`: Hydra refuses the command."],
        ),
        (
            "trainer.total_epochs=1,2",
            [
                "error: `trainer.total_epochs` has several values with commas between them, which ask for several runs: Hydra refuses that without `--multirun`. A list is written `[a,b]`."
            ],
        ),
        ("trainer.total_epochs=1,2 --multirun", []),
        (
            "+trainer.total_epochs=1",
            [
                "error: `trainer.total_epochs` is already there in verl 0.7.0, and `+` adds a key: Hydra refuses the command. Write `trainer.total_epochs=…`, or `++` where not all releases have it."
            ],
        ),
        (
            "+trainer.total_epochs=1 +trainer.new=1 +trainer.new=2",
            [
                "error: `trainer.total_epochs` is already there in verl 0.7.0, and `+` adds a key: Hydra refuses the command. Write `trainer.total_epochs=…`, or `++` where not all releases have it.",
                "error: `trainer.new` is already there in verl 0.7.0, and `+` adds a key: Hydra refuses the command. Write `trainer.new=…`, or `++` where not all releases have it.",
            ],
        ),
        (
            "'+trainer.total_epochs=1'",
            [
                "error: `trainer.total_epochs` is already there in verl 0.7.0, and `+` adds a key: Hydra refuses the command. Write `trainer.total_epochs=…`, or `++` where not all releases have it."
            ],
        ),
        (
            "+data.train_files=b",
            [
                "error: `data.train_files` is already there in verl 0.7.0, and `+` adds a key: Hydra refuses the command. Write `data.train_files=…`, or `++` where not all releases have it."
            ],
        ),
        ("~trainer.total_epochs", []),
        (
            "~trainer.nothing",
            [
                "error: verl 0.7.0 has no value for `trainer.nothing`, which `~` would take away: Hydra refuses the command."
            ],
        ),
        (
            "~trainer.total_epochs ~trainer.total_epochs",
            [
                "error: verl 0.7.0 has no value for `trainer.total_epochs`, which `~` would take away: Hydra refuses the command."
            ],
        ),
        (
            "~trainer.total_epochs=7",
            [
                "error: verl 0.7.0 has no value `7` for `trainer.total_epochs`, which `~` would take away: Hydra refuses the command."
            ],
        ),
        (
            "trainer=[a]",
            [
                "error: `trainer` is a mapping in verl 0.7.0, and Hydra cannot merge a list into it: it refuses the command. Write a value that is a mapping as well, or take the old one away with `~trainer` before `+trainer=…`."
            ],
        ),
        (
            "trainer.logger={a:1}",
            [
                "error: `trainer.logger` is a list in verl 0.7.0, and Hydra cannot merge a mapping into it: it refuses the command. Write a value that is a list as well, or take the old one away with `~trainer.logger` before `+trainer.logger=…`."
            ],
        ),
        ("trainer.total_epoch=1", []),
        ("trainer.zzz=1", []),
        ("algorithm.use_kl_in_rewrd=True", []),
        ("reward_model.micro_batch_size=1 reward_model.nothing=2", []),
        (
            "~trainer.total_epochs trainer.total_epochs=1",
            [
                "error: `~trainer.total_epochs` before it leaves no key `trainer.total_epochs` in the config: Hydra refuses the command. Write `+trainer.total_epochs=…`, or remove one of the two words."
            ],
        ),
        (
            "~trainer trainer.total_epochs=1",
            [
                "error: `~trainer` before it leaves no key `trainer.total_epochs` in the config: Hydra refuses the command. Write `+trainer.total_epochs=…`, or remove one of the two words."
            ],
        ),
        (
            "trainer=null trainer.total_epochs=1",
            [
                "error: `trainer` before it leaves no key `trainer.total_epochs` in the config: Hydra refuses the command. Write `+trainer.total_epochs=…`, or remove one of the two words."
            ],
        ),
    ],
)
def test_words(words: str, expected: list[str]) -> None:
    assert said(words) == expected


@each(
    ("words", "release", "program", "expected"),
    [
        (
            "+trainer.total_epochs=1",
            "",
            "main_ppo",
            [
                "error: `trainer.total_epochs` is already there in verl NEWEST, and `+` adds a key: Hydra refuses the command. Write `trainer.total_epochs=…`, or `++` where not all releases have it."
            ],
        ),
        (
            "~trainer.nothing",
            "",
            "main_ppo",
            [
                "warning: verl NEWEST has no value for `trainer.nothing`, which `~` would take away: Hydra refuses the command."
            ],
        ),
        (
            "trainer=[a]",
            "",
            "main_ppo",
            [
                "warning: `trainer` is a mapping in verl NEWEST, and Hydra cannot merge a list into it: it refuses the command. Write a value that is a mapping as well, or take the old one away with `~trainer` before `+trainer=…`."
            ],
        ),
        ("trainer.device=cuda", "0.3.0", "main_ppo", []),
        ("trainer.device=cuda", "0.7.0", "main_ppo", []),
        ("actor_rollout_ref.actor.use_torch_compile=True", "0.2.0", "main_ppo", []),
        (
            "actor@actor_rollout_ref.actor=nothing",
            "0.7.0",
            "main_ppo",
            [
                "error: `actor@actor_rollout_ref.actor=…` chooses from a group of configs, which Hydra refuses with the config of verl 0.7.0: `actor` has no config `nothing`, only `actor`, `dp_actor`, `megatron_actor`."
            ],
        ),
        (
            "+actor@actor_rollout_ref.actor=dp_actor",
            "0.7.0",
            "main_ppo",
            [
                "error: `actor@actor_rollout_ref.actor=…` chooses from a group of configs, which Hydra refuses with the config of verl 0.7.0: it chooses from `actor@actor_rollout_ref.actor` already; without the `+` it chooses another one."
            ],
        ),
        (
            "++actor@actor_rollout_ref.actor=dp_actor",
            "0.7.0",
            "main_ppo",
            [
                "error: `actor@actor_rollout_ref.actor=…` chooses from a group of configs, which Hydra refuses with the config of verl 0.7.0: `++` does not choose from a group of configs."
            ],
        ),
        (
            "actor@actor_rollout_ref.actor=3",
            "0.7.0",
            "main_ppo",
            [
                "error: `actor@actor_rollout_ref.actor=…` chooses from a group of configs, which Hydra refuses with the config of verl 0.7.0: a choice from a group of configs is a name."
            ],
        ),
        (
            "~actor@actor_rollout_ref.actor=nothing",
            "0.7.0",
            "main_ppo",
            [
                "error: `actor@actor_rollout_ref.actor=…` chooses from a group of configs, which Hydra refuses with the config of verl 0.7.0: it chooses `dp_actor` from `actor@actor_rollout_ref.actor`."
            ],
        ),
        ("~actor@actor_rollout_ref.actor", "0.7.0", "main_ppo", []),
        (
            "actor@nowhere=dp_actor",
            "0.7.0",
            "main_ppo",
            [
                "error: `actor@nowhere=…` chooses from a group of configs, which Hydra refuses with the config of verl 0.7.0: it chooses nothing from `actor@nowhere`; it has `actor@actor_rollout_ref.actor`."
            ],
        ),
        ("data.train_files=a data.nothing=1", "0.7.0", "fsdp_sft_trainer", []),
    ],
)
def test_releases_and_programs(words: str, release: str, program: str, expected: list[str]) -> None:
    assert said(words, release, program) == expected


@each(
    ("words", "files", "expected"),
    [
        ("data.size=1", {}, []),
        (
            "data.sise=1",
            {},
            [
                "error: `data.sise` is not in `verl/trainer/config/ppo_trainer.yaml`, which this command reads: Hydra refuses the command. Write `+data.sise=…` to add it. Did you mean `data.size`?"
            ],
        ),
        (
            "data.size=1 +data.size=2",
            {},
            [
                "error: `data.size` is already there in verl/trainer/config/ppo_trainer.yaml, and `+` adds a key: Hydra refuses the command. Write `data.size=…`, or `++` where not all releases have it."
            ],
        ),
        ("+data.seed=2", {}, []),
        (
            "data.files={a:1}",
            {},
            [
                "warning: `data.files` is a list in verl/trainer/config/ppo_trainer.yaml, and Hydra cannot merge a mapping into it: it refuses the command. Write a value that is a list as well, or take the old one away with `~data.files` before `+data.files=…`."
            ],
        ),
        (
            "dat.size=1 dat.files=[b]",
            {},
            [
                "error: `dat` is not in `verl/trainer/config/ppo_trainer.yaml`, which this command reads: Hydra refuses the command. 2 words name keys below it. Did you mean `data`?"
            ],
        ),
        (
            "nowhere.a=1 nowhere.b=2",
            {},
            [
                "error: `nowhere` is not in `verl/trainer/config/ppo_trainer.yaml`, which this command reads: Hydra refuses the command. 2 words name keys below it."
            ],
        ),
        (
            "epochs=1",
            {},
            [
                "error: `epochs` is not in `verl/trainer/config/ppo_trainer.yaml`, which this command reads: Hydra refuses the command. Write `+epochs=…` to add it. Did you mean `trainer.epochs`?"
            ],
        ),
        ("part@inner=large inner.width=3", {}, []),
        (
            "part@inner=none",
            {},
            [
                "error: `verl/trainer/config/ppo_trainer.yaml` names the parent `part/none.yaml` in its `defaults:`, and there is no such file beside it: Hydra refuses to compose the config. A line of `.gitignore` such as `data/` may keep it out of the repository."
            ],
        ),
        (
            "inner.wide=3",
            {},
            [
                "error: `inner.wide` is not in `verl/trainer/config/ppo_trainer.yaml`, which this command reads: Hydra refuses the command. Write `+inner.wide=…` to add it. Did you mean `inner.width`?"
            ],
        ),
        ("~data data.size=1", {}, []),
        (
            "~data.nothing",
            {},
            [
                "warning: verl/trainer/config/ppo_trainer.yaml has no value for `data.nothing`, which `~` would take away: Hydra refuses the command."
            ],
        ),
        (
            "data.size=1",
            {"verl/trainer/config/ppo_trainer.yaml": "defaults:\n  - none\n\ndata: {size: 1}\n"},
            [
                "error: `verl/trainer/config/ppo_trainer.yaml` names the parent `none.yaml` in its `defaults:`, and there is no such file beside it: Hydra refuses to compose the config. A line of `.gitignore` such as `data/` may keep it out of the repository."
            ],
        ),
    ],
)
def test_the_config_of_the_project(
    words: str, files: Mapping[str, str], expected: list[str]
) -> None:
    assert of_copy(words, files) == expected


def test_the_plus_is_removed() -> None:
    text = "python3 -m verl.trainer.main_ppo +trainer.total_epochs=1\n"
    (found,) = lint_in(
        {}, text, name="run.sh", framework="verl", select=CODES, target=("verl==0.7.0",)
    )
    (fix,) = found.fixes
    at = text.index("+")
    assert (fix.title, fix.safety, fix.edits) == ("Remove the `+`", "safe", ((at, at + 1, ""),))
    quoted = text.replace("+trainer.total_epochs=1", "'+trainer.total_epochs=1'")
    (found,) = lint_in(
        {}, quoted, name="run.sh", framework="verl", select=CODES, target=("verl==0.7.0",)
    )
    assert len(found.fixes) == 1
