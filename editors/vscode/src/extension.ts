import { execFile } from "node:child_process";

import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn, State } from "vscode-languageclient/node";

import {
  candidates,
  counted,
  effectiveName,
  initializationOptions,
  inWords,
  pageName,
  startFailure,
  status,
  type Candidate,
  type Counts,
  type Launch,
} from "./logic";

const SECTION = "cfglint";
const SCHEME = "cfglint-effective";
const PAGES = "cfglint-page";
const IS_CONFIG = "cfglint.isConfig";
/** Milliseconds in which a program has to say that it can serve. */
const PATIENCE = 20_000;
const LANGUAGES = ["yaml", "json", "jsonc", "shellscript", "python"];
const SELECTOR = [
  ...LANGUAGES.map((language) => ({ scheme: "file", language })),
  { notebook: "jupyter-notebook", language: "python" },
];

let client: LanguageClient | undefined;

/** A client whose own notifications go to the log: what a user can do about a failure is told once. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

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

/** Whether a command ends well. */
function endsWell(command: Launch, cwd: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { cwd, timeout: PATIENCE, windowsHide: true };
    execFile(command.program, [...command.args], options, (error) => {
      resolve(error === null);
    });
  });
}

/** The first program that can serve. */
async function chosen(tried: readonly Candidate[], cwd: string): Promise<Launch | undefined> {
  for (const one of tried) {
    if (await endsWell(one.probe, cwd)) {
      return one.launch;
    }
  }
  return undefined;
}

/**
 * Starts the server.
 * @param folder where it runs: a folder of the extension's own, since Windows looks for programs in
 *   the current folder first, and the opened one may hold anything.
 */
async function start(item: vscode.StatusBarItem, folder: string): Promise<void> {
  const trusted = vscode.workspace.isTrusted;
  const tried = candidates({
    command: settings()["command"],
    interpreter: trusted ? await interpreter() : undefined,
    trusted,
    folders: (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath),
    extension: folder,
    windows: process.platform === "win32",
  });
  const launch = await chosen(tried, folder);
  if (launch === undefined) {
    failed(item, startFailure(tried));
    return;
  }
  const started = new QuietClient(
    SECTION,
    SECTION,
    { command: launch.program, args: [...launch.args], options: { cwd: folder } },
    {
      documentSelector: SELECTOR,
      initializationOptions: initializationOptions(settings()),
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      middleware: {
        executeCommand: async (command, args: unknown[], next): Promise<unknown> => {
          if (command === "cfglint.explain") {
            await showPage(args);
            return undefined;
          }
          return (await next(command, args)) as unknown;
        },
      },
    },
  );
  client = started;
  try {
    await started.start();
    show(item);
    await tellWhetherConfig();
  } catch (error) {
    failed(item, startFailure([{ launch, probe: launch }], error));
  }
}

function failed(item: vscode.StatusBarItem, failure: string): void {
  show(item, failure);
  void vscode.window.showWarningMessage(failure);
}

/** Tells the editor whether cfglint knows the file that is shown, for its menus. */
async function tellWhetherConfig(): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const known = uri?.scheme === "file" && (await asked<boolean>("cfglint.knows", uri.toString()));
  await vscode.commands.executeCommand("setContext", IS_CONFIG, known === true);
}

/** Pages about rules and keys, each below the name of its subject. */
class Pages implements vscode.TextDocumentContentProvider {
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [file, subject] = JSON.parse(uri.query) as [string, string];
    return (await asked<string>("cfglint.explanation", file, subject)) ?? "";
  }
}

/** Shows the page of a rule or key beside the file. */
async function showPage(args: readonly unknown[]): Promise<void> {
  const [file, subject] = args.map(String);
  if (file !== undefined && subject !== undefined) {
    const query = JSON.stringify([file, subject]);
    const uri = vscode.Uri.from({ scheme: PAGES, path: `/${pageName(subject)}`, query });
    await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
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
    vscode.workspace.registerTextDocumentContentProvider(PAGES, new Pages()),
    vscode.commands.registerCommand("cfglint.showEffective", showEffective),
    vscode.commands.registerCommand("cfglint.checkFolders", checkFolders),
    vscode.commands.registerCommand("cfglint.restart", restart),
    vscode.commands.registerCommand("cfglint.showLog", () => {
      client?.outputChannel.show();
    }),
    vscode.window.onDidChangeActiveTextEditor(() => {
      show(item);
      void tellWhetherConfig();
    }),
    vscode.languages.onDidChangeDiagnostics((event) => {
      show(item);
      for (const uri of event.uris) {
        effective.changed(uri);
      }
      void tellWhetherConfig();
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
