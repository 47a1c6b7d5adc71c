"""The releases of other packages that LLaMA-Factory looks at before anything else."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.environment.fitting import excluded, fits
from cfglint.source.text import Span

#: What `check_dependencies` compares.
_CHECKED: Final = ("transformers", "datasets", "accelerate", "peft", "trl")
_OFF: Final = "DISABLE_VERSION_CHECK"
#: Where it is content with more than what the release asks an installer for.
_WIDER: Final = {
    "0.9.4": {"transformers": ">=4.51.0,<=4.57.1"},
    "0.9.5": {
        "transformers": ">=4.55.0,<=5.6.0",
        "accelerate": ">=1.3.0,<=1.15.0",
        "peft": ">=0.18.0,<=0.20.0",
    },
}


def version_refused_at_start(ctx: CheckContext) -> Iterator[Hit]:
    """A stated transformers, TRL or the like that the stated release refuses to run with."""
    target, package = ctx.target, ctx.target.releases.package
    own = target.pins.get(package)
    if own is None or own.version is None or own.weak or own.fork or target.foreign_version:
        return
    stated = {
        name: pin
        for name in _CHECKED
        if (pin := target.pins.get(name)) is not None
        and not (pin.inferred or pin.implied or pin.dated or pin.fork)
        and (pin.version or pin.spec)
    }
    wider = _WIDER.get(target.release, {})
    wrong = {
        name: wider.get(name, wanted)
        for name, wanted in excluded(target.releases, target.release, stated).items()
        if name not in wider or not fits(stated[name], wider[name])
    }
    if not wrong or _is_off(ctx):
        return
    name, wanted = next(iter(wrong.items()))
    pin = stated[name]
    params = {
        "package": name,
        "stated": str(pin) if pin.version else f"`{name}{pin}`",
        "origin": pin.origin,
        "wanted": wanted,
        "release": target.release,
    }
    entry = ctx.document.entry(("model_name_or_path",)) or next(
        iter(ctx.document.root.entries), None
    )
    if entry is None:
        yield Hit((), Span(0, 0), params)
    else:
        yield Hit((entry.label,), Span(entry.key.start, entry.key.end), params)


def _is_off(ctx: CheckContext) -> bool:
    """Whether a script of the project switches the comparison off."""
    project = ctx.around.project
    if _OFF in ctx.document.text:
        return True
    return project is not None and any(
        _OFF in text for text in project.scripts_beside(ctx.around.path)
    )


CHECKS = {"version-refused-at-start": version_refused_at_start}
