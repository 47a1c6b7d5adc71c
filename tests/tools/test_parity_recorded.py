"""What seventeen releases answered about generated configurations, compared with cfglint as it is."""

from __future__ import annotations

from pathlib import Path

from tools.parity import recorded
from tools.parity.machine import Machine
from tools.parity.verdicts import Agreement, Upstream

FILE = Path(__file__).with_name("parity_recorded.json.gz")
#: Each configuration meets one release of so many; all releases get their share.
EVERY = 5


def test_verdicts_and_places_of_all_releases() -> None:
    recording = recorded.read(FILE)
    assert len(recording.told) == 17
    assert len(recording.rows) > 1400
    comparisons = list(recorded.replay(recording, FILE.name, EVERY))
    assert {one.release for one in comparisons} == set(recording.told)
    differing = [
        f"{one.release} {one.path}: {one.agreement.value}, {one.upstream.message}, "
        f"{sorted({alarm.code for alarm in one.alarms})}"
        for one in comparisons
        if one.agreement not in (Agreement.OK, Agreement.REJECTED)
    ]
    assert not differing, "\n".join(differing[:20])
    elsewhere = [f"{one.release} {one.path}" for one in comparisons if one.same_key is False]
    assert not elsewhere, "\n".join(elsewhere[:20])
    assert {one.agreement for one in comparisons} == {Agreement.OK, Agreement.REJECTED}


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    error = {"loc": ["datasets", 0, "path"], "type": "string_type", "msg": "…"}
    verdicts = {
        "0.21.0": Upstream("rejected", errors=(error,)),
        "0.20.0": Upstream("ok"),
        "0.19.0": Upstream("failed"),
    }
    one = recorded.row("a.yml", "datasets: [{path: 1}]\n", verdicts)
    assert one.verdicts == {"0.21.0": "no datasets.0.path", "0.20.0": "ok"}
    recording = recorded.Recording(
        Machine(), {"0.21.0": ("torch==2.13.0",), "0.20.0": ("torch==2.13.0",)}, [one]
    )
    path = tmp_path / "some.json.gz"
    recorded.write(recording, path)
    assert recorded.read(path) == recording
    before = path.read_bytes()
    recorded.write(recording, path)
    assert path.read_bytes() == before


def test_a_sample_has_every_kind_of_answer() -> None:
    same = [recorded.Recorded(f"{n:03}", "a: 1\n", {"0.21.0": "no a"}) for n in range(50)]
    other = recorded.Recorded("900", "b: 1\n", {"0.21.0": "no b"})
    recording = recorded.Recording(Machine(), {"0.21.0": ("torch==2.13.0",)}, [*same, other])
    chosen = recorded.sample(recording, 10)
    assert len(chosen.rows) == 10
    assert other in chosen.rows
