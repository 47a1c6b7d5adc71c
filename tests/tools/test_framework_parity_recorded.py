"""cfglint's verdicts on generated accelerate files are those of accelerate's own releases.

The fixture is written by `python -m tools.framework_parity.accelerate record`: generated files, and
what the code of six releases said about them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.framework_parity.recorded import Recorded, differing, read_recorded, record, refused_keys
from tools.framework_parity.verdicts import Verdict

FILES = read_recorded(Path(__file__).with_name("accelerate_recorded.json.gz"))
RELEASES = sorted({release for file in FILES for release in file["verdicts"]})
#: What is refused only when the processes are up, where the recorded verdicts have ended.
LATER = {"ACC033", "ACC063"}


def refused_at(file: Recorded, release: str) -> list[str]:
    """The keys of the findings that say that a release refuses a file."""
    return refused_keys(file, "accelerate", release, LATER)


def test_the_fixture_is_worth_something() -> None:
    assert len(RELEASES) >= 5
    verdicts = [verdict for file in FILES for verdict, _ in file["verdicts"].values()]
    assert len(verdicts) >= 1_000
    assert 0.2 < sum(verdicts) / len(verdicts) < 0.6


@pytest.mark.parametrize("release", RELEASES)
def test_every_verdict_is_the_release_s(release: str) -> None:
    assert differing(FILES, release, lambda file: refused_at(file, release)) == []


@pytest.mark.parametrize("release", RELEASES)
def test_keys_that_a_refusal_names_are_told(release: str) -> None:
    """Where it names those that were changed; otherwise a changed key is the cause of its words."""
    told = missed = 0
    for file in FILES:
        _, named = file["verdicts"].get(release, (False, []))
        wanted = [key for key in named if key in file["changes"]]
        if wanted:
            keys = refused_at(file, release)
            told += any(key in wanted for key in keys)
            missed += not any(key in wanted for key in keys)
    assert told >= 10
    assert missed == 0


def test_a_fixture_is_written_and_read(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("k: 1\n", encoding="utf-8")
    (tmp_path / "manifest.jsonl").write_text(
        '{"file": "a.yaml", "changes": ["k"]}\n{"file": "b.yaml", "changes": []}\n'
    )
    reason = "load: x had unknown keys (['k']), please"
    theirs = {"1.0.0": {"a.yaml": Verdict(True, reason)}, "1.1.0": {"a.yaml": Verdict(False)}}
    out = tmp_path / "fixture.json.gz"
    assert record(tmp_path, theirs, 5, out) == 1
    assert read_recorded(out) == [
        {
            "file": "a.yaml",
            "changes": ["k"],
            "text": "k: 1\n",
            "verdicts": {"1.0.0": [True, ["k"]], "1.1.0": [False, []]},
        }
    ]
