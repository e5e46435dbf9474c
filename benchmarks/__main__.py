"""Measure everything in one run and write RESULTS.md and the plots.

`python -m benchmarks` takes a few minutes; `--quick` takes fewer plants and no slow peers.
"""

from __future__ import annotations

import argparse
import platform
from pathlib import Path

import numpy as np

from benchmarks import generations, growing, plots, scoring, speed

HERE = Path(__file__).parent


def processor() -> str:
    """Return the name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer plants, no slow peers")
    parser.add_argument("--out", type=Path, default=HERE, help="folder of RESULTS.md")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    parts = [
        "# Results",
        "Written by `make bench` (`python -m benchmarks`): medians, one core, time of the "
        "processor, all contenders of a table in one run on the same circles. Times move with the "
        "machine and its load; read the ratios.",
        f"{processor()}, {platform.system()}, Python {platform.python_version()}, "
        f"numpy {np.__version__}.",
    ]
    parts += speed.report(quick=options.quick)
    parts += scoring.report(quick=options.quick)
    parts += generations.report(quick=options.quick)
    measured, text = growing.report(quick=options.quick)
    plots.draw(measured, options.out)
    parts += text
    (options.out / "RESULTS.md").write_text("\n\n".join(parts) + "\n", "utf-8")
    print(f"written: {options.out / 'RESULTS.md'}")


if __name__ == "__main__":
    main()
