import os

import pytest

from tests.faults.kills import main


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")
@pytest.mark.timeout(600)
def test_five_kills(tmp_path):
    assert main(times=5, seed=2, folder=tmp_path) == 0
