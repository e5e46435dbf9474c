"""Chunks out and outcomes back, with a cluster that is made up."""

import threading
from concurrent.futures import Future

import pytest

import evo.clusters
from evo import ClusterError
from evo.clusters import gathered


class Made:
    """Gives one outcome after the other, with a pause before each, and is gone after a while."""

    def __init__(self, pause, looks=10**9):
        self.pause, self.looks = pause, looks
        self.seen, self.sent = 0, 0

    def submit(self, chunk):
        outcome = Future()
        self.sent += 1
        threading.Timer(self.sent * self.pause, give, [outcome, chunk]).start()
        return outcome

    def look(self):
        self.seen += 1
        if self.seen > self.looks:
            raise ClusterError("gone")


def give(outcome, chunk):
    if outcome.set_running_or_notify_cancel():
        outcome.set_result(chunk)


CHUNKS = [[bytes([i])] for i in range(10)]


@pytest.mark.parametrize("at_once", [None, 3])
def test_outcomes_in_the_order_of_chunks(at_once):
    made = Made(0.001)
    assert list(gathered(made, CHUNKS, at_once)) == CHUNKS
    assert made.seen == 0


def test_a_cluster_is_asked_in_silence(monkeypatch):
    monkeypatch.setattr(evo.clusters, "LOOK", 0.05)
    made = Made(0.3)
    assert list(gathered(made, CHUNKS[:2], None)) == CHUNKS[:2]
    assert 2 <= made.seen <= 12


def test_a_cluster_is_asked_however_busily_it_answers(monkeypatch):
    monkeypatch.setattr(evo.clusters, "LOOK_ANYWAY", 0.1)
    made = Made(0.05, looks=2)
    results = gathered(made, CHUNKS, None)
    with pytest.raises(ClusterError, match="^gone$"):
        list(results)
    assert made.seen == 3
