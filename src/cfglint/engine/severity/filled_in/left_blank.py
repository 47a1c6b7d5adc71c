"""Keys that are written without a value, for the users of a file to fill in: `dataset:`."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.written_keys import is_null
from cfglint.diagnostic import Diagnostic, as_note
from cfglint.engine.file_report import FileReport
from cfglint.knowledge.rules.views import written_value
from cfglint.source.document import Document, Entry, Path, Scalar

#: What is to be filled in: a place or a name, of each run's own. `save_steps:` says that there is none.
_OF_THEIRS = lazy_pattern(
    r"(?!eval_|test_|val_)(?:\w{1,60}_)?(?:adapters?|datasets?|dir|file|id|model|name|path|project|template)"
)
#: What every run needs, by what it is: keys of frameworks, and of sections (`model: {path: }`).
_NEEDED = tuple(
    map(
        lazy_pattern,
        (
            r"base_model|model(?:_(?:id|name|path|name_or_path))?|pretrain",
            r"(?:train_)?(?:data|datasets?)(?:_(?:id|name|path|name_or_path))?|train_files?|data_files?",
            r"output(?:_dir|_path)|save_(?:dir|path)",
        ),
    )
)
#: So many of them show that a file is to be filled in.
_SEVERAL = 2
_OF_SECTION = frozenset({"id", "name", "path"})
#: The structures of documents that are filled in by hand.
_OF_FILES = ("indentation", "brackets")
#: Rules about keys, whatever their values, and about how a file is written.
_OF_KEYS = ("KEY", "YML")
#: The switch of a training, and the data that are needed without one.
_TRAINS, _EVALUATED = "do_train", "eval_dataset"
#: The check of options of a script that end without a value.
_WITHOUT_WORD = "option-without-word"


def as_notes_if_blank(report: FileReport, document: Document) -> FileReport:
    """The report on a file of a search, with a note for what it needs where it has the key and leaves it blank.

    One that leaves several such keys blank is a template, in which every blank is to be filled in.
    """
    is_about_blanks = any(
        found.refuses or _is_at_blank(found, document) for found in report.diagnostics
    )
    is_template = is_about_blanks and _is_template(document)
    if not is_template and not any(found.refuses for found in report.diagnostics):
        return report
    trains = written_value(document, (_TRAINS,)) is True
    blank = [
        name
        for entry in document.root.entries
        if (name := entry.name) and is_null(entry)
        # What is only evaluated needs data, while a training may go without.
        if (is_template and _is_left(entry, document))
        or _OF_THEIRS.fullmatch(name)
        or (name == _EVALUATED and not trains)
    ]

    def weighed(found: Diagnostic) -> Diagnostic:
        if is_template and _is_at_blank(found, document):
            return as_note(found, "What every run needs is left blank in this file, as this is.")
        if not found.refuses:
            return found
        if found.name == _WITHOUT_WORD and found.path and _OF_THEIRS.fullmatch(str(found.path[0])):
            return as_note(found, "It is left blank, to be filled in.")
        key = next((one for one in blank if f"`{one}`" in found.message), None)
        return found if key is None else as_note(found, f"`{key}` is there, and left blank.")

    return report.replaced(diagnostics=tuple(map(weighed, report.diagnostics)))


def _is_at_blank(found: Diagnostic, document: Document) -> bool:
    """Whether a finding is about what a key is left without, and not about the key."""
    if found.severity == "note" or found.file is not None or found.code.startswith(_OF_KEYS):
        return False
    entry = document.entry(found.path) if found.path else None
    return entry is not None and _is_left(entry, document)


def _is_template(document: Document) -> bool:
    """Whether a file leaves several of the keys that every run needs blank."""
    if document.language.structure not in _OF_FILES:
        return False
    blank = {
        number
        for path, entry, _ in document.walk()
        if entry is not None and _is_left(entry, document)
        for number, names in enumerate(_NEEDED)
        if names.fullmatch(_called(path))
    }
    return len(blank) >= _SEVERAL


def _is_left(entry: Entry, document: Document) -> bool:
    """Whether nothing is written behind a key, or a pair of quotes; `null` is an answer."""
    value = entry.value
    if not isinstance(value, Scalar) or value.value not in (None, ""):
        return False
    return document.text[value.start : value.end].strip(" \t\r\n\"'") == ""


def _called(path: Path) -> str:
    """What a key is called, that of a section by its name, too."""
    names = [part for part in path if isinstance(part, str)]
    if len(names) > 1 and names[-1] in _OF_SECTION:
        return f"{names[-2]}_{names[-1]}"
    return names[-1] if names else ""
