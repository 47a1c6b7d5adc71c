"""The written pages: those of `docs/`, and of the top of the repository."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from tools.site.key_tables import ROOT

#: Heading in the side bar -> the pages below it, by the names of their files.
SECTIONS = {
    "Start": ("first-run", "playground", "what-is-reported", "suppressing", "settings", "targets"),
    "In your project": (
        *("ci", "pre-commit", "github-action", "baseline", "editors", "agents", "formats"),
        "stability",
    ),
    "More than a check": (
        *("preflight", "files-together", "effective", "migration", "fit", "diagnose", "sweep"),
        *("launch-scripts", "python-programs", "scan", "schema", "keys", "python-api"),
        "command-line",
    ),
    "Extend it": (
        *(
            "team-rules",
            "conditions",
            "checks-in-code",
            "framework-in-an-afternoon",
            "contributing",
            "rules-matrix",
        ),
        *("new-release", "parity", "runs"),
    ),
    "The project": ("changelog", "security"),
}
#: Path in the repository -> name of the page.
PAGES = {
    **{f"docs/{path.name}": path.stem for path in sorted((ROOT / "docs").glob("*.md"))},
    "CONTRIBUTING.md": "contributing",
    "CHANGELOG.md": "changelog",
    "SECURITY.md": "security",
}
#: The list of pages for coding agents, and what it names besides pages.
LIST_FOR_AGENTS = "llms.txt"
SKILL = "skills/cfglint/SKILL.md"

#: The playground is none of the pages that the generator knows.
_OPEN = """```{raw} html
<p><a class="open" href="../playground/index.html">Open the playground</a></p>
```
"""
_LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<path>[^():#\s]*)(?P<anchor>#[^)\s]*)?\)")
_CODE = re.compile(r"^ *(```|~~~).*?^ *\1[^\n]*$|`[^`\n]+`", re.M | re.S)
_COMMENT = re.compile(r"<!--.*?-->\n?", re.S)


def files() -> list[str]:
    """The files beside the pages that they lead to, by their paths in the repository."""
    beside = sorted((ROOT / "docs").rglob("*"))
    return [
        path.relative_to(ROOT).as_posix()
        for path in beside
        if path.is_file() and path.suffix != ".md"
    ]


def guide(path: str, repository: str, *, playground: bool = False) -> str:
    """A written page, its links made for the site.

    Args:
        path: of the file in the repository.
        repository: the address that files of the repository are read at; empty if there is none.
        playground: whether the site has a playground, which its page leads to.
    """
    text = _COMMENT.sub("", (ROOT / path).read_text(encoding="utf-8"))
    folder = posixpath.dirname(path)

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, match["path"]))
        anchor = match["anchor"] or ""
        if not match["path"]:
            return match.group()
        if target in PAGES:
            return f"[{match['text']}]({PAGES[target]}.md{anchor})"
        if target == "README.md":
            return f"[{match['text']}](../index.md)"
        if target in files():
            return f"[{match['text']}]({posixpath.relpath(target, 'docs')})"
        if repository:
            return f"[{match['text']}]({repository}/{target}{anchor})"
        return match["text"]

    # In code nothing is a link, but the text of a link may be code.
    out, end = "", 0
    for code in _CODE.finditer(text):
        if code.group(1):
            out += _LINK.sub(link, text[end : code.start()]) + code.group()
            end = code.end()
    out += _LINK.sub(link, text[end:])
    if playground and PAGES[path] == "playground":
        title, _, rest = out.partition("\n")
        out = f"{title}\n\n{_OPEN}\n{rest}"
    return out


def start_page(*, playground: bool = False) -> str:
    """The start.

    Args:
        playground: whether the site has a playground, which the first screen leads to.
    """
    text = own_page("index")
    if not playground:
        return text
    text = text.replace("(guides/playground.md)", "(playground/index.html)")
    before, fence, after = text.partition("```console")
    return before + _OPEN.replace("../", "") + "\n" + fence + after


def page_titles() -> dict[str, str]:
    """Name of a written page -> its title."""
    return {
        name: (ROOT / path)
        .read_text(encoding="utf-8")
        .lstrip()
        .partition("\n")[0]
        .lstrip("# ")
        .replace("`", "")
        for path, name in PAGES.items()
    }


def list_for_agents(address: str) -> str:
    """`llms.txt` with its links made for the site.

    Args:
        address: of the site, with a slash at the end; empty if it has none yet.
    """
    text = (ROOT / LIST_FOR_AGENTS).read_text(encoding="utf-8")

    def link(match: re.Match[str]) -> str:
        path = match["path"]
        page = f"guides/{PAGES[path]}.html" if path in PAGES else posixpath.basename(path)
        return f"[{match['text']}]({address}{page})"

    return _LINK.sub(link, text)


def own_page(name: str) -> str:
    """A page that only the site has: its start, its search, or what a server shows for other addresses."""
    return (Path(__file__).parent / "pages" / f"{name}.md").read_text(encoding="utf-8")
