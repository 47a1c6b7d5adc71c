"""`cfglint scan TABLE… --out FILE`: the findings of very many files, as a table."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from cfglint.cli.commands import INTERRUPTED
from cfglint.cli.one_file import config_option, format_option
from cfglint.diagnostic import CONFIDENCES
from cfglint.knowledge.releases.table import example_target

if TYPE_CHECKING:
    from cfglint.api.scan.model import Progress
    from cfglint.api.scan.run import Scan


@click.command("scan", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("sources", nargs=-1, required=True, metavar="TABLE…")
@click.option(
    "--out",
    required=True,
    type=click.Path(),
    metavar="FILE",
    help="Write findings to this Parquet file; the table of files goes beside it, as NAME.files.parquet.",
)
@click.option(
    "--path-column",
    default="path",
    show_default=True,
    metavar="NAME",
    help="The column with the paths.",
)
@click.option(
    "--content-column",
    default="content",
    show_default=True,
    metavar="NAME",
    help="The column with the contents.",
)
@click.option(
    "--target",
    multiple=True,
    metavar="PACKAGE==VERSION",
    help=f"A version to check against, such as {example_target()}. May be repeated.",
)
@click.option(
    "--gpus", type=click.IntRange(min=1), metavar="N", help="GPUs of each run, over all nodes."
)
@click.option("--gpu", metavar="NAME", help="Their kind, such as h100.")
@click.option("--select", multiple=True, metavar="CODES", help="Use only these rules.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Leave these rules out.")
@click.option(
    "--min-confidence", type=click.Choice(CONFIDENCES), help="The lowest confidence to report."
)
@config_option
@click.option(
    "--isolated",
    is_flag=True,
    help="Check each file of a folder or commit on its own, ignoring settings, the project and other files.",
)
@click.option(
    "--engine",
    type=click.Choice(("local", "ray")),
    default="local",
    show_default=True,
    help="Run on the processors of this machine, or on Ray.",
)
@click.option(
    "--address", metavar="ADDRESS", help="Address of the Ray cluster; `auto` finds a running one."
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of workers. [default: one per processor]",
)
@click.option(
    "--limit",
    type=click.FloatRange(min=0.1),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="Report a file that takes longer as stalled.",
)
@click.option("--restart", is_flag=True, help="Discard partial results of an interrupted run.")
@format_option("text", "json", text="Format of the summary.")
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Check the files of tables, folders and git repositories, and write the findings as a table.

    TABLE is a Parquet, Arrow IPC or JSON Lines file with the columns `path` and `content`, also in
    an object store (s3://, gs://), or a folder of such there; a folder; or a git repository at a
    commit, written FOLDER@COMMIT.

    To continue an interrupted run, run the same command again.
    """
    ctx.exit(_run(given))


def _run(given: dict[str, Any]) -> int:
    extra = "ray" if given["engine"] == "ray" else "scan"
    try:
        import_module("cfglint.api.scan.on_ray" if extra == "ray" else "cfglint.api.scan.local")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("cfglint"):
            raise
        return _complain(
            f"scan needs {error.name}: pip install 'cfglint-llm[{extra}]', in a clone pip install '.[{extra}]'"
        )
    from cfglint.api.linter import Linter
    from cfglint.api.scan.model import ScanError
    from cfglint.api.scan.run import check_sources, scan

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
        check_sources(asked.sources, (asked.out, asked.files))
        Linter(**asked.choices)
        summary = scan(asked, teller.tell, fail)
    except (ScanError, ValueError) as error:
        teller.wipe()
        return _complain(str(error))
    except KeyboardInterrupt:
        teller.wipe()
        _complain("interrupted; run the same command again to continue")
        return INTERRUPTED
    teller.wipe()
    if summary is None:
        return _complain(f"{asked.out} was not written; finished parts are kept for the next run")
    from cfglint.report.scan import render_json, render_text

    seconds = time.monotonic() - begun
    render = render_json if given["format_"] == "json" else render_text
    sys.stdout.write(render(summary, seconds, teller.resumed, asked.out, asked.files))
    return 2 if failures else 0


def _asked(given: dict[str, Any]) -> Scan:
    from cfglint.api.scan.model import Column
    from cfglint.api.scan.run import Scan
    from cfglint.cli.options import split_list

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
        from cfglint.cli.output import progress_line

        self._line = progress_line()
        self._begun = time.monotonic()
        self._files = 0
        #: Files whose findings were there already.
        self.resumed = 0

    def tell(self, done: Progress) -> None:
        self._files += done.files
        self.resumed += done.files if done.resumed else 0
        seconds = time.monotonic() - self._begun
        self._line.say(progress_text(self._files, self._files - self.resumed, done.total, seconds))

    def wipe(self) -> None:
        self._line.wipe()


def progress_text(files: int, new: int, total: int | None, seconds: float) -> str:
    """How far a scan has come, and how long it will probably take where the total is known.

    Args:
        files: that are done.
        new: those of them that this run has done, in so many seconds.
        total: the files of all sources; None if that is not known.
    """
    speed = new / max(seconds, 1e-3)
    if total is None:
        return f"{files:,} files scanned, {speed:,.0f} per second"
    share = f"{files:,} of {total:,} files scanned, {speed:,.0f} per second"
    if not new or files >= total:
        return share
    left = round((total - files) / speed)
    minutes, rest = divmod(left, 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    return f"{share}, about {clock} left"


def _complain(message: str) -> int:
    from cfglint.report.escaping import visible_path

    sys.stderr.write(f"cfglint: {visible_path(message)}\n")
    return 2
