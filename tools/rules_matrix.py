"""Writes the documentation page that shows which framework has which shared rule.

python -m tools.rules_matrix > docs/rules-matrix.md
"""

from __future__ import annotations

import sys

from cfglint.report.matrix import as_markdown, known

_HEAD = """\
# Which framework has which shared rule

<!-- Written by `python -m tools.rules_matrix > docs/rules-matrix.md`; do not edit. -->

A rule that means the same for several frameworks is written once, with concepts such as `micro_batch` instead of
keys. A framework has the rule if it defines each of these concepts for its files
([how](../CONTRIBUTING.md#shared-rules)). `cfglint rules --matrix` prints the same, `--format json` for programs.

"""


def page() -> str:
    """The whole page."""
    matrix = known()
    everywhere = ", ".join(f"`{code}`" for code in matrix.everywhere)
    return (
        f"{_HEAD}{as_markdown(matrix)}\n"
        f"These check the keys, types and notation of any framework's files and do not need a concept: {everywhere}.\n"
    )


if __name__ == "__main__":
    sys.stdout.write(page())
