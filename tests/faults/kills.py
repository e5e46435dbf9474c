"""Kill a run at random moments, go on with it, and compare with the run that was never killed.

Run it yourself: `python -m tests.faults.kills --times 50`. Each trial starts the command, kills
its process (SIGKILL) after a random time, goes on with `evogarden resume` with another number
of jobs, backend and kernel, is killed there too one time in two, and in the end log.csv,
lineage.csv and hall_of_fame.json must be byte-equal to the unbroken run's.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RESULTS = ("log.csv", "lineage.csv", "hall_of_fame.json")
COMMAND = (sys.executable, "-m", "experiments")
ROOT = Path(__file__).parents[2]

CONFIG = """
name = "killed"
seed = 11

[evolution]
population = 16
generations = 12
hall_of_fame = 4
checkpoint_every = {every}

[plant]
samples = 2
unseen_samples = 2
max_circles = 2000

[picture]
width = 64
height = 64
px_per_pixel = 16.0

[[fitness]]
name = "coverage"

[[fitness]]
name = "symmetry"
"""


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """Start the command, quietly."""
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}  # of what a killed process left
    return subprocess.Popen([*COMMAND, *arguments, "--quiet"], cwd=ROOT, env=quiet)


def finish(*arguments: str) -> None:
    """Run the command to its end, which must be a good one."""
    subprocess.run([*COMMAND, *arguments, "--quiet"], cwd=ROOT, check=True)


def killed(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Kill a process after a time; False if it had ended by itself."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    return False


def trial(chance: random.Random, config: Path, run: Path, longest: float) -> int:
    """Run, kill and go on until the end; return how often it was killed."""
    places = [
        "--jobs",
        str(chance.choice([1, 2])),
        "--backend",
        chance.choice(["loky", "threading"]),
    ]
    deaths = int(
        killed(start("run", str(config), "--out", str(run), *places), chance.uniform(0, longest))
    )
    while deaths and deaths < 4 and chance.random() < 0.5 and (run / "config.toml").exists():
        deaths += killed(start("resume", str(run), *other(chance)), chance.uniform(0, longest))
    if (run / "config.toml").exists():
        finish("resume", str(run), *other(chance))
    else:  # killed before there was a run to go on with
        finish("run", str(config), "--out", str(run.with_name(f"{run.name}-again")))
    return deaths


def other(chance: random.Random) -> list[str]:
    """Return another place to evaluate in."""
    return [
        "--jobs",
        str(chance.choice([1, 2, 3])),
        "--backend",
        chance.choice(["loky", "threading"]),
        "--kernel",
        chance.choice(["auto", "numpy"]),
    ]


def different(run: Path, whole: Path) -> list[str]:
    """Return the names of the results that are not byte-equal."""
    if not (run / "config.toml").exists():
        run = run.with_name(f"{run.name}-again")
    return [name for name in RESULTS if (run / name).read_bytes() != (whole / name).read_bytes()]


def main(times: int, seed: int, folder: Path) -> int:
    """Try so many times; return how many trials ended in another result."""
    chance = random.Random(seed)
    wholes, configs = {}, {}
    for every in (1, 3):
        configs[every] = folder / f"every{every}.toml"
        configs[every].write_text(CONFIG.format(every=every))
        wholes[every] = folder / f"whole{every}"
        began = time.monotonic()
        finish("run", str(configs[every]), "--out", str(wholes[every]), "--jobs", "2")
        longest = 1.1 * (time.monotonic() - began)
    bad = deaths = 0
    for number in range(times):
        every = chance.choice([1, 3])
        run = folder / f"run{number}"
        deaths += trial(chance, configs[every], run, longest)
        found = different(run, wholes[every])
        bad += bool(found)
        print(
            f"trial {number + 1}/{times}: {'differs in ' + ', '.join(found) if found else 'equal'}",
            flush=True,
        )
    print(f"{times} trials, {deaths} kills, {bad} with another result")
    return bad


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=None, help="of the moments; default: any")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        sys.exit(1 if main(given.times, given.seed or time.time_ns(), Path(place)) else 0)
