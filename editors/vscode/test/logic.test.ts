import assert from "node:assert/strict";
import { spawn } from "node:child_process";
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
  counted,
  effectiveName,
  initializationOptions,
  inWords,
  serverLaunch,
  startFailure,
  status,
} from "../src/logic";

void test("the program that serves", () => {
  const usual = { program: "cfglint", args: ["server"] };
  assert.deepEqual(serverLaunch([], undefined, true), usual);
  assert.deepEqual(serverLaunch("cfglint", "", true), usual);
  assert.deepEqual(serverLaunch(["a", 1], undefined, true), usual);
  const python = { program: "/v/python", args: ["-I", "-m", "cfglint", "server"] };
  assert.deepEqual(serverLaunch([], "/v/python", true), python);
  assert.deepEqual(serverLaunch(["uvx", "x"], "/v/python", true), { program: "uvx", args: ["x"] });
});

void test("in a folder that is not trusted, no interpreter is started", () => {
  assert.deepEqual(serverLaunch([], "/folder/.venv/bin/python", false), {
    program: "cfglint",
    args: ["server"],
  });
  assert.deepEqual(serverLaunch(["/opt/cfglint", "server"], "/v/python", false), {
    program: "/opt/cfglint",
    args: ["server"],
  });
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
  const said = startFailure({ program: "cfglint", args: ["server"] }, new Error("ENOENT"));
  assert.match(said, /`cfglint server` does not start: ENOENT.*cfglint-llm\[server\]/);
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

void test("the real server, in a folder with modules of its names", async () => {
  const launch = serverLaunch([], process.env["CFGLINT_PYTHON"], true);
  const folder = mkdtempSync(join(tmpdir(), "cfglint-"));
  mkdirSync(join(folder, ".git"));
  const trace = join(folder, "was-run");
  for (const name of ["cfglint", "click", "pygls", "yaml", "sitecustomize", "json"]) {
    writeFileSync(join(folder, `${name}.py`), `open(${JSON.stringify(trace)}, "w").close()\n`);
  }
  const server = spawn(launch.program, [...launch.args], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
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
  assert.match(String(effective), /^# What axolotl .*\n(#.*\n)*base_model: a\/b\n/);
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  assert.equal(await ended, 0);
  assert.equal(existsSync(trace), false);
  connection.dispose();
  rmSync(folder, { recursive: true });
});
