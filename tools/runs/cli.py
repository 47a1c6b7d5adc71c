"""The commands."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import click
import yaml

from tools.runs import bases
from tools.runs import compare as comparing
from tools.runs.campaign import Campaign
from tools.runs.outcome import Outcome, write_line
from tools.runs.reduce import Config, reduced
from tools.runs.server import VARIABLE, EnvironmentMissing, Job, Server, find

_environments = click.option(
    "--environments",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    envvar=VARIABLE,
    required=True,
    help="The folder of the environments, FRAMEWORK-RELEASE each.",
)
_seconds = click.option("--seconds", default=60.0, help="How long a run may take.")
_log = click.option(
    "--log", type=click.Path(path_type=Path, dir_okay=False), help="Where the worker's words go."
)
_command = click.option("--command", default="", help="TRL's subcommand, such as sft.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Start real trainings of configs on a CPU, and compare how they end with what cfglint says."""


def _started(folder: Path, stated: str, log: Path | None) -> Server:
    try:
        return Server(find(folder, stated), log)
    except EnvironmentMissing as error:
        raise click.ClickException(str(error)) from error


@main.command()
@click.argument("release", metavar="FRAMEWORK==RELEASE")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@_environments
@_command
@_seconds
@_log
def run(
    release: str, files: tuple[Path, ...], environments: Path, command: str, seconds: float, log: Path | None
) -> None:  # fmt: skip
    """Train with each of the FILES: a JSON line for each."""
    with _started(environments, release, log) as server:
        for file in files:
            outcome = server.run(Job(str(file), file, command, seconds))
            click.echo(json.dumps(asdict(outcome), ensure_ascii=False))


@main.command()
@click.argument("release", metavar="FRAMEWORK==RELEASE")
@click.option("--count", default=100, help="How many configs, those of the bases among them.")
@click.option("--seed", default=1, help="The same seed makes the same configs.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The campaign's folder."
)
@click.option("--examples", is_flag=True, help="The bad examples of all rules instead.")
@click.option("--minutes", type=float, help="Begin no run after these.")
@_environments
@_seconds
@_log
def fuzz(
    release: str, count: int, seed: int, out: Path, examples: bool, minutes: float | None, environments: Path, seconds: float, log: Path | None
) -> None:  # fmt: skip
    """Make configs and train with each of them; a second call goes on where the first stopped."""
    from tools.runs.generate import generate

    campaign = Campaign(out)
    framework = release.partition("==")[0]
    if not campaign.facts:
        made = generate(release, bases.of(framework), count, seed, examples=examples)
        campaign.start(release, seed, made, bases.of(framework).launch)
    done = {outcome.id for outcome in campaign.outcomes()}
    left = [row for row in campaign.manifest() if row["id"] not in done]
    end = time.monotonic() + 60 * minutes if minutes is not None else float("inf")
    with _started(environments, release, log) as server:
        campaign.describe({"packages": dict(server.packages)})
        for row in left:
            if time.monotonic() > end:
                break
            job = Job(row["id"], campaign.config(row["id"]), row["command"], seconds)
            outcome = server.run(job)
            write_line(campaign.runs, outcome)
            click.echo(_line(outcome), err=True)


def _line(outcome: Outcome) -> str:
    ended = f"{outcome.exception}: {outcome.message[:120]!r}" if outcome.exception else ""
    return f"{outcome.id} {outcome.seconds} s {outcome.stage} {ended}"


@main.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))  # fmt: skip
@click.option("--show", default=40, help="How many causes of each verdict are printed.")
@click.option("--json", "rows", type=click.Path(path_type=Path, dir_okay=False), help="A file for all verdicts.")  # fmt: skip
def compare(folders: tuple[Path, ...], show: int, rows: Path | None) -> None:
    """Print where cfglint and the runs of a campaign disagree; the exit code is 1 for a false alarm."""
    found = [one for folder in folders for one in comparing.compare(Campaign(folder))]
    sys.stdout.write(comparing.report(found, show))
    if rows is not None:
        rows.write_text("".join(_rows(found)), encoding="utf-8")
    if any(one.verdict == comparing.FALSE for one in found):
        raise SystemExit(1)


def _rows(found: Iterable[comparing.Compared]) -> Iterable[str]:
    for one in found:
        row = {
            "id": one.outcome.id,
            "verdict": one.verdict,
            "changes": one.changes,
            "findings": [found._asdict() for found in one.findings],
            "outcome": asdict(one.outcome),
        }
        yield json.dumps(row, ensure_ascii=False) + "\n"


@main.command("reduce")
@click.argument("release", metavar="FRAMEWORK==RELEASE")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@_environments
@_command
@_seconds
@_log
def reduce_(
    release: str, files: tuple[Path, ...], environments: Path, command: str, seconds: float, log: Path | None
) -> None:  # fmt: skip
    """Print the smallest config that ends like each of the FILES."""
    with _started(environments, release, log) as server, tempfile.TemporaryDirectory() as scratch:
        part = Path(scratch) / "config.yaml"

        def train(config: Config) -> Outcome:
            part.write_text(yaml.safe_dump(dict(config), sort_keys=False), encoding="utf-8")
            return server.run(Job("reduced", part, command, seconds))

        for file in files:
            content = yaml.safe_load(file.read_text(encoding="utf-8"))
            left, outcome = reduced(content, train)
            click.echo(f"# {file}\n# {_line(outcome)} [{outcome.frame}]")
            click.echo(yaml.safe_dump(left, sort_keys=False))
