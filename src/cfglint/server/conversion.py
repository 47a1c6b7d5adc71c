"""Conversion of the engine's results to the protocol's types."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lsprotocol import types as lsp

from cfglint.base.documentation import rule_page
from cfglint.diagnostic import Diagnostic, Edit, SeverityName
from cfglint.engine.file_report import FileReport
from cfglint.report.escaping import visible
from cfglint.server.completing import Proposal
from cfglint.server.outline import Kind, Symbol
from cfglint.server.positions import Positions
from cfglint.source.text import Span

SOURCE = "cfglint"
_SEVERITIES: dict[SeverityName, lsp.DiagnosticSeverity] = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
_KINDS: dict[Kind, lsp.SymbolKind] = {
    "mapping": lsp.SymbolKind.Object,
    "list": lsp.SymbolKind.Array,
    "text": lsp.SymbolKind.String,
    "number": lsp.SymbolKind.Number,
    "flag": lsp.SymbolKind.Boolean,
    "null": lsp.SymbolKind.Null,
}


def diagnostics(
    report: FileReport, encoding: str, uri_of: Callable[[str], str]
) -> list[lsp.Diagnostic]:
    """The findings of one file."""
    positions = Positions(report.source, encoding)
    return [
        diagnostic(found, report.path, positions, encoding, uri_of) for found in report.diagnostics
    ]


def diagnostic(
    found: Diagnostic,
    path: str,
    positions: Positions,
    encoding: str,
    uri_of: Callable[[str], str],
) -> lsp.Diagnostic:
    """One finding of a file."""
    related = []
    for one in found.related:
        there = positions if one.file is None else Positions(one.file.source, encoding)
        uri = uri_of(path if one.file is None else one.file.path)
        related.append(
            lsp.DiagnosticRelatedInformation(
                lsp.Location(uri, there.range(one.span)), visible(one.note)
            )
        )
    return lsp.Diagnostic(
        range=positions.range(found.span),
        message=_message(found),
        severity=_SEVERITIES[found.severity],
        code=found.code,
        code_description=lsp.CodeDescription(page) if (page := rule_page(found.code)) else None,
        source=SOURCE,
        related_information=related or None,
    )


def _message(found: Diagnostic) -> str:
    lines = [visible(found.message)]
    if found.cost:
        lines.append(f"Cost: {visible(found.cost)}.")
    if found.needs:
        lines.append(f"{' and '.join(found.needs)} would decide it.")
    return "\n".join(lines)


def text_edits(edits: Iterable[Edit], positions: Positions) -> list[lsp.TextEdit]:
    """Edits of one text."""
    return [lsp.TextEdit(positions.range(Span(edit.start, edit.end)), edit.text) for edit in edits]


def workspace_edit(
    uri: str, version: int, edits: list[lsp.TextEdit], *, with_versions: bool
) -> lsp.WorkspaceEdit:
    """Edits of one file, for the version that they were computed for where clients look at it."""
    if not with_versions:
        return lsp.WorkspaceEdit(changes={uri: edits})
    text = lsp.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
    return lsp.WorkspaceEdit(
        document_changes=[lsp.TextDocumentEdit(text_document=text, edits=list(edits))]
    )


def completion(
    proposal: Proposal, where: lsp.Range, *, markdown: Callable[[str], lsp.MarkupContent]
) -> lsp.CompletionItem:
    """One completion."""
    return lsp.CompletionItem(
        label=proposal.label,
        kind=lsp.CompletionItemKind.Property if proposal.is_key else lsp.CompletionItemKind.Value,
        detail=visible(proposal.detail) or None,
        documentation=markdown(proposal.about) if proposal.about else None,
        sort_text=f"{int(proposal.rarely)}{proposal.label}",
        filter_text=proposal.text,
        text_edit=lsp.TextEdit(where, proposal.text),
    )


def code_item(code: str, name: str, number: int, where: lsp.Range) -> lsp.CompletionItem:
    """The completion of a code in a comment.

    Args:
        number: its place among the codes.
    """
    return lsp.CompletionItem(
        label=code,
        kind=lsp.CompletionItemKind.Reference,
        detail=name,
        sort_text=f"{number:05}",
        text_edit=lsp.TextEdit(where, code),
    )


def document_symbols(found: Iterable[Symbol], positions: Positions) -> list[lsp.DocumentSymbol]:
    """Keys as a tree."""
    return [
        lsp.DocumentSymbol(
            name=visible(one.name),
            detail=visible(one.detail) or None,
            kind=_KINDS[one.kind],
            range=positions.range(one.span),
            selection_range=positions.range(one.selection),
            children=document_symbols(one.children, positions),
        )
        for one in found
    ]


def flat_symbols(
    found: Iterable[Symbol], uri: str, positions: Positions, container: str | None = None
) -> list[lsp.SymbolInformation]:
    """Keys as a list, for clients that show no tree."""
    out: list[lsp.SymbolInformation] = []
    for one in found:
        out.append(
            lsp.SymbolInformation(
                name=visible(one.name),
                kind=_KINDS[one.kind],
                location=lsp.Location(uri, positions.range(one.span)),
                container_name=container,
            )
        )
        out += flat_symbols(one.children, uri, positions, visible(one.name))
    return out
