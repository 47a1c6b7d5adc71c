"""The words of a comparison: what a release says, what cfglint says, and how they differ."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, NamedTuple

#: Values, which differ from file to file; names of keys are in backquotes and stay.
_QUOTED = re.compile(r"(?<!\w)'[^'\n]*'|\"[^\"\n]*\"")
_NUMBER = re.compile(r"\b\d+(?:\.\d+)*\b")


class Upstream(NamedTuple):
    """What a release's validator says about a file."""

    #: `ok`, `rejected`, or `failed` when this tool could not find out.
    outcome: str
    stage: str = ""
    exception: str = ""
    message: str = ""
    #: Each with loc, type and msg, when it was a validation error.
    errors: tuple[dict[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()
    raised_at: str = ""

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Upstream:
        """Read what `to_json` (or a worker) wrote."""
        known = {name: data[name] for name in cls._fields if name in data}
        for name in ("errors", "warnings"):
            known[name] = tuple(known.get(name, ()))
        return cls(**known)

    def to_json(self) -> dict[str, Any]:
        """A value for JSON, without what is empty."""
        fields = {**self._asdict(), "errors": list(self.errors), "warnings": list(self.warnings)}
        return {name: value for name, value in fields.items() if value}

    @property
    def reasons(self) -> list[str]:
        """Every error in one line: where, and what."""
        if not self.errors:
            first = self.message.strip().partition("\n")[0]
            return [f"{self.exception}: {first}"]
        return [f"{_dotted(error['loc'])}: {error['msg']}".lstrip(": ") for error in self.errors]

    @property
    def kind(self) -> str:
        """The first reason without what differs from file to file, to count by."""
        if not self.errors:
            return _general(self.reasons[0])
        error = self.errors[0]
        if error["type"] in {"value_error", "assertion_error"}:
            return _general(error["msg"])
        return f"{error['type']} at {_dotted(error['loc'], general=True)}"


class Finding(NamedTuple):
    """What of a diagnostic of ours the comparison looks at."""

    code: str
    message: str
    line: int
    upstream: str
    bites: str
    undecided: bool
    #: The paths of the keys that it is at or relates to.
    places: tuple[tuple[str | int, ...], ...] = ()

    @property
    def says_rejected(self) -> bool:
        """Whether it says that the release's validator refuses the file."""
        return self.upstream == "rejects" and self.bites == "start" and not self.undecided


class Agreement(str, Enum):
    """How the two verdicts about a file relate."""

    OK = "agree: ok"
    REJECTED = "agree: rejected"
    MISSED = "missed"
    FALSE_ALARM = "false alarm"
    UNKNOWN = "no verdict"


class Comparison(NamedTuple):
    """Both verdicts about one file on one release."""

    release: str
    folder: str
    path: str
    upstream: Upstream
    findings: tuple[Finding, ...]
    #: Whether both are about the same key, of a file that both reject; None when nobody can tell.
    same_key: bool | None = None

    @property
    def alarms(self) -> tuple[Finding, ...]:
        """The findings of ours that say the file is refused."""
        return tuple(finding for finding in self.findings if finding.says_rejected)

    @property
    def agreement(self) -> Agreement:
        if self.upstream.outcome == "failed":
            return Agreement.UNKNOWN
        if self.upstream.outcome == "ok":
            return Agreement.FALSE_ALARM if self.alarms else Agreement.OK
        return Agreement.REJECTED if self.alarms else Agreement.MISSED

    def to_json(self) -> dict[str, Any]:
        """A value for JSON."""
        return {
            "release": self.release,
            "folder": self.folder,
            "path": self.path,
            "agreement": self.agreement.value,
            "same_key": self.same_key,
            "upstream": self.upstream.to_json(),
            "findings": [finding._asdict() for finding in self.findings],
        }


def _dotted(loc: Any, *, general: bool = False) -> str:
    text = ""
    for part in loc:
        if isinstance(part, int):
            text += "[…]" if general else f"[{part}]"
        else:
            text += f".{part}" if text else str(part)
    return text


def _general(message: str) -> str:
    one_line = " ".join(message.split())
    return _NUMBER.sub("N", _QUOTED.sub("'…'", one_line))[:160]
