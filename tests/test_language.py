"""What users read is idiomatic technical English: none of the phrases of the glossary's second column."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.draws import each

ROOT = Path(__file__).resolve().parent.parent

#: Phrases that no text for users has. Only what is wrong wherever it is written belongs here.
PHRASES = (
    r"(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b|fewer\b)[a-z`{]",
    r"\b(?:is|are) none (?:that|of (?!the|these|those|them))",
    r"\bgo(?:es)? out of memory\b",
    r"\bis gone since\b",
    r"\bdata sets?\b",
    r"\bwithout a word\b",
    r"\ball the same[.,;)]",
    r"\bbe (?:it|they|there)\b[^.]*\bor not\b",
    r"\bcomes? to no good\b",
    r"\bin vain\b",
    r"\b(?:takes|took) apart\b",
    r"\b(?:is|are|be|was|were) told (?!by\b|apart\b)",
    r"\bas (?:it|they) stands?\b",
    r"\bstands? (?:in|at|there|where|outside)\b",
    r"\bone a line\b|\ba line (?:a|each)\b",
)
#: The texts that are searched: a folder or file, and how its texts are read.
PLACES = {
    "README.md": "prose",
    "CHANGELOG.md": "prose",
    "SECURITY.md": "prose",
    "CONTRIBUTING.md": "prose",
    "action.yml": "prose",
    "docs": "prose",
    "editors/vscode/README.md": "prose",
    "editors/vscode/package.json": "prose",
    "src/cfglint": "strings",
    "tools": "strings",
    "rules": "values",
}
#: The keys of rule files whose values users read.
_TEXTS = {"message", "if_undecided", "cost", "summary", "title", "note", "why", "label", "look_at"}
_FOUND = re.compile("|".join(PHRASES), re.IGNORECASE)
#: Words that no module has, neither in docstrings, comments and strings nor in identifiers
#: (`_told_there`, `NotToldError`).
WORDS = ("told", "stands", "said", "nobody", "somebody", "whoever")
_WORD = re.compile(
    "|".join(
        rf"(?<![a-zA-Z]){word}(?![a-z])|{word.title()}(?![a-z])|(?<![A-Z]){word.upper()}(?![A-Z])"
        for word in WORDS
    )
)


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """The paragraphs of a page, with their lines; the glossary names the phrases itself."""
    text = re.sub(
        r"^\| write \| instead of \|\n(?:\|.*\n)+",
        lambda match: "\n" * match[0].count("\n"),
        path.read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    for match in re.finditer(r"(?:.+\n)+", text):
        yield text.count("\n", 0, match.start()) + 1, match[0]


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module but its docstrings, f-strings with `{}` for their values.

    A module in which nothing is found, wherever its strings begin and end, is not parsed.
    """
    if not may_have(path.read_text(encoding="utf-8")):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    docs = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            texts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(map(str, texts))
        elif isinstance(node, ast.Constant) and id(node) not in parts | docs:
            yield node.lineno, node.value if isinstance(node.value, str) else ""


def may_have(text: str) -> bool:
    """Whether a module may have one of the phrases in a string: its quotation marks are blanks."""
    for mark in (" f'", ' f"', " r'", ' r"', "'", '"', "\\n"):
        text = text.replace(mark, " ")
    return _FOUND.search(" ".join(text.split())) is not None


def values(path: Path) -> Iterator[tuple[int, str]]:
    """What users read of a rule file."""
    waiting = [yaml.compose(path.read_text(encoding="utf-8"), yaml.CSafeLoader)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value in _TEXTS and isinstance(value, yaml.ScalarNode):
                    yield key.start_mark.line + 1, value.value
                elif key.value != "examples":
                    waiting.append(value)


_READERS = {
    "prose": (prose, "*.md"),
    "strings": (strings, "*.py"),
    "values": (values, "*/*/*.yaml"),
}


@pytest.mark.parametrize(("place", "reader"), PLACES.items(), ids=PLACES)
def test_texts_are_idiomatic(place: str, reader: str) -> None:
    read, pattern = _READERS[reader]
    path = ROOT / place
    files = [path] if path.is_file() else sorted(path.rglob(pattern))
    assert files
    found = [
        f"{file.relative_to(ROOT)}:{line}: {match[0]!r}"
        for file in files
        if "_compiled" not in file.parts
        for line, text in read(file)
        for match in _FOUND.finditer(" ".join(text.split()))
    ]
    assert found == []


@each(
    "text",
    [
        "`x` is no key of Axolotl",
        "the file is no YAML",
        "the run goes out of memory",
        "it is gone since 0.13",
        "a data set",
        "Axolotl drops it without a word",
        "be there such a file or not",
        "the release is told in a file",
        "the key stands in a section",
        "one a line",
    ],
)
def test_the_phrases_are_found(text: str) -> None:
    assert _FOUND.search(text)
    first, *others = text.split()
    rest = " ".join(others)
    for module in (
        f'x = "{text}"',
        f'x = (\n    "{first} "\n    f"{rest}"\n)',
        f'f("{first}\\n{rest}")',
    ):
        assert may_have(module), module


@each(
    "text",
    [
        "`x` is no longer a key of Axolotl",
        "there is no lock file",
        "training configs are told apart by their keys",
        "the run runs out of memory",
        "dataset",
        "`--target` stands for a release",
        "a list each of whose items is a mapping",
    ],
)
def test_ordinary_english_is_not(text: str) -> None:
    assert not _FOUND.search(text)


def test_the_package_has_no_private_vocabulary() -> None:
    files = [
        path
        for path in sorted((ROOT / "src" / "cfglint").rglob("*.py"))
        if "_compiled" not in path.parts
    ]
    assert files
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if _WORD.search(line)
    ]
    assert found == []


@each("text", ["is told of it", "_told_there", "NotToldError", "SAID = 1", "Nobody looks at it"])
def test_the_words_are_found(text: str) -> None:
    assert _WORD.search(text)


@each("text", ["untold", "saidi", "withstands", "a standstill"])
def test_other_words_are_not_found(text: str) -> None:
    assert not _WORD.search(text)
