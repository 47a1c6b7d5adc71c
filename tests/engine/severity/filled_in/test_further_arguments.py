"""Findings in a script that its own arguments may change."""

from __future__ import annotations

from tests.linting import lint

RUN = "python3 -m verl.trainer.main_ppo trainer.nnodes=1 data.train_batch_size=64"
CONFLICT = f"{RUN} actor_rollout_ref.actor.ppo_mini_batch_size=128"


def found(text: str) -> list[tuple[str, str]]:
    result = lint(text, framework="verl", target=("verl==0.9.0",), select=("VRL010",))
    return [(one.code, one.severity) for one in result]


def test_values_that_do_not_go_together_are_one_step_milder() -> None:
    assert found(f"{CONFLICT}\n") == [("VRL010", "error")]
    assert found(f'{CONFLICT} "$@"\n') == [("VRL010", "warning")]
    message = lint(f"{CONFLICT} $@\n", framework="verl", target=("verl==0.9.0",))[0].message
    assert message.endswith("This holds unless an option in `$@` changes one of them.")


def test_what_is_not_written_may_be_among_them() -> None:
    assert found(f"{RUN}\n") == [("VRL010", "error")]
    assert found(f'{RUN} "$@"\n') == []


def test_arguments_of_a_function_are_not_those_of_the_script() -> None:
    assert found(f'run() {{\n  {CONFLICT} "$@"\n}}\nrun --a\n') == []


def test_the_same_finding_is_not_made_twice() -> None:
    refused = f'{RUN} trainer.nothing=1 "$@"\n'
    codes = [one.code for one in lint(refused, framework="verl", target=("verl==0.9.0",))]
    assert codes == ["KEY001"]
