"""What follows from one of accelerate's files."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, ClassVar, Final
from cfglint.environment.named_files import named_file
from cfglint.frameworks.accelerate.key_policy import is_for
from cfglint.frameworks.deepspeed.references import opened_settings
from cfglint.roles.parts import Opened, Reference
from cfglint.roles.readings import Readings
from cfglint.source.document import Document, Scalar

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings

#: The key that names a DeepSpeed file.
_DEEPSPEED_FILE: Final = ("deepspeed_config", "deepspeed_config_file")
#: The largest real DeepSpeed file has 5 kB.
_MAX_BYTES: Final = 200_000
#: So many parts at the end of a path of another machine are compared.
_MAX_PARTS: Final = 6


class AccelerateReadings(Readings):
    """What the launcher makes of a file."""

    has_run: ClassVar[bool] = False

    def reading(self, target: Environment) -> None:
        """Its reader's own conversions are not followed yet."""

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        """DeepSpeed's settings, where `distributed_type` asks for DeepSpeed."""
        node = document.node(_DEEPSPEED_FILE)
        if isinstance(node, Scalar) and self._is_for_deepspeed(document):
            path = _found(node.value, around)
            if path is not None:
                yield Reference("deepspeed", _DEEPSPEED_FILE, path)

    def opened(self, document: Document) -> Iterator[Opened]:
        if self._is_for_deepspeed(document):
            yield from opened_settings(document, _DEEPSPEED_FILE)

    def _is_for_deepspeed(self, document: Document) -> bool:
        framework = self.framework
        keys = framework.release_keys(framework.releases.newest)
        return is_for(_DEEPSPEED_FILE[0], document, framework.keys, keys)


def _found(written: object, around: Surroundings) -> str | None:
    """The file that a path names; one of another machine names that with the same end in this checkout."""
    path = named_file(written, around, _MAX_BYTES)
    if path is not None or not isinstance(written, str) or not written.startswith("/"):
        return path
    parts = [part for part in written.split("/") if part]
    # The name alone may be that of any file: a folder has to agree, too.
    ends = ("/".join(parts[at:]) for at in range(max(1, len(parts) - _MAX_PARTS), len(parts) - 1))
    return next(filter(None, (named_file(end, around, _MAX_BYTES) for end in ends)), None)


ROLE = AccelerateReadings
