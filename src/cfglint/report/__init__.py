"""How findings are shown: one module per format, each with `render(run) -> str`."""
