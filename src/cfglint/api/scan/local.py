"""The default engine: the processors of this machine, with a worker and a thread for each."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator

from cfglint.api.scan.guard import Guard
from cfglint.api.scan.model import Progress, ScanPlan, Shard
from cfglint.api.scan.shards import run_shard

#: Shards in the queue, for each worker.
_AHEAD = 2


def run(shards: Iterable[Shard], plan: ScanPlan, jobs: int) -> Iterator[Progress]:
    """Run shards, `jobs` at a time, and yield each part of one and each one when it is done.

    Raises:
        ScanError: it cannot continue; finished shards are kept.
    """
    waiting: queue.Queue[Shard | None] = queue.Queue()
    results: queue.Queue[Progress | Exception] = queue.Queue()
    guards = [Guard(plan) for _ in range(jobs)]
    threads = [
        threading.Thread(target=_work, args=(guard, plan, waiting, results), daemon=True)
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
                progress = _next(results)
                yield progress
                under_way -= progress.is_last
        while under_way:
            progress = _next(results)
            yield progress
            under_way -= progress.is_last
    finally:
        for guard in guards:
            waiting.put(None)
            guard.close()
        for thread in threads:
            thread.join()


def _next(results: queue.Queue[Progress | Exception]) -> Progress:
    one = results.get()
    if isinstance(one, Progress):
        return one
    raise one


def _work(
    guard: Guard,
    plan: ScanPlan,
    waiting: queue.Queue[Shard | None],
    results: queue.Queue[Progress | Exception],
) -> None:
    while (shard := waiting.get()) is not None:
        try:
            done = run_shard(shard, plan, guard, results.put)
            # Those of its parts are counted already.
            results.put(done if done.resumed else done._replace(files=0))
        except Exception as error:  # the thread that waits raises it
            results.put(error)
