"""`cfglint scan TABLE… --out FILE`: the findings of very many files, as a table."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from cfglint.cli.commands import INTERRUPTED
from cfglint.diagnostic import CONFIDENCES
from cfglint.releases.table import example_target

if TYPE_CHECKING:
    from cfglint.scan.model import Progress
    from cfglint.scan.run import Scan


@click.command("scan", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("sources", nargs=-1, required=True, metavar="TABLE…")
@click.option(
    "--out",
    required=True,
    type=click.Path(),
    metavar="FILE",
    help="The table of findings to write (Parquet). Beside it: FILE with `.files` before the suffix.",
)
@click.option("--path-column", default="path", show_default=True, metavar="NAME")
@click.option("--content-column", default="content", show_default=True, metavar="NAME")
@click.option(
    "--target",
    multiple=True,
    metavar="PACKAGE==VERSION",
    help=f"A version the files will meet, such as {example_target()}. May be repeated.",
)
@click.option(
    "--gpus", type=click.IntRange(min=1), metavar="N", help="GPUs of each run, over all nodes."
)
@click.option("--gpu", metavar="NAME", help="Their kind, such as h100.")
@click.option("--select", multiple=True, metavar="CODES", help="Use only these rules.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Leave these rules out.")
@click.option(
    "--min-confidence", type=click.Choice(CONFIDENCES), help="The least sure finding that counts."
)
@click.option("--config", type=click.Path(), metavar="FILE", help="Use this settings file.")
@click.option(
    "--isolated",
    is_flag=True,
    help="Judge the files of folders and commits as those of tables: each by itself.",
)
@click.option(
    "--engine",
    type=click.Choice(("local", "ray")),
    default="local",
    show_default=True,
    help="Where it runs: the processors of this machine, or Ray.",
)
@click.option("--address", metavar="ADDRESS", help="The Ray cluster; `auto` for the one around.")
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Workers. [default: one a processor]"
)
@click.option(
    "--limit",
    type=click.FloatRange(min=0.1),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="A file that takes longer is told of as stalled.",
)
@click.option("--restart", is_flag=True, help="Begin anew instead of going on with what is done.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="How the summary is printed.",
)
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Check the files of tables, folders and git repositories, and write what is found as a table.

    A TABLE is Parquet, Arrow IPC or lines of JSON with the columns `path` and `content`; a folder;
    or a git repository at a commit, as FOLDER@COMMIT.

    An interrupted run goes on where it was when the same command is run again.
    """
    ctx.exit(_run(given))


def _run(given: dict[str, Any]) -> int:
    extra = "ray" if given["engine"] == "ray" else "scan"
    try:
        import_module("cfglint.scan.on_ray" if extra == "ray" else "cfglint.scan.local")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("cfglint"):
            raise
        return _complain(f"scan needs {error.name}: pip install 'cfglint-llm[{extra}]'")
    from cfglint.linter import Linter
    from cfglint.scan.model import ScanError
    from cfglint.scan.run import check_sources, scan

    asked = _asked(given)
    failures: list[str] = []

    def fail(error: str) -> None:
        if error not in failures:
            failures.append(error)
            teller.wipe()
            _complain(error)

    teller = _Teller()
    begun = time.monotonic()
    try:
        check_sources(asked.sources)
        Linter(**asked.choices)
        summary = scan(asked, teller.tell, fail)
    except (ScanError, ValueError) as error:
        teller.wipe()
        return _complain(str(error))
    except KeyboardInterrupt:
        teller.wipe()
        _complain("interrupted; the same command goes on with what is not done yet")
        return INTERRUPTED
    teller.wipe()
    if summary is None:
        return _complain(
            f"{asked.out} was not written; what could be done is kept for the next run"
        )
    from cfglint.report.scan import render_json, render_text

    seconds = time.monotonic() - begun
    render = render_json if given["format_"] == "json" else render_text
    sys.stdout.write(render(summary, seconds, teller.resumed, asked.out, asked.files))
    return 2 if failures else 0


def _asked(given: dict[str, Any]) -> Scan:
    from cfglint.cli.options import split_list
    from cfglint.scan.model import Column
    from cfglint.scan.run import Scan

    choices = {
        "target": split_list(given["target"]),
        "gpus": given["gpus"],
        "gpu": given["gpu"],
        "select": split_list(given["select"]),
        "ignore": split_list(given["ignore"]),
        "min_confidence": given["min_confidence"],
        "settings": given["config"] or True,
    }
    return Scan(
        sources=given["sources"],
        out=given["out"],
        choices=choices,
        alone=given["isolated"],
        columns=Column(given["path_column"], given["content_column"]),
        engine=given["engine"],
        jobs=given["jobs"],
        address=given["address"],
        limit=given["limit"],
        restart=given["restart"],
    )


class _Teller:
    """Shows at a terminal how far a scan has come."""

    def __init__(self) -> None:
        from cfglint.cli.checking import progress_line

        self._line = progress_line()
        self._begun = time.monotonic()
        self._files = 0
        #: Files whose findings were there already.
        self.resumed = 0

    def tell(self, done: Progress) -> None:
        self._files += done.files
        self.resumed += done.files if done.resumed else 0
        new = self._files - self.resumed
        speed = new / max(time.monotonic() - self._begun, 1e-3)
        self._line.say(f"{self._files} files scanned, {speed:.0f} a second")

    def wipe(self) -> None:
        self._line.wipe()


def _complain(message: str) -> int:
    from cfglint.report.escaping import visible_path

    sys.stderr.write(f"cfglint: {visible_path(message)}\n")
    return 2
