"""What the framework does about a key that it does not read, and the finding that says so."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.checks.key_spelling import is_sure_slip
from cfglint.checks.other_readers import has_another_reader, of_another_reader
from cfglint.checks.written_keys import is_null, own_plugins
from cfglint.diagnostic import SEVERITIES, Related, SeverityName
from cfglint.environment.fitting import is_kept_below
from cfglint.fixes.actions import DeleteKey
from cfglint.knowledge.releases.commits import nearer
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import known_releases, releases_of
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.calls import call_of
from cfglint.source.document import format_path

if TYPE_CHECKING:
    from cfglint.base.spelling import Guess
    from cfglint.environment.environment import Environment
    from cfglint.environment.pins import Pin


def without_value(ctx: CheckContext, key: WrittenKey, hit: Hit) -> Hit:
    """The finding for a key that a file is refused for though it has no value: nothing has to take its place."""
    refused = key.verdict.refuses and hit.upstream == "rejects"
    if not refused or not is_null(key.entry) or call_of(ctx.document.root) is not None:
        return hit
    repairs = (Repair("Delete it", "safe", (DeleteKey(key.path),)),)
    params = {**hit.params, "hint": " It has no value and can be deleted."}
    framework = ctx.framework
    if framework.row["null_is_default"] and not framework.file_kind.is_class:
        hit = hit.replaced(severity="note")
    return hit.replaced(params=params, repairs=repairs)


def together(hit: Hit, keys: list[WrittenKey], note: str) -> Hit:
    """One finding for several keys that have the same cause; it is at the first one."""
    more = tuple(Related(key.entry.key.span, note) for key in keys[1:])
    return hit.replaced(related=hit.related + more) if more else hit


def unread_hit(
    ctx: CheckContext,
    key: WrittenKey,
    params: dict[str, Any],
    repairs: tuple[Repair, ...],
    severity: SeverityName | None = None,
    *,
    idle: bool = False,
) -> Hit:
    """The finding for a key that is not read; `params` gets what the framework does about it.

    Args:
        idle: a run is the same without it, so that it is harmless unless the file is refused for it.
    """
    params.setdefault("known_since", known_since(ctx))
    plugins = own_plugins(ctx) if key.info is None and key.section == "" else []
    if plugins:
        params["effect"] = f"only {' or '.join(plugins)} may read it"
        params["hint"] = ""
        return Hit(key.path, key.entry.key.span, params, severity="note")
    open_ = leaves_open(ctx, key)
    upstream = key.verdict.upstream
    params["effect"] = effect(ctx, key, since=open_)
    if upstream == "rejects" and (key.info is None or not open_):
        severity = "error"
    elif upstream == "rejects" and severity is not None:
        severity = min(severity, ctx.framework.key_policy.refused_by_newest, key=SEVERITIES.index)
    if upstream != "rejects" and severity in ("error", "warning") and is_null(key.entry):
        severity = "note"
    if severity == "note" and key.verdict.refuses:
        severity = "warning"  # in the newest release, which may not be the one that runs
    if severity in ("error", None) and _may_have_a_reader(ctx, key):
        severity = "warning"
    doubt = _doubt(ctx, key)
    if doubt:
        params["effect"] = doubt
        severity, upstream = "note", "silent"
        repairs = tuple(one.replaced(safety="unsafe") for one in repairs)
    return Hit(
        key.path,
        key.entry.key.span,
        params,
        related=_related(ctx, params),
        repairs=repairs,
        severity=severity,
        upstream=upstream,
        harmless=idle and severity == "note",
    )


def _doubt(ctx: CheckContext, key: WrittenKey) -> str:
    """Why something else than the release may read a key, as the effect of a finding; empty without a reason."""
    fork = fork_behind(ctx, key)
    if fork is not None:
        return f"but the project installs a fork, {fork.fork}, which may ({fork.origin})"
    return key.verdict.doubt or _doubt_of_pages(ctx, key)


def _doubt_of_pages(ctx: CheckContext, key: WrittenKey) -> str:
    """The same where a page tells of a fork, no file states a release, and no release ever had the key."""
    package = ctx.target.releases.package
    own = ctx.target.pins.get(package)
    is_stated = own is not None and not own.inferred
    if key.info is not None or is_stated or key.verdict.has_no_reader:
        return ""
    if is_sure_slip(ctx.framework.keys, key):
        return ""
    from cfglint.environment.forks_on_pages import fork_on_pages
    from cfglint.knowledge.marks import all_marks

    of_package = next((one for one in all_marks() if one.package == package), None)
    place = "" if of_package is None else fork_on_pages(ctx.around, of_package)
    return f"but the project tells of a fork, which may ({place})" if place else ""


def _removal(key: WrittenKey) -> str:
    """The release that removed a key, after its package where that is another one; empty if none did."""
    return key.verdict.removed_with or (key.info and key.info.removed) or ""


def leaves_open(ctx: CheckContext, key: WrittenKey) -> bool:
    """Whether the release that decides about a key is not stated, so that the newest one is assumed."""
    target = ctx.target
    package = "" if key.info is None else key.info.since.rpartition(" ")[0]
    removed = _removal(key)
    of_own = removed and " " not in removed
    stated = target.pins.get(target.releases.package if of_own else removed.rpartition(" ")[0])
    if stated is not None and not stated.inferred:
        if stated.version is not None:
            return False
        if stated.spec is not None:
            own = f"{target.releases.package} " if of_own else ""
            return _admits_older(stated.spec, f"{own}{removed}")
    if " " in removed and _are_ruled_out(target, *removed.rsplit(" ", 1)):
        return False
    if target.assumed or target.placed:
        return True
    return bool(package) and package not in target.pins


def _are_ruled_out(target: Environment, package: str, removed: str) -> bool:
    """Whether a stated release asks for a package in none of the versions before one."""
    versions = releases_of(package).versions
    older = versions[: versions.index(removed)] if removed in versions else ()
    for name, pin in target.pins.items():
        if pin.version is None or pin.inferred or name == package:
            continue
        releases = known_releases(name)
        spec = None if releases is None else releases.pins.get(pin.version, {}).get(package)
        if spec and not any(within(one, spec) for one in older):
            return True
    return False


def _admits_older(spec: str, removed: str) -> bool:
    """Whether a range has a release before the one that removed a key."""
    package, _, release = removed.rpartition(" ")
    versions = releases_of(package).versions
    before = versions[: versions.index(release)] if release in versions else versions
    return any(within(version, spec) for version in before)


def fork_behind(ctx: CheckContext, key: WrittenKey) -> Pin | None:
    """The fork that a project installs of the package whose releases do not read a key."""
    changed = key.info and (key.info.removed or key.info.since)
    package = (key.verdict.removed_with or changed or "").rpartition(" ")[0]
    return ctx.target.fork_of(package or ctx.target.releases.package)


def of_a_later_build(ctx: CheckContext, hit: Hit) -> Hit:
    """The finding about an unknown key that the next release may have, where a build before it is installed.

    Of a copy in the project it is known which keys it has.
    """
    project = ctx.around.project
    is_copy = project is not None and project.chosen is not None and project.chosen.kind == "clone"
    if not ctx.target.is_beyond or is_copy:
        return hit
    effect = (
        f"a build since then may have it ({ctx.target.pins[ctx.target.releases.package].origin})"
    )
    return hit.replaced(params={**hit.params, "effect": effect}, severity="note", upstream="silent")


def is_read_by_some(ctx: CheckContext, key: WrittenKey) -> bool:
    """Whether a release reads a removed key with which the programs of the project run, as their imports show.

    Of what a command starts with options that no release ever had, it is not known which release it is made from.
    """
    removed = _removal(key)
    is_command = ctx.document.language.structure == "words"
    if is_command and has_another_reader(ctx) and leaves_open(ctx, key):
        return True
    package, _, release = removed.rpartition(" ")
    package = package or ctx.target.releases.package
    pin = ctx.target.pins.get(package)
    if pin is not None and pin.between is not None and release == pin.between[1]:
        # A build soon after the release before it still has most of what that one has.
        commits = pin.commits or ((pin.commit,) if pin.commit else ())
        return nearer(package, commits, pin.between) == pin.between[0]
    if is_kept_below(ctx.target, package, release):
        return True
    if pin is None or not pin.dated or pin.spec is None:
        return False
    if not pin.inferred and not _runs_only_before(ctx, package):
        return False
    versions = releases_of(package).versions
    before = versions[: versions.index(release)] if release in versions else ()
    since = key.info.since.rpartition(" ")[2] if key.info else ""
    first = versions.index(since) if since in versions else 0
    return any(within(version, pin.spec) for version in before[first:])


def _runs_only_before(ctx: CheckContext, package: str) -> bool:
    """Whether a program imports what a later release of a package lacks.

    Another program of the project that does so runs with an older release; which one is installed for this program,
    the files decide that ask for the package. Of a config, which no import binds, the project's programs count.
    """
    from cfglint.environment.project.imports import read
    from cfglint.knowledge.releases.names import names_of

    document = ctx.document
    if document.language.name != "python":
        return True
    found = read("", document.text)
    return any(one.package == package and names_of(package)[one.name][1] for one in found)


def is_due_later(ctx: CheckContext, key: WrittenKey) -> bool:
    """Whether only the assumption that the newest release is used speaks against a key.

    A project that asks for the package without an upper bound gets the newest. A framework may want
    more than a note for what its newest release refuses, unless a submodule is some commit of it.
    """
    policy, target = ctx.framework.key_policy, ctx.target
    own = target.pins.get(target.releases.package)
    is_some_commit = has_submodule(ctx)
    is_vague = own is not None and (own.inferred or (own.is_lost and is_some_commit))
    is_open = target.is_newest_by_default or (is_vague and target.assumed)
    is_noted = policy.refused_by_newest == "note" or is_some_commit
    if not is_noted or key.info is None or not is_open:
        return False
    removed = _removal(key)
    package = removed.rpartition(" ")[0] or target.releases.package
    stated = target.pins.get(package)
    if stated is not None and not (stated.inferred or (stated.is_lost and is_some_commit)):
        return False
    project = ctx.around.project
    return project is None or not project.wants_newest(package)


def is_a_submodule(ctx: CheckContext) -> bool:
    """Whether a project has the framework's repository as a submodule, so that another release may run than a file states."""
    pin = ctx.target.pins.get(ctx.target.releases.package)
    # A commit is that of the submodule itself.
    is_other = pin is not None and pin.in_project and pin.commit is None
    return is_other and has_submodule(ctx)


def has_submodule(ctx: CheckContext) -> bool:
    """Whether a project has the framework's repository as a submodule: a commit that no file states."""
    project, folder = ctx.around.project, ctx.around.folder
    if project is None or folder is None:
        return False
    from cfglint.knowledge.marks import marks_of

    repository = marks_of(ctx.framework.name).repository.lower()
    if not repository or (project.chosen is not None and project.chosen.kind == "clone"):
        return False
    modules = project.named(".gitmodules", folder)
    if modules is None:
        return False
    lines = (line.strip().lower().removesuffix(".git") for line in modules[1].splitlines())
    return any(line.startswith("url") and line.endswith(f"/{repository}") for line in lines)


def admitted(ctx: CheckContext, key: WrittenKey) -> str:
    """Why the release without a removed key may be the one that runs, in words; empty where a build lies around it."""
    removed = _removal(key)
    package = removed.rpartition(" ")[0] or ctx.target.releases.package
    pin = ctx.target.pins.get(package)
    if pin is not None and pin.spec is not None and not pin.inferred:
        return f", and `{package}{pin.spec}` admits that release ({pin.origin})"
    is_open = pin is None or pin.inferred or pin.is_lost
    return ", if that release or a later one runs" if is_open else ""


def in_words(ctx: CheckContext, release: str) -> str:
    """A release of the key table with the name of its package in front."""
    return release if " " in release else f"{ctx.framework.release_title} {release}"


#: What a key of a file is called, and where those are that are in no section.
KEY, TOP_LEVEL = "a key", " at the top level"


def kind_of(ctx: CheckContext, section: str) -> str:
    """What the keys of a section are called, with an article."""
    return KEY if section else ctx.framework.key_policy.noun


def place_of(ctx: CheckContext, key: WrittenKey) -> str:
    """Where a key is, in words after a space; a section below a name that the user chose by that name.

    Of a key that a release of a later day has, it is added up to which day there is none.
    """
    is_later = ctx.framework.keys.info(key.section, key.name) is not None
    day = f" as of {ctx.target.as_of}" if is_later and ctx.target.hidden else ""
    if not key.section:
        return f"{TOP_LEVEL if kind_of(ctx, '') == KEY else ''}{day}"
    section = format_path(key.path[:-1])[:80] if "*" in key.section else key.section
    return f" in `{section}`{day}"


def known_since(ctx: CheckContext, guess: Guess | None = None) -> str:
    """From which release on all are known, in words: those before the first known one may have had a key.

    Args:
        guess: what is meant; a slip of the finger is a key of no release at all.
    """
    if guess is not None and guess.sure:
        return ""
    versions = ctx.framework.releases.versions
    # What has the name of a class or a command came with some release, maybe of another package.
    is_of_package = not ctx.framework.title.startswith("`")
    return f" since {versions[0]}" if is_of_package and len(versions) > 1 else ""


def named(ctx: CheckContext, key: WrittenKey) -> dict[str, Any]:
    """What a message calls a key, and where it is."""
    return {
        "key": format_path(key.path),
        "name": key.name,
        "kind": kind_of(ctx, key.section),
        "place": place_of(ctx, key),
    }


def origin_of(ctx: CheckContext, release: str) -> str:
    """Where the release that a key depends on is stated, in words."""
    package = release.rpartition(" ")[0]
    if not package:
        return ctx.target.release_origin
    pin = ctx.target.pins.get(package)
    return pin.origin if pin else f"the newest alongside {in_words(ctx, ctx.target.release)}"


def shared_hit(ctx: CheckContext, key: WrittenKey, hint: str) -> Hit:
    """The note on a key of a file that another program seems to read, too; those of a file are kin."""
    effect = ctx.framework.key_policy.shared_effect
    params = {
        "key": key.name,
        "name": key.name,
        "kind": kind_of(ctx, key.section),
        "place": place_of(ctx, key),
        "known_since": known_since(ctx),
        "effect": effect,
        "hint": hint,
    }
    return Hit(key.path, key.entry.key.span, params, severity="note", kin=key.name)


def _may_have_a_reader(ctx: CheckContext, key: WrittenKey) -> bool:
    """Whether a program may read a key that the framework does not know."""
    return key.verdict.doubtful or of_another_reader(ctx, key)


def effect(ctx: CheckContext, key: WrittenKey, *, since: bool = False) -> str:
    """What the framework does about a key that it does not read, in words.

    Args:
        since: name the first release that refuses the key, because none is stated.
    """
    policy, verdict = ctx.framework.key_policy, key.verdict
    title, whole = verdict.reader or ctx.framework.title, policy.refused_whole
    if verdict.upstream == "rejects":
        if since and verdict.since:
            named = ctx.framework.title
            named = named if title == named else ctx.framework.row["title"]
            return f"{named} {verdict.since} and later refuse {whole}"
        return f"{title} refuses {whole}"
    return (
        f"{title} warns and ignores it"
        if verdict.upstream == "warns"
        else f"{title} silently ignores it"
    )


def _related(ctx: CheckContext, params: dict[str, Any]) -> tuple[Related, ...]:
    if "plugin" not in params:
        return ()
    entry = ctx.document.entry((ctx.framework.row["plugins_key"],))
    return () if entry is None else (Related(entry.key.span, "it is not among these"),)
