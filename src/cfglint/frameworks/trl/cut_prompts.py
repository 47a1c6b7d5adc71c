"""Whether a program of the project cuts the prompts itself, so that none is longer than TRL's limit."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.python_sources import any_source
from cfglint.environment.surroundings import Surroundings

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic

#: The rule about prompts that TRL cuts for the loss alone, and a program that reads their limit: `args.max_prompt_length`.
_CUT_LATER: Final = "TRL410"
_LIMIT_READ: Final = lazy_pattern(r"\w\.max_prompt_length\b(?![ \t]{0,9}=[^=])")


def is_prevented(finding: Diagnostic, around: Surroundings) -> bool:
    """Whether a finding is about prompts that a program of the project has cut before."""
    return finding.code == _CUT_LATER and _cuts_prompts(around)


def _cuts_prompts(around: Surroundings) -> bool:
    """Whether a program of the project takes the limit of the prompts to make the prompts itself."""
    return any_source(around, ("cuts prompts",), _LIMIT_READ.search)
