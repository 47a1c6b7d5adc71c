"""What releases of other frameworks really end up with, recorded by `tools.framework_parity.effective`."""

from __future__ import annotations

from pathlib import Path

from tests.draws import each
from tools.framework_parity.effective import differences, recorded

HERE = Path(__file__).resolve().parent


@each(
    ("name", "files", "releases"),
    [
        ("llamafactory", 160, 4),
        ("llamafactory-v1", 120, 2),
        ("trl", 250, 5),
        ("accessory", 120, 1),
    ],
)
def test_files_end_as_in_the_release(name: str, files: int, releases: int) -> None:
    files_read = list(recorded(HERE / f"{name}.json.gz"))
    assert len(files_read) >= files
    assert len({pins for pins, *_ in files_read}) >= releases
    different = {
        (pins, file): found
        for pins, file, text, values in files_read
        if (found := differences(text, values, pins.split(","), path=file).differences)
    }
    assert different == {}


def test_a_value_that_differs_is_shown() -> None:
    pins, file, text, values = next(iter(recorded(HERE / "llamafactory.json.gz")))
    found = differences(text, {**values, "cutoff_len": 1, "new": 2}, pins.split(","), path=file)
    assert [one.key for one in found.differences] == ["cutoff_len", "new"]
