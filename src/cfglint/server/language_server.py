"""What the server answers: handles the requests of the protocol with the `ServerState`."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from cfglint.diagnostic import Diagnostic
from cfglint.engine.session import RunError
from cfglint.engine.silencing.ignoring import REASON
from cfglint.report.escaping import visible
from cfglint.report.run import plural
from cfglint.server import conversion
from cfglint.server.completing import first_proposals
from cfglint.server.explaining import Pages, explanation, touched_key
from cfglint.server.hovering import hover, without_markup
from cfglint.server.outline import links, moved, symbols
from cfglint.server.positions import Positions
from cfglint.server.publishing import Publisher
from cfglint.server.repairs import Offer, line_edits, offers, touches
from cfglint.server.snapshot import OpenText
from cfglint.server.texts import file_uri, path_of
from cfglint.source.text import SourceText, Span

FIX_ALL = "source.fixAll.cfglint"
MIGRATE = "cfglint.migrate"
EXPLAIN = "cfglint.explain"


class Server(Publisher):
    """One client's server."""

    def __init__(self) -> None:
        super().__init__()
        self._pages = Pages()

    def open_text(self, uri: str) -> tuple[OpenText, Positions] | None:
        """An open text, and the places in it."""
        text = self.state.texts.get(uri)
        if text is None:
            return None
        return text, Positions(SourceText.from_str(text.text), self.encoding)

    def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """The code actions for the findings in a range."""
        known = self.open_text(params.text_document.uri)
        report = self.state.report(known[0]) if known else None
        if known is None or report is None:
            return []
        text, positions = known
        wanted = params.context.only
        out = []
        if _is_wanted(lsp.CodeActionKind.QuickFix, wanted):
            span = positions.span(params.range)
            # The comment of an ignore goes by the places of the text as it was read.
            run = self.state.run(text) if not self.state.readable(text).changes else None
            for found in report.diagnostics:
                if touches(found, span):
                    out += [self._action(offer, text, positions) for offer in offers(found, run)]
                    out.append(self._explaining(text, found.code, found.name))
        if wanted is None or _is_wanted(FIX_ALL, wanted):
            edits, settled = self.state.fixed(text)
            if edits:
                out.append(
                    lsp.CodeAction(
                        "Fix all that cfglint can fix safely",
                        # A client that asks for no kind shows all actions in one list of fixes.
                        kind=lsp.CodeActionKind.QuickFix if wanted is None else FIX_ALL,
                        diagnostics=self._about(settled, text, positions),
                        edit=self._edit(text, conversion.text_edits(edits, positions)),
                    )
                )
        # Not offered when the editor looks for actions by itself, only when the user asks for them.
        asked = params.context.trigger_kind is not lsp.CodeActionTriggerKind.Automatic
        if asked and _is_wanted(lsp.CodeActionKind.RefactorRewrite, wanted):
            out += self._migration(text)
        if asked and _is_wanted(lsp.CodeActionKind.QuickFix, wanted):
            key = self._key_at(text, positions.span(params.range))
            out += [self._explaining(text, key)] if key is not None else []
        return list({one.title: one for one in reversed(out)}.values())[::-1]

    def _key_at(self, text: OpenText, span: Span) -> str | None:
        """The place of the key that a cursor is at."""
        run, there = self.state.run(text), self.state.readable(text).there
        return None if run is None else touched_key(run, Span(there(span.start), there(span.end)))

    def _explaining(self, text: OpenText, subject: str, name: str = "") -> lsp.CodeAction:
        """The offer to explain a rule or a key."""
        title = f"Explain {subject} ({name})" if name else f"Explain {visible(subject)}"
        command = lsp.Command(title, EXPLAIN, arguments=[text.uri, subject])
        return lsp.CodeAction(title, kind=lsp.CodeActionKind.QuickFix, command=command)

    def explanation(self, uri: str, subject: str) -> str:
        """The page of a rule or of a key of a text, in Markdown; empty when there is none."""
        text = self.state.texts.get(uri)
        run = self.state.run(text) if text is not None else None
        return (explanation(run, subject) if run is not None else None) or ""

    async def explain(self, uri: str, subject: str) -> bool:
        """Show the page of a rule or of a key of a text, in the way that the client can."""
        text = self.explanation(uri, subject)
        if not text:
            self.tell(f"nothing is known about {visible(subject)}", lsp.MessageType.Warning)
            return False
        if self.can("window", "show_document", "support"):
            page = file_uri(self._pages.written(subject, text))
            params = lsp.ShowDocumentParams(page, take_focus=True)
            return (await self.window_show_document_async(params)).success
        self.tell(without_markup(text), lsp.MessageType.Info)
        return True

    def _migration(self, text: OpenText) -> list[lsp.CodeAction]:
        """The offer to migrate a text whose project states an older release."""
        try:
            release = self.state.snapshot.newer(text.path)
        except RunError:
            return []
        if release is None or self.state.readable(text).changes:
            return []
        title = f"Migrate to {release.replace('==', ' ')}"
        command = lsp.Command(title, MIGRATE, arguments=[text.uri, release])
        return [lsp.CodeAction(title, kind=lsp.CodeActionKind.RefactorRewrite, command=command)]

    async def migrate(self, uri: str, release: str) -> bool:
        """Migrate a text to a release, as far as that is safe; returns whether all is done."""
        known = self.open_text(uri)
        if known is not None and self.state.readable(known[0]).changes:
            known = None
        try:
            made = self.state.snapshot.migrated(known[0].path, release) if known else None
        except RunError as error:
            self.tell(str(error))
            return False
        if known is None or made is None:
            self.tell("the file cannot be read")
            return False
        text, positions = known
        if made.steps:
            edits = conversion.text_edits(line_edits(made.original, made.result), positions)
            edit = self._edit(text, list(edits))
            label = f"Migrate to {release.replace('==', ' ')}"
            await self.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit, label))
        rest = len(made.proposed) + len(made.left)
        message = f"migrated to {release.replace('==', ' ')} in {plural(len(made.steps), 'step')}"
        if rest:
            message += f"; `cfglint migrate` lists {plural(rest, 'change')} that you have to make"
        self.tell(message, lsp.MessageType.Warning if rest else lsp.MessageType.Info)
        return not rest

    def _action(self, offer: Offer, text: OpenText, positions: Positions) -> lsp.CodeAction:
        edits: list[Any] = list(conversion.text_edits(offer.edits, positions))
        if offer.silences and self.can("workspace", "workspace_edit", "snippet_edit_support"):
            edits = [_with_reason_marked(edit) for edit in edits]
        return lsp.CodeAction(
            offer.title,
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=self._about([offer.found], text, positions),
            is_preferred=offer.preferred or None,
            edit=self._edit(text, edits),
        )

    def _about(
        self, found: list[Diagnostic], text: OpenText, positions: Positions
    ) -> list[lsp.Diagnostic]:
        uri_of = self.state.texts.uri_of
        return [
            conversion.diagnostic(one, text.path, positions, self.encoding, uri_of) for one in found
        ]

    def _edit(self, text: OpenText, edits: list[Any]) -> lsp.WorkspaceEdit:
        with_versions = self.can("workspace", "workspace_edit", "document_changes")
        return conversion.workspace_edit(text.uri, text.version, edits, with_versions=with_versions)

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """What is known about a key."""
        known = self.open_text(params.text_document.uri)
        if known is None:
            return None
        run, read = self.state.run(known[0]), self.state.readable(known[0])
        offset = read.there(known[1].offset(params.position))
        found = hover(run, offset) if run is not None else None
        if found is None:
            found = self.state.word_of_command(known[0], offset)
        span = read.here(found[1]) if found is not None else None
        if found is None or span is None:
            return None
        return lsp.Hover(self.markup(found[0]), range=known[1].range(span))

    def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList:
        """What may be written at a place."""
        known = self.open_text(params.text_document.uri)
        items: list[lsp.CompletionItem] = []
        if known is not None:
            text, positions = known
            offset = positions.offset(params.position)
            codes = self.state.codes(text, offset)
            found = first_proposals(self.state.cursors(text, offset)) if codes is None else None
            if codes is not None:
                where = positions.range(codes[0])
                items = [
                    conversion.code_item(*one, number, where) for number, one in enumerate(codes[1])
                ]
            elif found is not None:
                where = positions.range(found[0].span)
                items = [
                    conversion.completion(one, where, markdown=self.markup) for one in found[1]
                ]
        return lsp.CompletionList(is_incomplete=False, items=items)

    def links(self, uri: str) -> list[tuple[lsp.Range, str]]:
        """The files that a text names: where, and their names."""
        known = self.open_text(uri)
        run = self.state.run(known[0]) if known else None
        if known is None or run is None:
            return []
        uri_of, read = self.state.texts.uri_of, self.state.readable(known[0])
        found = [(read.here(span), path) for span, path in links(run)]
        return [(known[1].range(span), uri_of(path)) for span, path in found if span is not None]

    def definition(self, params: lsp.DefinitionParams) -> lsp.Location | None:
        """The file that is named at a place."""
        place = params.position
        for where, uri in self.links(params.text_document.uri):
            if where.start <= place <= where.end:
                beginning = lsp.Position(0, 0)
                return lsp.Location(uri, lsp.Range(beginning, beginning))
        return None

    def symbols(self, uri: str) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]:
        """The keys of a text."""
        known = self.open_text(uri)
        run = self.state.run(known[0]) if known else None
        if known is None or run is None:
            return []
        found = moved(symbols(run.document), self.state.readable(known[0]).here)
        tree = ("document_symbol", "hierarchical_document_symbol_support")
        if self.can("text_document", *tree):
            return conversion.document_symbols(found, known[1])
        return conversion.flat_symbols(found, uri, known[1])

    def knows(self, uri: str) -> bool:
        """Whether an open text is a config that an effective configuration can be made of."""
        text = self.state.texts.get(uri)
        run = self.state.run(text) if text is not None else None
        return run is not None and run.document.language.structure in ("indentation", "brackets")

    def effective(self, uri: str) -> str:
        """The configuration that the framework makes of a text, or why there is none."""
        from cfglint.cli.effective import effective_text

        text = self.state.texts.get(uri)
        try:
            return effective_text(self.state.snapshot.session, text.path if text else path_of(uri))
        except RunError as error:
            return f"# {error}\n"


def _is_wanted(kind: str, wanted: Any) -> bool:
    """Whether a client that asks for certain kinds of actions asks for this one."""
    if wanted is None:
        return True
    asked = [getattr(one, "value", one) for one in wanted]
    kind = getattr(kind, "value", kind)
    return any(kind == one or kind.startswith(f"{one}.") or one == "" for one in asked)


def _with_reason_marked(edit: lsp.TextEdit) -> lsp.SnippetTextEdit:
    """The edit of a comment, with the cursor on the reason."""
    head, _, tail = edit.new_text.rpartition(REASON)
    special = str.maketrans({"\\": "\\\\", "$": "\\$", "}": "\\}"})
    snippet = f"{head.translate(special)}${{1:{REASON}}}{tail.translate(special)}"
    return lsp.SnippetTextEdit(edit.range, lsp.StringValue(snippet))
