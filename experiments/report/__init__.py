"""The report of a run: one file of HTML that needs nothing else."""

from experiments.report.page import render_page, write_report

__all__ = ["render_page", "write_report"]
