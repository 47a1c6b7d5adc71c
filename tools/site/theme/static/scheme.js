// The scheme of colors: the reader's own choice, or else the system's. Runs before the page is drawn.
{
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => { try { return localStorage.getItem("scheme"); } catch { return null; } };
  const apply = () => { document.documentElement.dataset.theme = chosen() ?? (dark.matches ? "dark" : "light"); };
  dark.addEventListener("change", apply);
  apply();
}
