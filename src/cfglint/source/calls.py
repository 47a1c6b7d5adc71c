"""What is known about a call in a program besides its keywords."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.record import NamedTuple, Record
from cfglint.base.type_names import Any
from cfglint.source.document import Document, Entry, Mapping, Node, Path, Scalar
from cfglint.source.text import Span

#: Any key, in the paths of a `Feed`.
ANY_KEY = "*"
#: What converts a value to another of its kind, by the name of the function.
CONVERTING: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "int": int,
    "str": str,
    "bool": bool,
}
#: The tags of values in programs, as YAML would resolve them.
TAGS: dict[type, str] = {
    str: "tag:yaml.org,2002:str",
    bool: "tag:yaml.org,2002:bool",
    int: "tag:yaml.org,2002:int",
    float: "tag:yaml.org,2002:float",
    type(None): "tag:yaml.org,2002:null",
}
#: The tag of a value that only a run decides.
OPEN_TAG = "!unknown"
#: Around an option of a program, in a path: its spellings, or the number of an argument without a name. The command says it.
ASKED = "\2"
#: The language of a file that Hydra loads for a program: OmegaConf's, and it may name further files.
HYDRA = "hydra"


class Loading(Record):
    """A call of a function of another module, which may load a file."""

    #: The module, as it is imported: with its dots in front.
    module: str
    function: str
    #: The arguments by their place, or their name: the path that each is, and whether that is relative to the folder of
    #: the program; None for what is no path.
    arguments: tuple[tuple[str, tuple[str, bool] | None], ...]


class Feed(Record):
    """A part of a file that a program loads and gives to a call."""

    #: The path of the file, as the program names it.
    path: str
    #: Whether that is relative to the folder of the program, not to the one where it runs.
    beside: bool
    #: The language that it is read in.
    language: str
    #: The part.
    at: Path
    #: Where the program gives it to the call.
    place: Span
    #: What the program sets or takes out after it has loaded the file; with `ANY_KEY` where the key is not known.
    changed: frozenset[Path]
    #: What it hands to something that may change it, if that is a mapping or a list.
    handed: frozenset[Path]
    #: What it reads by name.
    read: frozenset[Path] = frozenset()
    #: The keyword whose value it is; empty for a mapping of keywords.
    keyword: str = ""
    #: What is given when the file does not have it; None if nothing is known of that.
    otherwise: Node | None = None
    #: The function that the value is converted with, one of `CONVERTING`; mostly none.
    through: str = ""
    #: What loads the file, if that is a function of another module; path and language are empty then.
    loading: Loading | None = None
    #: Whether the program takes it for an object whose items are its attributes.
    by_attribute: bool = False


class DefaultValue(Record):
    """The value of a keyword when no other one is given."""

    keyword: str
    #: The value, at the place of the keyword's.
    value: Node
    #: What gives it another one: an option, a variable, or a field of a class.
    name: str
    #: Where the default is.
    place: Span


class OtherCall(Record):
    """A call of the program that another one is given."""

    #: The section that it is.
    section: str
    #: The class.
    name: str
    #: The keywords that it has; None if it may have any.
    keywords: frozenset[str] | None


class ProgramRun(NamedTuple):
    """The run of a program, as a config."""

    #: The framework whose files have its keys, and the kind of these files.
    framework: str
    kind: str
    config: Document


class Joining(Record):
    """Which calls of a program belong together, what is to be known of how they are joined, and what they are then."""

    #: Whether the objects that a class is given are followed, by its full name.
    follows: Callable[[str], bool]
    #: The parameters that these objects are given for, of such a class and of what makes them.
    parameters: frozenset[str]
    #: The positional parameters of functions and methods that are no classes with a table, by their last name.
    functions: dict[str, tuple[str, ...]]
    #: The functions that give back what they are given first, in another state.
    through: frozenset[str]
    #: The methods that give back their object.
    methods: frozenset[str]
    #: The first parameters of a class, by its full name, as far as their order is the same in all releases.
    positions: dict[str, tuple[str, ...]]
    #: All calls of a run as one document, by the call that has the others; None for a call that has none.
    joined: Callable[[Document], Document | None]
    #: The run of a whole program as a config; an error tells why there is not exactly one.
    only_run: Callable[[Document], ProgramRun]


class GivenObject(Record):
    """An object that a call is given, as far as the program shows how it was made; see `python_objects`."""

    #: The parameter that it is given for.
    parameter: str
    #: The call that made it, which is about a `Call`.
    made: Mapping
    #: The calls that it was passed through afterwards.
    through: tuple[Mapping, ...]
    #: What else is done with it: `name` for a function that it is handed to, `.name` for an attribute or a method of it.
    used: frozenset[str]


class Call(Record):
    """What is known about a call besides its keywords (`Mapping.about`)."""

    #: The class: the package that it is imported from, and its name.
    name: str
    #: Whether a mapping that is not known may add keywords (`**options`).
    open: bool
    #: The packages that the program imports.
    imports: frozenset[str]
    #: The mappings that are known if their files are, when these are all (`**config["training"]`).
    feeds: tuple[Feed, ...] = ()
    #: The values that are known if their files are (`seed=config["seed"]`).
    values: tuple[Feed, ...] = ()
    #: What keywords are if the program is not given other values.
    defaults: tuple[DefaultValue, ...] = ()
    #: The parameters that are surely not set when neither the call nor these mappings have them.
    unset: frozenset[str] = frozenset()
    #: Whether it is in a function that the script does not call.
    unreached: bool = False
    #: Whether the program sees to it that a release may refuse the call.
    guarded: bool = False
    #: The call that configures what it trains (`args=`), if that is given to no other one.
    config: OtherCall | None = None
    #: The objects that it is given, of those that a framework asks for.
    parts: tuple[GivenObject, ...] = ()
    #: What it is given without a name, as far as the order of its parameters is known.
    unnamed: tuple[Entry, ...] = ()
    #: The name of its section; empty for a call that is none.
    section: str = ""
    #: The class of the trainer, if this is what all calls of its run are together.
    trainer: str = ""
    #: Whether the program may give its config what the class of that does not have.
    altered: bool = False


def call_of(node: Node) -> Call | None:
    """What is known about the call that a document, or a section of one, is."""
    about = node.about if isinstance(node, Mapping) else None
    return about if isinstance(about, Call) else None


def scalar(value: str, start: int, end: int) -> Scalar:
    """A text as a value at a place."""
    return Scalar(start, end, None, None, value, "", TAGS[str], value)
