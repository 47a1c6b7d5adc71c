"""`cfglint preflight -- COMMAND`: whether a run may start."""

from __future__ import annotations

import sys
from typing import Any

import click

from cfglint.cli.one_file import config_option, environment_options, fail, format_option, pins
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings.nearest import SettingsError

#: Where the words behind `--` are kept, which click would mix with the paths.
_WORDS = "cfglint.answers.preflight.words"


class _Command(click.Command):
    """A command that leaves what follows `--` as it is."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            ctx.meta[_WORDS] = args[place + 1 :]
            args = args[:place]
        from cfglint.source.files.disk import Disk

        first = args[0] if args else ""
        begins_with_command = first[:1] not in ("-", "") and not Disk().exists(first)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if _WORDS in ctx.meta or not begins_with_command:
                raise
            text = error.format_message().rstrip(".")
            hint = f"{text}; a command is put behind `--`: `cfglint preflight -- {first} …`"
            raise click.UsageError(hint, ctx) from None


@click.command(
    "preflight",
    cls=_Command,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="[OPTIONS]",
)
@click.argument("path", type=click.Path(), metavar="PATH | -- COMMAND…", required=False)
@environment_options
@format_option("text", "agent", "json", text="Text for people, lines for coding agents, or JSON.")
@config_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    path: str | None,
    target: tuple[str, ...],
    gpus: int | None,
    gpu: str | None,
    format_: str,
    config: str | None,
) -> None:
    """Check whether a run may start: its command, its files, its releases and its memory.

    `cfglint preflight -- torchrun train.py --config x.yaml` judges that command without
    running anything; `cfglint preflight x.yaml` a config, a script or a program. Exit code 1: do not
    start; 0: no problem was found; 2: it could not be judged, and the last line
    says what would decide.
    """
    from cfglint.answers.preflight.judging import EXIT_CODES, preflight
    from cfglint.answers.preflight.launched import of_command, of_path
    from cfglint.source.files.disk import Disk

    words = ctx.meta.get(_WORDS, [])
    if (path is None) == (not words):
        raise click.UsageError("name a file, or put the command that starts the run behind `--`")
    files = Disk()
    options = Options(target=pins(target), gpus=gpus, gpu=gpu)
    try:
        launched = of_command(words, files) if path is None else of_path(path, files)
        found = preflight(launched, options, files, config=config)
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    sys.stdout.write(_text(found, format_))
    ctx.exit(EXIT_CODES[found.verdict])


def _text(found: Any, format_: str) -> str:
    from cfglint.answers.preflight import rendering

    if format_ == "json":
        return rendering.render_json(found)
    if format_ == "agent":
        return rendering.render_agent(found)
    from cfglint.report.style import Style, terminal_width, wants_color, wants_links

    style = Style(color=wants_color(sys.stdout), links=wants_links(sys.stdout))
    return rendering.render_text(found, style, terminal_width())
