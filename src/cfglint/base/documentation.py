"""Where a rule is explained: on the published site, or by the command that prints the same text."""

from __future__ import annotations

import os

#: The address of the published site, with a slash at its end; empty until there is one.
SITE = ""
#: The variable that names another copy of the site, as of a cluster without internet.
VARIABLE = "CFGLINT_SITE"


def rule_page(code: str) -> str:
    """The address of a rule's page; empty if no site is known."""
    site = os.environ.get(VARIABLE, SITE).strip()
    if not site.startswith(("https://", "http://", "file://")):
        return ""
    return f"{site.rstrip('/')}/rules/{code}.html"


def rule_address(code: str) -> str:
    """The address of a rule's page, or in its place the command: `cfglint:explain/KEY001`."""
    return rule_page(code) or f"cfglint:explain/{code}"
