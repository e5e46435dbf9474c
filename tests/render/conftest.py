import pytest

from render.kernels import KERNELS


@pytest.fixture(params=KERNELS)
def kernel(request: pytest.FixtureRequest) -> str:
    if request.param == "numba":
        pytest.importorskip("numba")
    return request.param
