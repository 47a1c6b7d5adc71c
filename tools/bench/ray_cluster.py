"""A Ray cluster whose nodes are processes on this machine, for measuring and for killing nodes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: A busy machine is no dead node.
_PATIENT = {"health_check_timeout_ms": 60_000, "health_check_failure_threshold": 3}
#: Bytes of shared memory of a node. A scan sends descriptions of shards, no rows.
_STORE = 100 << 20


@contextmanager
def simulated_cluster(nodes: int) -> Iterator[tuple[Any, list[Any]]]:
    """The cluster, and its nodes of one processor each; the head does no work.

    The head keeps the books of the cluster, so that it cannot go on without it.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "object_store_memory": _STORE, "_system_config": _PATIENT}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield cluster, [add_node(cluster) for _ in range(nodes)]
    finally:
        cluster.shutdown()
        ray.shutdown()


def add_node(cluster: Any) -> Any:
    """One more node of one processor."""
    return cluster.add_node(num_cpus=1, object_store_memory=_STORE)
