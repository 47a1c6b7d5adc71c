"""JSON as the reports print it."""

from __future__ import annotations

import json

from cfglint.base.type_names import Any


def json_text(data: Any, indent: int | None = 2) -> str:
    """Data as JSON in ASCII, so that nothing in it can steer a terminal or a CI runner.

    Some runners execute `##[command]` anywhere in their log.
    """
    return json.dumps(data, indent=indent).replace("##", "#\\u0023")
