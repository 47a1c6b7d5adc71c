"""cfglint's verdict about a file for one release."""

from __future__ import annotations

from functools import lru_cache

from cfglint.engine.runner import Options, Runner
from cfglint.engine.settings import SettingsFinder
from tools.parity.verdicts import Finding


@lru_cache(maxsize=4)
def _runner(release: str, gpus: int) -> Runner:
    options = Options(target=(f"axolotl=={release}",), gpus=gpus)
    return Runner(options, SettingsFinder(isolated=True))


def findings(data: bytes, name: str, release: str, gpus: int) -> tuple[Finding, ...]:
    """What cfglint finds in a file that will meet this release, settings files left aside."""
    report = _runner(release, gpus).check_bytes(data, name, named=True)
    if report is None:
        return ()
    text = report.source.text
    return tuple(
        Finding(
            code=found.code,
            message=found.message,
            line=text.count("\n", 0, found.span.start) + 1,
            upstream=found.upstream,
            bites=found.bites,
            undecided=found.undecided,
        )
        for found in report.diagnostics
    )
