"""Findings about a file together with those that belong to it.

A reference of a file is an edge: to a second file, or to a section that could be one. A section is
checked by the framework it belongs to, at its own lines. What only both sides show is found by the rules
on the edge: they are tried on the settings of both, in which the second file is a layer: it takes the
place of the value that names it. Each finding is reported at its own file and line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.diagnostic import Diagnostic, OtherFile, Related
from cfglint.engine.checked_document import CheckedDocument
from cfglint.environment.environment import Environment
from cfglint.environment.pins import Pin, placed
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.releases.ranges import exact
from cfglint.roles.framework import Framework, load_framework
from cfglint.roles.parts import Reference
from cfglint.source.calls import call_of
from cfglint.source.document import Document, Mapping, Path
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.engine.programs.feeds import FedCall
    from cfglint.runs.settings.merged import MergedSettings

#: A framework by its name.
FrameworkOf = Callable[[str], Framework]


class Edges:
    """Checks a file together with those that it names; see `Case.edges`.

    Args:
        framework_of: gives a framework, with the rules of the project that is checked.
    """

    def __init__(self, framework_of: FrameworkOf = load_framework) -> None:
        self._framework_of = framework_of

    def __call__(self, checked: CheckedDocument) -> Iterator[Diagnostic]:
        left = _MAX_FED_KEYS
        for reference in checked.framework.readings.references(checked.document, checked.around):
            node = checked.document.node(reference.at)
            other = self.document(reference, checked.around) if reference.path is not None else None
            if other is not None:
                yield from _pair(checked, reference, other)
                continue
            if isinstance(node, Mapping):
                section, home = checked.document.section(node), (checked.document, reference.at)
                fed = _fed(section, checked, home) if left > 0 else None
                left -= len(fed.document.root.entries) if fed is not None else 0
                yield from self._section(checked, reference, section, fed)
            # Of a file that cannot be seen, its name may tell something.
            yield from checked.findings(reference.framework)

    def document(self, reference: Reference, around: Surroundings) -> Document | None:
        """The file that a reference leads to; None when it cannot be read."""
        from cfglint.environment.named_files import named_document

        path = reference.path
        assert path is not None
        language = self._framework_of(reference.framework).language
        return named_document(path, language, around, MAX_BYTES)

    def _section(
        self,
        checked: CheckedDocument,
        reference: Reference,
        section: Document,
        fed: FedCall | None,
    ) -> Iterator[Diagnostic]:
        """The findings of a section's framework in it."""
        framework = self._framework_of(reference.framework)
        case = checked.case.replaced(
            framework=framework,
            target=beyond(checked.target, framework),
            around=checked.around.replaced(launches=(), schemas=()),
        )
        home = (checked.document, reference.at)
        inner = CheckedDocument(
            section if fed is None else fed.document,
            case,
            fed.home_of if fed is not None else lambda _actions, _place: home,
        )
        title = inner.framework.title
        better = known_better(checked.framework, reference.framework)
        call = call_of(section.root)
        for found in (
            _with_defaults(inner) if call is not None and call.defaults else inner.findings()
        ):
            if found.code not in better and found.name not in _OF_FILES:
                if fed is not None:
                    found = fed.placed(found, title)
                if found.file is None:
                    found = found.replaced(path=(*reference.at, *found.path))
                yield found.replaced(title=title)
        run = _joined(section) if call is not None else None
        if run is not None:
            from cfglint.engine.programs.program_runs import of_run

            yield from (one.replaced(title=title) for one in of_run(run, inner, home))


def _joined(call: Document) -> Document | None:
    """The calls of a program's run that a call begins; None for a call that begins none."""
    from cfglint.source.languages.python import joining_of

    joining = joining_of(call)
    return None if joining is None else joining.joined(call)


def _with_defaults(checked: CheckedDocument) -> list[Diagnostic]:
    """The findings in a call, those that hang on what keywords are by default among them."""
    from cfglint.engine.programs.program_defaults import with_defaults

    return with_defaults(checked)


def _fed(
    section: Document, checked: CheckedDocument, home: tuple[Document, Path]
) -> FedCall | None:
    """A call together with what it is given from files; None for any other section."""
    call = call_of(section.root)
    if call is None or not (call.feeds or call.values):
        return None
    from cfglint.engine.programs.feeds import fed_call

    return fed_call(section, call, checked.around, home)


#: Of all calls of a program together, after which what files give them is left open: each is checked with all its keys.
_MAX_FED_KEYS = 5_000
#: A larger second file is not read as one; the largest real one has 60 kB.
MAX_BYTES = 1_000_000


#: Rules about a file as a whole; a section's name states whose it is.
_OF_FILES = frozenset({"unrecognized-config"})


def known_better(framework: Framework, other: str) -> frozenset[str]:
    """The rules of a second file that rules on the edge from a framework take the place of."""
    knowledge = framework.knowledge
    return frozenset(code for rule in knowledge.rules_on_edge(other) for code in rule.instead_of)


def beyond(target: Environment, framework: Framework) -> Environment:
    """What a second file is checked against: versions that its own framework's release follows."""
    pins = dict(target.pins)
    for package in framework.packages:
        stated = target.releases.pins.get(target.release, {}).get(package)
        if package not in pins and stated is not None:
            version = exact(stated)
            origin = f"pinned by {target.releases.package} {target.release}"
            spec = None if version is not None else stated
            pins[package] = Pin(version, None, origin, spec, implied=True)
    own = pins.get(framework.releases.package)
    if own is not None and own.is_lost:
        pins[framework.releases.package] = placed(own, framework.releases)
    return Environment(framework.releases, pins, target.facts, as_of=target.as_of)


def _pair(checked: CheckedDocument, reference: Reference, other: Document) -> Iterable[Diagnostic]:
    """What the rules on an edge find in both files."""
    path = reference.path
    assert path is not None
    file = OtherFile(path, other.source)
    both = _with_named(checked.document, reference.at, other, file)
    around = checked.around
    if reference.launches is not None:
        around = around.replaced(launches=reference.launches)
    inner = CheckedDocument(both, checked.case.replaced(around=around))
    own = OtherFile(checked.around.path, checked.document.source)
    for found in inner.findings(reference.framework):
        yield _in_its_file(found, both, reference.at, (own, file), checked.framework.title)


def _with_named(document: Document, at: Path, other: Document, file: OtherFile) -> MergedSettings:
    """The settings of a file and of one that it names, which is in place of its name."""
    from cfglint.runs.settings.layers import Assignment, Layer, Writer
    from cfglint.runs.settings.merged import merged, source_map
    from cfglint.runs.settings.source_map import moved

    sources, begin = source_map(document).with_file(file)
    named = Assignment(at, moved(other.root, begin))
    layer = Layer(Writer("named file", file.path), (named,), at_keys=True)
    return merged(document, layer, sources)


def _in_its_file(
    found: Diagnostic,
    both: MergedSettings,
    at: Path,
    files: tuple[OtherFile, OtherFile],
    title: str,
) -> Diagnostic:
    """A finding in the settings of both files, in the file that it is in."""
    own, other = files
    span, there = _span_in(other, found.span, both)
    related = []
    for one in found.related:
        that, in_other = _span_in(other, one.span, both)
        file = None if in_other is there else other if in_other else own
        related.append(Related(that, one.note, file))
    if not there:
        return found.replaced(span=span, related=tuple(related))
    return found.replaced(
        path=found.path[len(at) :],
        span=span,
        related=tuple(related),
        file=other,
        title=title,
        # A fix is planned on the text of one file.
        fixes=(),
    )


def _span_in(file: OtherFile, span: Span, both: MergedSettings) -> tuple[Span, bool]:
    """A place as the named file counts if it is there, else as the settings do; and whether it is."""
    place = both.place(span)
    there = place.file is file
    return (place.span if there else both.sources.clipped(span)), there
