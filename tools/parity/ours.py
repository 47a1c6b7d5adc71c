"""cfglint's verdict about a file for one release."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from cfglint.engine.runner import Runner
from cfglint.engine.session import Options
from cfglint.engine.settings.nearest import SettingsFinder
from tools.parity.verdicts import Finding

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.source.document import Path
    from tools.parity.machine import Machine

_KEY = re.compile(r"[A-Za-z_]\w*")


@lru_cache(maxsize=4)
def _runner(release: str, machine: Machine, told: tuple[str, ...]) -> Runner:
    packages = (f"axolotl=={release}", *told)
    options = Options(framework="axolotl", target=packages, gpus=machine.gpus, gpu=machine.gpu)
    return Runner(options, SettingsFinder(isolated=True))


def findings(
    data: bytes, name: str, release: str, machine: Machine, told: tuple[str, ...] = ()
) -> tuple[Finding, ...]:
    """What cfglint finds in a file that will meet this release, settings files left aside.

    It is told what the release's validator is told, too: the machine and versions of packages.
    """
    report = _runner(release, machine, told).check_bytes(data, name, named=True)
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
            places=_places(text, found) if found.upstream == "rejects" else (),
        )
        for found in report.diagnostics
    )


def _places(text: str, found: Diagnostic) -> tuple[Path, ...]:
    """The key it is at and, by the word that is written there, those that it relates to."""
    words = (_KEY.match(text, related.span.start) for related in found.related)
    return (found.path, *((match.group(),) for match in words if match))
