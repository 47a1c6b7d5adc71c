// The menu on narrow screens, the scheme of colors, buttons that copy, and the search.
const up = document.body.dataset.up;
const byId = (id) => document.getElementById(id);

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const menu = byId("menu");
menu.hidden = false;
menu.addEventListener("click", () => {
  const open = menu.getAttribute("aria-expanded") === "true";
  menu.setAttribute("aria-expanded", String(!open));
});

const scheme = byId("scheme");
const named = () => { scheme.textContent = document.documentElement.dataset.theme === "dark" ? "Light" : "Dark"; };
scheme.hidden = false;
named();
scheme.addEventListener("click", () => {
  const other = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = other;
  try { localStorage.setItem("scheme", other); } catch { /* it holds for this page */ }
  named();
});

// Of a terminal only the commands are copied.
function copied(block) {
  const text = block.querySelector("pre").textContent;
  if (!block.classList.contains("console")) return text;
  return text.split("\n").filter((line) => line.startsWith("$ ")).map((line) => line.slice(2)).join("\n");
}
for (const block of document.querySelectorAll(".code:not(.report)")) {
  if (copied(block) === "" || !navigator.clipboard) continue;
  const button = element("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(copied(block));
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  block.append(button);
}

// Typing `/` leads to the search.
const box = document.querySelector("form[role=search] input");
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  box.focus();
});

const WEIGHTS = [40, 8, 1];
const MOST = 50;

/** The pages that have all words of a query, or else most of them, the best first. */
function search({ pages, words, places }, query) {
  const wanted = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];
  const scores = new Map();
  for (const word of wanted) {
    const best = new Map();
    let low = 0;
    for (let high = words.length; low < high;) {
      const middle = (low + high) >> 1;
      if (words[middle] < word) low = middle + 1; else high = middle;
    }
    for (; low < words.length && words[low].startsWith(word); low += 1) {
      // A whole word counts more than one that only begins so.
      const share = words[low] === word ? 1 : 0.3 * (word.length / words[low].length);
      let number = 0;
      for (const step of places[low]) {
        number += step;
        const page = Math.floor(number / 3);
        best.set(page, Math.max(best.get(page) ?? 0, WEIGHTS[number % 3] * share));
      }
    }
    for (const [page, score] of best) {
      const [sum, count] = scores.get(page) ?? [0, 0];
      scores.set(page, [sum + score, count + 1]);
    }
  }
  const most = Math.max(0, ...[...scores.values()].map(([, count]) => count));
  return [...scores]
    .filter(([, [, count]]) => count === most)
    // Of equals, the shortest title has the least beside what was asked for.
    .sort(([a, [first]], [b, [second]]) => second - first || pages[a][1].length - pages[b][1].length || a - b)
    .map(([page]) => pages[page]);
}

const results = byId("results");
if (results) {
  const query = new URLSearchParams(location.search).get("q") ?? "";
  box.value = query;
  const script = element("script", { src: `${up}static/search.js` });
  script.addEventListener("load", () => {
    const found = search(globalThis.cfglintIndex, query);
    byId("count").textContent = query.trim() === "" ? "Type a key, a code or words of a message."
      : found.length === 1 ? `1 page has “${query}”.` : `${found.length} pages have “${query}”.`;
    results.append(...found.slice(0, MOST).map(([address, title, summary]) =>
      element("li", {}, element("a", { href: up + address }, title), element("p", {}, summary))));
    results.dataset.done = "true";
  });
  document.head.append(script);
}
