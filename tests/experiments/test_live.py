import http.client
import json
import shutil
import socket
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest

from experiments import run
from experiments.live import LivePage
from tests.experiments.browser import Browser
from tests.experiments.command_line import Command


def get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


@pytest.fixture
def early(finished, tmp_path):
    """The finished run as it stood after generation 1, and its whole log."""
    shutil.copytree(finished, tmp_path / "a run")
    log = (finished / "log.csv").read_bytes()
    (tmp_path / "a run" / "log.csv").write_bytes(b"".join(log.splitlines(True)[:3]))
    return tmp_path / "a run", log


def test_the_page_is_the_report_and_state_tells_when_it_changes(early):
    path, log = early
    page = LivePage()
    with page.follow(path):
        status, text = get(page.url)
        assert status == 200
        assert "1 of 4 generations" in text
        before = json.loads(get(f"{page.url}state.json")[1])
        assert before["done"] is False
        assert json.loads(get(f"{page.url}state.json")[1]) == before
        (path / "log.csv").write_bytes(log)
        assert json.loads(get(f"{page.url}state.json")[1])["version"] != before["version"]
        assert "4 of 4 generations" in get(page.url)[1]
        for other in ("config.toml", "../", "state.json/", "%2e%2e/"):
            assert get(page.url + other)[0] == 404
    with pytest.raises(urllib.error.URLError):
        get(page.url)


def test_only_this_machine_and_only_by_its_own_name(early):
    page = LivePage()
    with page.follow(early[0]):
        host, port = page._server.server_address[:2]
        assert host == "127.0.0.1"
        for name, status in (("evil.example", 403), (f"evil.example:{port}", 403)):
            connection = http.client.HTTPConnection(host, port, timeout=30)
            connection.request("GET", "/state.json", headers={"Host": name})
            assert connection.getresponse().status == status
            connection.close()
        assert get(f"http://localhost:{port}/state.json")[0] == 200
        connection = http.client.HTTPConnection(host, port, timeout=30)
        connection.request("POST", "/")
        assert connection.getresponse().status == 501
        connection.close()


def test_a_file_that_is_being_replaced_is_no_end(early):
    path, log = early
    page = LivePage()
    with page.follow(path):
        assert "1 of 4" in get(page.url)[1]
        (path / "log.csv").write_bytes(b"generation,best\nx,y\n")
        assert "1 of 4" in get(page.url)[1]  # the last that could be drawn
        (path / "log.csv").write_bytes(log)
        assert "4 of 4" in get(page.url)[1]


def test_ports(monkeypatch, capsys, tmp_path, early):
    with pytest.raises(ValueError, match="port must be a whole number from 0 to 65535"):
        LivePage(70_000)
    config = early[0] / "config.toml"
    evogarden = Command(monkeypatch, capsys)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        out = tmp_path / "out"
        assert "port must be free" in evogarden.refused(
            "run", config, "--out", out, "--live", "--port", port
        )
        assert not out.exists()
    assert "--port must be given with --live" in evogarden.refused(
        "run", config, "--out", tmp_path / "out", "--port", 5
    )


def test_a_run_serves_its_page_and_takes_it_away(tiny, tmp_path):
    page = LivePage()
    seen = []

    @contextmanager
    def watch(path):
        with page.follow(path):
            seen.append(get(page.url)[0])
            yield
            seen.append("4 of 4 generations" in get(page.url)[1])

    result = run(tiny, tmp_path / "r", watch=watch)
    assert seen == [200, True]
    with pytest.raises(urllib.error.URLError):
        get(page.url)
    assert threading.active_count() < 20
    assert result.generation.number == 4


def test_the_command_says_where_the_page_is(monkeypatch, capsys, early, tmp_path):
    evogarden = Command(monkeypatch, capsys)
    code, out, _ = evogarden("run", early[0] / "config.toml", "--out", tmp_path / "o", "--live")
    assert code == 0
    assert out.startswith("live page: http://127.0.0.1:")


def test_in_a_browser_it_follows_the_run_to_its_end(early, tmp_path):
    path, log = early
    browser = Browser(tmp_path / "profile")
    page = LivePage()
    text = "document.querySelector('.lead').textContent"
    try:
        with page.follow(path):
            browser.open(page.url, 400)
            browser.wait(f"{text}.includes('1 of 4')")
            browser.run("document.querySelectorAll('details')[1].open = true")
            (path / "log.csv").write_bytes(log)
            browser.wait(f"{text}.includes('4 of 4')")
            assert browser.run("document.querySelectorAll('details')[1].open")
            assert browser.run("document.querySelectorAll('.card').length") > 1
            assert browser.run("document.querySelectorAll('figure svg').length") == 3
            errors = list(browser.errors)
        browser.wait("document.getElementById('status').textContent === 'The run has ended.'")
        assert errors == []
        outside = [u for u in browser.requests if not u.startswith((page.url, "data:"))]
        assert outside == []
    finally:
        browser.close()
