// Opens pages of the site in Chromium, light and dark, narrow and wide, and searches with the keyboard.
// Prints one JSON object: what axe finds, what the pages ask other hosts for, errors, results of the search.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [base, executablePath, wanted, folder] = process.argv.slice(2);
const { pages, query } = JSON.parse(wanted);
const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const found = { axe: [], elsewhere: [], errors: [], wide: [], results: [], summaries: [], copied: [], schemes: [] };

const browser = await chromium.launch({
  executablePath,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});

async function examine(page, name) {
  await page.screenshot({ path: `${folder}/${name.replaceAll("/", "-")}.png` });
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  if (tooWide) found.wide.push(name);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  for (const { id, impact, nodes } of violations) {
    found.axe.push({ page: name, id, impact, count: nodes.length, first: nodes[0].html.slice(0, 200) });
  }
}

for (const colorScheme of ["light", "dark"]) {
  for (const width of [390, 1440]) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    page.on("pageerror", (error) => found.errors.push(error.message));
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(base)) {
        found.elsewhere.push(request.url());
      }
    });
    for (const path of pages) {
      await page.goto(base + path);
      await examine(page, `${path}-${colorScheme}-${width}`);
    }
    await page.goto(`${base}index.html`);
    await page.locator(".code.console").first().hover();
    await page.locator(".code.console .copy").first().click();
    found.copied.push(await page.evaluate(() => navigator.clipboard.readText()));
    if (width < 1000) {
      await page.click("#menu");
      await page.locator("#ways a", { hasText: "Keys" }).click();
      await page.waitForURL(/keys\/index\.html$/);
    }
    await page.click("header input");
    await page.keyboard.type(query, { delay: 20 });
    await page.keyboard.press("Enter");
    await page.waitForSelector("#results[data-done] li a", { timeout: 60_000 });
    found.results.push(await page.$$eval("#results li a", (all) => all.map((one) => one.textContent)));
    found.summaries.push(await page.$$eval("#results li p", (all) => all.map((one) => one.textContent)));
    await examine(page, `search-${colorScheme}-${width}`);
    await page.click("#scheme");
    await page.goto(`${base}rules/index.html`);
    found.schemes.push(await page.evaluate(() => document.documentElement.dataset.theme));
    await context.close();
  }
}
await browser.close();
console.log(JSON.stringify(found));
