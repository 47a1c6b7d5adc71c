"""What becomes of a key that is written in a file: the one question that checks of keys ask."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.places import full_key
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.knowledge.keys.release_keys import ReleaseKeys, Schema
from cfglint.knowledge.keys.table import KeyInfo, KeyTable
from cfglint.roles.foreign_names import ONLY_THESE, ForeignName, in_release, renamed
from cfglint.roles.outdented import meant_in_entry
from cfglint.source.document import Alias, Entry, Mapping, Path, Scalar
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.diagnostic import SeverityName
    from cfglint.environment.environment import Environment
    from cfglint.roles.framework import Framework
    from cfglint.roles.parts import FileContext

#: The states of a key: its value is read; it is read, but the value is refused; another setting
#: decides; it counts as a key of another section; no reader has it; checks ignore it.
READ, REFUSED, IDLE, ELSEWHERE, UNREAD, LEFT_ALONE = (
    *("read", "refused", "idle", "elsewhere", "unread", "left alone"),
)
#: Why no reader has a key: no release ever had it; the release is older, or newer, than those that
#: have it; the plugin that has it is not listed.
UNKNOWN_KEY, LATER, REMOVED, WITHOUT_PLUGIN = "unknown", "later", "removed", "plugin"
#: What else may read a file: a program that adds keys of its own to the framework's, or a fork of the framework.
EXTENDED, FORKED = "extended", "forked"
#: Names that do not show where they belong.
GENERIC_NAMES = frozenset(
    {"data", "enabled", "format", "mode", "name", "path", "size", "target", "type", "version"}
)
#: Which values of a key that was removed a framework reacts to.
_COUNTS: dict[str, Callable[[Any], bool]] = {
    "written": lambda value: True,
    "set": lambda value: value is not None,
    "truthy": bool,
}
#: The kinds of values that have no keys of their own.
_PLAIN = ("bool", "enum", "float", "int", "list", "literal", "none", "null", "str")
#: The folders of `PYTHONPATH=/home/me/our-copy:$PYTHONPATH`.
_ON_THE_PATH = lazy_pattern(r"\bPYTHONPATH=([^\s#]{0,400})")
#: The folder of an environment with `bin/activate`.
_ACTIVATED = lazy_pattern(
    r"(?m)^[ \t]{0,40}(?:source|\.)[ \t]{1,9}[\"']?([^\s\"'#;]{1,300})/bin/activate\b"
)
_OF_FOLDERS = ("PYTHONPATH=", "/bin/activate")


class Verdict(Record):
    """What a release makes of a written key, in this file."""

    state: str
    #: What values it takes, and the one that is refused, as it is when its type is examined.
    schema: Schema | None = None
    value: Any = None
    #: The class name of the plugin that reads it; empty when none has to be listed.
    plugin: str = ""
    #: The section that it counts as a key of, if it is read elsewhere.
    section: str = ""
    #: The word that means the same in this release, for one that is refused.
    newer_word: str | None = None
    #: The words that code of the project declares for the key, in place of the release's.
    own_words: tuple[str, ...] = ()

    # ------------------------------------------------------------------ of an unread key

    why: str = ""
    #: Whether the framework refuses a file for a key that the release does not have.
    refuses: bool = False
    #: What the framework does about this one: `rejects`, `warns` or `silent`.
    upstream: str = "silent"
    #: The first release that does so, where the key has a reaction of its own.
    since: str = ""
    #: The sections that it was probably meant for, the likeliest first.
    homes: tuple[str, ...] = ()
    #: Where it belongs, if that is more than the section's name.
    where: str | None = None
    foreign: ForeignName | None = None
    #: Whether a run does without the key what it requests.
    needless: bool = False
    #: The key of the file that does the opposite of what it requests.
    contradicted: str = ""
    #: Whether another setting of the file decides in place of the one that the key means.
    outranked: bool = False
    #: Whether code of the project may read it.
    doubtful: bool = False
    #: What else may read it, as what follows; empty where nothing does.
    doubt: str = ""
    #: The program besides the framework that surely reads the file, of the kinds below; empty where none is known.
    other_reader: str = ""
    #: Whether all code of the project that reads such files is known, and does not have it.
    has_no_reader: bool = False
    #: What reads the file, in words; empty for the framework by its title.
    reader: str = ""
    #: The section of the file around this one that takes the key, and its name there.
    belongs_to: tuple[str, str] | None = None
    #: What a person should think of before the key is deleted.
    before_deletion: str = ""
    #: Which files have it, or what it is besides; a sentence after a space.
    hint: str = ""
    #: That of the finding, where the key may count nevertheless.
    severity: SeverityName | None = None
    #: The release of another package with which the key was removed.
    removed_with: str = ""


class WrittenKey(Record):
    """One written key of a mapping whose keys are all known."""

    section: str
    path: Path
    entry: Entry
    name: str
    info: KeyInfo | None
    #: What the key is in.
    mapping: Mapping
    verdict: Verdict = Verdict(READ)

    @property
    def full_name(self) -> str:
        """The name with its section."""
        return full_key(self.section, self.name)


#: Those of most keys, which are made once.
_READ, _LEFT_ALONE = Verdict(READ), Verdict(LEFT_ALONE)


class KeyPolicy:
    """How a framework reads the keys of a file; by default as its key table states."""

    #: How its refusal of a value reads, after "the run does not start" (`; it names no key`).
    refusal: ClassVar[str] = ""
    #: The minimum severity of a key for which the newest release refuses the file, if earlier ones
    #: have it and it is not stated which one reads the file.
    refused_by_newest: ClassVar[SeverityName] = "note"
    #: With this many unknown keys that may be shared, a file is also another program's.
    shared_from: ClassVar[int | None] = None
    #: What becomes of these keys, in words.
    shared_effect: ClassVar[str] = "another program seems to read this file as well"

    def __init__(self, framework: Framework) -> None:
        self.framework = framework

    @property
    def noun(self) -> str:
        """What a key that is in no section is called, with its article."""
        return "an option" if self._reads_words else "a key"

    @property
    def refused_whole(self) -> str:
        """What its reader refuses because of a key, in words."""
        return "the command" if self.framework.in_scripts else "the file"

    @property
    def _reads_words(self) -> bool:
        return self.framework.language.structure == "words"

    def keys_in(self, target: Environment) -> ReleaseKeys:
        """The keys of the releases that a file is checked against."""
        return self.framework.release_keys(target.release, target.hidden)

    def starts_a_copy(self, ctx: FileContext) -> bool:
        """Whether a script puts a folder that is called after the framework before the installed packages.

        An environment in such a folder is that of a checkout, too: `source $HOME/NAME/bin/activate`.
        """
        if not any(word in ctx.document.text for word in _OF_FOLDERS):
            return False
        from cfglint.knowledge.marks import marks_of

        name = marks_of(self.framework.name).repository.lower()
        folders = ":".join(_ON_THE_PATH.findall(ctx.document.text)).lower()
        activated = (one.lower().split("/") for one in _ACTIVATED.findall(ctx.document.text))
        return bool(name) and (
            any(name in one.rpartition("/")[2] for one in folders.split(":"))
            or any(name in part for parts in activated for part in parts[-2:])
        )

    def drops_words(self, ctx: FileContext) -> bool:
        """Whether what a script starts goes on without words that belong to none of its options."""
        return False

    def removed_below(self, name: str) -> str | None:
        """The release of another package that removed a key which the table dates by the framework's; empty without one.

        None for a key that no other package decides on.
        """
        return None

    def own_key(self, section: str, name: str) -> str:
        """The name under which the key table has a key that no release has as it is written."""
        return name

    def aliases(self) -> dict[str, tuple[Any, ...]]:
        """Keys of other frameworks -> (from, to, value, values, advice)."""
        return self.framework.knowledge.aliases

    def counterpart(self, name: str, target: Environment) -> ForeignName | None:
        """What a top-level key that a release no longer has is called in it, or the advice that holds there."""
        keys = self.keys_in(target)
        info = self.framework.keys.info("", name)
        newer = None if info is None else renamed(info, self, keys)
        if newer is not None:
            return ForeignName("", newer, "same", {}, "")
        return self.foreign(name, target)

    def foreign(self, name: str, target: Environment) -> ForeignName | None:
        """What is known of a key that other frameworks or releases have, by its full name, as it holds in the release."""
        row = self.aliases().get(name)
        if row is None:
            return None
        last = name.rpartition(".")[2]
        return in_release(ForeignName(*row), last, self, self.keys_in(target))

    def reads_section(self, section: str, ctx: FileContext) -> bool:
        """Whether a release reads the keys of a section in this file.

        Where it does not, no key is unknown and no value is refused.
        """
        return True

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        """What becomes of a key in a file."""
        verdict = self.by_name(key.section, key.name, ctx.release_keys)
        is_listed = bool(verdict.plugin) and verdict.plugin in ctx.plugins
        if verdict.state == UNREAD and not is_listed:
            is_left = key.info is None and id(key.entry) in ctx.once(
                "anchor holders", lambda: _anchor_holders(ctx)
            )
            own_code = self.framework.own_code
            if is_left or own_code.has(key, ctx) or own_code.is_patched_in(key, ctx):
                return _LEFT_ALONE
            return self._unread(verdict, key, ctx)
        described = ctx.release_keys.section(key.section)
        if described is None or (verdict.state not in (READ, UNREAD) and not is_listed):
            return verdict
        schema, value = described[key.name].schema, to_python(key.entry.value)
        if schema is None or schema.fits(value):
            return _READ
        # A fork that is installed may add words to those of a list.
        is_forked = bool(schema.choices) and ctx.target.fork_of(self.framework.packages[0])
        if is_forked or self.framework.own_code.takes(key, value, ctx):
            return _LEFT_ALONE
        return Verdict(REFUSED, schema, value)

    def by_name(self, section: str, name: str, keys: ReleaseKeys) -> Verdict:
        """What is known about a key before its file is looked at."""
        described = keys.section(section)
        if described is None:
            return _LEFT_ALONE
        known = described[name]
        info = known.info
        if info is None:
            return _LEFT_ALONE if described.takes_others else Verdict(UNREAD, why=UNKNOWN_KEY)
        if known.ordinary:
            return _READ
        if not keys.released(info.since):
            return _LEFT_ALONE if keys.may_precede(info.since) else Verdict(UNREAD, why=LATER)
        if keys.is_gone(info.removed):
            return Verdict(UNREAD, why=REMOVED)
        return Verdict(UNREAD, plugin=known.plugin, why=WITHOUT_PLUGIN)

    def refuses(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether the framework refuses a file for a key that the release does not have."""
        since = self.framework.keys.forbids_unknown_since(key.section)
        if since is None:
            return False
        if key.info is None:
            # Where the readers of all releases are not described, the first one counts for all.
            return ctx.release_keys.released(since) or not ctx.release_keys.reader(key.section)
        return not key.info.plugin and ctx.release_keys.released(since)

    def homes(self, section: str, name: str, homes: list[str]) -> list[str]:
        """The sections that a misplaced key was probably meant for, the likeliest first.

        Args:
            section: where it is.
            homes: all sections that have a key of this name.
        """
        if "" in homes:
            return [""]
        return [] if name in GENERIC_NAMES else homes

    def _unread(self, verdict: Verdict, key: WrittenKey, ctx: FileContext) -> Verdict:
        """The verdict on a key that the release does not have, with all that is known about it."""
        refuses = self.refuses(key, ctx)
        upstream, since = self._reaction(key, ctx, refuses=refuses)
        foreign = self.foreign(key.full_name, ctx.target)
        if foreign is not None and (
            (foreign.how == ONLY_THESE and not _is_listed(key, foreign))
            or (isinstance(key.entry.value.target(), Mapping) and not _may_be_section(key, foreign))
        ):
            foreign = None
        contradicted = _contradicting(key, foreign, ctx)
        return verdict.replaced(
            refuses=refuses,
            upstream=upstream,
            since=since,
            foreign=foreign,
            homes=self._homes_of(key) if key.info is None and foreign is None else (),
            needless=not contradicted and self._is_needless(verdict, key, foreign),
            contradicted=contradicted,
        )

    def _reaction(self, key: WrittenKey, ctx: FileContext, *, refuses: bool) -> tuple[str, str]:
        """What the framework does about an unread key, and since which release if that is its own."""
        name = self.own_key(key.section, key.name)
        known = self.framework.keys.reaction(full_key(key.section, name))
        if known is not None and ctx.release_keys.released(known[0]):
            since, upstream, which = known
            if _COUNTS[which](to_python(key.entry.value)):
                return upstream, since
        return "rejects" if refuses else "silent", ""

    def _homes_of(self, key: WrittenKey) -> tuple[str, ...]:
        """Other sections that have a key of this name, the likeliest first."""
        table = self.framework.keys
        meant = meant_in_entry(key, table)
        if meant is not None:
            return (f"{meant[0]}[]",)
        homes = [
            section
            for section in table.sections()
            if section != key.section
            and (info := table.info(section, key.name)) is not None
            and info.removed is None
            and info.plugin is None
        ]
        return tuple(self.homes(key.section, key.name, homes))

    def _is_needless(self, verdict: Verdict, key: WrittenKey, foreign: ForeignName | None) -> bool:
        value = key.entry.value.target()
        if not isinstance(value, Scalar):
            return False
        if _is_of_idle_vllm(key):
            return True
        if verdict.why == LATER:
            default = self.framework.keys.defaults.get(key.name)
            return value.value is False and key.section == "" and default is not True
        return foreign is not None and foreign.values.get(value.value, "") is None


def _is_of_idle_vllm(key: WrittenKey) -> bool:
    """Whether a key sets something of vLLM, which is switched off beside it."""
    switch = key.mapping.lookup.get("use_vllm") if key.name.startswith("vllm_") else None
    return switch is not None and to_python(switch.value) is False


def _is_listed(key: WrittenKey, foreign: ForeignName) -> bool:
    value = key.entry.value.target()
    return isinstance(value, Scalar) and value.value in foreign.values


def _may_be_section(key: WrittenKey, foreign: ForeignName) -> bool:
    """Whether a foreign key may have keys of its own where it is from, as far as that is known."""
    if key.section or foreign.to is not None:
        return True
    for name, row in compiled.load("frameworks").FRAMEWORKS.items():
        if row["title"] == foreign.origin and row["language"] != "python":
            type_ = KeyTable(compiled.load(f"{name}_keys")).type_at((key.name,))
            kinds = split_type(type_) if type_ else ()
            return not kinds or not all(kind.startswith(_PLAIN) for kind in kinds)
    return True


def _contradicting(key: WrittenKey, foreign: ForeignName | None, ctx: FileContext) -> str:
    """The key that is set and does the opposite of what a foreign key requests; empty without one."""
    if foreign is None or not foreign.unless or not _is_listed(key, foreign):
        return ""
    value = key.entry.value.target()
    if not isinstance(value, Scalar) or foreign.values[value.value] is not None:
        return ""
    for name in foreign.unless:
        node = ctx.document.node((name,))
        if node is not None and to_python(node):
            return name
    return ""


def _anchor_holders(ctx: FileContext) -> set[int]:
    """Top-level entries that exist to be merged or aliased elsewhere (`x-common: &common`)."""
    if not any("*" in text and "&" in text for text in ctx.document.texts):
        return set()
    aliased = {id(node.node) for _, _, node in ctx.document.walk() if isinstance(node, Alias)}
    return {id(entry) for entry in ctx.document.root.entries if id(entry.value) in aliased}


ROLE = KeyPolicy
