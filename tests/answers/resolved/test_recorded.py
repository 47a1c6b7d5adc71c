"""What releases really end up with, recorded by `python -m tools.parity effective --record`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from tests.draws import each
from tools.parity.effective import differences

HERE = Path(__file__).resolve().parent
RECORDED: dict[str, dict[str, Any]] = json.loads((HERE / "recorded.json").read_text("utf-8"))
FIRST = "a-minimal.yml"
AXOLOTL = Axolotl()


def nested(flat: dict[str, Any]) -> dict[str, Any]:
    """`{"a.b[0]": 1}` as it was before it was flattened."""
    root: dict[str, Any] = {}
    for path, value in flat.items():
        steps: list[str | int] = []
        for part in path.split("."):
            name, *indices = part.split("[")
            steps += [name, *(int(index[:-1]) for index in indices)]
        place: Any = root
        for step, following in zip(steps, [*steps[1:], None], strict=True):
            if following is None:
                new: Any = value
            else:
                new = [] if isinstance(following, int) else {}
            if isinstance(place, list):
                assert isinstance(step, int)
                if step == len(place):
                    place.append(new)
            else:
                new = place.setdefault(step, new)
            place = place[step]
    return root


CASES = [
    (release, name)
    for release, files in RECORDED.items()
    for name in (FIRST, *(name for name in files if name != "first"))
]


@each(("release", "name"), CASES)
def test_a_file_ends_as_in_the_release(release: str, name: str) -> None:
    files = RECORDED[release]
    flat: dict[str, Any] = dict(files["first"])
    if name != FIRST:
        flat.update(files[name]["changed"])
        for key in files[name]["gone"]:
            del flat[key]
    target = build_environment(AXOLOTL.releases, pins=(f"axolotl=={release}",), gpus=1, gpu="h100")
    data = (HERE / "files" / name).read_bytes()
    assert differences(data, nested(flat), AXOLOTL, target) == []


def test_many_files_and_releases_are_recorded() -> None:
    assert len(RECORDED) >= 13
    assert len(CASES) >= 150
