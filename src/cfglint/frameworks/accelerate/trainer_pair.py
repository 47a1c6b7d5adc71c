"""A trainer's settings against those of accelerate that start it: a file, where one launch line names both, or a command.

Under DeepSpeed the trainer of transformers compares what accelerate hands on with its own arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.launcher_options import is_script, lines_of
from cfglint.diagnostic import OtherFile, Related
from cfglint.environment.named_files import named_file
from cfglint.runs.starts.start import Word, option_in
from cfglint.source.document import Document
from cfglint.source.files.nearby import read
from cfglint.source.languages.named import language
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText, Span
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.environment.project.project import Project
    from cfglint.runs.starts.start import Start

#: The trainer's argument -> accelerate's key in `deepspeed_config`, and its option.
COMPARED: Final = {
    "gradient_accumulation_steps": "gradient_accumulation_steps",
    "max_grad_norm": "gradient_clipping",
}
_MAX_BYTES: Final = 200_000
_CLIPPING: Final = COMPARED["max_grad_norm"]
#: A trainer, or the package that has the trainers.
_COMPARING: Final = lazy_pattern(r"Trainer|llamafactory|llmtuner")
#: Trainers of TRL with a loop of their own, in some releases, which compares nothing; and programs named after them.
_OWN_LOOP: Final = lazy_pattern(r"(?:PPOv2|PPO|RLOO|DDPO|AlignProp)Trainer")
_OF_OWN_LOOP: Final = lazy_pattern(r"(?i)(?:ppo|rloo|alignprop)[^/]{0,100}$")
_SECTION: Final = "deepspeed_config"
_OWN_FILE: Final = "deepspeed_config_file"
_WITH_DEEPSPEED: Final = frozenset({"--use_deepspeed", "--use-deepspeed"})
_OTHERWISE: Final = frozenset(
    f"--{name}"
    for one in ("cpu", "multi_gpu", "tpu", "use_fsdp", "use_megatron_lm")
    for name in (one, one.replace("_", "-"))
)


def settings_differ(ctx: CheckContext) -> Iterator[Hit]:
    """Values of a trainer that a launch line's settings of accelerate give otherwise."""
    if is_script(ctx):
        for line, _ in lines_of(ctx):
            if line.config.end and not _is_of_ppo(line, ctx):
                yield from _command_differs(ctx, line)
        return
    project, folder = ctx.around.project, ctx.around.folder
    node = ctx.document.node(("deepspeed",))
    stage = ctx.document.node(("stage",))
    if project is None or folder is None or (node is not None and to_python(node) is not None):
        return
    if stage is not None and to_python(stage) == "ppo":
        return
    done: set[str] = set()
    for line in project.launcher_lines(ctx.around.path):
        named = project.named(line.config.text, folder) if not line.config.open else None
        if named is None:
            continue
        settings = OtherFile(named[0], SourceText(named[1]))
        for hit in _differing(line, settings, _given_by_file(ctx, line)):
            own = str(hit.params["key"])
            if own in done or _is_of_ppo(line, ctx):
                continue
            done.add(own)
            params = {**hit.params, "line": _place(project, line)}
            yield hit.replaced(path=(own,), params=params)


def _command_differs(ctx: CheckContext, line: Start) -> Iterator[Hit]:
    """Options of a command that the settings which its launcher reads give otherwise."""
    if option_in(line.words, ("deepspeed",)) is None:
        options = {own: option_in(line.words, (own,)) for own in COMPARED}
        given = {own: (word, word.span) for own, word in options.items() if word is not None}
        yield from differing(ctx, line, given)


def _given_by_file(ctx: CheckContext, line: Start) -> dict[str, tuple[Any, Span]]:
    """The compared arguments of a file, with the values that options of the command take the place of."""
    given: dict[str, tuple[Any, Span]] = {}
    for own in COMPARED:
        node, span = ctx.document.node((own,)), ctx.document.span((own,))
        if node is not None and span is not None:
            given[own] = (option_in(line.words, (own,)) or to_python(node), span)
    return given


def differing(ctx: CheckContext, line: Start, given: dict[str, tuple[Any, Span]]) -> Iterator[Hit]:
    """Values of a trainer that the settings which a launch line names give otherwise.

    Args:
        given: argument -> its value, or the word that is it, and where that is.
    """
    named = None if line.config.open else _named(line.config.text, ctx)
    if named is not None:
        yield from _differing(line, named, given)


def _differing(line: Start, named: OtherFile, given: dict[str, tuple[Any, Span]]) -> Iterator[Hit]:
    """The same, where the settings have been read."""
    settings = _read(named.source.text)
    if settings is None or not _is_deepspeed(line, settings):
        return
    for own, (value, at) in given.items():
        theirs = COMPARED[own]
        mine = _number(value)
        other = _theirs(line, settings, theirs, mine)
        if mine is None or other is None:
            continue
        span = settings.span((_SECTION, theirs))
        related = (Related(span, "accelerate hands this on", named),) if span is not None else ()
        params = {"key": own, "value": _shown(mine), "other": theirs, "theirs": _shown(other)}
        params["line"] = f"`{line.config.text}`"
        yield Hit((), at, params, related=related)


def compares(program: str) -> bool:
    """Whether a program, by its text, trains with what compares its arguments; some trainers of TRL have loops of their own."""
    return _COMPARING.search(program) is not None and not _has_own_loop(program)


def _has_own_loop(program: str) -> bool:
    return _OWN_LOOP.search(program) is not None


def _is_of_ppo(line: Start, ctx: CheckContext) -> bool:
    """Whether a command starts a training in which nothing is compared."""
    stage = option_in(line.words, ("stage",))
    if stage is not None and stage.text == "ppo":
        return True
    program = _named(line.program, ctx)
    if program is None:
        return _OF_OWN_LOOP.search(line.program) is not None
    text = program.source.text
    # A recipe is one of a trainer, wherever the program has that from; a command may be of any program.
    return not compares(text) if is_script(ctx) else _has_own_loop(text)


def _named(written: str, ctx: CheckContext) -> OtherFile | None:
    """A file that a command names."""
    path = named_file(written, ctx.around, _MAX_BYTES)
    contents = None if path is None else read(path, _MAX_BYTES, ctx.around.files)
    if path is None or contents is None or contents.problem is not None:
        return None
    return OtherFile(path, contents.source)


def _is_deepspeed(line: Start, settings: Document) -> bool:
    """Whether a line starts DeepSpeed by keys of accelerate's file, not by a file of DeepSpeed's own."""
    if settings.node((_SECTION, _OWN_FILE)) is not None:
        return False
    return option_in(line.before, (_OWN_FILE,)) is None and starts_deepspeed(line, settings)


def starts_deepspeed(line: Start, settings: Document | None) -> bool:
    """Whether a line of accelerate surely starts DeepSpeed: its own words count more than the settings that it names."""
    words = {word.text for word in line.before}
    if words & _OTHERWISE:
        return False
    node = None if settings is None else settings.node(("distributed_type",))
    kind = to_python(node) if node is not None else None
    return bool(words & _WITH_DEEPSPEED) or (isinstance(kind, str) and kind.upper() == "DEEPSPEED")


def _theirs(line: Start, settings: Document, key: str, mine: float | None) -> float | None:
    """What accelerate hands on where that is surely another number; None where it may be the same, or nothing."""
    option = option_in(line.before, (key,))
    other = _value(settings, (_SECTION, key), option)
    if other is None or other == mine or (not other and key == _CLIPPING):
        return None  # accelerate leaves out a norm of 0, and the trainer's own counts
    if option is not None and settings.node((_SECTION, key)) is not None:
        # Older releases have the file count, newer ones the option.
        stated = _value(settings, (_SECTION, key), None)
        return other if stated is not None and stated != mine else None
    return other


def _value(document: Document, path: tuple[str, ...], option: Word | None) -> float | None:
    """The number that an option gives, or else the file; None for anything else."""
    if option is not None:
        return _number(option)
    node = document.node(path)
    return None if node is None else _number(to_python(node))


def _number(value: Any) -> float | None:
    """What a value, or a word, is as a number; None for anything else."""
    if isinstance(value, Word):
        value = None if value.open else value.text
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _shown(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def _read(text: str) -> Document | None:
    try:
        return language("yaml").read(SourceText(text))
    except SourceError:
        return None


def has_own_loop(line: Start, ctx: CheckContext) -> bool:
    """Whether a command starts a training with a loop of its own, as far as its words and its program say so."""
    stage = option_in(line.words, ("stage",))
    if stage is not None and stage.text == "ppo":
        return True
    named = line.words[0].text if line.program == "-m" and line.words else line.program
    return _OF_OWN_LOOP.search(named) is not None or _has_own_loop(text_of_program(line, ctx))


def text_of_program(line: Start, ctx: CheckContext) -> str:
    """The program of a command; empty where it is not a file of the project."""
    program = _named(line.program, ctx)
    return "" if program is None else program.source.text


def _place(project: Project, line: Start) -> str:
    """Where a launch line is, as reports name it."""
    from cfglint.environment.project.stated_versions import place_at

    return project.name(place_at(line.path, project.text(line.path), line.at))


CHECKS = {"launch-settings-differ": settings_differ}
