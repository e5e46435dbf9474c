"""Against a ray cluster of this machine."""

import pytest

from evo import ClusterError, Pool, founders
from tests.evo.scorers import table

pytest.importorskip("ray")
# ray leaves files and sockets to the collector, and so warns of them
pytestmark = pytest.mark.filterwarnings("default")

GENOMES = [bytes(one) for one in founders("uniform", 23, 1)]


def test_the_same_table_by_the_same_workers():
    with Pool(table, 2, "ray") as pool:
        for _ in range(5):
            assert pool(GENOMES).tobytes() == table(GENOMES).tobytes()
        assert 1 <= len(pool.workers) <= 2


def test_a_cluster_that_is_not_there():
    with pytest.raises(ClusterError, match=r"^scheduler must be the address of a ray cluster"):
        Pool(table, -1, "ray", scheduler="127.0.0.1:1").__enter__()
