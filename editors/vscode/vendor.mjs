// Puts cfglint, and what its server needs, into `bundled/libs`: pure Python, for any Python from 3.10 on.
// CFGLINT_PYTHON names the Python whose pip is used.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const libs = join(here, "bundled", "libs");
const python = process.env["CFGLINT_PYTHON"] ?? (process.platform === "win32" ? "python" : "python3");
// A wheel or a requirement in the place of the checkout around this folder.
const source = process.env["CFGLINT_SOURCE"] ?? join(here, "..", "..");
/**
 * What has compiled modules, and what only that needs: rules and schemas of a project are told to
 * need an installation.
 */
const COMPILED = /^(_yaml|annotated_types|bin|jsonschema|jsonschema_specifications|pydantic|pydantic_core|referencing|rpds|rpds_py|typing_inspection)(-|$)/;

rmSync(libs, { recursive: true, force: true });
execFileSync(
  python,
  ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", "--target", libs, `${source}[server]`, "tomli>=2.0.1", "exceptiongroup"],
  { stdio: ["ignore", "inherit", "inherit"] },
);
for (const name of readdirSync(libs)) {
  if (COMPILED.test(name)) {
    rmSync(join(libs, name), { recursive: true });
  }
}
for (const name of readdirSync(libs, { recursive: true, encoding: "utf8" })) {
  if (/\.(so|pyd|dylib)$/.test(name)) {
    rmSync(join(libs, name));
  }
}
cpSync(join(here, "run_server.py"), join(here, "bundled", "run_server.py"));
