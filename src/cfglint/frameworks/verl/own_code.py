"""Whether a copy of verl in the project has a key that the release does not have."""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, ClassVar, Final
from cfglint.environment.copies import around_copy
from cfglint.frameworks.verl.run_config import config_in
from cfglint.roles.own_code import OwnCode

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: Rules about words, and all keys, of which code may have more than the releases.
_WORDS: Final = frozenset(
    {"KEY007", "VRL017", "VRL021", "VRL022", "VRL023", "VRL061", "VRL062", "VRL075"}
)
#: The rule about the files that verl's own dataset class reads.
_OF_DATA: Final = "VRL081"
#: The rule about a program that a release does not have.
_MISSING: Final = "VRL082"
#: The rule about words that are none of Hydra's, and an option among them.
_NO_OVERRIDE: Final = "VRL001"
_OPTION: Final = lazy_pattern(r"--([A-Za-z][\w-]{0,60})(?=[\s=]|\Z)")
#: The rule that says of a fork's keys what they are, and of slips among them.
_UNKNOWN: Final = "unknown-key"


class VerlOwnCode(OwnCode):
    """A copy of verl in the project whose configs cannot be followed."""

    modules: ClassVar[tuple[str, ...]] = ("verl",)
    wholes: ClassVar[tuple[str, ...]] = ("trainer/config",)
    parts: ClassVar[tuple[str, ...]] = ("single_controller", "trainer", "workers")

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        from cfglint.frameworks.verl.own_configs import names_of_copy, names_read_by_copy

        pin = ctx.target.pins.get(self.framework.packages[0])
        if pin is not None and not pin.in_project:
            return False
        around = _around(ctx)
        return key.name in names_of_copy(around) or key.name in names_read_by_copy(around)

    def _is_copied(self, ctx: FileContext) -> bool:
        """Whether the project has a copy of verl, of whatever release."""
        from cfglint.frameworks.verl.own_configs import names_of_copy

        return bool(names_of_copy(_around(ctx)))

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether a copy of verl, or a fork that is installed, may take what the releases refuse."""
        if finding.upstream == "rejects" and finding.name != _UNKNOWN and _starts_a_fork(ctx):
            return True
        if _lacks(finding.code, ctx):
            return True
        if finding.code == _NO_OVERRIDE and _is_parsed(finding, ctx):
            return True
        if finding.code in (_OF_DATA, _MISSING):
            return self._is_copied(ctx)
        if finding.code not in _WORDS:
            return False
        found = config_in(ctx)
        return found is not None and found.own is not None and not found.own.base


def _around(ctx: FileContext) -> Surroundings:
    """The surroundings of the copy that a script puts on the path, or else its own."""
    return around_copy("verl", ctx.document.text, ctx.around)


def _lacks(code: str, ctx: FileContext) -> bool:
    """Whether the project's own copy of verl has dropped the check that a finding is about."""
    from cfglint.frameworks.verl.own_checks import is_dropped, is_idle

    pin = ctx.target.pins.get("verl")
    is_own = pin is None or pin.in_project
    around = _around(ctx)
    return is_own and (is_dropped(code, around) or is_idle(code, ctx.document.text, around))


def _is_parsed(finding: Diagnostic, ctx: FileContext) -> bool:
    """Whether a program of the project that took the place of one of Hydra's has an option of the command."""
    from cfglint.environment.python_sources import any_source

    option = _OPTION.match(ctx.document.text, finding.span.start)
    if option is None:
        return False
    added = re.compile(rf"add_argument\(\s{{0,40}}[\"']--{re.escape(option[1])}[\"']")
    return any_source(
        ctx.around,
        ("parses with Hydra", option[1]),
        lambda text: "hydra.main" in text and added.search(text),
    )


def _starts_a_fork(ctx: FileContext) -> bool:
    """Whether the keys of a command show that what it starts is no release."""
    from cfglint.checks.context import CheckContext
    from cfglint.checks.other_readers import has_another_reader

    return isinstance(ctx, CheckContext) and has_another_reader(ctx)


ROLE = VerlOwnCode
