"""Calls that are given a part of a file of the project: what is found is reported in the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

HEAD = "import json\nimport os\nimport yaml\nfrom omegaconf import OmegaConf\nfrom pathlib import Path\nfrom trl import SFTConfig\n"
LOAD = "cfg = yaml.safe_load(open('sft.yaml'))\n"
CALL = "SFTConfig(output_dir='o', **cfg['training'])\n"
YAML = "model: x\ntraining:\n  max_seq_length: 1024\n  seed: 1\n"
FOUND = ["sft.yaml:3:3 KEY005"]


def found(folder: Path, body: str, yaml: str = YAML, name: str = "sft.yaml") -> list[str]:
    """Place and code of what is found in a project with a program and a file."""
    (folder / ".git").mkdir(exist_ok=True)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(yaml)
    program = folder / "train.py"
    program.write_text(HEAD + body)
    done = run("--target", "trl==1.9.0", "--gpus", "1", "--format", "json", str(program))
    report = json.loads(done.out)
    return [
        f"{Path(file['path']).name}:{start['line']}:{start['column']} {one['code']}"
        for file in report["files"]
        for one in file["diagnostics"]
        for start in (one["range"]["start"],)
    ]


@pytest.mark.parametrize(
    "body",
    [
        LOAD + CALL,
        "with open('sft.yaml') as f:\n    cfg = yaml.safe_load(f)\n" + CALL,
        "with open('sft.yaml') as f:\n    cfg = yaml.load(f.read(), Loader=yaml.FullLoader)\n"
        + CALL,
        "cfg = yaml.safe_load(Path('sft.yaml').read_text())\n" + CALL,
        "cfg = yaml.safe_load((Path(__file__).parent / 'sft.yaml').open())\n" + CALL,
        "HERE = os.path.dirname(os.path.abspath(__file__))\n"
        "cfg = yaml.safe_load(open(os.path.join(HERE, 'sft.yaml')))\n" + CALL,
        "cfg = OmegaConf.load('sft.yaml')\nSFTConfig(output_dir='o', **cfg.training)\n",
        "cfg = OmegaConf.to_container(OmegaConf.load('sft.yaml'), resolve=True)\n" + CALL,
        "PATH = 'sft.yaml'\ncfg = yaml.safe_load(open(PATH))\ntraining = cfg.get('training', {})\n"
        "SFTConfig(output_dir='o', **training)\n",
        "def load(path):\n    with open(path) as f:\n        return yaml.safe_load(f)\n"
        "def main():\n    cfg = load('sft.yaml')\n    print(cfg)\n    " + CALL + "main()\n",
        "def train(cfg):\n    " + CALL + LOAD + "train(cfg)\n",
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--config', default='sft.yaml')\n"
        "args = p.parse_args()\ncfg = yaml.safe_load(open(args.config))\n" + CALL,
        LOAD + "cfg['training']['seed'] = 3\ncfg['other'] = 1\n" + CALL,
        LOAD + "def show(c):\n    print(c['model'])\nshow(cfg)\nload(cfg['model'])\n" + CALL,
    ],
)
def test_a_section_is_checked_where_it_is_written(body: str, tmp_path: Path) -> None:
    assert found(tmp_path, body) == FOUND


@pytest.mark.parametrize(
    "body",
    [
        "import sys\ncfg = yaml.safe_load(open(sys.argv[1]))\n" + CALL,
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--config', required=True)\n"
        "args = p.parse_args()\ncfg = yaml.safe_load(open(args.config))\n" + CALL,
        LOAD + "cfg['training'] = {}\n" + CALL,
        LOAD + "cfg['training'].pop('max_seq_length')\n" + CALL,
        LOAD + "training = cfg['training']\ndel training['max_seq_length']\n" + CALL,
        LOAD + "cfg.update(other)\n" + CALL,
        LOAD + "adapt(cfg)\n" + CALL,
        LOAD + "for one in cfg.values():\n    one.clear()\n" + CALL,
        LOAD
        + "def adapt(c):\n    t = c['training']\n    t.pop('max_seq_length')\nadapt(cfg)\n"
        + CALL,
        LOAD + "if x:\n    cfg = yaml.safe_load(open('other.yaml'))\n" + CALL,
        LOAD + "CFG = cfg\ndef get():\n    return CFG\nget()['training'].clear()\n" + CALL,
        LOAD + "SFTConfig(output_dir='o', **cfg['training'], **more)\n",
        LOAD + "SFTConfig(output_dir='o', **{**cfg['training'], 'max_seq_length': 1})\n",
        LOAD + "def f():\n    global cfg\n    cfg = {}\n" + CALL,
        "cfg = yaml.safe_load(open('absent.yaml'))\n" + CALL,
        "cfg = yaml.safe_load(open('../sft.yaml'))\n" + CALL,
        "cfg = yaml.load(open('sft.yaml'), Loader=Own)\n" + CALL,
        "def open(path): ...\n" + LOAD + CALL,
        "cfg = yaml.safe_load(f'a')\n" + CALL,
    ],
)
def test_what_is_not_certain_is_not_followed(body: str, tmp_path: Path) -> None:
    assert found(tmp_path, body) == []


VALUES = "model: x\ntrain:\n  optim: adam\n  epochs: '3'\n  lr: 1e-4\n  modules: [q_proj]\n"
OPTIM = ["sft.yaml:3:10 TYP002"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (LOAD + "SFTConfig('o', optim=cfg['train']['optim'])\n", OPTIM),
        (LOAD + "t = cfg.get('train', {})\nSFTConfig('o', optim=t.get('optim', 'x'))\n", OPTIM),
        ("c = OmegaConf.load('sft.yaml')\nSFTConfig('o', optim=c.train.optim)\n", OPTIM),
        (LOAD + "SFTConfig('o', optim=str(cfg['train']['optim']))\n", OPTIM),
        (
            LOAD + "SFTConfig('o', num_train_epochs=cfg['train']['epochs'])\n",
            ["sft.yaml:4:11 TYP001"],
        ),
        (LOAD + "SFTConfig('o', num_train_epochs=float(cfg['train']['epochs']))\n", []),
        (LOAD + "SFTConfig('o', num_train_epochs=float(cfg['model']))\n", []),
        (LOAD + "SFTConfig('o', num_train_epochs=float(cfg['train']))\n", []),
        # The program's own default counts where the file has no such key.
        (LOAD + "SFTConfig('o', optim=cfg.get('optim', 'adam'))\n", ["train.py:8:22 TYP002"]),
        (LOAD + "SFTConfig('o', optim=cfg['optim'])\n", []),
        # The name of the keyword is the program's, also where its value is the file's.
        (LOAD + "SFTConfig('o', max_seq_length=cfg['n'])\n", ["train.py:8:16 KEY005"]),
        # A text cannot be changed by what it is handed to; a list can.
        (LOAD + "use(cfg['train']['optim'])\nSFTConfig('o', optim=cfg['train']['optim'])\n", OPTIM),
        (LOAD + "use(cfg['train'])\nSFTConfig('o', optim=cfg['train']['optim'])\n", []),
        (LOAD + "use(cfg)\nSFTConfig('o', optim=cfg['train']['optim'])\n", []),
        (LOAD + "cfg['train']['optim'] = x\nSFTConfig('o', optim=cfg['train']['optim'])\n", []),
        (LOAD + "cfg['model'] = x\nSFTConfig('o', optim=cfg['train']['optim'])\n", OPTIM),
        (LOAD + "cfg[k] = x\nSFTConfig('o', optim=cfg['train']['optim'])\n", []),
        (LOAD + "SFTConfig('o', optim=cfg['train']['modules'])\n", ["sft.yaml:6:12 TYP001"]),
        (LOAD + "m = cfg['train']['modules']\nuse(m)\nSFTConfig('o', optim=m)\n", []),
    ],
)
def test_a_value_is_checked_where_it_is_written(
    body: str, expected: list[str], tmp_path: Path
) -> None:
    assert found(tmp_path, body, VALUES) == expected


def test_several_files_of_the_name_leave_it_open(tmp_path: Path) -> None:
    folder = tmp_path / "scripts"
    folder.mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "sft.yaml").write_text("training: {}\n")
    (folder / "sft.yaml").write_text(YAML)
    (folder / "train.py").write_text(HEAD + LOAD + CALL)
    assert run("--format", "concise", str(folder / "train.py")).code == 0
    beside = LOAD.replace("'sft.yaml'", "Path(__file__).parent / 'sft.yaml'")
    (folder / "train.py").write_text(HEAD + beside + CALL)
    assert run("--target", "trl==1.9.0", str(folder / "train.py")).code == 1


def test_a_file_outside_the_repository_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "sft.yaml").write_text(YAML)
    inside = tmp_path / "repository"
    inside.mkdir()
    assert found(inside, LOAD.replace("sft.yaml", "../sft.yaml") + CALL, "", "empty.yaml") == []
    (inside / "sft.yaml").symlink_to(tmp_path / "sft.yaml")
    (inside / "train.py").write_text(HEAD + LOAD + CALL)
    assert run("--target", "trl==1.9.0", str(inside / "train.py")).code == 0


def test_json_and_a_merge_key(tmp_path: Path) -> None:
    body = "cfg = json.load(open('sft.json'))\n" + CALL
    assert found(tmp_path, body, '{"training":\n {"max_seq_length": 1}}', "sft.json") == [
        "sft.json:2:3 KEY005"
    ]
    merged = "a: &a {seed: 1}\ntraining:\n  <<: *a\n  max_seq_length: 1\n"
    assert found(tmp_path, LOAD + CALL, merged) == []


def test_values_and_pairs_count(tmp_path: Path) -> None:
    pair = "training:\n  bf16: true\n  fp16: true\n"
    assert found(tmp_path, LOAD + CALL, pair) == ["sft.yaml:3:3 OPT351"]
    half = "training:\n  bf16: true\n"
    call = CALL.replace("**", "fp16=True, **")
    assert [one.split()[1] for one in found(tmp_path, LOAD + call, half)] == ["OPT351"]
    assert found(tmp_path, LOAD + CALL, "training:\n  num_train_epochs: '3'\n") == [
        "sft.yaml:2:3 TYP001"
    ]
    omega = "cfg = OmegaConf.load('sft.yaml')\n" + CALL
    assert found(tmp_path, omega, "n: '3'\ntraining:\n  num_train_epochs: ${n}\n") == []
    # What is not in the file has its default.
    grpo = "from trl import GRPOConfig\n" + LOAD + "GRPOConfig(**cfg['training'])\n"
    steps = "training:\n  num_generations: 3\n  per_device_train_batch_size: 8\n"
    assert [one.split()[1] for one in found(tmp_path, grpo, steps)] == ["TRL041"]
    taken = grpo + "cfg['training']['generation_batch_size'] = 9\n"
    assert found(tmp_path, taken, steps) == []


def test_the_call_is_the_reason(tmp_path: Path) -> None:
    found(tmp_path, LOAD + CALL)
    done = run("--target", "trl==1.9.0", str(tmp_path / "train.py"))
    words = " ".join(done.out.split())
    assert "train.py:8: SFTConfig(" in words
    assert "(passes this section to `SFTConfig`)" in words
    assert "`SFTConfig` refuses the call. Use `max_length`." in words


def test_a_comment_in_the_file_silences(tmp_path: Path) -> None:
    silent = YAML.replace("1024", "1024  # cfglint: ignore[KEY005]")
    assert found(tmp_path, LOAD + CALL, silent) == []


def fixed(folder: Path, body: str, yaml: str = YAML, *, others: str = "") -> str:
    """The file after `--fix` on the program."""
    found(folder, body, yaml)
    (folder / "other.py").write_text(others)
    run("--target", "trl==1.9.0", "--fix", str(folder / "train.py"))
    assert (folder / "train.py").read_text() == HEAD + body
    return (folder / "sft.yaml").read_text()


def test_a_fix_changes_the_file(tmp_path: Path) -> None:
    commented = YAML.replace("1024", "1024  # long")
    assert fixed(tmp_path, LOAD + CALL, commented) == commented.replace("max_seq_", "max_")
    slip = "training:\n  eval_stratgey: 'no'\n  max_seq_length: 1\n"
    after = "training:\n  eval_strategy: 'no'\n  max_length: 1\n"
    assert fixed(tmp_path, LOAD + CALL, slip) == after


def test_a_fix_in_json(tmp_path: Path) -> None:
    body = "cfg = json.load(open('sft.json'))\n" + CALL
    found(tmp_path, body, '{"training": {"max_seq_length": 1}}', "sft.json")
    run("--target", "trl==1.9.0", "--fix", str(tmp_path / "train.py"))
    assert (tmp_path / "sft.json").read_text() == '{"training": {"max_length": 1}}'


def test_a_patch_leaves_the_file(tmp_path: Path) -> None:
    found(tmp_path, LOAD + CALL)
    done = run("--target", "trl==1.9.0", "--diff", str(tmp_path / "train.py"))
    assert "+  max_length: 1024\n" in done.out
    assert (tmp_path / "sft.yaml").read_text() == YAML


@pytest.mark.parametrize(
    ("body", "yaml", "others"),
    [
        # A key that is read by its name has to keep it.
        (LOAD + "n = cfg['training']['max_seq_length']\n" + CALL, YAML, ""),
        (LOAD + "t = cfg['training']\nt.get('max_seq_length')\n" + CALL, YAML, ""),
        (LOAD + "t = cfg['training'][name]\n" + CALL, YAML, ""),
        (LOAD + CALL, YAML, "n = config['training']['max_seq_length']\n"),
        # The new name is another keyword of the call, or another key.
        (LOAD + CALL.replace("**", "max_length=1, **"), YAML, ""),
        (LOAD + CALL, YAML + "  max_length: 2\n", ""),
        (LOAD + CALL, YAML.replace("1024", "1024  # cfglint: ignore[KEY]"), ""),
        # A value that is computed from one in the file.
        (LOAD + "SFTConfig('o', max_steps=cfg['n'])\n", "n: '3'\n", ""),
    ],
)
def test_what_is_not_changed(body: str, yaml: str, others: str, tmp_path: Path) -> None:
    assert fixed(tmp_path, body, yaml, others=others) == yaml


def test_rules_that_are_switched_off_for_the_file_fix_nothing(tmp_path: Path) -> None:
    found(tmp_path, LOAD + CALL)
    (tmp_path / "cfglint.toml").write_text('[per-file-ignores]\n"*.yaml" = ["KEY005"]\n')
    done = run("--target", "trl==1.9.0", "--fix", str(tmp_path / "train.py"))
    assert done.code == 0
    assert (tmp_path / "sft.yaml").read_text() == YAML


def test_a_fix_of_the_program_leaves_the_file(tmp_path: Path) -> None:
    body = LOAD + "SFTConfig('o', max_seq_length=3, **cfg['training'])\n"
    found(tmp_path, body, "training:\n  seed: 1\n")
    run("--target", "trl==1.9.0", "--fix", str(tmp_path / "train.py"))
    assert (tmp_path / "sft.yaml").read_text() == "training:\n  seed: 1\n"


def test_the_page_shows_a_real_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).resolve().parents[3]
    page = (root / "docs" / "python-programs.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    part = page.partition("## A config of its own")[2]
    for block in part.split("```")[1:4:2]:
        name, _, text = block.partition("# ")[2].partition("\n")
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(f"# {name}\n{text}", encoding="utf-8")
    shown = part.partition("```console\n$ cfglint ")[2].partition("```")[0]
    command, _, lines = shown.partition("\n")
    assert run(*command.split()).out == lines


def test_a_file_that_is_no_config_is_not_passed_on(tmp_path: Path) -> None:
    many = "training:\n" + "".join(f"  key_{number}: 1\n" for number in range(501))
    assert found(tmp_path, LOAD + CALL, many) == []
    long = YAML + "#" * 200_000
    assert found(tmp_path, LOAD + CALL, long) == []


@pytest.mark.parametrize(("calls", "last"), [(10, True), (12, False)])
def test_many_calls_are_not_each_checked_with_a_large_section(
    calls: int, last: bool, tmp_path: Path
) -> None:
    """After 5,000 keywords from files, what a file gives is left open, and the time is bounded."""
    large = "".join(f"  key_{number}: 1\n" for number in range(498))
    yaml = f"large:\n{large}training:\n  max_seq_length: 1024\n"
    body = LOAD + "SFTConfig('o', **cfg['large'])\n" * calls + "SFTConfig('o', **cfg['training'])\n"
    lines = found(tmp_path, body, yaml)
    assert ("sft.yaml:501:3 KEY005" in lines) == last
    assert "sft.yaml:2:3 KEY001" in lines


LOADER = "import yaml\nfrom pathlib import Path\n\n\ndef load_config(path):\n"
PLAIN = LOADER + "    with open(path) as file:\n        return yaml.safe_load(file)\n"


@pytest.mark.parametrize(
    ("module", "body"),
    [
        (PLAIN, "from loading import load_config\ncfg = load_config('sft.yaml')\n" + CALL),
        (PLAIN, "from .loading import load_config as get\ncfg = get(path='sft.yaml')\n" + CALL),
        (PLAIN, "import loading\ncfg = loading.load_config('sft.yaml')\n" + CALL),
        (
            LOADER
            + "    path = Path(path)\n    if not path.exists():\n        raise OSError(path)\n"
            "    return yaml.safe_load(path.read_text())\n",
            "from loading import load_config\ncfg = load_config('sft.yaml')\n" + CALL,
        ),
        (
            "import yaml\ndef load_config(name, folder='.'):\n"
            "    return yaml.safe_load(open(folder + '/' + name))\n",
            "from loading import load_config\ncfg = yaml.safe_load(open('sft.yaml'))\n" + CALL,
        ),
        (
            "from pathlib import Path\nimport yaml\nHERE = Path(__file__).parent\n"
            "def load_config(name='sft'):\n    return yaml.safe_load((HERE / 'sft.yaml').open())\n",
            "from loading import load_config\ncfg = load_config()\n" + CALL,
        ),
        (
            "from omegaconf import OmegaConf\ndef load_config(path):\n    return OmegaConf.load(path)\n",
            "from loading import load_config\ncfg = load_config('sft.yaml')\n"
            "SFTConfig(output_dir='o', **cfg.training)\n",
        ),
        (
            LOADER + "    return yaml.safe_load(open(path))['training']\n",
            "from loading import load_config\nSFTConfig(output_dir='o', **load_config('sft.yaml'))\n",
        ),
        (
            LOADER + "    cfg = yaml.safe_load(open(path))\n    cfg['training']['seed'] = 3\n"
            "    return cfg\n",
            "from loading import load_config\ncfg = load_config('sft.yaml')\n" + CALL,
        ),
    ],
)
def test_a_function_of_another_module_loads_the_file(
    module: str, body: str, tmp_path: Path
) -> None:
    (tmp_path / "loading.py").write_text(module)
    assert found(tmp_path, body) == FOUND


def test_a_package_hands_the_function_on(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "__init__.py").write_text("from .files import read_yaml as load_config\n")
    text = PLAIN.replace("load_config", "read_yaml")
    (tmp_path / "tools" / "files.py").write_text(text)
    body = "from tools import load_config\ncfg = load_config('sft.yaml')\n" + CALL
    assert found(tmp_path, body) == FOUND


@pytest.mark.parametrize(
    ("module", "body"),
    [
        ("", "from loading import load_config\ncfg = load_config('sft.yaml')\n" + CALL),
        (PLAIN, "from elsewhere import load_config\ncfg = load_config('sft.yaml')\n" + CALL),
        (PLAIN, "from loading import load_config\ncfg = load_config(path)\n" + CALL),
        (
            PLAIN,
            "from loading import load_config\ncfg = load_config('sft.yaml')\ncfg.clear()\n" + CALL,
        ),
        (
            PLAIN,
            "from loading import load_config\ncfg = load_config('sft.yaml')\n"
            "SFTConfig(output_dir='o', **cfg.training)\n",
        ),
        (
            "CACHE = {}\n"
            + LOADER
            + "    return CACHE.setdefault(path, yaml.safe_load(open(path)))\n",
            "from loading import load_config\ncfg = load_config('sft.yaml')\n" + CALL,
        ),
        (
            LOADER + "    cfg = yaml.safe_load(open(path))\n    check(cfg)\n    return cfg\n",
            "from loading import load_config\ncfg = load_config('sft.yaml')\n" + CALL,
        ),
        (
            "from functools import cache\n" + PLAIN.replace("def ", "@cache\ndef "),
            "from loading import load_config\ncfg = load_config('sft.yaml')\n" + CALL,
        ),
        (
            LOADER
            + "    cfg = yaml.safe_load(open(path))\n    cfg['training'].pop('max_seq_length')\n"
            "    return cfg\n",
            "from loading import load_config\ncfg = load_config('sft.yaml')\n" + CALL,
        ),
        (
            "import loading\nload_config = loading.load_config\n",
            "from loading import load_config\ncfg = load_config('sft.yaml')\n" + CALL,
        ),
    ],
)
def test_a_function_that_may_do_more_is_not_followed(
    module: str, body: str, tmp_path: Path
) -> None:
    (tmp_path / "loading.py").write_text(module)
    assert found(tmp_path, body) == []


def test_modules_that_hand_a_function_on_to_each_other(tmp_path: Path) -> None:
    (tmp_path / "loading.py").write_text("from other import load_config\n")
    (tmp_path / "other.py").write_text("from loading import load_config\n")
    assert (
        found(tmp_path, "from loading import load_config\ncfg = load_config('sft.yaml')\n" + CALL)
        == []
    )


@pytest.mark.parametrize(
    "body",
    [
        "with open('sft.yaml') as f:\n    cfg = yaml.safe_load(f)\n"
        "with open('other.yaml') as f:\n    other = yaml.safe_load(f)\n" + CALL,
        "with open('other.yaml') as f: other = yaml.safe_load(f)\n"
        "with open('sft.yaml') as f: cfg = yaml.safe_load(f)\n" + CALL,
        "from yaml import safe_load as load\ncfg = load(open('sft.yaml'))\n" + CALL,
        "import sys\ncfg = yaml.safe_load(open(sys.argv[1] if len(sys.argv) > 1 else 'sft.yaml'))\n"
        + CALL,
        "from easydict import EasyDict\ncfg = EasyDict(yaml.safe_load(open('sft.yaml')))\n"
        "SFTConfig(output_dir='o', **cfg.training)\n",
        "from types import SimpleNamespace\ncfg = SimpleNamespace(**yaml.safe_load(open('sft.yaml')))\n"
        "SFTConfig(output_dir='o', **cfg.training)\n",
        LOAD + "wandb.init(project='x', config={'training': cfg['training']})\n" + CALL,
        "import hydra\n@hydra.main(version_base=None, config_path='.', config_name='sft')\n"
        "def main(cfg):\n    SFTConfig(output_dir='o', **cfg.training)\nmain()\n",
    ],
)
def test_further_ways_to_a_file(body: str, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("training: {}\n")
    assert found(tmp_path, body) == FOUND


@pytest.mark.parametrize(
    "body",
    [
        "with open('sft.yaml') as f:\n    pass\nwith open('other.yaml') as f:\n    pass\n"
        "cfg = yaml.safe_load(f)\n" + CALL,
        "import sys\ncfg = yaml.safe_load(open('sft.yaml' if x else 'other.yaml'))\n" + CALL,
        "from types import SimpleNamespace\ncfg = SimpleNamespace(**yaml.safe_load(open('sft.yaml')))\n"
        "cfg.training = {}\nSFTConfig(output_dir='o', **cfg.training)\n",
        LOAD + "train(config={'training': cfg['training']})\n" + CALL,
        "import hydra\n@hydra.main(config_path='.', config_name='sft')\ndef main(cfg):\n"
        "    cfg.training.pop('max_seq_length')\n    SFTConfig(output_dir='o', **cfg.training)\nmain()\n",
        "import hydra\n@other\n@hydra.main(config_path='.', config_name='sft')\ndef main(cfg):\n"
        "    SFTConfig(output_dir='o', **cfg.training)\nmain()\n",
    ],
)
def test_further_ways_that_are_not_certain(body: str, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("training: {}\n")
    assert found(tmp_path, body) == []


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("defaults: [_self_]\n", ["sft.yaml:4:3 KEY005"]),
        ("defaults: [_self_, training: big]\n", []),
    ],
)
def test_hydra_may_add_further_files(head: str, expected: list[str], tmp_path: Path) -> None:
    body = (
        "import hydra\n@hydra.main(config_path='.', config_name='sft')\n"
        "def main(cfg):\n    SFTConfig(output_dir='o', **cfg.training)\nmain()\n"
    )
    assert found(tmp_path, body, head + YAML) == expected


TRAPS = "training:\n  learning_rate: 1e-5\n  eval_strategy: no\n  bf16: yes\n  seed: 1\n"


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        (LOAD, ["sft.yaml:2:3 TYP001", "sft.yaml:3:3 TYP001"]),
        # OmegaConf takes `1e-5` for a number.
        ("cfg = OmegaConf.load('sft.yaml')\n", ["sft.yaml:3:3 TYP001"]),
    ],
)
def test_what_yaml_reads_as_something_else(load: str, expected: list[str], tmp_path: Path) -> None:
    """No class makes a number of a text: the optimizer refuses it."""
    assert found(tmp_path, load + CALL, TRAPS) == expected
