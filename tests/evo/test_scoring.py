import decimal
import fractions

import numpy as np
import pytest

from evo import EvaluationError, each
from evo.scoring import GenomeError, as_table, attempt, name_of
from tests.evo.scorers import awkward, picky

GENOMES = [bytes([i]) * 180 for i in range(20)]


@pytest.mark.parametrize(
    "value",
    [3, -2, 0.1, 1 / 3, np.float64(0.1), np.float32(0.1), np.int8(-3), np.uint64(9), np.array(0.1),
     np.array(4), float("nan"), float("inf"), -0.0, True, np.False_, np.array(True)],
)  # fmt: skip
def test_each_takes_real_numbers(value):
    table = each(lambda genome: value)(GENOMES[:2])
    assert table.dtype == np.float64
    assert table.tobytes() == np.array([float(value)] * 2).tobytes()


@pytest.mark.parametrize(
    "value",
    [None, "3", b"3", (0.5, 0.5), [0.5], 1j, np.complex128(1), np.timedelta64(1),
     np.array([0.5]), np.array("3"), decimal.Decimal(1), fractions.Fraction(1, 2), {},
     np.datetime64(3, "s"), np.ma.masked],
)  # fmt: skip
def test_each_refuses_by_name(value):
    def my_score(genome):
        return value

    with pytest.raises(ValueError, match="my_score must return a number, got "):
        each(my_score)(GENOMES[:1])


def test_each_refuses_what_no_float_holds():
    with pytest.raises(ValueError, match="<lambda> must return a number that a float can hold"):
        each(lambda genome: 10**400)(GENOMES[:1])


def test_floats_pass_bit_for_bit():
    table = each(awkward)(GENOMES)
    assert table.tolist() == [awkward(genome) for genome in GENOMES]


def test_names():
    class Score:
        def __call__(self, genome):
            return None

    assert name_of(picky) == "picky"
    assert name_of(Score()).endswith("Score")
    with pytest.raises(ValueError, match="Score must return a number, got None"):
        each(Score())(GENOMES)


@pytest.mark.parametrize("value", [[1, 2, 3], np.zeros((3, 2, 2), np.float32), (1.5, 2, 3)])
def test_as_table_takes(value):
    table = as_table("f", value, 3)
    assert table.dtype == np.float64
    assert len(table) == 3
    assert not np.shares_memory(table, np.asarray(value))


@pytest.mark.parametrize(
    "value",
    [None, 0.5, [1, 2], [1, 2, 3, 4], ["a", "b", "c"], [True, False, True], [1j, 2, 3],
     [None, 1, 2], [[1], [1, 2], [3]], np.zeros((2, 3))],
)  # fmt: skip
def test_as_table_refuses(value):
    with pytest.raises(ValueError):
        as_table("f", value, 3)


def test_attempt_names_the_genome():
    with pytest.raises(GenomeError) as raised:
        attempt(each(picky), GENOMES[1:])
    assert raised.value.index == 7
    assert raised.value.genome == GENOMES[8]
    assert str(raised.value) == f"index 7, genome {'08' * 180}: ValueError: no plant of 8"
    assert isinstance(raised.value, EvaluationError)
    assert isinstance(raised.value.__cause__, ValueError)


def test_attempt_blames_no_genome_for_a_fault_of_the_batch():
    def batch(genomes):
        if len(genomes) > 1:
            raise MemoryError("too many")
        raise RuntimeError("too few")

    with pytest.raises(MemoryError, match="too many"):
        attempt(batch, GENOMES)
    with pytest.raises(ValueError, match="must return numbers with a first axis of 20, got 0.5"):
        attempt(lambda genomes: 0.5, GENOMES)


@pytest.mark.parametrize("failure", [SystemExit(0), SystemExit("enough"), GeneratorExit()])
def test_a_score_that_exits_fails_and_names_its_genome(failure):
    def leaves(genome):
        if genome == GENOMES[1]:
            raise failure
        return 1.0

    with pytest.raises(GenomeError, match=f"{type(failure).__name__}") as error:
        attempt(each(leaves), GENOMES)
    assert error.value.index == 1


def test_an_evaluation_that_exits_once_is_an_error():
    calls = []

    def leaves(genomes):
        calls.append(1)
        if len(calls) == 1:
            raise SystemExit
        return np.zeros(len(genomes))

    with pytest.raises(EvaluationError, match="SystemExit"):
        attempt(leaves, GENOMES)
