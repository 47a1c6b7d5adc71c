"""Real runs compared with findings: the logic around them, without torch."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from cfglint import Disk, Linter
from tools.runs import bases, compare, generate
from tools.runs.bases.trl import BASES
from tools.runs.campaign import Campaign, Made
from tools.runs.cli import main
from tools.runs.compare import Finding, judged
from tools.runs.outcome import Outcome, from_answer, read_lines, write_line
from tools.runs.reduce import reduced
from tools.runs.server import EnvironmentMissing, Job, Server, find
from tools.runs.worker import protocol, tiny
from tools.runs.worker.protocol import Record

_DONE = Outcome("a", "sft", "done")
_FAILED = Outcome("a", "sft", "trainer", "ValueError", "`packing` needs flash", "trl/x.py:1")


def _finding(
    *keys: str, ends: bool = True, severity: str = "error", certain: bool = True
) -> Finding:
    return Finding("PAK001", severity, ends, ends and certain, keys, "")


class TestOutcome:
    def test_survives_a_file(self, tmp_path: Path) -> None:
        outcome = from_answer(
            {
                "id": "a",
                "stage": "step",
                "facts": {"steps": 2},
                "replaced": ["tf32: no GPU"],
                "later": 1,
            },
            "sft",
        )
        write_line(tmp_path / "runs", outcome)
        assert list(read_lines(tmp_path / "runs")) == [outcome]
        assert outcome.replaced_keys == {"tf32"}

    @pytest.mark.parametrize(
        ("stage", "exception", "after", "tried"),
        [
            ("done", "", False, True),
            ("parse", "ValueError", False, True),
            ("save", "KeyError", True, True),
            ("step", "TimeLimit", False, False),
            ("parse", "NotTried", False, False),
        ],
    )
    def test_says_whether_it_ended_after_validation(
        self, stage: str, exception: str, after: bool, tried: bool
    ) -> None:
        outcome = Outcome("a", "", stage, exception)
        assert (outcome.after_validation, outcome.tried) == (after, tried)


class TestVerdict:
    @pytest.mark.parametrize(
        ("outcome", "findings", "verdict"),
        [
            (_DONE, [], compare.COMPLETES),
            (_DONE, [_finding("packing")], compare.FALSE),
            (_DONE, [_finding("packing", severity="warning")], compare.COMPLETES),
            (_DONE, [_finding("packing", certain=False)], compare.COMPLETES),
            (_DONE, [_finding("packing", ends=False)], compare.COMPLETES),
            (_FAILED, [], compare.MISSED),
            (_FAILED, [_finding("seed")], compare.MISSED),
            (_FAILED, [_finding("packing")], compare.NAMED),
            (_FAILED, [_finding("packing", severity="warning")], compare.NAMED),
            (_FAILED, [_finding("packing", severity="note")], compare.POINTED),
            (_FAILED, [_finding("packing", ends=False)], compare.POINTED),
            (_FAILED, [_finding()], compare.NAMED),
        ],
    )
    def test_is_that_of_the_findings_about_the_change(
        self, outcome: Outcome, findings: list[Finding], verdict: str
    ) -> None:
        assert judged(outcome, ("max_length",), findings).verdict == verdict

    def test_leaves_out_what_the_run_did_not_see(self) -> None:
        outcome = Outcome("a", "sft", "done", replaced=("packing: no GPU",))
        assert judged(outcome, (), [_finding("packing")]).verdict == compare.COMPLETES

    def test_of_a_missing_gpu_is_the_harness(self) -> None:
        outcome = Outcome("a", "sft", "step", "RuntimeError", "No CUDA GPUs are available")
        assert judged(outcome, ("x",), []).verdict == compare.HARNESS

    def test_at_the_start_is_counted_apart(self) -> None:
        outcome = Outcome("a", "sft", "parse", "ValueError")
        assert judged(outcome, ("x",), []).verdict == compare.MISSED_AT_START
        assert judged(outcome, ("x",), [_finding("x")]).verdict == compare.NAMED_AT_START

    def test_of_a_time_limit_is_none(self) -> None:
        outcome = Outcome("a", "sft", "step", "TimeLimit")
        assert judged(outcome, ("x",), [_finding("x")]).verdict == compare.NOT_TRIED


def test_findings_have_the_keys_that_they_relate_to(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("trl dpo --config config.yaml\n")
    (tmp_path / "config.yaml").write_text(
        "model_name_or_path: a/b\ndataset_name: x/y\nsync_ref_model: true\nuse_peft: true\n"
    )
    linter = Linter(target=["trl==1.16.0", "transformers==5.16.1"], gpus=1, files=Disk())
    found = {one.code: one for one in compare.findings(linter, tmp_path / "config.yaml")}
    assert found["TRL103"].certain
    assert set(found["TRL103"].keys) >= {"sync_ref_model", "use_peft"}


def test_a_campaign_is_compared_and_printed(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    content = {**BASES.bases[0].content, "sync_ref_model": True, "use_peft": True}
    made = [
        Made("0", "dpo", content, ("sync_ref_model", "use_peft"), "named"),
        Made("1", "dpo", content, ("sync_ref_model",), "key"),
        Made("2", "dpo", BASES.bases[0].content, (), "base"),
    ]
    campaign.start("trl==1.16.0", 1, made, BASES.launch)
    assert (tmp_path / "0" / "run.sh").read_text() == "trl dpo --config config.yaml\n"
    campaign.describe(
        {"packages": {"trl": "1.16.0", "transformers": "5.16.1", "torch": "2.13.0+cpu"}}
    )
    write_line(campaign.runs, Outcome("0", "dpo", "trainer", "NotImplementedError", "no"))
    write_line(campaign.runs, Outcome("1", "dpo", "done"))
    write_line(campaign.runs, Outcome("2", "dpo", "step", "KeyError", "'x'", "trl/y.py:3"))
    result = CliRunner().invoke(main, ["compare", str(tmp_path), "--json", str(tmp_path / "rows")])
    assert result.exit_code == 1
    assert "3 runs, 2 of them ended after validation" in result.output
    assert "missed (1): step, KeyError: 'x' [trl/y.py:3]" in result.output
    rows = [json.loads(line) for line in (tmp_path / "rows").read_text().splitlines()]
    assert [row["verdict"] for row in rows] == [compare.NAMED, compare.FALSE, compare.MISSED]


def test_reducing_keeps_what_the_end_needs() -> None:
    tried = []

    def run(config: Any) -> Outcome:
        tried.append(config)
        return _FAILED if {"c", "f"} <= config.keys() else _DONE

    left, outcome = reduced(dict.fromkeys("abcdefgh", 1), run)
    assert (left, outcome) == ({"c": 1, "f": 1}, _FAILED)
    assert len(tried) < 20
    assert reduced({"a": 1, "c": 1, "f": 1}, run, frozenset("a"))[0] == {"a": 1, "c": 1, "f": 1}


_RULES = [
    generate.Rule(
        "A",
        frozenset({"packing", "max_length"}),
        (generate.Example({"packing": True, "no_key": 1}, "sft"),),
    ),
    generate.Rule("B", frozenset(), ()),
]


class TestGenerator:
    def _made(self, seed: int = 1) -> list[Made]:
        return list(generate.Generator("trl==1.16.0", BASES, seed, _RULES).make(80))

    def test_begins_with_the_bases(self) -> None:
        made = self._made()
        known = [base for base in BASES.bases if not base.releases.startswith("<")]
        assert [one.content for one in made[: len(known)]] == [base.content for base in known]
        assert all(one.changes for one in made[len(known) :])

    def test_puts_examples_on_a_base_of_their_command(self) -> None:
        [made] = generate.Generator("trl==1.16.0", BASES, 1, _RULES).examples()
        assert (made.id, made.command, made.changes) == ("A-0-sft", "sft", ("packing",))
        assert made.content == {**BASES.bases[0].content, "packing": True}

    def test_makes_the_same_for_a_seed(self) -> None:
        assert self._made() == self._made()
        assert self._made() != self._made(2)

    def test_writes_only_keys_that_a_run_here_can_judge(self) -> None:
        changed = {key for one in self._made() for key in one.changes}
        assert "packing" in changed
        assert not {"no_key", "hub_model_id", "use_vllm"} & changed

    def test_leaves_the_bases_as_they_are(self) -> None:
        before = [dict(base.content) for base in BASES.bases]
        self._made()
        assert [base.content for base in BASES.bases] == before

    def test_leaves_out_commands_that_a_release_lacks(self) -> None:
        made = generate.Generator("trl==0.19.1", BASES, 1, _RULES).make(20)
        assert {one.command for one in made} == {"sft", "dpo", "kto", "grpo"}


@pytest.mark.parametrize(("framework", "release"), [("trl", "1.16.0"), ("llamafactory", "0.9.5")])
def test_cfglint_has_nothing_against_the_bases(
    framework: str, release: str, tmp_path: Path
) -> None:
    known = bases.of(framework)
    linter = Linter(target=[f"{framework}=={release}"], gpus=1, files=Disk())
    for base in known.bases:
        if base.releases.startswith("<"):
            continue
        folder = tmp_path / base.name
        folder.mkdir()
        script = known.launch.format(command=base.command, file="config.yaml")
        (folder / "run.sh").write_text(script)
        (folder / "config.yaml").write_text(yaml.safe_dump(dict(base.content)))
        found = compare.findings(linter, folder / "config.yaml")
        assert not [one for one in found if one.severity == "error"]


class TestRecord:
    def test_books_an_end_to_the_innermost_stage(self) -> None:
        record = Record()
        with pytest.raises(KeyError) as caught, record.within("step"), record.within("data"):
            raise KeyError
        assert record.stage_of(caught.value) == "data"

    def test_books_an_error_that_another_led_to_to_the_first(self) -> None:
        record = Record()

        def fail() -> None:
            try:
                with record.within("model"):
                    raise KeyError
            except KeyError as error:
                raise ValueError("no") from error

        with pytest.raises(ValueError, match="no") as caught, record.within("trainer"):
            fail()
        assert record.stage_of(caught.value) == "model"

    def test_forgets_what_was_caught(self) -> None:
        record = Record()
        with contextlib.suppress(KeyError), record.within("data"):
            raise KeyError
        with pytest.raises(ValueError, match="no") as caught, record.within("step"):
            raise ValueError("no")
        assert record.stage_of(caught.value) == "step"

    @pytest.mark.parametrize(
        ("reached", "stage"),
        [
            ((), "parse"),
            (("parse",), "data"),
            (("parse", "data"), "trainer"),
            (("parse", "data", "trainer"), "step"),
        ],
    )
    def test_else_books_it_to_what_was_not_reached(
        self, reached: tuple[str, ...], stage: str
    ) -> None:
        record = Record()
        for one in reached:
            record.reach(one)
        assert record.stage_of(KeyError()) == stage

    def test_wraps_functions_of_every_kind(self) -> None:
        class Trainer:
            def step(self) -> int:
                return 1

            @classmethod
            def load(cls) -> str:
                return cls.__name__

            @staticmethod
            def plain() -> None:
                raise KeyError

        record = Record()
        seen: list[int] = []
        record.wrap(Trainer, "step", "step", after=seen.append)
        record.wrap(Trainer, "step", "save")
        record.wrap(Trainer, "load", "model")
        record.wrap(Trainer, "plain", "eval")
        record.wrap(Trainer, "missing", "eval")
        assert (Trainer().step(), seen, Trainer.load()) == (1, [1], "Trainer")
        with pytest.raises(KeyError) as caught:
            Trainer.plain()
        assert record.stage_of(caught.value) == "eval"


def test_the_frame_is_the_innermost_of_the_packages() -> None:
    def fail() -> None:
        json.loads("{")

    with pytest.raises(json.JSONDecodeError) as caught:
        fail()
    assert protocol.frame_of(caught.value, ("json",)).startswith("json/decoder.py:")
    assert protocol.frame_of(caught.value, ("tests",)).startswith("tests/tools/test_runs.py:")
    assert "decoder.py" in protocol.frame_of(caught.value, ("nothing",))


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Qwen/Qwen3-8B", "qwen3"),
        ("Qwen/Qwen2.5-0.5B", "qwen2"),
        ("meta-llama/Llama-3.1-8B", "llama"),
        ("google/gemma-2-2b", "gemma2"),
        ("microsoft/Phi-3-mini", "phi3"),
        ("Qwen/Qwen2-VL-7B", None),
    ],
)
def test_the_family_is_told_by_the_name(name: str, family: str | None) -> None:
    assert tiny.family(name) == family


def test_a_tiny_model_takes_the_place_of_a_name_of_the_hub(tmp_path: Path) -> None:
    (tmp_path / "models" / "qwen3").mkdir(parents=True)
    assert tiny.place(tmp_path / "models", "Qwen/Qwen3-8B", tmp_path) == "qwen3"
    assert (tmp_path / "Qwen" / "Qwen3-8B").resolve() == tmp_path / "models" / "qwen3"
    assert tiny.place(tmp_path / "models", "../Qwen3-8B", tmp_path) is None
    assert tiny.place(tmp_path / "models", "/Qwen3-8B", tmp_path) is None


_WORKER = """
import os, sys, time
from tools.runs.worker import protocol

class Toy:
    packages = ("json",)
    def preload(self, models):
        print("noise")
    def run(self, job, record):
        print("noise")
        record.replace("tf32", "no GPU")
        record.facts["folder"] = os.listdir(".")
        command = job["command"]
        if command == "fail":
            with record.within("trainer"):
                raise ValueError("no" * 5000)
        if command == "sleep":
            time.sleep(60)
        if command == "crash":
            os._exit(3)
        if command == "untried":
            raise protocol.NotTried("images")

protocol.serve(Toy())
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("environments")
    place = folder / "trl-1.0.0"
    place.mkdir()
    script = place / "toy.py"
    script.write_text(_WORKER)
    python = place / "python"
    lines = ["#!/bin/sh", "shift 2", f'exec {sys.executable} {script} "$@"', ""]
    python.write_text("\n".join(lines))
    python.chmod(0o755)
    described = {"python": str(python), "variables": {"TOY": "1"}}
    (place / "environment.json").write_text(json.dumps(described))
    with Server(find(folder, "trl==1.0.0")) as server:
        yield server


class TestServer:
    @pytest.mark.parametrize(
        ("command", "stage", "exception"),
        [
            ("sft", "done", ""),
            ("fail", "trainer", "ValueError"),
            ("sleep", "step", "TimeLimit"),
            ("crash", "step", "Crash"),
            ("untried", "parse", "NotTried"),
        ],
    )
    def test_answers_every_job(
        self, server: Server, tmp_path: Path, command: str, stage: str, exception: str
    ) -> None:
        outcome = server.run(Job("one", tmp_path / "x.yaml", command, seconds=1))
        assert (outcome.id, outcome.stage, outcome.exception) == ("one", stage, exception)
        assert len(outcome.message) < 4000
        if stage != "step":
            assert outcome.facts == {"folder": []}
            assert outcome.replaced_keys == {"tf32"}

    def test_knows_what_is_installed(self, server: Server) -> None:
        assert isinstance(server.packages, dict)


def test_an_environment_that_is_not_there_is_said(tmp_path: Path) -> None:
    for stated in ("trl==1.0.0", "trl", "nothing==1"):
        with pytest.raises(EnvironmentMissing):
            find(tmp_path, stated)
    result = CliRunner().invoke(main, ["run", "trl==1.0.0", "--environments", str(tmp_path)])
    assert result.exit_code == 1
    assert "does not have trl==1.0.0" in result.output


def test_a_virtual_environment_needs_no_description(tmp_path: Path) -> None:
    (tmp_path / "axolotl-0.21.0" / "bin").mkdir(parents=True)
    (tmp_path / "axolotl-0.21.0" / "bin" / "python").write_text("")
    found = find(tmp_path, "axolotl==0.21.0")
    assert (found.framework, found.release, found.paths) == ("axolotl", "0.21.0", ())
    assert os.fspath(found.models).startswith(os.fspath(tmp_path))
