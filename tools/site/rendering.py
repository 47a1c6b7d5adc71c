"""Makes HTML of the Markdown that pages are written in."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.deflist import deflist_plugin
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from cfglint.base.record import Record
from tools.site.anchors import slug
from tools.site.console import colored

#: Languages that are shown as a terminal shows them.
_TERMINAL = ("console", "report")
_DIRECTIVE = re.compile(r"\{(?P<name>code-block|raw)\} ?(?P<argument>\S*)")
_OPTION = re.compile(r":[a-z]+: *[^\n]*\n\n?")
_PAGE = re.compile(r"(?P<path>[^:#]*)\.md(?P<anchor>#.*)?")
#: A page whose name begins so is of another host.
_ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:")
#: The levels of headings that the contents of a page list.
_LISTED = (2, 3)


class Heading(Record):
    """A heading of a page."""

    level: int
    title: str
    anchor: str


class Rendered(Record):
    """A page as HTML, with what lists and the search say of it."""

    title: str
    body: str
    headings: tuple[Heading, ...]
    #: The first sentences.
    summary: str
    #: All words that the search knows, without those of examples.
    text: str


def rendered(markdown: str) -> Rendered:
    """A page written in Markdown as HTML."""
    env: dict[str, Any] = {}
    tokens = _parser().parse(markdown, env)
    headings = tuple(_headings(tokens))
    titles = [one for one in headings if one.level == 1]
    body = _parser().renderer.render(tokens, _parser().options, env)
    return Rendered(
        title=titles[0].title if titles else "",
        body=body,
        headings=tuple(one for one in headings if one.level in _LISTED),
        summary=_summary(tokens),
        text=" ".join(_words(tokens)),
    )


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    # The texts of rules have angle brackets that are no HTML.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.use(attrs_block_plugin).use(deflist_plugin).use(attrs_plugin, spans=True)
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    """The headings, each with an anchor of its own, which becomes its `id`."""
    taken: dict[str, int] = {}
    for token, inline in pairwise(tokens):
        if token.type != "heading_open":
            continue
        title = _plain(inline)
        anchor = slug(title)
        taken[anchor] = taken.get(anchor, -1) + 1
        anchor = f"{anchor}-{taken[anchor]}" if taken[anchor] else anchor
        token.attrSet("id", anchor)
        yield Heading(int(token.tag[1]), title, anchor)


def _plain(inline: Token) -> str:
    """The text of a line, or of several, without markup."""
    parts = (" " if one.type.endswith("break") else one.content for one in inline.children or ())
    return "".join(parts)


def _summary(tokens: Sequence[Token]) -> str:
    """The text of the first paragraph that is no list of links or facts."""
    for token, inline in pairwise(tokens):
        if token.type == "paragraph_open" and token.level == 0 and "crumbs" not in _class(token):
            return _plain(inline)
    return ""


def _class(token: Token) -> str:
    return str(token.attrGet("class") or "")


def _words(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "inline":
            yield _plain(token)
        elif token.type == "fence" and not _DIRECTIVE.match(token.info):
            yield token.content


def _fence(_renderer: Any, tokens: Sequence[Token], index: int, *_: Any) -> str:
    token = tokens[index]
    directive = _DIRECTIVE.match(token.info)
    if directive is None:
        return block(token.content, token.info.strip().partition(" ")[0])
    content = token.content
    while option := _OPTION.match(content):
        content = content[option.end() :]
    return content if directive["name"] == "raw" else block(content, directive["argument"])


def _code_block(_renderer: Any, tokens: Sequence[Token], index: int, *_: Any) -> str:
    return block(tokens[index].content, "text")


def _link(renderer: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    token.attrSet("href", address(str(token.attrGet("href") or "")))
    return str(renderer.renderToken(tokens, index, options, env))


#: What differs from plain HTML: blocks of code, links between pages, tables that may be wide.
_RULES = {
    "fence": _fence,
    "code_block": _code_block,
    "link_open": _link,
    "table_open": lambda *_: '<div class="table" tabindex="0"><table>\n',
    "table_close": lambda *_: "</table></div>\n",
}


def address(href: str) -> str:
    """Where a link of a page leads on the site: to the HTML of a page, with the anchor of a heading."""
    page = None if _ELSEWHERE.match(href) else _PAGE.fullmatch(href)
    return (
        href if page is None else f"{posixpath.normpath(page['path'])}.html{page['anchor'] or ''}"
    )


@lru_cache(maxsize=2000)
def block(text: str, language: str) -> str:
    """A block of code, which can be reached by keyboard because it may be wide."""
    terminal = language in _TERMINAL
    shown = colored(text.rstrip("\n")) if terminal else _highlighted(text, language)
    kind = escape(language or "text")
    return f'<div class="code {kind}"><pre tabindex="0"><code>{shown}</code></pre></div>\n'


_FORMATTER = HtmlFormatter(nowrap=True)


def _highlighted(text: str, language: str) -> str:
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        return escape(text)
    # Examples of broken YAML and JSON are meant to be broken: that is no error of the page.
    shown = str(highlight(text, lexer, _FORMATTER))
    return shown.rstrip("\n").replace(' class="err"', "")


def colors() -> str:
    """The style sheet of highlighted code, for light and dark pages."""
    light, dark = (
        HtmlFormatter(style=f"a11y-high-contrast-{scheme}").get_style_defs(prefix)
        for scheme, prefix in (("light", ".code"), ("dark", ':root[data-theme="dark"] .code'))
    )
    return f"{light}\n{dark}\n"
