"""What is found in settings files that a program writes, which trains by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

SETTINGS = (
    "base_model: a/b\ndatasets: [{path: x.jsonl, type: alpaca}]\nmicro_batch_size: 2\n"
    "gradient_accumulation_steps: 2\nlearning_rate: 0.0002\nwandb_watch: false\n"
)
WRITES = 'path = os.path.join(folder, "run.yml")\nwith open(path, "w") as f:\n    f.write(text)\n'
TRAINS = "trainer = SFTTrainer(model)\ntrainer.train()\n"


def severities(folder: Path, **files: str) -> list[str]:
    """The severities of what is found in `conf/run.yml`; `run_dot_sh` is the file `run.sh`."""
    (folder / ".git").mkdir()
    (folder / "conf").mkdir()
    (folder / "conf" / "run.yml").write_text(SETTINGS, encoding="utf-8")
    for name, text in files.items():
        (folder / name.replace("_dot_", ".")).write_text(text, encoding="utf-8")
    done = run("--format", "json", str(folder))
    reports = json.loads(done.out)["files"]
    found = [one for file in reports if "run.yml" in file["path"] for one in file["diagnostics"]]
    for one in found:
        assert ("nothing starts a run with it" in one["message"]) == (one["severity"] == "note")
    return [one["severity"] for one in found]


@pytest.mark.parametrize(
    "program",
    [
        WRITES + TRAINS,
        f'# It writes "run.yml".\n{WRITES}print("saved to conf/run.yml")\n{TRAINS}',
        'yaml.dump(made, open("conf/run.yml", "w"))\n' + TRAINS,
        'with open(os.path.join(home, "run.yml"), mode="w") as f:\n    f.write(text)\n' + TRAINS,
        'Path("conf/run.yml").write_text(text)\n' + TRAINS,
        'target = Path("conf") / "run.yml"\ntarget.write_text(text)\n' + TRAINS,
    ],
)
def test_a_program_writes_it(tmp_path: Path, program: str) -> None:
    page = "`conf/run.yml` has the settings.\n"
    assert severities(tmp_path, train_dot_py=program, README_dot_md=page) == ["note"]


@pytest.mark.parametrize(
    "files",
    [
        # It may be written to be started by hand, or starts a run itself.
        {"make_dot_py": WRITES},
        {"train_dot_py": WRITES + TRAINS + 'os.system("axolotl train " + path)\n'},
        # It is read, or another one is written.
        {"train_dot_py": WRITES + TRAINS + 'settings = load("conf/run.yml")\n'},
        {"train_dot_py": WRITES.replace("run.yml", "my-run.yml") + TRAINS},
        {"train_dot_py": WRITES.replace('"w"', '"r"') + TRAINS},
        {"train_dot_py": WRITES + TRAINS, "other_dot_py": 'start("run.yml")\n'},
        # What looks like a trainer starts the command.
        {
            "train_dot_py": WRITES + "OwnTrainer(path).train()\n",
            "own_dot_py": "class OwnTrainer:\n    def train(self):\n        run(f'axolotl train {self.path}')\n",
        },
        # A command starts it.
        {"train_dot_py": WRITES + TRAINS, "run_dot_sh": "axolotl train conf/run.yml\n"},
        {"train_dot_py": WRITES + TRAINS, "run_dot_sh": "./start conf/run.yml\n"},
    ],
)
def test_others(tmp_path: Path, files: dict[str, str]) -> None:
    assert severities(tmp_path, **files) == ["error"]
