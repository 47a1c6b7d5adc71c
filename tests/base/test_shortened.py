"""Texts of a file as messages quote them."""

from __future__ import annotations

from pathlib import Path

from cfglint.base.shortened import shortened, shortened_value
from tests.cli.running import run


def test_what_is_cut_shows_it() -> None:
    assert shortened("a" * 60) == "a" * 60
    assert shortened("a" * 61) == "a" * 59 + "…"
    assert shortened("abc def", 5) == "abc…"


def test_a_value_is_as_yaml_has_it() -> None:
    assert (shortened_value(True), shortened_value(1.5)) == ("true", "1.5")
    assert shortened_value("abc def", 5) == "abc…"


def test_an_option_that_is_cut_off_is_quoted_with_its_cut(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    path = "actor_rollout_ref.model.path=" + "deepseek-ai/deepseek-llm-7b-chat"
    script.write_text(f"python3 -m verl.trainer.main_ppo trainer.nnodes=1 \\\n# a\n  {path}\n")
    out = run(str(script), "--isolated", "--format", "concise").out
    assert f"The shell runs `{path[:59]}…` as a separate command" in out
