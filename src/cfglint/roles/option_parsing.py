"""Reading arguments: the keys of files, and the options of commands in scripts, which `argparse` converts."""

from __future__ import annotations

from functools import cached_property

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.knowledge.keys.argument_types import converted
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.roles.parsing import Parsing

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.source.document import Path
    from cfglint.source.languages.base import Language


class OptionParsing(Parsing):
    """The reader of a framework that takes its arguments from files and from command lines."""

    def make_script_language(self, release: str) -> Language:
        """The language of the scripts that start a release."""
        raise NotImplementedError

    @cached_property
    def language(self) -> Language:
        if not self.framework.in_scripts:
            return super().language
        return self.script_language(self.framework.releases.versions[-1])

    def language_for(self, text: str, target: Environment, around: Surroundings) -> Language:
        if not self.framework.in_scripts:
            return self.language
        return self.script_language(self.release_for(text, target))

    @cached_property
    def _scripts(self) -> dict[str, Language]:
        """Release -> the language of the scripts that start it."""
        return {}

    def script_language(self, release: str) -> Language:
        """The language of the scripts that start a release, made once."""
        known = self._scripts.get(release)
        if known is None:
            known = self._scripts[release] = self.make_script_language(release)
        return known

    def coerce(self, path: Path, value: Any) -> Any:
        """A text as what the type of its argument makes of it: `"1e-5"`, `"true"`."""
        if type(value) is not str or (type_ := self.framework.keys.type_at(path)) is None:
            return value
        return converted(split_type(type_), value)
