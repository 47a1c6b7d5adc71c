"""What the protocol has for findings, edits, completions and symbols."""

from __future__ import annotations

from lsprotocol import types as lsp

from cfglint.diagnostic import Edit, OtherFile, Related
from cfglint.server import conversion
from cfglint.server.completing import Proposal
from cfglint.server.outline import Symbol
from cfglint.server.positions import Positions
from cfglint.source.text import SourceText, Span
from tests.report.building import finding, report

TEXT = "a: 1\nb: 2\n"
OTHER = OtherFile("/p/other.sh", SourceText("x\nyz\n"))
WHERE = lsp.Range(lsp.Position(1, 0), lsp.Position(1, 1))


def uri_of(path: str) -> str:
    return f"file://{path}"


def test_findings() -> None:
    related = (Related(Span(0, 1), "here"), Related(Span(2, 3), "there\n", OTHER))
    found = finding(
        "KEY001",
        Span(5, 6),
        message="It\x1b.",
        cost="time",
        needs=("--gpus N", "--gpu NAME"),
        related=related,
    )
    plain = finding("KEY002", Span(5, 6), severity="warning", message="It.", cost="")
    note = finding("KEY003", Span(6, 6), severity="note", message="It.", cost="")
    one, two, three = conversion.diagnostics(
        report("/p/a.yml", TEXT, found, plain, note), "utf-16", uri_of
    )
    assert (one.range, one.code, one.source) == (WHERE, "KEY001", "cfglint")
    assert one.message == "It\\x1b.\nCost: time.\n--gpus N and --gpu NAME would decide it."
    assert one.related_information is not None
    assert [
        (at.location.uri, at.location.range.start.line, at.message)
        for at in one.related_information
    ] == [("file:///p/a.yml", 0, "here"), ("file:///p/other.sh", 1, "there\\n")]
    assert (two.message, two.related_information) == ("It.", None)
    assert [at.severity for at in (one, two, three)] == [
        lsp.DiagnosticSeverity.Error,
        lsp.DiagnosticSeverity.Warning,
        lsp.DiagnosticSeverity.Information,
    ]


def test_edits() -> None:
    positions = Positions(SourceText(TEXT), "utf-16")
    edits = conversion.text_edits([Edit(5, 6, "c")], positions)
    assert edits == [lsp.TextEdit(WHERE, "c")]
    plain = conversion.workspace_edit("file:///a", 3, edits, with_versions=False)
    assert (plain.changes, plain.document_changes) == ({"file:///a": edits}, None)
    with_versions = conversion.workspace_edit("file:///a", 3, edits, with_versions=True)
    assert with_versions.changes is None
    assert with_versions.document_changes is not None
    (change,) = with_versions.document_changes
    assert isinstance(change, lsp.TextDocumentEdit)
    assert (change.text_document.version, change.edits) == (3, edits)


def test_completions() -> None:
    def markdown(text: str) -> lsp.MarkupContent:
        return lsp.MarkupContent(lsp.MarkupKind.Markdown, text)

    key = Proposal(label="a", text="a: ", is_key=True, detail="x\n", about="It.")
    value = Proposal(label="b", text="b", is_key=False, detail="", about="", rarely=True)
    one, two = (conversion.completion(item, WHERE, markdown=markdown) for item in (key, value))
    assert (one.kind, one.detail, one.sort_text) == (lsp.CompletionItemKind.Property, "x\\n", "0a")
    assert one.documentation == markdown("It.")
    assert one.text_edit == lsp.TextEdit(WHERE, "a: ")
    assert (two.kind, two.detail, two.sort_text) == (lsp.CompletionItemKind.Value, None, "1b")
    assert two.documentation is None
    code = conversion.code_item("KEY001", "unknown-key", 12, WHERE)
    assert (code.label, code.detail, code.sort_text) == ("KEY001", "unknown-key", "00012")


def test_symbols() -> None:
    inner = Symbol("b\n", "", "list", Span(5, 9), Span(5, 6), ())
    outer = Symbol("a", "x\t", "mapping", Span(0, 9), Span(0, 1), (inner,))
    positions = Positions(SourceText(TEXT), "utf-16")
    (tree,) = conversion.document_symbols([outer], positions)
    assert (tree.name, tree.detail, tree.kind) == ("a", "x\\t", lsp.SymbolKind.Object)
    assert tree.range.end == lsp.Position(1, 4)
    assert tree.selection_range.end == lsp.Position(0, 1)
    assert tree.children is not None
    (child,) = tree.children
    assert (child.name, child.detail, child.kind) == ("b\\n", None, lsp.SymbolKind.Array)
    flat = conversion.flat_symbols([outer], "file:///a", positions)
    assert [(one.name, one.container_name) for one in flat] == [("a", None), ("b\\n", "a")]
