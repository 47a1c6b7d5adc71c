"""Writes what the README and the guides show of the frameworks, from `rules/*/framework.yaml`, and of GPUs.

python -m tools.framework_pages

That is the README's table of frameworks, the families of rules in CONTRIBUTING.md, the names in
docs/keys.md, and docs/rules-matrix.md, in which a framework is once its `framework.yaml` has
`documented`; and the names of GPUs in docs/targets.md, from `rules/hardware.yaml`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from packaging.version import Version

from cfglint.knowledge.compiling.files import read_yaml
from cfglint.knowledge.compiling.frameworks import described
from cfglint.knowledge.compiling.modules import framework_folders
from cfglint.report.pages.matrix import as_markdown, known

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "rules"
#: What encloses a generated part of a page.
_START = "<!-- Written by `python -m tools.framework_pages`; do not edit. -->\n\n"
_END = "\n<!-- End of the generated table. -->"
_MATRIX_HEAD = """\
# Which framework has which shared rule

<!-- Written by `python -m tools.framework_pages`; do not edit. -->

A rule that means the same for several frameworks is written once, with concepts such as `micro_batch` instead of
keys. A framework has the rule if it defines each of these concepts for its files
([how](../CONTRIBUTING.md#shared-rules)). `cfglint rules --matrix` prints the same, `--format json` for programs.

"""


@cache
def documented() -> dict[str, dict[str, Any]]:
    """The frameworks that the pages show, in the order of their titles: folder -> `framework.yaml`."""
    rows = {name: described(RULES / name) for name in framework_folders(RULES)}
    shown = {name: row for name, row in rows.items() if "documented" in row}
    return dict(sorted(shown.items(), key=lambda item: str(item[1]["title"]).lower()))


def frameworks_table() -> str:
    """The README's table: whose files are checked, how they are recognized, which releases are known."""
    lines = ["| files of | recognized by | releases known |", "|---|---|---|"]
    for name, row in documented().items():
        shown = row["documented"]
        files = f"[{row['title']}]({shown['project']}) ({shown['files']})"
        lines.append(f"| {files} | {shown['recognized_by']} | {_releases(RULES / name)} |")
    return "\n".join(lines) + "\n"


def names_table() -> str:
    """The table of docs/keys.md: how `cfglint keys` calls each framework, by its own name or that of its package."""
    lines = ["| subject | also | keys of |", "|---|---|---|"]
    for name, row in documented().items():
        others = [one for one in row["packages"] if one != name]
        lines.append(f"| `{name}` | {f'`{others[0]}`' if others else ''} | {row['title']} |")
    return "\n".join(lines) + "\n"


def _releases(home: Path) -> str:
    """`0.4.1 to 0.21.0 (33)`."""
    table = json.loads((home / "releases.json").read_text(encoding="utf-8"))
    versions = sorted(table["releases"], key=Version)
    first = f"{versions[0]} to " if len(versions) > 1 else ""
    return f"{first}{table['newest']} ({len(versions)})"


def families() -> dict[str, str]:
    """Prefix -> title, of the general families and those of the documented frameworks."""
    titles: dict[str, str] = dict(read_yaml(RULES / "families.yaml"))
    for row in documented().values():
        titles |= row["families"]
    return titles


def families_table() -> str:
    """The table of families in CONTRIBUTING.md, two of them a row."""
    cells = [f"`{prefix}` | {title}" for prefix, title in families().items()]
    cells += [" | "] * (len(cells) % 2)
    rows = [f"| {left} | {right} |" for left, right in zip(cells[::2], cells[1::2], strict=True)]
    return "\n".join(["| prefix | about | prefix | about |", "|---|---|---|---|", *rows]) + "\n"


def matrix_page() -> str:
    """The whole page of shared rules."""
    matrix = known()
    titles = {name: title for name, title in matrix.titles.items() if name in documented()}
    everywhere = ", ".join(f"`{code}`" for code in matrix.everywhere)
    return (
        f"{_MATRIX_HEAD}{as_markdown(matrix.replaced(titles=titles))}\n"
        f"These check the keys, types and notation of any framework's files and do not need a concept: {everywhere}.\n"
    )


def gpus_table() -> str:
    """The table of docs/targets.md: the names of GPUs, from `rules/hardware.yaml`."""
    lines = ["| `--gpu` | also | memory in GB | compute capability |", "|---|---|---|---|"]
    for rows in read_yaml(RULES / "hardware.yaml").values():
        for name, row in rows.items():
            also = ", ".join(f"`{other}`" for other in row.get("also", ()))
            cells = (row.get(key, "") for key in ("memory_gb", "compute_capability"))
            lines.append(f"| `{name}` | {also} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


def with_part(page: str, part: str) -> str:
    """A page with another generated part."""
    pattern = re.compile(re.escape(_START) + ".*?" + re.escape(_END), re.DOTALL)
    written, count = pattern.subn(lambda _: f"{_START}{part}{_END}", page)
    if count != 1:
        raise ValueError(f"a page has {count} generated parts, not one")
    return written


def pages() -> dict[Path, str]:
    """The pages and what they should be."""
    parts = {
        "README.md": frameworks_table(),
        "CONTRIBUTING.md": families_table(),
        "docs/keys.md": names_table(),
        "docs/targets.md": gpus_table(),
    }
    return {
        ROOT / "docs" / "rules-matrix.md": matrix_page(),
        **{
            ROOT / name: with_part((ROOT / name).read_text(encoding="utf-8"), part)
            for name, part in parts.items()
        },
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
