import json
import logging
import math
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evo import CheckpointError, Genetic, HallOfFame, each, evolve
from evo.checkpoint import load, load_newest, remove_newer, save
from tests.evo.scorers import combine, table, total
from tests.evo.test_loop import shown

SMALL = Genetic(6)


def generations(n=3, **keywords):
    return list(
        evolve(table, SMALL, seed=1, generations=n, combine=combine, score_names=("a", "b"),
               hall_of_fame=4, **keywords)
    )  # fmt: skip


def same(generation, loaded):
    assert shown([replace(loaded, stop=generation.stop)]) == shown(
        [replace(generation, newborn=())]
    )
    for one, other in zip(generation.population, loaded.population, strict=True):
        assert np.array_equal(one.scores, other.scores, equal_nan=True)
        assert not other.scores.flags.writeable
        assert other.evaluated
    for entry, other in zip(generation.hall_of_fame, loaded.hall_of_fame, strict=True):
        assert np.array_equal(entry.scores, other.scores)
        assert entry.values == other.values
    assert {n: v.tolist() for n, v in generation.state.items()} == {
        n: v.tolist() for n, v in loaded.state.items()
    }
    for name, array in generation.state.items():
        assert array.dtype == loaded.state[name].dtype
        assert not loaded.state[name].flags.writeable


def test_round_trip(tmp_path):
    extra = {"log": 4711, "text": "grün", "list": [1, None, 0.1], "nan": None}
    for generation in generations():
        path = save(tmp_path, generation, extra)
        assert path.name == f"{generation.number:06d}.npz"
        found = load(path)
        same(generation, found.generation)
        assert found.extra == extra
    assert load(save(tmp_path, generation)).extra == {}


def test_round_trip_of_states_and_special_values(tmp_path):
    state = {
        "mean": np.linspace(0, 1, 7).reshape(7, 1), "n": np.array(3), "flags": np.array([True]),
        "deep/name": np.asfortranarray(np.arange(6).reshape(2, 3)), "none": np.empty((0, 4)),
        "words": np.array(["a", "bc"]),
    }  # fmt: skip
    strange = each(lambda genome: math.nan if genome[0] % 2 else -math.inf)
    for evaluate, size in ((strange, 4), (each(total), 0), (each(total), 3)):
        run = evolve(evaluate, SMALL, seed=1, generations=2, hall_of_fame=size)
        for generation in run:
            generation = replace(generation, state=state)
            same(generation, load(save(tmp_path, generation)).generation)
    one = replace(generation, hall_of_fame=())
    for individual in one.population:
        individual.record((0.1, -0.0, math.inf), None, 2)
    loaded = load(save(tmp_path, one)).generation
    assert [p.fitness.values for p in loaded.population] == [(0.1, -0.0, math.inf)] * 6
    assert all(p.scores is None for p in loaded.population)


def test_going_on_from_a_checkpoint_equals_the_unbroken_run(tmp_path):
    whole = generations(6)
    for at in range(6):
        save(tmp_path, whole[at])
        start = load_newest(tmp_path).generation
        assert shown(generations(6, start=start)) == shown(whole[at + 1 :])


def test_killed_after_each_generation(tmp_path):
    whole, rows = generations(6), []
    start = None
    while start is None or start.number < 6:
        generation = next(iter(generations(6, start=start)))
        rows.append(generation)
        save(tmp_path, generation)
        start = load_newest(tmp_path).generation
    assert shown(rows) == shown(whole)


def test_the_newest_two_are_kept(tmp_path):
    (tmp_path / "notes.npz").write_bytes(b"not ours")
    for generation in generations(5):
        save(tmp_path, generation)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "000004.npz", "000005.npz", "notes.npz",
    ]  # fmt: skip


def test_going_back_keeps_what_is_written(tmp_path):
    made = generations(5)
    for generation in (made[4], made[5], made[2]):
        path = save(tmp_path, generation)
    assert [found.name for found in tmp_path.iterdir()] == [path.name] == ["000002.npz"]


def test_numbers_beyond_six_digits(tmp_path):
    generation = generations(0)[0]
    for number in (999_998, 999_999, 1_000_000, 1_000_001):
        save(tmp_path, replace(generation, number=number))
    assert load_newest(tmp_path).generation.number == 1_000_001
    assert len(list(tmp_path.iterdir())) == 2


def cuts(size):
    return {"empty": 0, "10 bytes": 10, "half": size // 2, "all but one byte": size - 1}


@pytest.mark.parametrize("cut", cuts(1))
def test_a_cut_checkpoint_leaves_the_one_before(tmp_path, caplog, cut):
    for generation in generations(3):
        newest = save(tmp_path, generation)
    data = newest.read_bytes()
    newest.write_bytes(data[: cuts(len(data))[cut]])
    with pytest.raises(CheckpointError, match=r"^checkpoint 000003.npz is damaged: "):
        load(newest)
    with caplog.at_level(logging.WARNING):
        assert load_newest(tmp_path).generation.number == 2
    (record,) = caplog.records
    assert record.message.startswith("checkpoint 000003.npz is damaged: ")
    (tmp_path / "000002.npz").write_bytes(b"")
    with pytest.raises(
        CheckpointError, match="checkpoint must have one file that can be read, got"
    ):
        load_newest(tmp_path)


def test_no_checkpoint_at_all(tmp_path):
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(CheckpointError, match="must have one file that can be read"):
            load_newest(folder)
    with pytest.raises(CheckpointError, match="checkpoint a.npz cannot be read: "):
        load(tmp_path / "a.npz")


def test_a_damaged_one_never_takes_the_place_of_a_good_one(tmp_path):
    first, *_ = made = generations(5)
    for generation in made[2:4]:
        save(tmp_path, generation)
    (tmp_path / "000003.npz").write_bytes(b"cut")
    (tmp_path / ".000004.npz.0badcafe.part").write_bytes(b"half")
    start = load_newest(tmp_path).generation
    remove_newer(tmp_path, start.number)
    assert [path.name for path in tmp_path.iterdir()] == ["000002.npz"]
    save(tmp_path, made[5])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000002.npz", "000005.npz"]
    assert load(tmp_path / "000002.npz").generation.number == 2
    assert first.number == 0


def parts(path):
    with np.load(path, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def with_text(arrays, change):
    text = json.loads(arrays["text"].tobytes())
    change(text)
    return {**arrays, "text": np.frombuffer(json.dumps(text).encode(), np.uint8)}


def raw_text(data):
    return lambda arrays: {**arrays, "text": np.frombuffer(data, np.uint8)}


def counted(arrays, changes):
    counts = arrays["n_parents"].copy()
    for at, n in changes.items():
        counts[at] = n
    return counts


def old(arrays, change=lambda text: None):
    """Return the arrays of format 1, which had the parents as hex digits in the text."""
    new = dict(arrays)

    def older(text):
        text["format"] = 1
        for prefix in ("", "hall_"):
            rest = iter(new.pop(f"{prefix}parents"))
            counts = new.pop(f"{prefix}n_parents").tolist()
            text[f"{prefix}parents"] = [[next(rest).tobytes().hex() for _ in range(n)]
                                        for n in counts]  # fmt: skip
        change(text)

    found = with_text(arrays, older)
    return {**new, "text": found["text"]}


HOSTILE = {
    "no text": lambda a: {k: v for k, v in a.items() if k != "text"},
    "no genomes": lambda a: {k: v for k, v in a.items() if k != "genomes"},
    "no hall": lambda a: {k: v for k, v in a.items() if k != "hall_values"},
    "text not JSON": raw_text(b"{'a': 1}"),
    "text not UTF-8": raw_text(b"\xff\xfe"),
    "text a list": raw_text(b"[]"),
    "text empty": raw_text(b""),
    "text nested without end": raw_text(b"[" * 100_000),
    "text a number of a million digits": raw_text(b"1" * 1_000_000),
    "genomes too short": lambda a: {**a, "genomes": a["genomes"][:, :179]},
    "genomes of another dtype": lambda a: {**a, "genomes": a["genomes"].astype(np.int64)},
    "fewer genomes": lambda a: {**a, "genomes": a["genomes"][:-1]},
    "no individual": lambda a: {**a, **{k: a[k][:0] for k in ("genomes", "values", "scores")}},
    "fewer values": lambda a: {**a, "values": a["values"][1:]},
    "flat values": lambda a: {**a, "values": a["values"][:, 0]},
    "values without objectives": lambda a: {**a, "values": a["values"][:, :0]},
    "values of text": lambda a: {**a, "values": a["values"].astype(str)},
    "values of float32": lambda a: {**a, "values": a["values"].astype(np.float32)},
    "scores of another dtype": lambda a: {**a, "scores": a["scores"].astype(np.int32)},
    "fewer scores": lambda a: {**a, "scores": a["scores"][1:]},
    "a hall of too few": lambda a: {**a, "hall_genomes": a["hall_genomes"][1:]},
    "complex state": lambda a: {**a, "state/x": np.array([1j])},
    "records": lambda a: {**a, "state/x": np.zeros(2, [("a", "i4")])},
    "another format": lambda a: with_text(a, lambda t: t.update(format=3)),
    "format missing": lambda a: with_text(a, lambda t: t.pop("format")),
    "number negative": lambda a: with_text(a, lambda t: t.update(number=-1)),
    "number a text": lambda a: with_text(a, lambda t: t.update(number="3")),
    "number a truth": lambda a: with_text(a, lambda t: t.update(number=True)),
    "improved a float": lambda a: with_text(a, lambda t: t.update(improved=1.5)),
    "born a text": lambda a: with_text(a, lambda t: t.update(born=["x"] * 6)),
    "born too few": lambda a: with_text(a, lambda t: t.update(born=[0])),
    "operators numbers": lambda a: with_text(a, lambda t: t.update(operators=[1] * 6)),
    "operators too few": lambda a: with_text(a, lambda t: t.update(operators=["x"])),
    "parents short": lambda a: {**a, "parents": a["parents"][:, :179]},
    "parents of another dtype": lambda a: {**a, "parents": a["parents"].astype(np.int64)},
    "fewer parents": lambda a: {**a, "parents": a["parents"][1:]},
    "more parents than there are": lambda a: {**a, "n_parents": a["n_parents"] + 1},
    "parents that nobody has": lambda a: {**a, "parents": np.vstack([a["parents"], a["genomes"]])},
    "parents counted in floats": lambda a: {**a, "n_parents": a["n_parents"].astype(float)},
    "parents counted below zero": lambda a: {**a, "n_parents": counted(a, {0: 3, 1: -1})},
    "parents counted without end": lambda a: {**a, "n_parents": counted(a, {0: 2**63 - 1})},
    "no parents": lambda a: {k: v for k, v in a.items() if k != "hall_parents"},
    "old parents short": lambda a: old(a, lambda t: t.update(parents=[["00"]] * 6)),
    "old parents no hex": lambda a: old(a, lambda t: t.update(parents=[["zz" * 180]] * 6)),
    "old parents numbers": lambda a: old(a, lambda t: t.update(parents=[[3]] * 6)),
    "old parents none": lambda a: old(a, lambda t: t.update(parents=None)),
    "statistics a list": lambda a: with_text(a, lambda t: t.update(statistics=[])),
    "statistics lost": lambda a: with_text(a, lambda t: t.update(statistics={"best": 1.0})),
    "statistics of text": lambda a: with_text(a, lambda t: t["statistics"].update(best_so_far="1")),
    "statistics of nan": lambda a: with_text(a, lambda t: t["statistics"].update(best=math.nan)),
    "extra a number": lambda a: with_text(a, lambda t: t.update(extra=5)),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_archives(tmp_path, kind):
    path = save(tmp_path, generations(1)[-1])
    np.savez(path, **HOSTILE[kind](parts(path)))
    with pytest.raises(CheckpointError, match=r"^checkpoint 000001.npz is damaged: "):
        load(path)


def test_hostile_archives_start_from_a_good_one(tmp_path):
    # Else the test above could not fail.
    generation = generations(1)[-1]
    path = save(tmp_path, generation)
    np.savez(path, **with_text(parts(path), lambda text: None))
    same(generation, load(path).generation)


def test_the_format_before_is_still_read(tmp_path):
    generation = generations(2)[-1]
    for i, one in enumerate(generation.population[:3]):
        one.parents = one.parents[:i]
    path = save(tmp_path, generation, {"a": 1})
    arrays = old(parts(path))
    assert "parents" not in arrays
    assert json.loads(arrays["text"].tobytes())["format"] == 1
    np.savez(path, **arrays)
    same(generation, load(path).generation)


def npy(header, data=b""):
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


MEMBERS = {
    "huge": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }"),
    "huge and empty": npy(
        "{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999, 0), }", b"x"
    ),
    "negative": npy("{'descr': '|u1', 'fortran_order': False, 'shape': (-1, 7), }", b"abc"),
    "short": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", bytes(15)),
    "long": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", bytes(24)),
    "objects": npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", b"cos\nsystem\n."),
    "code": npy("__import__('os').abort()"),
    "no header": b"\x93NUMPY\x01\x00\xff\xff",
    "no magic": b"GENOME",
    "version 9": b"\x93NUMPY\x09\x00" + bytes(200),
    "nothing": b"",
}


@pytest.mark.parametrize("kind", MEMBERS)
@pytest.mark.parametrize("name", ["genomes.npy", "state/x.npy"])
def test_hostile_members(tmp_path, kind, name):
    path = save(tmp_path, generations(0)[0])
    with zipfile.ZipFile(path) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in {**members, name: MEMBERS[kind]}.items():
            archive.writestr(member, data)
    with pytest.raises(CheckpointError, match=r"^checkpoint 000000.npz is damaged: "):
        load(path)


def test_nothing_is_unpacked(tmp_path):
    path = save(tmp_path, generations(0)[0])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("text.npy", bytes(10_000_000))
    assert path.stat().st_size < 20_000
    with pytest.raises(CheckpointError, match="text.npy must be stored as it is"):
        load(path)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_changed_byte_is_found_or_harms_nothing(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("flipped")
    generation = generations(0)[0]
    path = save(folder, generation)
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    try:
        loaded = load(path).generation
    except CheckpointError:
        return
    same(generation, loaded)


@given(st.binary(max_size=300))
def test_any_bytes_are_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("any") / "000001.npz"
    path.write_bytes(data)
    with pytest.raises(CheckpointError):
        load(path)


def test_no_pickle_is_written(tmp_path):
    generation = replace(generations(0)[0], state={"x": np.array([{}], object)})
    with pytest.raises(ValueError, match="allow_pickle"):
        save(tmp_path, generation)
    assert list(tmp_path.iterdir()) == []


def test_a_hall_of_fame_goes_on(tmp_path):
    generation = generations(3)[-1]
    loaded = load(save(tmp_path, generation)).generation
    fresh = HallOfFame(4, entries=loaded.hall_of_fame).updated(loaded.population)
    assert fresh.entries == generation.hall_of_fame
