import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn, State } from "vscode-languageclient/node";

import {
  counted,
  effectiveName,
  initializationOptions,
  inWords,
  serverLaunch,
  startFailure,
  status,
  type Counts,
} from "./logic";

const SECTION = "cfglint";
const SCHEME = "cfglint-effective";
const LANGUAGES = ["yaml", "json", "jsonc", "shellscript"];
const SELECTOR = LANGUAGES.map((language) => ({ scheme: "file", language }));

let client: LanguageClient | undefined;

/** The interpreter that the Python extension has selected. */
async function interpreter(): Promise<string | undefined> {
  const python = vscode.extensions.getExtension<unknown>("ms-python.python");
  if (python === undefined) {
    return undefined;
  }
  const api = (await python.activate()) as
    | { environments?: { getActiveEnvironmentPath?: () => { path?: unknown } | undefined } }
    | undefined;
  const path = api?.environments?.getActiveEnvironmentPath?.()?.path;
  return typeof path === "string" && path !== "python" ? path : undefined;
}

function settings(): Record<string, unknown> {
  return { ...vscode.workspace.getConfiguration(SECTION) };
}

/** The findings of the file that is shown. */
function countsOf(uri: vscode.Uri): Counts {
  const found = vscode.languages.getDiagnostics(uri).filter((one) => one.source === SECTION);
  return counted(found.map((one) => one.severity + 1));
}

function show(item: vscode.StatusBarItem, failure?: string): void {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !LANGUAGES.includes(document.languageId)) {
    item.hide();
    return;
  }
  const runs = client?.state === State.Running;
  const shown = status(runs ? countsOf(document.uri) : undefined, failure);
  item.text = shown.text;
  item.tooltip = shown.tooltip;
  item.show();
}

/**
 * Starts the server.
 * @param folder where it runs: a folder of the extension's own, since Windows looks for programs in
 *   the current folder first, and the opened one may hold anything.
 */
async function start(item: vscode.StatusBarItem, folder: string): Promise<void> {
  const trusted = vscode.workspace.isTrusted;
  const python = trusted ? await interpreter() : undefined;
  const launch = serverLaunch(settings()["command"], python, trusted);
  const started = new LanguageClient(
    SECTION,
    SECTION,
    { command: launch.program, args: [...launch.args], options: { cwd: folder } },
    {
      documentSelector: SELECTOR,
      initializationOptions: initializationOptions(settings()),
      revealOutputChannelOn: RevealOutputChannelOn.Never,
    },
  );
  client = started;
  try {
    await started.start();
    show(item);
  } catch (error) {
    const failure = startFailure(launch, error);
    show(item, failure);
    void vscode.window.showWarningMessage(failure);
  }
}

async function stop(): Promise<void> {
  const stopped = client;
  client = undefined;
  if (stopped?.state === State.Running) {
    await stopped.stop();
  }
}

/** Ask the server to do something; undefined while none runs. */
async function asked<T>(command: string, ...args: unknown[]): Promise<T | undefined> {
  if (client?.state !== State.Running) {
    return undefined;
  }
  const params = { command, arguments: args };
  return await client.sendRequest("workspace/executeCommand", params);
}

/** Shows what the framework makes of a file, and follows its changes. */
class Effective implements vscode.TextDocumentContentProvider {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;

  static uri(of: vscode.Uri): vscode.Uri {
    return vscode.Uri.from({ scheme: SCHEME, path: `/${effectiveName(of.path)}`, query: of.toString() });
  }

  changed(of: vscode.Uri): void {
    this.changes.fire(Effective.uri(of));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (await asked<string>("cfglint.effective", uri.query)) ?? "# cfglint does not run\n";
  }
}

async function showEffective(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || document.uri.scheme === SCHEME) {
    return;
  }
  const shown = await vscode.workspace.openTextDocument(Effective.uri(document.uri));
  await vscode.languages.setTextDocumentLanguage(shown, "yaml");
  const viewColumn = vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(shown, { viewColumn, preserveFocus: true });
}

async function checkFolders(): Promise<void> {
  const counts = await asked<Counts & { files: number }>("cfglint.checkWorkspace");
  if (counts !== undefined) {
    const files = counts.files === 1 ? "1 file" : `${counts.files} files`;
    void vscode.window.showInformationMessage(`cfglint: ${inWords(counts)} in ${files}`);
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  item.command = "cfglint.showLog";
  const effective = new Effective();
  const restart = async (): Promise<void> => {
    await stop();
    await start(item, context.extensionPath);
  };
  context.subscriptions.push(
    item,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, effective),
    vscode.commands.registerCommand("cfglint.showEffective", showEffective),
    vscode.commands.registerCommand("cfglint.checkFolders", checkFolders),
    vscode.commands.registerCommand("cfglint.restart", restart),
    vscode.commands.registerCommand("cfglint.showLog", () => {
      client?.outputChannel.show();
    }),
    vscode.window.onDidChangeActiveTextEditor(() => {
      show(item);
    }),
    vscode.languages.onDidChangeDiagnostics((event) => {
      show(item);
      for (const uri of event.uris) {
        effective.changed(uri);
      }
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("cfglint.command")) {
        void restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void restart()),
  );
  show(item);
  await start(item, context.extensionPath);
}

export async function deactivate(): Promise<void> {
  await stop();
}
