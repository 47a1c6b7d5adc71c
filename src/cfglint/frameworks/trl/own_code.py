"""Whether a program whose classes extend TRL's reads a file."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, ClassVar, Final
from cfglint.environment.python_sources import any_source
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.trl import cut_prompts, programs
from cfglint.frameworks.trl.commands import COMMANDS, KEPT_BY_OTHERS, OF_OTHERS, not_of_all
from cfglint.knowledge import compiled
from cfglint.roles.own_code import OwnCode
from cfglint.source.document import Document, Scalar
from cfglint.source.values import is_placeholder

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.frameworks.trl.own_program import OwnArguments
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: The codes of the rules about TRL's own classes.
_OWN_RULES: Final = "TRL"
#: Those of the rules about what YAML makes of a value.
_OF_VALUES: Final = "YML"
#: Those about what TRL's scripts do besides, and the one about data that they do not find.
_OF_SCRIPTS: Final = frozenset(
    {"TRL037", "TRL102", "TRL106", "TRL112", "TRL129", "TRL133", "TRL141", "TRL483"}
)
_NO_DATA: Final = "TRL037"
#: A class with arguments that is made from one of TRL's.
_DERIVED = lazy_pattern(
    r"(?m)^class \w{1,60}\((?:trl\.)?\w{0,30}(?:SFT|DPO|GRPO|PPO|PPOv2|RLOO|KTO|ORPO|CPO|XPO|Reward)Config\b"
)


class TrlOwnCode(OwnCode):
    """Programs in the project, and those that a file's keys show."""

    modules: ClassVar[tuple[str, ...]] = ("trl",)
    wholes: ClassVar[tuple[str, ...]] = ("trainer",)

    def reads(self, document: Document) -> bool:
        """Whether a document shows that a program which adds keys of its own reads it."""
        if self.framework.in_scripts:
            return False  # they start TRL's own commands
        return self._is_other or programs.is_extended(document, self.framework.keys)

    def is_there(self, ctx: FileContext) -> bool:
        """Whether such a program is in the project, or shows in a document."""
        if self.framework.in_scripts:
            return False
        own = _own_arguments(ctx.around)
        return self.reads(ctx.document) or own.has_parser or own.has_loader

    def is_strict(self, ctx: FileContext) -> bool:
        """Whether such a program refuses keys that the release leaves out."""
        if self.framework.in_scripts:
            return False
        return programs.is_of_older_handbook(ctx.document) or _own_arguments(ctx.around).is_strict

    def may_have(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether such a program may have a key, in a file that does not show whether it reads it."""
        if self.framework.in_scripts or self.lacks(key, ctx):
            return False
        if key.section or (key.info is not None and ctx.release_keys.released(key.info.since)):
            return False
        return self._is_other or (key.info is None and programs.may_be_extended(ctx.document))

    def is_script(self, ctx: FileContext) -> bool:
        """Whether a program of the project reads the file with TRL's parser, without the command `trl`."""
        return _own_arguments(ctx.around).uses_trl

    def is_loaded(self, ctx: FileContext) -> bool:
        """Whether a program of the project, which parses nothing, loads files and names most of the keys of this one."""
        if self.framework.in_scripts:
            return False
        names, own = ctx.document.root.names, _own_arguments(ctx.around)
        return ctx.once("keys of a program that loads it", lambda: own.are_for(names))

    def takes_over(self, ctx: FileContext) -> bool:
        """Whether such a program may go on with arguments that its classes do not have."""
        command = self.framework.kind if self.framework.kind in COMMANDS else ""

        def look() -> bool:
            from cfglint.frameworks.trl.own_program import arguments_near

            near = arguments_near(ctx.document, ctx.around, command)
            own = near or _own_arguments(ctx.around)
            return own.take_over(command, lambda: _is_given(ctx.around))

        return ctx.once("takes over what no class has", look)

    def lacks(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether all such programs are known, and do not have a key that no release has either."""
        if (
            self.framework.in_scripts
            or key.section
            or key.info is not None
            or key.name in compiled.load("trl_below").KINDS
        ):
            return False
        own, document = _own_arguments(ctx.around), ctx.document
        if key.name in KEPT_BY_OTHERS or key.name in programs.own_keys(document):
            return False
        return own.lack(key.name) and ctx.once(
            "keys of the project's programs", lambda: self._is_read_by(own, document)
        )

    def _is_read_by(self, own: OwnArguments, document: Document) -> bool:
        """Whether a file has more keys of the project's programs than of others."""
        keys = self.framework.keys
        strange = [
            name
            for name in document.root.names
            if keys.info("", name) is None and name not in KEPT_BY_OTHERS
        ]
        return sum(own.have(name, known=False) for name in strange) * 2 >= len(strange)

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        if key.section or self.framework.in_scripts:
            return False
        document, name = ctx.document, key.name
        if document.text.startswith(programs.OF_HYDRA) or _is_loaded(ctx):
            return True
        own, is_known = _own_arguments(ctx.around), key.info is not None
        if own.have(name, known=is_known) or _is_own_choice(name, document, own):
            return True
        if name in programs.own_keys(document):
            return True
        if programs.has_in_own_class(document, name):
            return True
        if self._is_other and name in KEPT_BY_OTHERS:
            return True
        if _came_later(key, ctx) and _has_derived(ctx.around):
            return True
        if self.framework.kind in COMMANDS or not not_of_all(name) or not self.reads(document):
            return False
        # A program of another kind: what a command has had since then may be older there.
        return _came_later(key, ctx)

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """What TRL does with a key that a program has in its own class, or whose value is filled in later."""
        if cut_prompts.is_prevented(finding, ctx.around):
            return True
        if len(finding.path) != 1 or self.framework.in_scripts:
            return False
        if finding.code.startswith(_OF_VALUES):
            return finding.refuses and self._is_idle(str(finding.path[0]), ctx)
        if not finding.code.startswith(_OWN_RULES):
            return False
        if _is_loaded(ctx):
            return True
        name, own = str(finding.path[0]), _own_arguments(ctx.around)
        command = self.framework.kind if self.framework.kind in COMMANDS else ""
        if finding.code in _OF_SCRIPTS and own.replace(command):
            return finding.code != _NO_DATA or not own.load_named_data(command)
        node = ctx.document.node((name,))
        if isinstance(node, Scalar) and isinstance(node.value, str) and is_placeholder(node.value):
            return True
        if own.have(name, known=True) or self.is_loaded(ctx):
            return True
        return _is_own_choice(name, ctx.document, own)

    def _is_idle(self, name: str, ctx: FileContext) -> bool:
        """Whether the programs that read the file have a key in a class of their own, and make nothing of it."""
        from cfglint.frameworks.trl.own_program import arguments_near

        command = self.framework.kind if self.framework.kind in COMMANDS else ""
        near = arguments_near(ctx.document, ctx.around, command)
        return near is not None and near.leave_idle(name, command)

    @property
    def _is_other(self) -> bool:
        return self.framework.kind == OF_OTHERS


def _came_later(key: WrittenKey, ctx: FileContext) -> bool:
    """Whether a key came with a later release of TRL."""
    info = key.info
    return info is not None and " " not in info.since and not ctx.release_keys.released(info.since)


def _has_derived(around: Surroundings) -> bool:
    """Whether a program of the project has a class of its own made from one of TRL's: of another one than the file looks like."""
    return any_source(around, ("classes made from TRL's",), _DERIVED.search)


def _own_arguments(around: Surroundings) -> OwnArguments:
    """What the programs of the project do with arguments: loaded only when it matters."""
    from cfglint.frameworks.trl.own_program import arguments_around

    return arguments_around(around)


def _is_given(around: Surroundings) -> bool:
    """Whether a command of the project gives a program the file with an option."""
    from cfglint.frameworks.trl.own_program import is_given_with_option

    return is_given_with_option(around)


def _is_loaded(ctx: FileContext) -> bool:
    """Whether a program of the project loads the file itself and makes of it what it likes."""
    from cfglint.frameworks.trl.own_program import is_loaded

    states_trl = "trl" in ctx.target.pins
    return ctx.once("loaded by a program", lambda: is_loaded(ctx.around, states_trl=states_trl))


def _is_own_choice(name: str, document: Document, own: OwnArguments) -> bool:
    """Whether a program of the project compares a key with the word that a file has for it."""
    node = document.node((name,))
    return isinstance(node, Scalar) and own.compare(name, node.value)


ROLE = TrlOwnCode
