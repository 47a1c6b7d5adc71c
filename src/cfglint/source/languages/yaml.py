"""YAML, over PyYAML's events.

PyYAML's scanner and parser decide the structure and every mark. libyaml does it ten times faster
than the pure-Python loader, but the programs that we check for read with the latter. So the pure
loader has the last word wherever the two are known to differ, and on every error.
"""

from __future__ import annotations

import re

import yaml

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Any, Literal
from cfglint.source.document import Document, Mapping
from cfglint.source.languages.yaml_builder import Builder, Dialect
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.scalars import plain_meaning, resolve_plain
from cfglint.source.text import SourceText, Span

if TYPE_CHECKING:
    from cfglint.source.text import Comment

#: Text that only the slow pure-Python scanner may judge is read up to this many characters.
MAX_PURE_CHARS = 200_000

# Where libyaml and PyYAML are known to read differently: tabs between tokens, directives, a
# comment that touches a block scalar's header, and breaks, marks and surrogates beyond ASCII.
_LOADERS_DIFFER = lazy_pattern(
    "[\t\ufeff\x85\u2028\u2029\ud800-\udfff]|^%|[|>][-+0-9]*#", re.MULTILINE
)
_HEADER_COMMENT = lazy_pattern("[|>][-+0-9]*#")
_FLOW_DIFFERS = lazy_pattern("[?!]")
_C_LOADER: Any = getattr(yaml, "CSafeLoader", None)


class Yaml:
    """The language of `.yml` and `.yaml` files, in one dialect."""

    name = "yaml"
    suffixes = (".yml", ".yaml")
    structure: Literal["indentation"] = "indentation"

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect

    def read(self, source: SourceText, *, pure: bool = False) -> Document:
        """The document in a text.

        Args:
            source: the decoded text.
            pure: read with the pure-Python loader from the start.

        Raises:
            SourceError: it is not a configuration that PyYAML could load, or it breaks a limit.
        """
        text = source.text
        if not pure and _C_LOADER is not None and not _loaders_differ(text):
            try:
                root, builder = self._compose(text, _C_LOADER)
            except SourceError as error:
                if error.kind not in (ProblemKind.SYNTAX, ProblemKind.UNTERMINATED_QUOTE):
                    raise
                if len(text) > MAX_PURE_CHARS:
                    raise
            else:
                # Inside flow collections the two disagree about question marks and tags.
                if not any(_FLOW_DIFFERS.search(text, *span) for span in builder.flow_spans):
                    return Document(source, root, language=self, pure=False)
        if len(text) > MAX_PURE_CHARS:
            raise SourceError(
                ProblemKind.TOO_LARGE,
                Span(0, 0),
                size=len(text),
                limit=MAX_PURE_CHARS,
                unit="characters",
            )
        from cfglint.source.pure_loader import PureLoader

        root, _ = self._compose(text, PureLoader)
        return Document(source, root, language=self, pure=True)

    def _compose(self, text: str, loader_class: Any) -> tuple[Mapping, Builder]:
        builder = Builder(text, self.dialect)
        try:
            loader = loader_class(text)
            try:
                root = builder.build(loader.get_event)
            finally:
                loader.dispose()
        except yaml.reader.ReaderError as error:
            from cfglint.source.reading_errors import control_character

            raise control_character(text, error) from None
        except yaml.MarkedYAMLError as error:
            from cfglint.source.reading_errors import syntax_problem

            raise syntax_problem(text, error) from None
        if not isinstance(root, Mapping):
            from cfglint.source.reading_errors import root_problem

            raise root_problem(text, root)
        if builder.odd:
            from cfglint.source.odd_values import confirm

            # libyaml takes an empty value with the tag `!` for text; programs do not use it.
            loader_class = yaml.SafeLoader if len(text) <= MAX_PURE_CHARS else loader_class
            confirm(text, root, loader_class)
        return root, builder

    def render(self, value: Any, *, flow: bool = False, style: str = "") -> str:
        """A value on one line; collections in flow style.

        Raises:
            Unwritable: the value is no plain data.
        """
        from cfglint.source.languages.yaml_render import render_inline

        return render_inline(value, style=style, flow=flow)

    def comments(self, document: Document) -> list[Comment]:
        """All comments of a document, in file order."""
        from cfglint.source.comments import find_comments

        return find_comments(document.text, pure=document.pure)

    def doubts(self, before: Document, after: SourceText) -> str | None:
        """Why ruamel.yaml disagrees about a changed text; None when it agrees."""
        from cfglint.source.languages.yaml_second_reading import second_reading

        try:
            result = self.read(after, pure=True)
        except SourceError:
            return "PyYAML cannot read the result"
        return second_reading(before, result)


def _loaders_differ(text: str) -> bool:
    if text.isascii() and "\t" not in text and "%" not in text:
        # Nearly all comments begin a line or follow a space.
        usual = text.startswith("#") + text.count("\n#") + text.count(" #")
        return text.count("#") > usual and _HEADER_COMMENT.search(text) is not None
    return _LOADERS_DIFFER.search(text) is not None


#: As `yaml.safe_load` reads it, which is what most frameworks do.
PYYAML = Yaml(Dialect("PyYAML", resolve_plain, plain_meaning))


def compose(source: SourceText, *, pure: bool = False) -> Document:
    """Read a YAML text in PyYAML's dialect; see `Yaml.read`."""
    return PYYAML.read(source, pure=pure)
