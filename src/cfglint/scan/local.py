"""The engine that comes along: the processors of this machine, a worker and a thread for each."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator

from cfglint.scan.guard import Guard
from cfglint.scan.model import Progress, ScanPlan, Shard
from cfglint.scan.shards import run_shard

#: Shards that wait to be done, for each worker.
_AHEAD = 2


def run(shards: Iterable[Shard], plan: ScanPlan, jobs: int) -> Iterator[Progress]:
    """Do shards, so many at a time; each is told of when it is done.

    Raises:
        ScanError: it cannot go on; what is done stays.
    """
    waiting: queue.Queue[Shard | None] = queue.Queue()
    told: queue.Queue[Progress | Exception] = queue.Queue()
    guards = [Guard(plan) for _ in range(jobs)]
    threads = [
        threading.Thread(target=_work, args=(guard, plan, waiting, told), daemon=True)
        for guard in guards
    ]
    try:
        for thread in threads:
            thread.start()
        under_way = 0
        for shard in shards:
            waiting.put(shard)
            under_way += 1
            while under_way >= jobs * _AHEAD:
                yield _next(told)
                under_way -= 1
        for _ in range(under_way):
            yield _next(told)
    finally:
        for guard in guards:
            waiting.put(None)
            guard.close()
        for thread in threads:
            thread.join()


def _next(told: queue.Queue[Progress | Exception]) -> Progress:
    one = told.get()
    if isinstance(one, Progress):
        return one
    raise one


def _work(
    guard: Guard,
    plan: ScanPlan,
    waiting: queue.Queue[Shard | None],
    told: queue.Queue[Progress | Exception],
) -> None:
    while (shard := waiting.get()) is not None:
        try:
            told.put(run_shard(shard, plan, guard))
        except Exception as error:  # the thread that waits raises it
            told.put(error)
