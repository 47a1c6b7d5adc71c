"""How findings are shown: one module a format, each with `render(run) -> str`."""
