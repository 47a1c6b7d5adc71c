// What a reader does with the playground, in a real browser with real key strokes:
//
//   node test/browser.mjs CHROMIUM ADDRESS ELSEWHERE LONG.yml [FOLDER]
//
// ADDRESS is where the playground is served, ELSEWHERE an address that the page must not reach,
// LONG.yml a config of 300 lines; screenshots go to FOLDER. One line of JSON says what was seen.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [executablePath, address, elsewhere, long, folder] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({
  executablePath,
  args: [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
await context.grantPermissions(["clipboard-read", "clipboard-write"]);
const seen = { requests: [], problems: [], axe: {}, strokes: [] };
context.on("request", (request) => seen.requests.push(request.url()));
context.on("console", (message) => { seen.problems.push(message.text()); });
context.on("weberror", (error) => seen.problems.push(String(error.error())));
await context.addInitScript(() => {
  const clock = { pending: [], took: [] };
  Object.assign(globalThis, { clock });
  addEventListener("keydown", () => clock.pending.push(performance.now()), true);
  new MutationObserver(() => {
    if (document.querySelector("#summary .counts")) clock.first ??= performance.now();
    clock.took.push(...clock.pending.splice(0).map((time) => performance.now() - time));
  }).observe(document, { subtree: true, childList: true });
});

const codes = (page) => page.locator("#findings .code").allInnerTexts();
const text = (page) => page.evaluate(() => {
  const lines = document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line");
  return Array.from(lines, (line) => line.textContent).join("\n");
});
async function until(page, holds, ...given) {
  await page.waitForFunction(holds, ...given, { timeout: 60_000 });
}
const found = (page, code) => page.locator("#findings .code", { hasText: code }).first().waitFor({ timeout: 60_000 });
const gone = (page, code) => page.locator("#findings .code", { hasText: code }).first().waitFor({ state: "detached", timeout: 60_000 });
async function write(page, what) {
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(what);
}
async function shot(page, name) {
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
async function audit(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  seen.axe[name] = violations.map(({ id, impact, nodes }) => ({ id, impact, where: nodes.map((node) => node.target.join(" ")) }));
}

const page = await context.newPage();
await page.goto(address);
await page.locator("#findings li").first().waitFor({ timeout: 60_000 });
seen.first = await page.evaluate(() => globalThis.clock.first);
seen.example = await codes(page);
seen.rule = await page.locator("#findings a.code").first().getAttribute("href");
await page.locator("#changes .patch").first().waitFor();
seen.patch = await page.locator("#changes ins, #changes del").allInnerTexts();
await page.getByRole("tab", { name: "Effective" }).click();
await page.locator("#findings .printed").waitFor({ timeout: 60_000 });
seen.effective = await page.locator("#findings .printed").innerText();
await page.getByRole("tab", { name: "Findings" }).click();
await page.locator("#changes .patch").first().waitFor();
for (const scheme of ["light", "dark"]) {
  await page.emulateMedia({ colorScheme: scheme });
  for (const [name, width] of [["wide", 1280], ["narrow", 390]]) {
    await page.setViewportSize({ width, height: 860 });
    await audit(page, `${scheme} ${name}`);
    await shot(page, `${scheme}-${name}`);
    seen.overflow ??= await page.evaluate(() => document.documentElement.scrollWidth > innerWidth) || undefined;
  }
}
await page.setViewportSize({ width: 1280, height: 860 });

// A mistake is typed, found, repaired by hand, undone, and repaired by its fix. Before it are
// letters that take two UTF-16 units.
await page.getByRole("tab", { name: "train.yml" }).press("ArrowRight");
await page.getByRole("button", { name: "Remove" }).click();
await write(page, "# 模型🚀🚀\nbase_model: a/b\n");
await page.keyboard.type("learning_ratee: 1");
await found(page, "KEY001");
await page.getByRole("button", { name: "Fix: Rename it to learning_rate" }).click();
await gone(page, "KEY001");
seen.repaired = await text(page);
await page.locator("#editor .cm-content").focus();
await page.keyboard.press("Control+z");
await found(page, "KEY001");
await page.locator("#findings li", { hasText: "KEY001" }).locator(".place").click();
seen.cursor = await page.locator("#editor .cm-activeLine").innerText();
await page.getByRole("button", { name: "Apply all" }).click();
await gone(page, "KEY001");
seen.applied = await text(page);

// Framework, release and GPUs decide what is found.
await write(page, "base_model: a/b\nmicro_batch_size: 1\n");
await page.getByLabel("Framework").selectOption("axolotl");
await page.getByLabel("Release").selectOption("axolotl==0.18.0");
await page.getByLabel("GPUs").fill("8");
await page.getByLabel("GPU model").fill("h100");
await until(page, () => /h100/.test(document.querySelector("#summary").textContent));
seen.target = await page.locator("#summary").innerText();
await page.getByLabel("GPU model").fill("abacus");
await page.locator("#summary .problem").waitFor();
seen.refused = await page.locator("#summary").innerText();
await page.getByLabel("GPU model").fill("h100");

// Each framework has modules of its own, which are imported now.
for (const name of ["accelerate", "deepspeed", "llamafactory", "trl", "axolotl"]) {
  await page.getByLabel("Framework").selectOption(name);
  await until(page, (own) => document.querySelector("#summary").textContent.includes(`Checked for ${own} `), name);
}
await page.getByLabel("Release").selectOption("axolotl==0.18.0");

// A second file, reached by keyboard, is checked with the first.
await write(page, "base_model: a/b\ndeepspeed: ds_config.json\n");
await page.getByRole("button", { name: "Add a file" }).click();
await page.keyboard.press("Enter");
await page.locator("#editor .cm-content").click();
await page.keyboard.insertText('{"zero_optimization": {"stage": 3, "overlap_com": true}}');
await found(page, "KEY001");
seen.headings = await page.locator("#findings h2").allInnerTexts();

// Keys explained and proposed, and all files gone.
await page.getByRole("tab", { name: "train.yml" }).click();
await page.locator("#editor .cm-line span", { hasText: "base_model" }).first().hover();
await page.locator("#editor .cm-about").first().waitFor({ timeout: 60_000 });
seen.hover = await page.locator("#editor .cm-about").first().innerText();
await page.mouse.move(2, 2);
await page.locator("#editor .cm-about").first().waitFor({ state: "detached" });
await page.locator("#editor .cm-content").click();
await page.keyboard.press("Control+End");
await page.keyboard.type("learning_ra");
await page.locator("#editor .cm-tooltip-autocomplete li").first().waitFor({ timeout: 60_000 });
seen.proposed = await page.locator("#editor .cm-tooltip-autocomplete li .cm-completionLabel").first().innerText();
await page.keyboard.press("Escape");
for (let typed = 0; typed < "learning_ra".length; typed += 1) await page.keyboard.press("Backspace");
await found(page, "KEY001");

// The link holds all of it, and the fragment of an address is not sent.
await page.getByRole("button", { name: "Share by link" }).click();
await until(page, () => location.hash.startsWith("#v1."));
const other = await context.newPage();
await other.goto(await page.evaluate(() => navigator.clipboard.readText()));
await found(other, "KEY001");
seen.shared = {
  text: await text(other),
  tabs: await other.locator("#tabs").getByRole("tab").allInnerTexts(),
  form: await other.evaluate(() => ["framework", "release", "gpus", "gpu"].map((id) => document.getElementById(id).value)),
};
await other.goto(`${address}#v1.AAAA`);
await other.reload();
await other.locator("#findings li").first().waitFor({ timeout: 60_000 });
seen.broken = await other.locator("#status").innerText();

// Neither the page nor Python's worker reaches another place.
const reach = (where) => fetch(where).then(() => "reached", () => "refused");
seen.reached = [await page.evaluate(reach, elsewhere), await page.workers()[0].evaluate(reach, elsewhere)];
seen.problems = seen.problems.filter((problem) => !problem.includes(elsewhere));
await other.close();

// How soon a long file is checked again after each key.
await page.getByRole("button", { name: "Remove" }).click();
await write(page, readFileSync(long, "utf8"));
await page.waitForTimeout(2000);
for (const delay of [600, 150]) {
  await page.evaluate(() => { globalThis.clock.took = []; globalThis.clock.pending = []; });
  await page.keyboard.type(delay === 600 ? "# steady x" : " and faster than that", { delay });
  await page.waitForTimeout(1500);
  seen.strokes.push({ delay, took: await page.evaluate(() => globalThis.clock.took) });
}
await shot(page, "long");
await page.getByRole("button", { name: "Clear" }).click();
seen.cleared = [await text(page), ...await page.locator("#tabs").getByRole("tab").allInnerTexts()];
await browser.close();
process.stdout.write(`${JSON.stringify(seen)}\n`);
