"""Builds the site: pages as Markdown, then HTML by Sphinx, then what Sphinx does not make."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cfglint.base.record import Record
from tools.site import guides, links
from tools.site.key_tables import ROOT
from tools.site.polishing import polish
from tools.site.writing import write_pages

_THEME = Path(__file__).parent / "theme"


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


def build(plan: Plan) -> links.Checked:
    """Build a site and check its links.

    Raises:
        SiteError: the folder is in use, Sphinx warns, or a link leads nowhere.
    """
    if plan.out.exists() and any(plan.out.iterdir()):
        raise SiteError(f"{plan.out} is not empty; remove it first")
    if plan.playground is not None and not (plan.playground / "index.html").is_file():
        raise SiteError(f"{plan.playground} has no index.html")
    out = plan.out.resolve()
    with tempfile.TemporaryDirectory(prefix="cfglint-site-") as work:
        pages = Path(work, "pages")
        write_pages(
            pages,
            repository=plan.repository,
            playground=plan.playground is not None,
            sample=plan.sample,
        )
        _run_sphinx(pages, out, Path(work, "doctrees"), plan)
    try:
        polish(out)
    except ValueError as error:
        raise SiteError(str(error)) from error
    if plan.playground is not None:
        shutil.copytree(plan.playground, out / "playground")
    _finish(out, plan.address)
    checked = links.check(out)
    if checked.problems and not plan.sample:
        shown = "\n".join(checked.problems[:50])
        raise SiteError(f"{len(checked.problems)} links lead nowhere:\n{shown}")
    return checked


def _run_sphinx(pages: Path, out: Path, doctrees: Path, plan: Plan) -> None:
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-j", "auto", "-c", str(_THEME)]
    command += ["-d", str(doctrees), "-D", f"html_baseurl={plan.address}"]
    if plan.sample:
        command += ["-D", "suppress_warnings=myst.xref_missing,misc.highlighting_failure"]
    command += ["--fail-on-warning", str(pages), str(out)]
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        raise SiteError("Sphinx failed")


def _finish(out: Path, address: str) -> None:
    """What a server of pages wants, without what only another build would use."""
    for name in (".buildinfo", "objects.inv"):
        (out / name).unlink(missing_ok=True)
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
