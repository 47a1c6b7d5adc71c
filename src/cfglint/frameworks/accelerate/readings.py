"""What follows from one of accelerate's files."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.named_files import named_file
from cfglint.frameworks.accelerate.key_policy import is_for
from cfglint.roles.parts import Reference
from cfglint.roles.readings import Readings
from cfglint.source.document import Document, Scalar

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings

#: The key that names a DeepSpeed file.
_DEEPSPEED_FILE: Final = ("deepspeed_config", "deepspeed_config_file")
#: The largest real DeepSpeed file has 5 kB.
_MAX_BYTES: Final = 200_000


class AccelerateReadings(Readings):
    """What the launcher makes of a file."""

    def reading(self, target: Environment) -> None:
        """Its reader's own conversions are not followed yet."""

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        """DeepSpeed's settings, where `distributed_type` asks for DeepSpeed."""
        node = document.node(_DEEPSPEED_FILE)
        framework = self.framework
        keys = framework.release_keys(framework.releases.newest)
        if isinstance(node, Scalar) and is_for(_DEEPSPEED_FILE[0], document, framework.keys, keys):
            path = named_file(node.value, around, _MAX_BYTES)
            if path is not None:
                yield Reference("deepspeed", _DEEPSPEED_FILE, path)


ROLE = AccelerateReadings
