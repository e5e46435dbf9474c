"""Timing of several contenders side by side, so that all meet the same state of the machine."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["side_by_side"]


def side_by_side(
    contenders: dict[str, Callable[[Any], object]],
    items: Sequence[Any],
    repeats: int = 5,
    slow: dict[str, int] | None = None,
) -> dict[str, float]:
    """Return the median over repeats of the seconds each contender takes for all items.

    In each repeat every contender works on all items, one contender after the other. The time is
    that of the processor in this thread, so that other processes disturb little. Each contender
    is called once before.

    Parameters
    ----------
    contenders : name -> function of an item
    items : what they work on, the same for all
    repeats : int
    slow : name -> int, optional
        Contenders that get fewer repeats.
    """
    slow = slow or {}
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for work in contenders.values():
        work(items[0])
    gc.collect()
    gc.disable()
    try:
        for repeat in range(repeats):
            for name, work in contenders.items():
                if repeat < slow.get(name, repeats):
                    begin = time.thread_time()
                    for item in items:
                        work(item)
                    seconds[name].append(time.thread_time() - begin)
    finally:
        gc.enable()
    return {name: statistics.median(values) for name, values in seconds.items()}
