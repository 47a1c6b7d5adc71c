"""Builds the site: its pages, what they load, the index of the search; then its links are checked."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from cfglint.base.record import Record
from tools.site import guides, links, searching
from tools.site.key_tables import ROOT
from tools.site.layout import THEME
from tools.site.rendering import colors
from tools.site.writing import Wanted, write_pages

#: Is told what is being done.
Told = Callable[[str], None]


class SiteError(Exception):
    """The site cannot be built, or has links that lead nowhere."""


class Plan(Record):
    """What site is built, and where."""

    out: Path
    #: The address that files of the repository are read at (`…/blob/main`); empty if there is none.
    repository: str = ""
    #: The address of the site; empty if it has none yet.
    address: str = ""
    #: The built playground, which becomes `playground/`; None leaves it out.
    playground: Path | None = None
    #: Only every fiftieth rule and key, for a quick look; the lists have dead links.
    sample: bool = False


def build(plan: Plan, tell: Told = lambda _: None) -> links.Checked:
    """Build a site and check its links.

    Raises:
        SiteError: the folder is in use, or a link leads nowhere.
    """
    if plan.out.exists() and any(plan.out.iterdir()):
        raise SiteError(f"{plan.out} is not empty; remove it first")
    if plan.playground is not None and not (plan.playground / "index.html").is_file():
        raise SiteError(f"{plan.playground} has no index.html")
    out = plan.out.resolve()
    wanted = Wanted(out, plan.repository, plan.address, plan.playground is not None, plan.sample)
    found = write_pages(wanted, tell)
    tell("the index of the search")
    shutil.copytree(THEME / "static", out / "static")
    (out / "static" / "code.css").write_text(colors(), encoding="utf-8")
    (out / "static" / "search.js").write_text(searching.index(found), encoding="utf-8")
    if plan.playground is not None:
        shutil.copytree(plan.playground, out / "playground")
    _finish(out, plan.address)
    tell("the links")
    checked = links.check(out)
    if checked.problems and not plan.sample:
        shown = "\n".join(checked.problems[:50])
        raise SiteError(f"{len(checked.problems)} links lead nowhere:\n{shown}")
    return checked


def _finish(out: Path, address: str) -> None:
    """What a server of pages wants, and the files beside pages."""
    for name in guides.files():
        path = out / "guides" / Path(name).relative_to("docs")
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, path)
    # Names of folders that begin with an underscore are pages, too.
    (out / ".nojekyll").touch()
    (out / guides.LIST_FOR_AGENTS).write_text(guides.list_for_agents(address), encoding="utf-8")
    shutil.copyfile(ROOT / guides.SKILL, out / Path(guides.SKILL).name)
    if address:
        # A server shows this page at addresses of any depth.
        page = out / "404.html"
        text = page.read_text(encoding="utf-8")
        page.write_text(
            text.replace("<head>", f'<head><base href="{address}">', 1), encoding="utf-8"
        )
