"""verl's scripts: whose they are, which config decides, what is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.engine.case import Case
from cfglint.engine.files_together.edges import Edges
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.knowledge.recognition import of_text
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.cli.running import run
from tests.draws import each

PPO = "python3 -m verl.trainer.main_ppo"


def found(text: str, release: str = "") -> list[tuple[str, str]]:
    framework = load_framework("verl")
    pins = [f"verl=={release}"] if release else []
    target = build_environment(framework.releases, pins=pins)
    result = lint_source(SourceText(text), Case(framework, target, nowhere(), edges=Edges()))
    return [(one.code, one.severity) for one in result.diagnostics]


@each(
    "line",
    [
        f"{PPO} data.train_batch_size=1024",
        "torchrun --nproc_per_node=8 -m verl.trainer.fsdp_sft_trainer data.train_batch_size=1024",
        "ray job submit --no-wait -- python3 -m recipe.dapo.main_dapo data.train_batch_size=1024",
        "python3 verl/trainer/main_ppo.py data.train_batch_size=1024",
    ],
)
def test_its_commands(line: str) -> None:
    assert of_text(line, "shell") == "verl"
    assert found(f"{line} \\\n data.train_batch_sise=8\n", "0.7.0") == [("KEY001", "error")]


@each(
    ("words", "release", "codes"),
    [
        # Of the release's own config.
        ("critic.model.fsdp_config.param_offload=True", "0.7.0", []),
        ("critic.model.fsdp_config.param_offload=True", "0.9.0", [("KEY005", "error")]),
        ("critic.model.fsdp_config.param_offload=True", "", [("KEY005", "warning")]),
        ("critic.fsdp.param_offload=True", "0.7.0", [("KEY006", "error")]),
        # Signs.
        ("+trainer.new=1 trainer.new=2 ++trainer.other=3", "0.9.0", []),
        ("+trainer.total_epochs=1", "0.9.0", [("VRL004", "error")]),
        ("+trainer.total_epochs=null", "0.9.0", [("VRL004", "error")]),
        ("+actor_rollout_ref.model.external_lib=x", "0.9.0", []),
        ("+trainer.new=1 +trainer.new=2", "0.9.0", [("VRL004", "error")]),
        ("~trainer.total_epochs +trainer.total_epochs=2", "0.9.0", []),
        ("~trainer.nothing", "0.9.0", [("VRL005", "error")]),
        # Groups decide which keys there are.
        ("model_engine=megatron actor_rollout_ref.actor.megatron.param_offload=True", "0.9.0", []),
        ("actor_rollout_ref.actor.megatron.param_offload=True", "0.9.0", [("KEY001", "error")]),
        ("model_engine=veomni actor_rollout_ref.actor.anything=1", "0.9.0", []),
        ('"${MORE[@]}" actor_rollout_ref.actor.megatron.param_offload=True', "0.9.0", []),
        ("--config-name=ppo_megatron_trainer actor_rollout_ref.actor.megatron.seed=1", "0.7.0", []),
        # A folder of configs in this release, and in another one not.
        ("++model_engine=dp", "0.9.0", [("VRL020", "error")]),
        ("model_engine=fsdp", "0.9.0", [("VRL020", "error")]),
        ("model_engine=fsdp hydra.searchpath=[pkg://mine]", "0.9.0", []),
        ("actor@actor_rollout_ref.critic=dp_actor", "0.9.0", [("VRL020", "error")]),
        ("transfer_queue=null", "0.5.0", [("VRL020", "error")]),
        # One release between others lacks a section.
        ("actor_rollout_ref.rollout.profiler.enable=True", "0.5.0", [("VRL018", "error")]),
        # Words in front of others.
        ("~trainer.total_epochs trainer.total_epochs=1", "0.9.0", [("VRL019", "error")]),
        ("~trainer.total_epochs ++trainer.total_epochs=1", "0.9.0", []),
        ("'+data.train_batch_size=${data.seed}'", "0.9.0", [("VRL004", "error")]),
        # A quoted value is one word, although it has blanks; an unquoted one may be several.
        (
            "data.train_files=\"['$HOME/a', '$HOME/b']\" actor_rollout_ref.actor.new=1",
            "0.9.0",
            [("KEY001", "error")],
        ),
        # Configs and settings that are not verl's.
        ("--config-path=/mine --config-name=own anything.at.all=1", "0.9.0", []),
        ("hydra.run.dir=out", "0.9.0", []),
    ],
)
def test_keys(words: str, release: str, codes: list[tuple[str, str]]) -> None:
    assert found(f"{PPO} trainer.nnodes=1 {words}\n", release) == codes


def test_of_a_program_that_a_release_does_not_have_no_key_is_judged() -> None:
    line = "torchrun -m verl.trainer.fsdp_sft_trainer data.train_batch_size=1024 data.nothing=1\n"
    assert found(line, "0.6.0") == [("KEY001", "error")]
    assert found(line, "0.9.0") == [("VRL082", "error")]


def test_the_second_command_is_checked_too() -> None:
    text = f"{PPO} trainer.nnodes=1\n{PPO} trainer.nnodes=1 trainer.nodes=2\n"
    result = [code for code, _ in found(text, "0.9.0")]
    assert result == ["KEY001"]


def test_a_fix_writes_where_a_key_went(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(f"{PPO} trainer.nnodes=1 \\\n  critic.model.fsdp_config.param_offload=True\n")
    run("--fix", "--target", "verl==0.9.0", str(script))
    assert script.read_text().endswith("  critic.fsdp.param_offload=True\n")


@pytest.mark.parametrize("parents", ["[ppo_trainer, _self_]", "[ppo_trainer, mine]"])
def test_a_config_of_the_project_adds_keys(tmp_path: Path, parents: str) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "own.yaml").write_text(f"defaults: {parents}\nextra:\n  size: 1\n")
    script = tmp_path / "run.sh"
    command = f"{PPO} --config-path=config --config-name=own extra.size=2 trainer.nothing=1\n"
    script.write_text(command)
    out = run("--format", "concise", "--target", "verl==0.9.0", str(script)).out
    assert "extra" not in out
    # What other parents have is not known.
    assert ("`trainer.nothing`" in out) == ("mine" not in parents)


def test_a_copy_of_verl_in_the_project_decides(tmp_path: Path) -> None:
    copy = tmp_path / "verl" / "trainer" / "config"
    copy.mkdir(parents=True)
    (copy / "ppo_trainer.yaml").write_text("trainer:\n  own_key: 1\n")
    script = tmp_path / "run.sh"
    script.write_text(f"{PPO} trainer.own_key=2 trainer.strange=3 \\\n  trainer.nnodes=1\n")
    out = run("--format", "concise", str(script)).out
    assert "own_key" not in out
    assert "VRL018 `trainer.strange`" in out
    # Releases have this one, the copy does not.
    assert "VRL018 `trainer.nnodes`" in out


@pytest.mark.parametrize(
    ("name", "key", "is_told"),
    [("own_trainer", "depth", True), ("own_trainer", "width", False), ("gone", "depth", False)],
)
def test_a_key_that_the_config_of_another_program_has(
    tmp_path: Path, name: str, key: str, is_told: bool
) -> None:
    copy, recipe = tmp_path / "verl" / "trainer" / "config", tmp_path / "recipe" / "own"
    copy.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (recipe / "config").mkdir(parents=True)
    (copy / "ppo_trainer.yaml").write_text("trainer:\n  nnodes: 1\n")
    (recipe / "config" / "own_trainer.yaml").write_text("trainer:\n  depth: 1\n")
    program = f'@hydra.main(config_path="config", config_name="{name}")\ndef main(config): ...\n'
    (recipe / "main_own.py").write_text(program)
    script = tmp_path / "run.sh"
    script.write_text(f"{PPO} trainer.{key}=2\n")
    out = run("--format", "concise", str(script)).out
    assert f"VRL018 `trainer.{key}`" in out
    assert ("The config of `recipe.own.main_own` has it" in out) is is_told
    assert (f"Write `+trainer.{key}=…`" in out) is not is_told


def test_a_copy_may_take_words_that_releases_do_not_have(tmp_path: Path) -> None:
    word = "actor_rollout_ref.actor.loss_agg_mode"
    script = tmp_path / "run.sh"
    script.write_text(f"{PPO} {word}=mine\n")
    assert "VRL017" in run("--format", "concise", str(script)).out
    copy = tmp_path / "verl" / "trainer" / "config"
    copy.mkdir(parents=True)
    text = "actor_rollout_ref:\n  actor:\n    loss_agg_mode: token-mean\n"
    (copy / "ppo_trainer.yaml").write_text(text)
    assert "VRL" not in run("--format", "concise", str(script)).out


def test_words_that_are_not_known_may_choose_what_a_copy_offers(tmp_path: Path) -> None:
    copy = tmp_path / "verl" / "trainer" / "config"
    (copy / "engine").mkdir(parents=True)
    (copy / "engine" / "fast.yaml").write_text("speed: 1\n")
    (copy / "ppo_trainer.yaml").write_text("defaults: [{engine: fast}]\ntrainer: {nnodes: 1}\n")
    script = tmp_path / "run.sh"
    script.write_text(f'{PPO} trainer.nnodes=1 engine.size=1 "${{MORE[@]}}"\n')
    assert "VRL018" not in run("--format", "concise", str(script)).out
    script.write_text(f'{PPO} trainer.nnodes=1 engine.size=1 hydra.run.dir=out "$@"\n')
    out = run("--format", "concise", str(script)).out
    assert "VRL018 `engine.size`" in out
    assert "hydra" not in out


def test_a_stated_release_decides_in_place_of_a_copy(tmp_path: Path) -> None:
    copy = tmp_path / "verl" / "trainer" / "config"
    copy.mkdir(parents=True)
    (copy / "ppo_trainer.yaml").write_text("trainer:\n  own_key: 1\n")
    script = tmp_path / "run.sh"
    script.write_text(f"{PPO} trainer.nnodes=1 trainer.own_key=2\n")
    out = run("--format", "concise", "--target", "verl==0.7.0", str(script)).out
    assert "nnodes" not in out
    assert "KEY001" in out


def test_a_copy_that_cannot_be_followed_only_adds_names(tmp_path: Path) -> None:
    copy = tmp_path / "verl" / "trainer" / "config"
    copy.mkdir(parents=True)
    (copy / "ppo_trainer.yaml").write_text("defaults: [missing]\ntrainer:\n  own_key: 1\n")
    script = tmp_path / "run.sh"
    script.write_text(f"{PPO} trainer.nnodes=1 trainer.own_key=2 trainer.strange=3\n")
    out = run("--format", "concise", str(script)).out
    assert "nnodes" not in out
    assert "own_key" not in out
    assert "KEY001" in out
    assert "`strange`" in out


#: Words of a fork, and one that a release gave up.
FORKED = f"{PPO} data.of_ours=1 algorithm.of_ours=1 of_ours=4 critic.model.fsdp_config.param_offload=True"


@each(
    ("text", "release", "expected"),
    [
        (FORKED, "", [("KEY001", "note")]),
        (f"{FORKED} data.train_batch_sise=8", "", [("KEY001", "note"), ("KEY001", "warning")]),
        (FORKED, "0.9.0", [("KEY001", "error")] * 3 + [("KEY005", "error")]),
        (FORKED.replace("of_ours=4", ""), "", [("KEY001", "error")] * 2 + [("KEY005", "warning")]),
        (
            f"PYTHONPATH=/a:/b/verl-agent {PPO} data.of_ours=1",
            "",
            [("KEY001", "note")],
        ),
        (f"PYTHONPATH=/a/reward {PPO} data.of_ours=1", "", [("KEY001", "error")]),
        (f". ~/verl-agent/bin/activate\n{PPO} data.of_ours=1", "", [("KEY001", "note")]),
        (f"source $HOME/verl/.venv/bin/activate\n{PPO} data.of_ours=1", "", [("KEY001", "note")]),
        (f"source ~/envs/bin/activate\n{PPO} data.of_ours=1", "", [("KEY001", "error")]),
        # Slips say nothing of a fork, however many there are.
        (
            f"{PPO} data.train_batch_sise=8 trainer.total_epoch=1 trainer.nnodess=1",
            "",
            [("KEY001", "error")] * 3,
        ),
    ],
)
def test_keys_of_a_fork_are_one_note(
    text: str, release: str, expected: list[tuple[str, str]]
) -> None:
    assert sorted(found(text, release)) == sorted(expected)


@pytest.mark.parametrize(
    ("place", "expected"),
    [("verl", False), ("external/verl", False), ("external/other", True)],
)
def test_a_copy_in_another_folder_of_the_project_has_keys_of_its_own(
    tmp_path: Path, place: str, expected: bool
) -> None:
    (tmp_path / ".git").mkdir()
    configs = tmp_path / place / "verl" / "trainer" / "config"
    configs.mkdir(parents=True)
    (configs / "ppo_trainer.yaml").write_text("algorithm:\n  own_mode: a\n")
    (tmp_path / "jobs").mkdir()
    script = tmp_path / "jobs" / "train.sh"
    script.write_text(f"{PPO} algorithm.own_mode=b\n")
    assert ("KEY001" in run("--format", "json", str(script)).out) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a = self.config.data.own_length", False),
        ("a = config.data.own_length + 1", False),
        ("a = getattr(self.config.data, 'own_length', 512)", False),
        ('a = config.data.get("own_length", 512)', False),
        ('a = config["data"]["own_length"]', False),
        ("a = own_length", True),
        ("a = self.config.data.own_lengths", True),
    ],
)
@pytest.mark.parametrize("sign", ["", "+"])
def test_what_the_code_of_a_copy_reads_is_read(
    tmp_path: Path, line: str, sign: str, expected: bool
) -> None:
    (tmp_path / ".git").mkdir()
    trainer = tmp_path / "verl" / "trainer"
    (trainer / "config").mkdir(parents=True)
    # Its part `data/ours.yaml` is not in the repository.
    (trainer / "config" / "ppo_trainer.yaml").write_text("defaults:\n  - data@data: ours\n")
    (trainer / "ours.py").write_text(f"{line}\n")
    script = tmp_path / "train.sh"
    script.write_text(f"{PPO} {sign}data.own_length=500\n")
    found = run("--format", "json", str(script)).out
    assert ("KEY001" in found) is (expected and not sign)
    assert "VRL" not in found


@each(
    ("word", "why"),
    [
        (
            "actor@foo=dp_actor",
            "it chooses nothing from `actor@foo`; it has `actor@actor_rollout_ref.actor`.",
        ),
        ("critic@foo=dp_critic", "it chooses nothing from `critic@foo`; it has `critic`."),
        ("critic=dp_actor", "`critic` has no config `dp_actor`, only `"),
        ("model_engine=x", "it has no group of this name, nor a key."),
    ],
)
def test_why_a_choice_is_refused(word: str, why: str) -> None:
    framework = load_framework("verl")
    target = build_environment(framework.releases, pins=["verl==0.6.1"])
    case = Case(framework, target, nowhere(), edges=Edges())
    (found,) = lint_source(SourceText(f"{PPO} {word}\n"), case).diagnostics
    assert found.code == "VRL020"
    assert why in found.message
