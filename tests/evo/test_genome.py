import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evo import GENES, Individual, as_genes, from_hex, to_hex
from evo.genome import GENOME_SIZE, locus

genomes = st.binary(min_size=180, max_size=180)


def test_table():
    assert len(GENES) == 18
    assert len({gene.name for gene in GENES}) == 18
    assert GENOME_SIZE == 180
    assert [locus(name) for name in ("size", "turn", "length", "heading_var")] == [0, 8, 9, 17]
    with pytest.raises(KeyError):
        locus("width")


@given(genomes)
def test_forms_are_one(genome):
    genes = as_genes(genome)
    assert genes.shape == (10, 18)
    assert genes.dtype == np.uint8
    assert genes[3, 5] == genome[3 * 18 + 5]
    assert from_hex(to_hex(genome)) == genome
    assert from_hex(to_hex(genome).upper()) == genome
    assert to_hex(genes) == to_hex(bytearray(genome)) == to_hex(Individual(genome)) == genome.hex()


def test_as_genes_is_a_read_only_view_in_any_order():
    ours = np.asfortranarray(np.arange(180, dtype=np.uint8).reshape(10, 18))
    genes = as_genes(ours)
    assert genes.flags.c_contiguous
    assert not genes.flags.writeable
    assert ours.flags.writeable
    assert genes.tobytes() == bytes(range(180))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (bytes(179), "genome must hold 180 bytes, got 179 bytes"),
        (bytes(181), "genome must hold 180 bytes, got 181 bytes"),
        (b"", "genome must hold 180 bytes, got b''"),
        (np.zeros((18, 10), np.uint8), "got an array of uint8 (18, 10)"),
        (np.zeros(180, np.uint8), "got an array of uint8 (180,)"),
        (np.zeros((10, 18)), "got an array of float64 (10, 18)"),
        (np.zeros((10, 18), bool), "got an array of bool (10, 18)"),
        ("00" * 180, "180 bytes, got '0000"),
        (None, "180 bytes, got None"),
        ([0] * 180, "180 bytes, got [0, 0"),
    ],
)
def test_as_genes_refuses(wrong, message):
    with pytest.raises(ValueError) as raised:
        as_genes(wrong)
    assert str(raised.value).startswith("genome must ")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("0" * 361, "genome must have 360 hex digits, got '361 characters'"),
        ("0" * 359, "genome must have 360 hex digits, got '359 characters'"),
        ("", "genome must have 360 hex digits, got '0 characters'"),
        ("0" * 359 + "g", "genome must have hex digits alone, got 'g'"),
        ("0" * 359 + " ", "genome must have hex digits alone, got ' '"),
        ("٣" * 360, "genome must have hex digits alone, got '٣'"),
        (bytes(360), "genome must be a text of 360 hex digits, got 360 bytes"),
        (None, "genome must be a text of 360 hex digits, got None"),
    ],
)
def test_from_hex_refuses(wrong, message):
    with pytest.raises(ValueError) as raised:
        from_hex(wrong)
    assert str(raised.value) == message


@given(st.text(max_size=400) | st.from_regex("[0-9a-fA-F]{360}", fullmatch=True))
def test_from_hex_never_surprises(text):
    if re.fullmatch("[0-9a-fA-F]{360}", text):
        assert to_hex(from_hex(text)) == text.lower()
    else:
        with pytest.raises(ValueError, match="^genome must have "):
            from_hex(text)
