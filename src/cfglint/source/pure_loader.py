"""PyYAML's own loader, in Python, which some texts need."""

from __future__ import annotations

import yaml

from cfglint.base.type_names import Any


class PureLoader(yaml.SafeLoader):
    """`yaml.SafeLoader`, which does not look at ASCII text with its pattern over all of Unicode.

    To compile that pattern takes as long as to check a whole file.
    """

    def check_printable(self, data: Any) -> None:
        if data.isascii():
            plain = data.replace("\n", "").replace("\r", "").replace("\t", "")
            if plain.isprintable():
                return
        super().check_printable(data)
