"""What the project's own files get wrong about the environment of a run.

These findings are in the file that states the thing: a requirement, a lock file, an image.
Imported only when such a file is there.
"""

from __future__ import annotations

from calendar import month_name
from collections.abc import Iterable, Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.elsewhere import hit_at
from cfglint.diagnostic import SeverityName
from cfglint.environment.project.readers.images import split_image
from cfglint.environment.project.stated_versions import Place, Source, is_apart
from cfglint.knowledge.releases.ranges import within

#: The package whose releases the others have to fit.
FRAMEWORK = "axolotl"
#: Packages that a release pins only through an extra of the same name.
_BY_EXTRA = ("deepspeed", "flash-attn", "vllm")
#: The release from which flash-attn is not a dependency of Axolotl any longer.
_WITHOUT_FLASH_EXTRA = "0.21.0"
#: Optimizer -> the package that brings it.
_OPTIMIZERS = {
    "apollo_adamw": "apollo-torch",
    "apollo_adamw_layerwise": "apollo-torch",
    "came_pytorch": "came-pytorch",
    "galore_adamw": "galore-torch",
    "galore_adamw_8bit": "galore-torch",
    "galore_adafactor": "galore-torch",
    "galore_adamw_layerwise": "galore-torch",
    "galore_adamw_8bit_layerwise": "galore-torch",
    "galore_adafactor_layerwise": "galore-torch",
    "optimi_adamw": "torch-optimi",
    "q_galore_adamw8bit": "q-galore-torch",
}
_EXTRA_OF = {
    "apollo-torch": "optimizers",
    "came-pytorch": "optimizers",
    "galore-torch": "optimizers",
    "torch-optimi": "optimizers",
    "q-galore-torch": "optimizers",
}
#: The last release whose images were also pushed to the retired account.
_LAST_RETIRED = "0.12.2"
#: The oldest torch for which its successor, begun in November 2024, got images.
_FIRST_TORCH = "2.3.1"
#: Of these torch releases, the last images were built before it began.
_DROPPED_TORCH = frozenset({"2.4.0", "2.5.0"})
_BUILT_FOR = lazy_pattern(r"torch(\d+\.\d+)")


def pin_against_release(ctx: CheckContext) -> Iterator[Hit]:
    """A version of another package that the release of Axolotl does not admit."""
    project = ctx.project
    for source in project.sources:
        own = source.of(FRAMEWORK)
        if own is None or own.version is None or own.version not in ctx.target.releases.pins:
            continue
        if source.kind == "pyproject" and own.place.path != source.path:
            continue  # Axolotl's own, in a clone of it
        if source.kind == "readme":
            continue  # it may have several ways to install
        wanted = ctx.target.releases.pins[own.version]
        for statement in source.statements:
            package = statement.package
            stated = wanted.get(package)
            if stated is None or statement.conditional or statement.implied:
                continue
            if package in _BY_EXTRA and (package == "vllm" or package not in own.extras):
                continue
            if statement.commit or not is_apart(statement, stated):
                continue
            params = {
                "package": package,
                "written": statement.version or statement.spec,
                "release": own.version,
                "stated": stated,
            }
            # A lock file has such a pair only if the resolver was configured to allow it.
            severity: SeverityName | None = "warning" if source.complete else None
            yield hit_at(project, statement.place, params, severity)


def pins_exclude_assumed_release(ctx: CheckContext) -> Iterator[Hit]:
    """Versions of the project with which the release that is assumed cannot be installed.

    One finding for all of them: they have one cause.
    """
    project, target = ctx.project, ctx.target
    if target.fit.releases or target.fit.against:
        return
    images = (one for one in project.sources if one.kind == "images")
    if any(split_image(project.text(one.path)) is not None for one in images):
        return  # several images state different releases
    wanted = target.excluding()
    stated = {
        name: project.statements[name]
        for name in wanted
        if target.pins[name].in_project and name not in _BY_EXTRA and name in project.statements
    }
    if not stated:
        return
    params = {
        "pins": _listed(f"{name} {target.pins[name]}" for name in stated),
        "release": target.release,
        "wanted": _listed(f"{name} {wanted[name]}" for name in stated),
    }
    yield hit_at(project, next(iter(stated.values())).place, params)


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def missing_extra(ctx: CheckContext) -> Iterator[Hit]:
    """A complete list of packages without one that the config needs."""
    project = ctx.project
    source = project.chosen
    if source is None or not source.complete:
        return
    own = source.of(FRAMEWORK)
    if own is None:
        return
    for key, package, severity in _needed(ctx):
        if source.mentions(package):
            continue
        params = {
            "key": key,
            "package": package,
            "extra": _EXTRA_OF.get(package, package),
            "file": source.name,
        }
        yield hit_at(project, own.place, params, severity)


def _needed(ctx: CheckContext) -> Iterator[tuple[str, str, SeverityName | None]]:
    """(key with its value, package, severity when not the rule's)."""
    if ctx.value("deepspeed"):
        yield "deepspeed", "deepspeed", None
    if ctx.value("trl", "use_vllm") is True:
        yield "trl.use_vllm: true", "vllm", None
    if ctx.value("use_ray") is True:
        yield "use_ray: true", "ray", None
    optimizer = ctx.value("optimizer")
    if isinstance(optimizer, str) and optimizer in _OPTIMIZERS:
        yield f"optimizer: {optimizer}", _OPTIMIZERS[optimizer], None
    if ctx.target.foreign_version is None and _older(ctx, _WITHOUT_FLASH_EXTRA):
        # Many install this one by hand, after everything else: it is built against torch.
        if ctx.value("flash_attention") is True:
            yield "flash_attention: true", "flash-attn", "warning"
        elif ctx.value("attn_implementation") == "flash_attention_2":
            yield "attn_implementation: flash_attention_2", "flash-attn", "warning"


def _older(ctx: CheckContext, release: str) -> bool:
    versions = ctx.target.releases.versions
    return versions.index(ctx.target.release) < versions.index(release)


def wheel_for_other_torch(ctx: CheckContext) -> Iterator[Hit]:
    """A ready-made flash-attn whose name says another torch than the one that is installed."""
    project = ctx.project
    for source in project.sources:
        statement = source.of("flash-attn")
        if statement is None:
            continue
        built = _BUILT_FOR.search(statement.written) or _BUILT_FOR.search(statement.version or "")
        torch = source.of("torch") or project.statements.get("torch")
        if built is None or torch is None or torch.version is None:
            continue
        if _minor(torch.version) != _minor(built.group(1)):
            params = {
                "built": built.group(1),
                "torch": torch.version,
                "where": project.name(torch.place),
            }
            yield hit_at(project, statement.place, params)


def _minor(version: str) -> list[str]:
    return version.partition("+")[0].split(".")[:2]


def files_disagree(ctx: CheckContext) -> Iterator[Hit]:
    """Two files that state different releases of Axolotl."""
    project = ctx.project
    chosen = project.chosen
    own = chosen.of(FRAMEWORK) if chosen is not None else None
    if chosen is None or own is None or own.version is None:
        return
    for source in project.sources:
        other = source.of(FRAMEWORK)
        if source is chosen or other is None or _is_variant(source):
            continue
        if other.version is not None:
            apart = other.version != own.version
        else:
            apart = other.spec is not None and not within(own.version, other.spec)
        if apart:
            params = {
                "other": other.version or other.spec,
                "own": own.version,
                "where": project.name(own.place),
            }
            yield hit_at(project, other.place, params)


def _is_variant(source: Source) -> bool:
    """Files of which a project has several on purpose: one for each build, each job of a CI."""
    name = source.name.lower()
    if source.kind == "readme":
        return True
    if source.kind == "images" and not name.startswith(("dockerfile", "containerfile")):
        return not name.endswith(".dockerfile")
    return source.kind == "requirements" and name != "requirements.txt"


def retired_image(ctx: CheckContext) -> Iterator[Hit]:
    """An image of the account that is not pushed to any longer."""
    project = ctx.project
    seen: set[Place] = set()
    for source in project.sources:
        for statement in source.statements:
            image = split_image(statement.written) if "/" in statement.written else None
            if image is None or statement.place in seen:
                continue
            if image.account not in image.marks.images_until:
                continue
            # What was pushed while the account was in use is still what it was.
            if image.release is not None and within(image.release, f"<={_LAST_RETIRED}"):
                continue
            retired = image.marks.images_until[image.account]
            if image.day is not None and image.day < retired:
                continue
            seen.add(statement.place)
            instead = statement.written.replace("winglian/", "axolotlai/", 1)
            name, _, tag = instead.partition(":")
            never_built = image.torch is not None and (
                within(image.torch, f"<{_FIRST_TORCH}") or image.torch in _DROPPED_TORCH
            )
            if never_built or (tag.startswith("main-") and image.day is None):
                # Which builds of main there are changes from week to week; this tag is always there.
                instead = f"{name}:main-latest"
            last = image.ended or retired
            params = {"image": statement.written, "instead": instead, "since": _month(last)}
            # A build of main for older versions, as in a text of then: it still is what it was.
            is_old = tag.startswith("main-") and image.day is None and tag != "main-latest"
            # A page has commands to be typed, and is mostly a copy of one of Axolotl's own.
            is_page = statement.place.path.lower().endswith(".md")
            yield hit_at(project, statement.place, params, "note" if is_old or is_page else None)


def _month(day: str) -> str:
    """`November 2025` for `20251114`."""
    return f"{month_name[int(day[4:6])]} {day[:4]}"


def python_outside_release(ctx: CheckContext) -> Iterator[Hit]:
    """A Python that the release of Axolotl does not install on."""
    project = ctx.project
    pythons: dict[str, str] = ctx.framework.knowledge.history.PYTHONS
    for source in project.sources:
        own, python = source.of(FRAMEWORK), source.of("python")
        if own is None or python is None or python.implied or own.version not in pythons:
            continue
        wanted = pythons[own.version]
        if is_apart(python, wanted):
            params = {
                "python": python.version or python.spec,
                "release": own.version,
                "wanted": wanted,
            }
            yield hit_at(project, python.place, params)


def unreadable_file(ctx: CheckContext) -> Iterator[Hit]:
    """A file of the project that could not be read for what it states."""
    project = ctx.project
    for source in project.sources:
        if source.problem is not None:
            params = {"file": source.name, "problem": source.problem}
            yield hit_at(project, Place(source.path, 1), params)


CHECKS = {
    "files-disagree": files_disagree,
    "missing-extra": missing_extra,
    "pin-against-release": pin_against_release,
    "pins-exclude-assumed-release": pins_exclude_assumed_release,
    "python-outside-release": python_outside_release,
    "retired-image": retired_image,
    "unreadable-project-file": unreadable_file,
    "wheel-for-other-torch": wheel_for_other_torch,
}
