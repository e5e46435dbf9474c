import errno
import os

import pytest

from evo.files import write_atomic


def test_writes_whole_files(tmp_path):
    write_atomic(tmp_path / "a.bin", b"one")
    write_atomic(str(tmp_path / "a.bin"), b"two" * 100_000)
    assert (tmp_path / "a.bin").read_bytes() == b"two" * 100_000
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    write_atomic(tmp_path / "empty", b"")
    assert (tmp_path / "empty").read_bytes() == b""
    write_atomic(tmp_path / ("n" * 250), b"long name")


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_a_failure_leaves_what_stood_there(tmp_path, monkeypatch, step, error):
    target = tmp_path / "a.bin"
    write_atomic(target, b"before")

    def fails(*_):
        raise error

    monkeypatch.setattr(f"os.{step}" if step == "fsync" else "pathlib.Path.replace", fails)
    with pytest.raises(type(error)):
        write_atomic(target, b"after")
    monkeypatch.undo()
    assert target.read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_atomic(tmp_path / "none" / "a.bin", b"")


def test_the_data_is_on_disk_before_the_name(tmp_path, monkeypatch):
    order = []
    sync, replace = os.fsync, type(tmp_path).replace
    monkeypatch.setattr("os.fsync", lambda handle: (order.append("sync"), sync(handle))[1])
    monkeypatch.setattr(
        "pathlib.Path.replace", lambda a, b: (order.append("rename"), replace(a, b))[1]
    )
    write_atomic(tmp_path / "a.bin", b"data")
    assert order == ["sync", "rename", "sync"]


@pytest.mark.skipif(os.name == "nt", reason="folders are not synced there")
def test_a_file_system_that_syncs_no_folders(tmp_path, monkeypatch):
    sync, calls = os.fsync, []

    def no_folders(handle):
        calls.append(handle)
        if len(calls) == 2:
            raise OSError(errno.EINVAL, "Invalid argument")
        sync(handle)

    monkeypatch.setattr("os.fsync", no_folders)
    write_atomic(tmp_path / "a.bin", b"data")
    assert (tmp_path / "a.bin").read_bytes() == b"data"
