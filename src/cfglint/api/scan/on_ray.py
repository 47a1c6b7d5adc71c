"""The same shards on a Ray cluster, by Ray Data, which distributes and repeats them.

Every node needs cfglint with the extra, the sources, and the folder of the results under the same
paths: a shard is sent as a description, and its result is written where it was made.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Iterable, Iterator
from typing import Any

import ray
import ray.data

from cfglint.api.scan.guard import Guard
from cfglint.api.scan.model import Progress, ScanError, ScanPlan, Shard
from cfglint.api.scan.shards import run_shard

#: Tasks that the shards are divided into, at most.
_MAX_TASKS = 10_000
#: The guard of this Ray process; a process runs its shards one after another.
_guards: dict[str, Guard] = {}


def run(
    shards: Iterable[Shard], plan: ScanPlan, jobs: int | None, address: str | None
) -> Iterator[Progress]:
    """Run shards on a cluster, and yield each one when it is done.

    Args:
        jobs: how many at a time; as many as the cluster has processors when None.
        address: of a cluster; None starts one on this machine, for this run.

    Raises:
        ScanError: there is no such cluster, or it cannot continue; finished shards are kept.
    """
    listed = list(shards)
    if not listed:
        return
    # Otherwise Ray sends usage statistics about each run.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    started = not ray.is_initialized()
    try:
        if started:
            ray.init(
                address=address or "local",
                include_dashboard=None if address else False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        yield from _done(listed, plan, jobs)
    except (ray.exceptions.RayError, ConnectionError, ValueError, RuntimeError) as error:
        raise ScanError(f"ray: {_first_line(error)}") from None
    finally:
        if started and ray.is_initialized():
            ray.shutdown()


def _done(shards: list[Shard], plan: ScanPlan, jobs: int | None) -> Iterator[Progress]:
    for name in ("ray.data", "ray.data._internal"):
        logging.getLogger(name).setLevel(logging.ERROR)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    # Rows of a Ray dataset have values of simple types only.
    rows = [{"shard": pickle.dumps(shard)} for shard in shards]
    results = ray.data.from_items(rows, override_num_blocks=min(len(rows), _MAX_TASKS)).map(
        _do,
        fn_kwargs={"plan": plan},
        num_cpus=1,
        **({"concurrency": jobs} if jobs is not None else {}),
    )
    for row in results.iter_rows():
        yield Progress(**row)


def _do(row: dict[str, Any], plan: ScanPlan) -> dict[str, Any]:
    """Run a shard in a process of Ray."""
    shard: Shard = pickle.loads(row["shard"])  # noqa: S301 - by way of Ray from `_done`
    guard = _guards.get(plan.folder)
    if guard is None or guard.plan != plan:
        # The guard is that of another scan.
        for other in _guards.values():
            other.close()
        _guards.clear()
        guard = _guards[plan.folder] = Guard(plan)
    return run_shard(shard, plan, guard)._asdict()


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
