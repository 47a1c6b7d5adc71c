"""`cfglint schema`: the keys of a release as JSON Schema."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from cfglint.cli.project import Unusable
from cfglint.engine.session import Options, RunError, Session, path_here
from cfglint.engine.settings.nearest import SettingsError, SettingsFinder
from cfglint.knowledge import recognition
from cfglint.knowledge.releases.table import example_target
from cfglint.report.json_schemas.of_release import DRAFTS, SchemaOfRelease
from cfglint.roles.framework import frameworks


@click.command("schema", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--framework",
    type=click.Choice(sorted(frameworks())),
    help="The framework of the files. [default: that of --target, or the most common one]",
)
@click.option(
    "--target",
    metavar="PACKAGE==VERSION",
    help=f"The release that will read the files, such as {example_target()}.",
)
@click.option("--settings", is_flag=True, help="Print the schema of cfglint.toml instead.")
@click.option("--draft", type=click.Choice(tuple(DRAFTS)), default="2020-12", show_default=True)
@click.option("--strict", is_flag=True, help="Refuse keys that the release silently drops, too.")
@click.option("--id", "id_", metavar="URL", help="URL where the schema will be published.")
def command(
    framework: str | None,
    target: str | None,
    settings: bool,
    draft: str,
    strict: bool,
    id_: str | None,
) -> None:
    """Print the JSON Schema of a framework's config files, for editors.

    Without --target it is for the release that the surrounding project uses, as for
    a check, or for the newest known one.
    """
    if settings:
        from cfglint.report.json_schemas.of_settings import settings_schema

        schema = settings_schema(draft)
    else:
        schema = _of_framework(framework, target, draft, strict)
    if id_ is not None:
        head = {"$schema": schema.pop("$schema"), "$id": id_}
        schema = {**head, **schema}
    sys.stdout.write(json.dumps(schema, indent=2) + "\n")


def _of_framework(name: str | None, target: str | None, draft: str, strict: bool) -> dict[str, Any]:
    package = target.partition("==")[0].partition("@")[0].strip() if target else ""
    if name is None:
        name = package if package in frameworks() else recognition.usual()
    assert name is not None
    try:
        session = Session(Options(target=(target,) if target else ()), SettingsFinder())
        own = session.settings(path_here())
        framework = session.framework(name)
        environment, _ = session.environment(framework, own, path_here())
    except (RunError, SettingsError) as error:
        raise Unusable(str(error)) from None
    if strict and framework.row["kinds"]:
        raise Unusable(
            f"--strict: which keys a file of {framework.title} may have depends on its kind and on other "
            "packages, which no schema knows; check the files with cfglint"
        )
    return SchemaOfRelease(framework, environment.release, draft, strict=strict).document()
