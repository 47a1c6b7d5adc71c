"""The comparison tool, on a small package made up for these tests that calls itself axolotl."""

from __future__ import annotations

import json
import sys
import textwrap
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tools.parity import cli, recorded
from tools.parity.machine import Machine
from tools.parity.release import Prepared, ReleaseError, prepare
from tools.parity.verdicts import Agreement, Comparison, Finding, Upstream
from tools.parity.workers import judge

if TYPE_CHECKING:
    from collections.abc import Callable

ONE_GPU = Machine()
RELEASE = "0.21.0"

#: Nothing but the names and the order of calls is like the real one.
FAKE = {
    "requirements.txt": "pydantic==2.12.5\ntorch>=2.13.0,<3\ntransformers==4.0.1\nbig-maths==3.2\n",
    "src/axolotl/__init__.py": "",
    "src/axolotl/utils/__init__.py": "",
    "src/axolotl/utils/dict.py": """
        class DictDefault(dict):
            def __getattr__(self, name):
                return self.get(name)

            def __setattr__(self, name, value):
                self[name] = value
    """,
    "src/axolotl/utils/logging.py": """
        import functools
        import logging

        from big_maths import is_first

        class MultiProcessAdapter(logging.LoggerAdapter):
            @staticmethod
            def _should_log(main_process_only):
                return is_first()

            def log(self, level, msg, *args, main_process_only=True, **named):
                if self._should_log(main_process_only=main_process_only):
                    self.logger.log(level, msg, *args, **named)

            @functools.lru_cache(maxsize=10)
            def warning_once(self, *args):
                self.warning(*args)

        LOG = MultiProcessAdapter(logging.getLogger(__name__), {})
    """,
    "src/axolotl/integrations/__init__.py": "",
    "src/axolotl/integrations/base.py": """
        import importlib
        from collections import OrderedDict

        class PluginManager:
            _instance = None
            plugins = OrderedDict()

            @classmethod
            def get_instance(cls):
                cls._instance = cls._instance or cls()
                return cls._instance

            def register(self, name):
                module, _, attribute = name.rpartition(".")
                self.plugins[name] = getattr(importlib.import_module(module), attribute)()

            def get_input_args(self):
                return [plugin.args for plugin in self.plugins.values()]
    """,
    "src/axolotl/integrations/sample.py": """
        import os
        import subprocess
        import sys

        class Quits:
            def __init__(self):
                sys.exit(3)

        class Runs:
            def __init__(self):
                subprocess.run(["true"])

        class Ends:
            def __init__(self):
                os._exit(1)

        class Extra:
            args = "extra"

            def __init__(self):
                os.environ["SAMPLE_EXTRA"] = "1"
    """,
    "src/axolotl/utils/schemas/__init__.py": """
        from transformers import SchedulerType
        from pydantic import BaseModel

        class Config(BaseModel):
            base_model: str
            sequence_len: int = 512
            lr_scheduler: SchedulerType | None = None
    """,
    "src/axolotl/utils/config.py": """
        import importlib.metadata
        import os

        import big_maths.special as special
        import torch
        from big_maths import LIMITS, Fore, jit
        from torch import nn
        from transformers.utils import is_torch_npu_available

        from axolotl.integrations.base import PluginManager
        from axolotl.utils.logging import LOG
        from axolotl.utils.schemas import Config

        COLORED = "a" + Fore.RED + "b"

        class Layer(nn.Module, special.Mixin):
            size = LIMITS.big or 3

        @jit
        def twice(value):
            return 2 * value

        @torch.no_grad()
        def three_times(value):
            return 3 * value

        assert (twice(2), three_times(2), Layer.size) == (4, 6, 3)
        assert not is_torch_npu_available()
        assert torch.int8 == torch.int8 and torch.int8 != torch.int4
        assert importlib.metadata.version("big_maths") == "3.2"
        BUILT = []

        def merge_input_args():
            BUILT.append(1)
            return Config

        def validate_config(cfg, capabilities=None, env_capabilities=None):
            model = merge_input_args() if cfg.plugins else Config
            assert env_capabilities["torch_version"] == torch.__version__ == "2.13.0"
            LOG.warning_once("the same for every file")
            if cfg.which == "state":
                raise ValueError(f"{os.environ.get('SAMPLE_EXTRA')} {len(BUILT)}")
            if cfg.which == "gpus":
                names = ("n_gpu", "compute_capability", "fp8", "tf32")
                raise ValueError(" ".join(str(capabilities[name]) for name in names))
            if cfg.which == "stand-in":
                return "x" in torch.answer(1) + 1 or open(special.path)
            return model(**cfg)
    """,
}


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder with the made-up release, and the transformers it pins in the cache."""
    for name, text in FAKE.items():
        path = tmp_path / "wheels" / f"axolotl-{RELEASE}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
    archives = tmp_path / "cache" / "archives"
    archives.mkdir(parents=True)
    with zipfile.ZipFile(archives / "transformers-4.0.1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("transformers/training_args.py", "class Arguments:\n    ONE = 1\n")
        wheel.writestr(
            "transformers/trainer_utils.py",
            "class SchedulerType(ExplicitEnum):\n    LINEAR = 'linear'\n    ODD = 'odd'\n",
        )
    return tmp_path / "wheels"


@pytest.fixture
def release(wheels: Path, tmp_path: Path) -> Prepared:
    return prepare(RELEASE, wheels, tmp_path / "cache")


@pytest.fixture
def ask(release: Prepared, tmp_path: Path) -> Callable[..., list[Upstream]]:
    """Verdicts about texts, from one process."""

    def verdicts(*texts: str, machine: Machine = ONE_GPU) -> list[Upstream]:
        files = []
        for index, text in enumerate(texts):
            files.append(tmp_path / f"{index}.yml")
            files[-1].write_text(text, encoding="utf-8")
        return judge(release, Path(sys.executable), files, machine, jobs=1)

    return verdicts


def test_what_a_worker_is_told(release: Prepared) -> None:
    facts = json.loads(release.facts.read_text(encoding="utf-8"))
    assert facts["versions"] == {
        "pydantic": "2.12.5",
        "torch": "2.13.0",
        "transformers": "4.0.1",
        "big-maths": "3.2",
    }
    assert {"torch", "transformers", "big_maths", "pydantic"} <= set(facts["imports"])
    assert facts["enums"] == {"SchedulerType": {"LINEAR": "linear", "ODD": "odd"}}
    assert release.pydantic == "2.12.5"
    assert release.root.joinpath("axolotl").is_dir()


def test_torch_can_be_given(wheels: Path, tmp_path: Path) -> None:
    told = prepare(RELEASE, wheels, tmp_path / "cache", torch="2.14.1")
    assert json.loads(told.facts.read_text(encoding="utf-8"))["versions"]["torch"] == "2.14.1"


def test_verdicts(ask: Callable[..., list[Upstream]]) -> None:
    fine, wrong, choice, broken = ask(
        "base_model: a/b\nlr_scheduler: odd\n",
        "base_model: a/b\nsequence_len: long\n",
        "base_model: a/b\nlr_scheduler: even\n",
        "base_model: [a\n",
    )
    assert (fine.outcome, fine.stage) == ("ok", "validate")
    assert (wrong.outcome, wrong.exception) == ("rejected", "ValidationError")
    assert wrong.errors[0]["loc"] == ["sequence_len"]
    assert wrong.kind == "int_parsing at sequence_len"
    assert choice.errors[0]["type"] == "enum"
    assert (broken.outcome, broken.stage) == ("rejected", "read")
    assert broken.exception == "ParserError"


def test_each_file_is_as_if_it_were_the_first(ask: Callable[..., list[Upstream]]) -> None:
    plugin = "base_model: a/b\nplugins: [axolotl.integrations.sample.Extra]\n"
    first, second, third = ask(plugin, plugin, "base_model: a/b\nwhich: state\n")
    assert first.warnings == second.warnings == ("the same for every file",)
    assert third.message == "None 1", "environment put back, class built once"


def test_plugins_that_misbehave(ask: Callable[..., list[Upstream]]) -> None:
    names = ("Quits", "Runs", "Ends", "Missing")
    configs = [
        f"base_model: a/b\nplugins: [axolotl.integrations.sample.{name}]\n" for name in names
    ]
    quits, runs, ends, missing, fine = ask(*configs, "base_model: a/b\n")
    assert (quits.outcome, quits.exception) == ("rejected", "SystemExit")
    assert (runs.outcome, runs.message) == ("failed", "subprocess.Popen")
    assert ends.outcome == "failed"
    assert (missing.outcome, missing.stage) == ("rejected", "plugins")
    assert missing.exception == "AttributeError"
    assert fine.outcome == "ok"


def test_a_stand_in_that_is_not_enough_is_no_rejection(ask: Callable[..., list[Upstream]]) -> None:
    (verdict,) = ask("base_model: a/b\nwhich: stand-in\n")
    assert verdict.outcome == "failed"


def test_the_machine_is_passed_on(ask: Callable[..., list[Upstream]]) -> None:
    (verdict,) = ask("base_model: a/b\nwhich: gpus\n", machine=Machine(8, "a100-40gb"))
    assert verdict.message == "8 sm_80 False True"
    with pytest.raises(ReleaseError, match="not a GPU that cfglint knows"):
        ask("base_model: a/b\n", machine=Machine(1, "unheard-of"))
    with pytest.raises(ReleaseError, match="not known"):
        ask("base_model: a/b\n", machine=Machine(1, "mi300x"))


def test_a_release_that_cannot_be_loaded(wheels: Path, tmp_path: Path) -> None:
    config = wheels / f"axolotl-{RELEASE}" / "src" / "axolotl" / "utils" / "config.py"
    config.write_text("raise RuntimeError('broken on purpose')\n", encoding="utf-8")
    broken = prepare(RELEASE, wheels, tmp_path / "cache")
    with pytest.raises(ReleaseError, match="broken on purpose"):
        judge(broken, Path(sys.executable), [tmp_path / "a.yml"], ONE_GPU, jobs=1)


# --------------------------------------------------------------------------- comparing


def finding(**changes: Any) -> Finding:
    fields: dict[str, Any] = {
        "code": "TYP001",
        "message": "a message",
        "line": 1,
        "upstream": "rejects",
        "bites": "start",
        "undecided": False,
    }
    return Finding(**{**fields, **changes})


@pytest.mark.parametrize(
    ("outcome", "found", "expected"),
    [
        ("ok", (), Agreement.OK),
        ("ok", (finding(),), Agreement.FALSE_ALARM),
        ("ok", (finding(upstream="warns"),), Agreement.OK),
        ("ok", (finding(undecided=True),), Agreement.OK),
        ("ok", (finding(bites="data"),), Agreement.OK),
        ("rejected", (finding(),), Agreement.REJECTED),
        ("rejected", (finding(undecided=True),), Agreement.MISSED),
        ("rejected", (), Agreement.MISSED),
        ("failed", (finding(),), Agreement.UNKNOWN),
    ],
)
def test_agreement(outcome: str, found: tuple[Finding, ...], expected: Agreement) -> None:
    assert Comparison(RELEASE, ".", "a.yml", Upstream(outcome), found).agreement is expected


def test_rejections_are_counted_by_what_they_have_in_common() -> None:
    def kind(message: str) -> str:
        error = {"loc": [], "type": "value_error", "msg": message}
        return Upstream("rejected", errors=(error,)).kind

    assert kind("needs 'a', not 3") == kind("needs 'bb',\nnot 4.5")
    assert kind("`a` can't be in 8bit") != kind("`b` can't be in 8bit")
    item = {"loc": ["datasets", 4, "path"], "type": "missing", "msg": "Field required"}
    assert Upstream("rejected", errors=(item,)).kind == "missing at datasets[…].path"


@pytest.fixture
def run(wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command line, with this Python in place of a built environment."""
    monkeypatch.setattr(cli, "environment", lambda *_: Path(sys.executable))

    def command(*arguments: str) -> int:
        common = ["--release", RELEASE, "--wheels", str(wheels), "--jobs", "1"]
        common += ["--cache", str(tmp_path / "cache")]
        before = [arguments[0]] if arguments[0] == "record" else []
        return cli.main([*before, *common, *arguments[len(before) :]])

    return command


#: A configuration that has all that releases ask for.
COMPLETE = """\
base_model: a/b
datasets: [{path: c/d, type: alpaca}]
learning_rate: 0.1
micro_batch_size: 1
gradient_accumulation_steps: 1
"""


@pytest.fixture
def configs(tmp_path: Path) -> Path:
    folder = tmp_path / "configs"
    folder.mkdir()
    (folder / "fine.yml").write_text(COMPLETE)
    (folder / "both.yaml").write_text("base_model: [a/b\n")
    (folder / "missed.yml").write_text(COMPLETE + "which: gpus\n")
    (folder / "notes.txt").write_text("no config\n")
    return folder


def test_no_false_alarm(
    run: Callable[..., int], configs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.json"
    assert run(str(configs), "--json", str(rows)) == 0
    out = capsys.readouterr().out
    assert "ValueError: N" in out
    assert str(configs / "missed.yml") in out
    read = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    assert [row["agreement"] for row in read] == ["agree: rejected", "agree: ok", "missed"]


def test_a_false_alarm(
    run: Callable[..., int], configs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = configs / "alarm.yml"
    file.write_text(COMPLETE + "num_epochs: many\n")
    assert run(str(file)) == 1
    out = capsys.readouterr().out
    assert "False alarms" in out
    assert f"{file}:6" in out


def test_record_and_replay(
    run: Callable[..., int], configs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "recorded.json.gz"
    assert run("record", str(configs), "--out", str(out)) == 0
    rows = {one.name: one for one in recorded.read(out).rows}
    assert sorted(rows) == ["both.yaml", "fine.yml", "missed.yml"]
    assert rows["fine.yml"].verdicts[RELEASE] == "ok"
    assert cli.main(["replay", str(out)]) == 0
    assert RELEASE in capsys.readouterr().out
    assert run("record", str(configs), "--out", str(out), "--agreed") == 0
    assert [one.name for one in recorded.read(out).rows] == ["both.yaml", "fine.yml"]


def test_nothing_to_compare(run: Callable[..., int], tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(str(empty)) == 2
