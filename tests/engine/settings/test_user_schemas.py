"""Which files a schema of the project is for."""

from __future__ import annotations

from pathlib import Path

from cfglint.engine.settings.file import SchemaSetting
from cfglint.engine.settings.user_schemas import is_for, load
from cfglint.source.files.disk import Disk
from tests.draws import each


@each(
    ("frameworks", "files", "expected"),
    [
        ((), (), True),
        (("axolotl",), (), True),
        (("trl", "axolotl"), (), True),
        (("trl",), (), False),
        (("trl", "deepspeed"), (), False),
        # A mistake in the settings is reported at every file.
        (("no-such-framework",), (), True),
        (("trl", "no-such-framework"), (), True),
        ((), ("*.yml",), True),
        ((), ("jobs/",), True),
        ((), ("other/",), False),
        (("axolotl",), ("*.json",), False),
        (("trl",), ("*.yml",), False),
    ],
)
def test_whose_files(frameworks: tuple[str, ...], files: tuple[str, ...], expected: bool) -> None:
    setting = SchemaSetting("/project/cfglint.toml", "s.json", files, frameworks)
    assert is_for(setting, "axolotl", "/project/jobs/train.yml") is expected


def test_a_schema_for_a_framework_that_is_not_known_says_so(tmp_path: Path) -> None:
    setting = SchemaSetting(str(tmp_path / "cfglint.toml"), "s.json", (), ("trl", "trll"))
    found = load(setting, Disk())
    assert isinstance(found, str)
    assert "unknown framework 'trll'; expected one of accelerate, " in found
