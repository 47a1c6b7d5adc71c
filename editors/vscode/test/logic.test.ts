import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";

import {
  candidates,
  counted,
  effectiveName,
  initializationOptions,
  inWords,
  pageName,
  startFailure,
  status,
  type Surroundings,
} from "../src/logic";

const AROUND: Surroundings = {
  command: [],
  interpreter: undefined,
  trusted: true,
  folders: ["/w"],
  extension: "/e",
  windows: false,
};

function programs(around: Partial<Surroundings>): string[] {
  return candidates({ ...AROUND, ...around }).map((one) => one.launch.program);
}

void test("the programs that may serve, in their order", () => {
  const usual = ["/w/.venv/bin/python", "/w/venv/bin/python", "cfglint", "python3", "python"];
  assert.deepEqual(programs({}), usual);
  assert.deepEqual(programs({ command: "cfglint", interpreter: "" }), usual);
  assert.deepEqual(programs({ command: ["a", 1] }), usual);
  assert.deepEqual(programs({ interpreter: "/v/python", folders: [] }), [
    "/v/python",
    "cfglint",
    "/v/python",
    "python3",
    "python",
  ]);
  assert.deepEqual(programs({ interpreter: "/w/.venv/bin/python" }).slice(0, 3), [
    "/w/.venv/bin/python",
    "/w/venv/bin/python",
    "cfglint",
  ]);
  assert.deepEqual(programs({ windows: true, folders: ["C:\\w"] }), [
    "C:\\w\\.venv\\Scripts\\python.exe",
    "C:\\w\\venv\\Scripts\\python.exe",
    "cfglint",
    "py",
    "python",
  ]);
  const set = candidates({ ...AROUND, command: ["uvx", "x"], interpreter: "/v/python" });
  assert.deepEqual(set, [
    { launch: { program: "uvx", args: ["x"] }, probe: { program: "uvx", args: ["x", "--help"] } },
  ]);
});

void test("every Python is isolated", () => {
  for (const { launch, probe } of candidates({ ...AROUND, interpreter: "/v/python" })) {
    if (launch.program !== "cfglint") {
      assert.equal(launch.args[0], "-I");
      assert.equal(probe.args[0], "-I");
    }
  }
});

void test("in a folder that is not trusted, no interpreter of its own is started", () => {
  const around = { trusted: false, interpreter: "/w/.venv/bin/python" };
  assert.deepEqual(programs(around), ["cfglint", "python3", "python"]);
  assert.deepEqual(programs({ ...around, command: ["/opt/cfglint"] }), ["/opt/cfglint"]);
});

void test("what is not set is not told", () => {
  const settings = { target: [], gpus: null, gpu: "", ignore: ["HPR"], delay: 0, command: ["x"] };
  assert.deepEqual(initializationOptions(settings), { ignore: ["HPR"], delay: 0 });
});

void test("counts, in words and as a status", () => {
  const counts = counted([1, 1, 2, 3, undefined]);
  assert.deepEqual(counts, { errors: 2, warnings: 1, notes: 2 });
  assert.equal(inWords(counts), "2 errors, 1 warning, 2 notes");
  assert.equal(inWords(counted([])), "nothing found");
  assert.equal(status(counts).text, "$(error) cfglint");
  assert.equal(status(counted([2])).text, "$(alert) cfglint");
  assert.equal(status(counted([])).text, "$(check) cfglint");
  assert.equal(status(undefined).tooltip, "cfglint is starting");
  assert.equal(status(undefined, "no").tooltip, "no");
});

void test("a failure says which program, and what helps", () => {
  const only = candidates({ ...AROUND, command: ["cfglint", "server"] });
  assert.match(
    startFailure(only, new Error("ENOENT")),
    /`cfglint server` does not start: ENOENT.*cfglint-llm\[server\]/,
  );
  assert.match(startFailure(candidates(AROUND)), /no server starts\. It needs Python 3\.10 /);
});

void test("the name of a page", () => {
  assert.equal(pageName("KEY001"), "KEY001.md");
  assert.equal(pageName("datasets[0].type"), "datasets[0].type.md");
  assert.equal(pageName("../a b"), ".._a_b.md");
});

void test("the name beside the file", () => {
  assert.equal(effectiveName("/a/train.yml"), "train (effective).yml");
  assert.equal(effectiveName("C:\\a\\b.YAML"), "b (effective).yml");
  assert.equal(effectiveName(""), "config (effective).yml");
});

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly { readonly code: string; readonly severity?: number }[];
}

void test("the real server, in a folder with modules of its names", { timeout: 120_000 }, async (context) => {
  const [first] = candidates({ ...AROUND, interpreter: process.env["CFGLINT_PYTHON"], folders: [] });
  assert.ok(first !== undefined);
  const { launch, probe } = first;
  assert.equal(spawnSync(probe.program, [...probe.args]).status, 0);
  const folder = mkdtempSync(join(tmpdir(), "cfglint-"));
  mkdirSync(join(folder, ".git"));
  const trace = join(folder, "was-run");
  for (const name of ["cfglint", "click", "pygls", "yaml", "sitecustomize", "json"]) {
    writeFileSync(join(folder, `${name}.py`), `open(${JSON.stringify(trace)}, "w").close()\n`);
  }
  const server = spawn(launch.program, [...launch.args], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  // A failure must not leave it running.
  context.after(() => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const ended = new Promise<number | null>((resolve) => server.on("exit", resolve));
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const published = new Promise<Published>((resolve) => {
    connection.onNotification("textDocument/publishDiagnostics", (params: Published) => {
      if (params.diagnostics.length > 0) {
        resolve(params);
      }
    });
  });
  connection.listen();
  const uri = pathToFileURL(join(folder, "train.yml")).href;
  const text = "base_model: a/b\nmicro_batch_size: 1\noutput_dir: ./o\nsequence_lenn: 2048\n";
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
    initializationOptions: initializationOptions({ select: ["KEY"], target: [], delay: 0 }),
  });
  await connection.sendNotification("initialized", {});
  const textDocument = { uri, languageId: "yaml", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  const found = await published;
  assert.equal(found.uri, uri);
  assert.deepEqual(found.diagnostics.map((one) => one.code), ["KEY001"]);
  assert.equal(inWords(counted(found.diagnostics.map((one) => one.severity))), "1 error");
  const ask = { command: "cfglint.effective", arguments: [uri] };
  const effective: unknown = await connection.sendRequest("workspace/executeCommand", ask);
  assert.match(String(effective), /^# What axolotl .*\n[^]*\n# As written:\nbase_model: a\/b\n/);
  const knows = { command: "cfglint.knows", arguments: [uri] };
  assert.equal(await connection.sendRequest("workspace/executeCommand", knows), true);
  const explanation = { command: "cfglint.explanation", arguments: [uri, "KEY001"] };
  const page: unknown = await connection.sendRequest("workspace/executeCommand", explanation);
  assert.match(String(page), /^# KEY001 unknown-key\n/);
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  assert.equal(await ended, 0);
  assert.equal(existsSync(trace), false);
  connection.dispose();
});
