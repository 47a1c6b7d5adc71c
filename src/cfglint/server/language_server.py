"""What the server answers: handles the requests of the protocol with the `ServerState`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec

import cfglint
from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.engine.ignoring import REASON
from cfglint.engine.session import RunError
from cfglint.report.run import plural
from cfglint.server import conversion
from cfglint.server.completing import proposals
from cfglint.server.hovering import hover, without_markup
from cfglint.server.outline import links, symbols
from cfglint.server.positions import Positions
from cfglint.server.protocol import Protocol
from cfglint.server.repairs import Offer, line_edits, offers, touches
from cfglint.server.snapshot import OPTIONS, OpenText
from cfglint.server.state import ServerState
from cfglint.server.texts import path_of
from cfglint.source.text import SourceText

#: Milliseconds after the last key press until a text is checked, unless the client sets `delay`.
DELAY = 150
FIX_ALL = "source.fixAll.cfglint"
MIGRATE = "cfglint.migrate"
SECTION = "cfglint"


class Server(LanguageServer):
    """One client's server."""

    def __init__(self) -> None:
        # Whole texts: pygls takes more characters for line ends than the protocol has, so what it
        # makes of the parts of a text is another text.
        super().__init__(
            "cfglint",
            cfglint.__version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
        )
        self.state = ServerState()
        self.delay = DELAY
        self._waiting: asyncio.TimerHandle | None = None
        #: URI -> the findings that the client shows: from the open texts, and from the workspace check.
        self._open_findings: dict[str, list[lsp.Diagnostic]] = {}
        self._workspace_findings: dict[str, list[lsp.Diagnostic]] = {}
        self._shown_failures: list[str] = []
        self._checks = 0

    # ------------------------------------------------------------------ what the client can

    @property
    def encoding(self) -> str:
        """The unit of columns."""
        codec: PositionCodec = self.workspace.position_codec
        return getattr(codec.encoding, "value", None) or str(codec.encoding)

    def can(self, *path: str) -> bool:
        """Whether the client announced a capability."""
        found: Any = self.client_capabilities
        for name in path:
            found = getattr(found, name, None)
        return bool(found)

    def markup(self, text: str) -> lsp.MarkupContent:
        """Markdown, or plain text for a client that does not support it."""
        about = self.client_capabilities.text_document
        formats = about.hover.content_format if about and about.hover else None
        if formats is not None and lsp.MarkupKind.Markdown not in formats:
            return lsp.MarkupContent(lsp.MarkupKind.PlainText, without_markup(text))
        return lsp.MarkupContent(lsp.MarkupKind.Markdown, text)

    def tell(self, message: str, kind: lsp.MessageType = lsp.MessageType.Error) -> None:
        """Show a message."""
        self.window_show_message(lsp.ShowMessageParams(type=kind, message=f"cfglint: {message}"))

    # ------------------------------------------------------------------ settings

    def configure(self, given: object) -> None:
        """Take the client's settings; those that cannot be used are reported and ignored.

        A client without settings answers with null or an empty object.
        """
        if not isinstance(given, Mapping) or not given:
            return
        options = {name: given.get(_camel(name)) for name in OPTIONS}
        delay = given.get("delay", DELAY)
        if isinstance(delay, bool) or not isinstance(delay, int) or not 0 <= delay <= 10_000:
            self.tell("`delay` expects milliseconds, from 0 to 10000")
        else:
            self.delay = delay
        try:
            self.state.configure(options)
        except (TypeError, ValueError) as error:
            self.tell(str(error))

    async def ask_for_settings(self) -> None:
        """Take the settings that the client has for this server."""
        if self.can("workspace", "configuration"):
            items = [lsp.ConfigurationItem(section=SECTION)]
            answer = await self.workspace_configuration_async(lsp.ConfigurationParams(items))
            self.configure(answer[0] if answer else None)

    # ------------------------------------------------------------------ checking

    def text_changed(self) -> None:
        """Schedule a check for `delay` milliseconds after the last change."""
        self.state.look_again()
        if self._waiting is not None:
            self._waiting.cancel()
        loop = asyncio.get_running_loop()
        self._waiting = loop.call_later(self.delay / 1000, self.publish)

    def publish(self) -> None:
        """Check the open texts and send the client the findings that changed."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        found = self._converted(self.state.check().values())
        for text in self.state.texts.by_path().values():
            found.setdefault(text.uri, [])
        changed = {
            uri
            for uri in {*found, *self._open_findings}
            if found.get(uri) != self._open_findings.get(uri) or self.state.texts.get(uri)
        }
        self._open_findings = found
        self._send(changed)
        failures = self.state.failures
        for failure in failures:
            if failure not in self._shown_failures:
                self.tell(failure)
        self._shown_failures = failures

    def forget(self, uri: str) -> None:
        """Drop the outdated results of the workspace check for a text that was closed or changed."""
        if self._workspace_findings.pop(uri, None) is not None:
            self._send({uri})

    def _converted(self, reports: Any) -> dict[str, list[lsp.Diagnostic]]:
        uri_of = self.state.texts.uri_of
        return {
            uri_of(report.path): conversion.diagnostics(report, self.encoding, uri_of)
            for report in reports
        }

    def _send(self, uris: set[str]) -> None:
        for uri in sorted(uris):
            text = self.state.texts.get(uri)
            found = self._open_findings.get(uri)
            if found is None:
                found = self._workspace_findings.get(uri, [])
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(
                    uri=uri, diagnostics=found, version=text.version if text else None
                )
            )

    async def check_workspace(self) -> dict[str, int]:
        """Check every config in the workspace's folders, and report how many findings there are."""
        self._checks += 1
        token = f"cfglint-{self._checks}"
        shown = self.can("window", "work_done_progress")
        progress = self.work_done_progress
        if shown:
            await progress.create_async(token)
            begin = lsp.WorkDoneProgressBegin("cfglint: checking the workspace", cancellable=True)
            progress.begin(token, begin)

        def report(done: int, of: int) -> None:
            if shown:
                step = lsp.WorkDoneProgressReport(
                    message=f"{done} of {of} files", percentage=100 * done // max(of, 1)
                )
                progress.report(token, step)

        folders = [path_of(folder.uri) for folder in self.workspace.folders.values()]
        found: list[FileReport] = []
        try:
            for found in self.state.check_folders(folders, report):  # noqa: B007
                await asyncio.sleep(0)
                if shown and progress.tokens[token].cancelled():
                    break
            else:
                before = set(self._workspace_findings)
                self._workspace_findings = self._converted(found)
                self._send(before | set(self._workspace_findings))
        except RunError as error:
            self.tell(str(error))
        finally:
            counts = _counted(found)
            if shown:
                progress.end(token, lsp.WorkDoneProgressEnd(message=f"{counts['files']} configs"))
                progress.tokens.pop(token, None)
        return counts

    # ------------------------------------------------------------------ questions about one text

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
            run = self.state.run(text)
            for found in report.diagnostics:
                if touches(found, span):
                    out += [self._action(offer, text, positions) for offer in offers(found, run)]
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
        return out

    def _migration(self, text: OpenText) -> list[lsp.CodeAction]:
        """The offer to migrate a text whose project states an older release."""
        try:
            release = self.state.snapshot.newer(text.path)
        except RunError:
            return []
        if release is None:
            return []
        title = f"Migrate to {release.replace('==', ' ')}"
        command = lsp.Command(title, MIGRATE, arguments=[text.uri, release])
        return [lsp.CodeAction(title, kind=lsp.CodeActionKind.RefactorRewrite, command=command)]

    async def migrate(self, uri: str, release: str) -> bool:
        """Migrate a text to a release, as far as that is safe; returns whether all is done."""
        known = self.open_text(uri)
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
        run = self.state.run(known[0]) if known else None
        if known is None or run is None:
            return None
        found = hover(run, known[1].offset(params.position))
        if found is None:
            return None
        return lsp.Hover(self.markup(found[0]), range=known[1].range(found[1]))

    def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList:
        """What may be written at a place."""
        known = self.open_text(params.text_document.uri)
        items: list[lsp.CompletionItem] = []
        if known is not None:
            text, positions = known
            cursor = self.state.cursor(text, positions.offset(params.position))
            if cursor is not None:
                where = positions.range(cursor.span)
                items = [
                    conversion.completion(one, where, markdown=self.markup)
                    for one in proposals(cursor)
                ]
        return lsp.CompletionList(is_incomplete=False, items=items)

    def links(self, uri: str) -> list[tuple[lsp.Range, str]]:
        """The files that a text names: where, and their names."""
        known = self.open_text(uri)
        run = self.state.run(known[0]) if known else None
        if known is None or run is None:
            return []
        uri_of = self.state.texts.uri_of
        return [(known[1].range(span), uri_of(path)) for span, path in links(run)]

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
        found = symbols(run.document)
        tree = ("document_symbol", "hierarchical_document_symbol_support")
        if self.can("text_document", *tree):
            return conversion.document_symbols(found, known[1])
        return conversion.flat_symbols(found, uri, known[1])

    def effective(self, uri: str) -> str:
        """The configuration that the framework makes of a text, or why there is none."""
        from cfglint.cli.effective import effective_text

        text = self.state.texts.get(uri)
        try:
            return effective_text(self.state.snapshot.session, text.path if text else path_of(uri))
        except RunError as error:
            return f"# {error}\n"


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


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


def _counted(reports: list[FileReport]) -> dict[str, int]:
    found = [one.severity for report in reports for one in report.diagnostics]
    counts = {f"{severity}s": found.count(severity) for severity in ("error", "warning", "note")}
    return {"files": len(reports), **counts}
