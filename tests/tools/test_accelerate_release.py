"""The reader of accelerate's releases, on small invented sources."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from tools.accelerate_release.cli import main
from tools.accelerate_release.keys import ReleaseKeys, read_keys
from tools.accelerate_release.sources import UnreadableReleaseError, read_release
from tools.accelerate_release.table import dump, fold

CLASSES = """
@dataclass
class BaseConfig:
    compute_environment: ComputeEnvironment
    distributed_type: str
    debug: bool

    @staticmethod
    def process_config(config_dict):
        if "debug" not in config_dict:
            config_dict["debug"] = False
        return config_dict

@dataclass
class ClusterConfig(BaseConfig):
    num_processes: int = -1
    gpu_ids: Optional[str] = None
    same_network: bool = False
    fsdp_config: dict = None
    deepspeed_config: dict = None
    fp8_config: dict = None

@dataclass
class SageMakerConfig(BaseConfig):
    role: str
    extra: dict = None
"""
LAUNCH = """
def launch_command_parser():
    parser.add_argument("--num_processes", type=int, default=None)
    parser.add_argument("--same_network", action="store_true")
    parser.add_argument("-q", "--quiet", action="store_true")
    parser.add_argument("script", type=str)
    fsdp_args.add_argument("--fsdp_offload", default="false", type=str)
    fsdp_args.add_argument("--fsdp_strategy", default=None, type=str)
    deepspeed_args.add_argument("--zero_stage", default=None, type=int)
    deepspeed_args.add_argument("--nvme_path", default=None, type=str)
    deepspeed_args.add_argument("--clipping", default=None, type=float)
    deepspeed_args.add_argument("--steps", default=None, type=int)
    fp8_args.add_argument("--fp8_margin", default=0, type=int)

def _validate_launch_command(args):
    for name, attr in defaults.__dict__.items():
        for key, value in attr.items():
            if name == "fsdp_config" and not key.startswith("fsdp"):
                key = "fsdp_" + key
            setattr(args, key, value)

def launch_command(args):
    args.made_up = ",".join(defaults.deepspeed_config)
"""
HELPERS = """
def setup_fp8_env(args, current_env):
    for arg in vars(args):
        current_env["ACCELERATE_" + arg.upper()] = str(getattr(args, arg))

def prepare_env(args):
    prefix = "FSDP_"
    current_env["MADE_UP"] = str(args.made_up)
    if args.use_fsdp:
        current_env[prefix + "OFFLOAD"] = str(args.fsdp_offload).lower()
        if args.fsdp_strategy is not None:
            current_env[prefix + "SHARDING_STRATEGY"] = str(args.fsdp_strategy)
        if getattr(args, "fsdp_ignored", None) is not None:
            current_env[prefix + "IGNORED"] = str(args.fsdp_ignored)
    if args.zero_stage is not None:
        current_env["ZERO_STAGE"] = str(args.zero_stage)
    if args.clipping is not None:
        current_env["CLIPPING"] = str(args.clipping)
    current_env["STEPS"] = str(args.steps)
"""
PLUGINS = """
class ComputeEnvironment(str, enum.Enum):
    LOCAL = "LOCAL"

class DistributedType(str, enum.Enum):
    NO = "NO"
    FSDP = "FSDP"

class Plugin:
    def __post_init__(self):
        prefix = "FSDP_"
        self.offload = str_to_bool(os.environ.get(prefix + "OFFLOAD", "False")) == 1
        self.sharding_strategy = os.environ.get(prefix + "SHARDING_STRATEGY", "FULL")
        if self.sharding_strategy.upper() in FSDP_SHARDING_STRATEGY:
            pass
        self.stage = int(os.environ.get("ZERO_STAGE", 2))
        clipping = os.environ.get("CLIPPING", "auto")
        self.clipping = clipping if clipping == "auto" else float(clipping)
        steps = os.environ.get("STEPS", "auto")
        self.steps = int(steps) if steps.isdigit() else steps
        self.margin = int(os.environ.get("ACCELERATE_FP8_MARGIN", 0))
        self.scaling = parse_flag_from_env("ACCELERATE_FP8_SCALING")
"""
CONSTANTS = 'FSDP_SHARDING_STRATEGY = ["FULL", "NONE"]\n'


def unpacked(folder: Path, version: str = "1.0.0", **texts: str) -> Path:
    """A folder with a package like a release's; keyword arguments replace modules."""
    home = folder / f"v{version}" / "accelerate"
    parts = {
        "__init__.py": f'__version__ = "{version}"\n',
        "commands/config/config_args.py": texts.get("classes", CLASSES),
        "commands/launch.py": texts.get("launch", LAUNCH),
        "utils/launch.py": texts.get("helpers", HELPERS),
        "utils/dataclasses.py": texts.get("plugins", PLUGINS),
        "utils/constants.py": CONSTANTS,
    }
    for name, text in parts.items():
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return home.parent


def keys_of(folder: Path, version: str = "1.0.0", **texts: str) -> ReleaseKeys:
    return read_keys(read_release(unpacked(folder, version, **texts)))


def test_top_level_keys_are_the_fields_of_the_classes(tmp_path: Path) -> None:
    keys = keys_of(tmp_path).keys
    assert keys["distributed_type"].required
    assert keys["distributed_type"].enum == ["NO", "FSDP"]
    assert not keys["debug"].required  # the loader fills it in
    assert keys["gpu_ids"].type == "str|null"
    assert keys["num_processes"].type == "any"
    assert keys["num_processes"].declared == "int"
    assert keys["num_processes"].models == ["ClusterConfig"]
    assert keys["extra"].models == ["SageMakerConfig"]
    assert keys["debug"].models == []
    assert "fp16" in keys


def test_a_switch_of_the_command_line_hides_the_key_of_the_file(tmp_path: Path) -> None:
    keys = keys_of(tmp_path).keys
    assert not keys["same_network"].effect
    assert keys["num_processes"].effect


def test_the_type_is_what_the_plugin_takes_of_the_text(tmp_path: Path) -> None:
    keys = keys_of(tmp_path).keys
    assert keys["fsdp_config.fsdp_offload"].type == "truth"
    assert keys["fsdp_config.fsdp_offload"].variable == "FSDP_OFFLOAD"
    assert keys["deepspeed_config.zero_stage"].type == "whole|null"
    assert keys["deepspeed_config.clipping"].type == "decimal|exact|null"
    assert keys["deepspeed_config.clipping"].enum == ["auto"]
    assert keys["deepspeed_config.steps"].type == "any"
    strategy = keys["fsdp_config.fsdp_strategy"]
    assert strategy.type == "word|whole|null"
    assert strategy.enum == ["FULL", "NONE"]
    assert strategy.constraints == {"ge": 1, "le": 5}


def test_a_key_that_nobody_hands_on_has_no_effect(tmp_path: Path) -> None:
    keys = keys_of(tmp_path).keys
    assert not keys["deepspeed_config.nvme_path"].effect
    assert keys["deepspeed_config.zero_stage"].effect


def test_keys_without_an_option_are_found_where_they_are_handed_on(tmp_path: Path) -> None:
    keys = keys_of(tmp_path).keys
    assert keys["fsdp_config.fsdp_ignored"].variable == "FSDP_IGNORED"
    assert keys["fp8_config.fp8_scaling"].type == "truth|null"
    assert not any(path.endswith("made_up") for path in keys)
    assert not any(path.startswith(".") for path in keys)


def test_a_prefix_may_be_left_out_where_the_launcher_adds_it(tmp_path: Path) -> None:
    keys = keys_of(tmp_path).keys
    assert keys["fsdp_config.fsdp_offload"].alias == ["fsdp_config.offload"]
    assert keys["fp8_config.fp8_margin"].alias == []


def test_sections_that_older_launchers_do_not_copy_are_not_read(tmp_path: Path) -> None:
    loops = LAUNCH.replace(
        "for key, value in attr.items():",
        "for key in defaults.fsdp_config:\n            pass\n        for key in ():",
    )
    found = keys_of(tmp_path, launch=loops)
    assert found.sections == {
        "": True,
        "fsdp_config": True,
        "deepspeed_config": False,
        "fp8_config": False,
    }
    assert not found.keys["fp8_config.fp8_margin"].effect


def test_the_table_holds_what_changed_between_releases(tmp_path: Path) -> None:
    old = keys_of(
        tmp_path,
        "0.9.0",
        plugins=PLUGINS.replace('    FSDP = "FSDP"', '    TPU = "TPU"'),
        launch=LAUNCH.replace("--nvme_path", "--disk_path"),
    )
    table = fold([keys_of(tmp_path), old], {"keys": {"fp16": {"rename": "mixed_precision"}}})
    keys = table["keys"]
    assert table["releases"] == ["0.9.0", "1.0.0"]
    assert keys["deepspeed_config.disk_path"]["removed"] == "1.0.0"
    assert keys["deepspeed_config.nvme_path"]["since"] == "1.0.0"
    assert keys["distributed_type"]["enums"] == [
        ["0.9.0", ["NO", "TPU"]],
        ["1.0.0", {"add": ["FSDP"], "drop": ["TPU"]}],
    ]
    assert keys["fp16"]["rename"] == "mixed_precision"
    assert table["sections"][""]["forbids_unknown_since"] == "0.9.0"
    assert json.loads(dump(table)) == table


def test_archives_and_folders_are_read_alike(tmp_path: Path) -> None:
    folder = unpacked(tmp_path)
    archive = tmp_path / "accelerate-1.0.0.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder / "accelerate", "accelerate-1.0.0/src/accelerate")
    assert read_keys(read_release(archive)) == read_keys(read_release(folder))


def test_a_folder_without_the_modules_is_refused(tmp_path: Path) -> None:
    (tmp_path / "accelerate").mkdir()
    with pytest.raises(UnreadableReleaseError, match="without"):
        read_release(tmp_path)


def test_the_command_writes_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "table.json"
    assert main(["keys", f"3.0={unpacked(tmp_path)}", "--table", str(table)]) == 0
    written = json.loads(table.read_text(encoding="utf-8"))
    assert written["releases"] == ["3.0"]
    assert written["sections"]["fsdp_config"]["when"] == {"distributed_type": ["FSDP"]}
    assert f"{len(written['keys'])} keys" in capsys.readouterr().out


def test_the_command_says_what_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.json"
    assert main(["keys", str(tmp_path), "--table", str(table)]) == 2
    assert "error:" in capsys.readouterr().err
    assert not table.exists()


SETUP = """
setup(
    name="accelerate",
    python_requires=">=3.9.0",
    install_requires=["numpy>=1.17,<3.0.0", "psutil", "torch>=2.0.0"],
)
"""


def test_pins_come_from_the_build_script_or_the_metadata(tmp_path: Path) -> None:
    table = tmp_path / "releases.json"
    folder = unpacked(tmp_path)
    (folder / "setup.py").write_text(SETUP, encoding="utf-8")
    newer = unpacked(tmp_path, "1.10.0")
    metadata = newer / "accelerate-1.10.0.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(
        "Requires-Python: >=3.10\nRequires-Dist: torch>=2.1\n"
        'Requires-Dist: numpy<1; extra == "old"\n',
        encoding="utf-8",
    )
    dates = ["--date", "1.0.0=2024-10-07"]
    assert main(["pins", str(newer), str(folder), "--table", str(table), *dates]) == 0
    assert main(["pins", str(folder), "--table", str(table)]) == 0
    assert json.loads(table.read_text(encoding="utf-8")) == {
        "newest": "1.10.0",
        "releases": {
            "1.0.0": {
                "date": "2024-10-07",
                "python": ">=3.9.0",
                "pins": {"torch": ">=2.0.0", "numpy": "<3.0.0,>=1.17"},
            },
            "1.10.0": {"python": ">=3.10", "pins": {"torch": ">=2.1"}},
        },
    }
