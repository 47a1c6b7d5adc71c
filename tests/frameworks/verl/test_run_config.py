"""The config of a run: that of a release, or one of the project, with the words of the command laid over it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cfglint.base.logic import UNKNOWN
from cfglint.checks.context import CheckContext
from cfglint.frameworks.verl.run_config import RunConfig, broken_config, config_in, run_config
from tests.draws import each
from tests.linting import case_in

START = "python3 -m verl.trainer.main_ppo"
ACTOR, IT = "actor@actor_rollout_ref.actor", "actor_rollout_ref.actor"
COPY = "verl/trainer/config/ppo_trainer.yaml"


def context(
    words: str,
    files: Mapping[str, str] | None = None,
    *,
    target: tuple[str, ...] = ("verl==0.7.0",),
    start: str = START,
) -> CheckContext:
    case, source = case_in(
        {".git/HEAD": "", **(files or {})},
        f"{start} {words}\n",
        name="run.sh",
        target=target,
        framework="verl",
    )
    language = case.framework.parsing.language_for(source.text, case.target, case.around)
    return CheckContext(language.read(source), case.framework, case.target, case.around)


def unknown(tree: dict[str, Any], above: str = "") -> Iterator[str]:
    """The keys, but Hydra's own, of which nothing is known."""
    for key, value in tree.items():
        if value is UNKNOWN and key != "hydra":
            yield above + key
        elif isinstance(value, dict):
            yield from unknown(value, f"{above}{key}.")


def of(ctx: CheckContext) -> RunConfig:
    found = run_config(ctx.document, ctx.target, ctx.around)
    assert found is not None
    return found


@each(
    ("words", "refused", "open_"),
    [
        (f"{ACTOR}=dp_actor", "", []),
        (f"{ACTOR}=megatron_actor", "", [IT]),
        (f"{ACTOR}=none", "`actor` has no config `none`, only `actor`, `dp_actor`, `megatron_actor`", [IT]),
        (f"{ACTOR}=[dp_actor,x]", "`actor` has no config `x`, only `actor`, `dp_actor`, `megatron_actor`", [IT]),
        (f"{ACTOR}=3", "a choice from a group of configs is a name", [IT]),
        (f"{ACTOR}=$X", "", [IT]),
        (f"+{ACTOR}=dp_actor", f"it chooses from `{ACTOR}` already; without the `+` it chooses another one", [IT]),
        (f"++{ACTOR}=dp_actor", "`++` does not choose from a group of configs", [IT]),
        (f"~{ACTOR}", "", [IT]),
        (f"~{ACTOR}=dp_actor", "", [IT]),
        (f"~{ACTOR}=x", f"it chooses `dp_actor` from `{ACTOR}`", [IT]),
        ("actor@other=dp_actor", f"it chooses nothing from `actor@other`; it has `{ACTOR}`", ["other"]),
        ("+actor@other=dp_actor", "", ["other"]),
        ("optim@other=fsdp", "it chooses nothing from `optim@other`", ["other"]),
        ("data=legacy_data", "", []),
        # A group of other releases.
        ("model_engine=megatron", "it has no group of this name, nor a key", []),
        # Other folders may have more.
        (f"hydra.searchpath=[x] {ACTOR}=none", "", [IT]),
    ],
)  # fmt: skip
def test_a_choice(words: str, refused: str, open_: list[str]) -> None:
    found = of(context(words))
    assert [one.refused for one in found.choices] == [refused]
    assert sorted(unknown(found.before)) == open_


@each(
    ("words", "refused", "value"),
    [
        ("", [], 1024),
        ("data.train_batch_size=4", [], 4),
        ("data.nothing=1", ["data.nothing"], 1024),
        ("+data.nothing=1", [], 1024),
        ("'$@'", [], 1024),
        # What is not known may choose anything.
        ("$MORE", [], UNKNOWN),
        ("data=x.yaml", [], UNKNOWN),
        ("data={train_batch_size:8}", [], 8),
    ],
)
def test_words(words: str, refused: list[str], value: Any) -> None:
    found = of(context(words))
    assert [one.word.key for one in found.merged.refused] == refused
    assert found.merged.value("data.train_batch_size") == value
    assert found.own is None
    assert found.before["hydra"] is UNKNOWN


def test_the_config_before_the_words_stays_as_it_was() -> None:
    found = of(context("data.train_batch_size=4 +data.new=1 data.files=[a]"))
    assert found.before["data"]["train_batch_size"] == 1024
    assert "new" not in found.before["data"]
    assert of(context("")).merged.value("data.train_batch_size") == 1024


def test_another_release() -> None:
    ctx = context("")
    older = run_config(ctx.document, ctx.target, ctx.around, "0.6.0")
    assert older is not None
    assert older.before != of(ctx).before
    same = run_config(ctx.document, ctx.target, ctx.around, "0.7.0")
    assert same is not None
    assert same.before == of(ctx).before


def test_the_last_document_is_kept() -> None:
    ctx = context("")
    found = config_in(ctx)
    assert found is config_in(ctx)
    other = context("data.train_batch_size=4")
    again = CheckContext(other.document, ctx.framework, ctx.target, ctx.around)
    assert config_in(again) is not found


@each(
    ("start", "words"),
    [
        (START, "--config-name other"),
        ("python3 -m verl.trainer.fsdp_sft_trainer", "--config-name other"),
    ],
)
def test_none_that_can_be_followed(start: str, words: str) -> None:
    ctx = context(words, start=start)
    assert run_config(ctx.document, ctx.target, ctx.around) is None
    assert broken_config(ctx) is None


OWN = "defaults:\n  - critic: small\n  - _self_\ndata: {train_batch_size: 8, mine: 1}\n"
FILES = {
    COPY: OWN,
    COPY.replace("ppo_trainer", "critic/small"): "rows: 1\n",
    COPY.replace("ppo_trainer", "critic/big"): "rows: 2\n",
}


@each(
    ("words", "target", "expected"),
    [
        ("data.mine=2", (), (8, 2, 1, [])),
        ("critic=big", (), (8, 1, 2, [])),
        ("+critic=big", (), (8, 1, UNKNOWN, [])),
        # A release that is installed counts in its place.
        ("data.mine=2", ("verl==0.7.0",), None),
    ],
)
def test_a_copy_in_the_project(words: str, target: tuple[str, ...], expected: Any) -> None:
    found = of(context(words, FILES, target=target))
    if expected is None:
        assert found.own is None
        return
    assert found.own is not None
    assert found.own.file == COPY
    values = [found.merged.value(key) for key in ("data.train_batch_size", "data.mine")]
    before = found.before["critic"]
    rows = before if before is UNKNOWN else before["rows"]
    assert (*values, rows, [one.word.key for one in found.merged.refused]) == expected


@each(
    ("words", "files", "target", "missing"),
    [
        ("", {}, (), "critic/small"),
        ("", {}, ("verl==0.7.0",), ""),
        ("hydra.searchpath=[x]", {}, (), ""),
        ("", FILES, (), ""),
        ("--config-name other", {}, (), ""),
    ],
)
def test_a_copy_without_a_part(
    words: str, files: dict[str, str], target: tuple[str, ...], missing: str
) -> None:
    whole = {"verl/__init__.py": "", "verl/trainer/main_ppo.py": "", COPY: OWN, **files}
    ctx = context(words, whole, target=target)
    broken = broken_config(ctx)
    assert (broken.missing if broken else "") == missing
    if missing:
        assert run_config(ctx.document, ctx.target, ctx.around) is None
