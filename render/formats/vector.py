"""SVG and PDF: the discs that show, and no others, at any size without a pixel."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from evo.checks import must
from render.formats.drawing import Drawing
from render.recipe import KEYWORD, MAX_TEXT, to_text

__all__ = ["encode_pdf", "encode_svg", "find_pdf_text", "find_svg_text"]

OPACITY = f"{51 / 256:.4f}"
"""Of the discs of light and shadow."""

GRID = 32
"""Steps of a pixel in which an SVG file gives lengths."""

_HEAD = 1 << 10  # our text stands before byte 1024 of a file
_SVG_TEXT = re.compile(rb'<metadata id="evogarden">([^<]*)</metadata>')
_PDF_TEXT = re.compile(rb"/evogarden \(([^()\\]*)\)")


def encode_svg(drawing: Drawing) -> bytes:
    """Return a drawing as an SVG file.

    Lengths are whole numbers of 1/32 pixel, so that the file stays small; one transformation
    scales them. Discs of one color that follow each other share a group.
    """
    recipe = drawing.recipe
    width, height = recipe.width, recipe.height
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        f'<metadata id="{KEYWORD}">{to_text(recipe)}</metadata>',
        "<title>A plant</title>",
    ]
    if drawing.background is not None:
        lines.append(
            f'<rect width="{width}" height="{height}" fill="#{bytes(drawing.background).hex()}"/>'
        )
    column, row = recipe.root
    lines.append(
        f'<g transform="translate({column} {row}) scale({1 / GRID:g})" fill-opacity="{OPACITY}">'
    )
    discs = drawing.discs
    lengths = np.rint(discs[:, :3] * (GRID / (2 * recipe.unit))).astype(np.int64)
    for paint, part in _runs(discs[:, 3:].tolist(), lengths.tolist()):
        red, green, blue, opaque = paint
        look = f' fill="{_hex(red, green, blue)}"' + (' fill-opacity="1"' if opaque else "")
        if len(part) > 1:
            lines.append(f"<g{look}>")
        own = look if len(part) == 1 else ""
        lines.extend(f'<circle{own} cx="{x}" cy="{y}" r="{reach}"/>' for x, y, reach in part)
        if len(part) > 1:
            lines.append("</g>")
    lines.append("</g>\n</svg>\n")
    return "\n".join(lines).encode("ascii")


def _runs(paints: list[list[int]], lengths: list[list[int]]) -> Iterator[tuple[list[int], Any]]:
    """Yield each paint with the lengths of the discs in a row that have it."""
    begin = 0
    for end in range(1, len(paints) + 1):
        if end == len(paints) or paints[end] != paints[begin]:
            yield paints[begin], lengths[begin:end]
            begin = end


def _hex(red: int, green: int, blue: int) -> str:
    digits = f"{red:02x}{green:02x}{blue:02x}"
    short = digits[::2] == digits[1::2]
    return f"#{digits[::2] if short else digits}"


def encode_pdf(drawing: Drawing) -> bytes:
    """Return a drawing as a PDF file of one page, a point for each pixel.

    A disc is a line of no length with round ends (PDF 32000-1:2008, 8.5.3.2).
    """
    recipe = drawing.recipe
    width, height = recipe.width, recipe.height
    scale = 1 / (2 * recipe.unit)
    column, row = recipe.root
    body = ["1 J"]
    if drawing.background is not None:
        paper = " ".join(f"{channel / 255:.4g}" for channel in drawing.background)
        body.append(f"{paper} rg 0 0 {width} {height} re f")
    body.append(f"{scale:.12f} 0 0 {-scale:.12f} {column} {height - row} cm")
    discs = drawing.discs
    for paint, part in _runs(discs[:, 3:].tolist(), discs[:, :3].tolist()):
        red, green, blue, opaque = paint
        body.append(f"/{'O' if opaque else 'T'} gs")
        body.append(f"{red / 255:.4g} {green / 255:.4g} {blue / 255:.4g} RG")
        body.extend(f"{2 * reach} w {x} {y} m {x} {y} l S" for x, y, reach in part)
    stream = zlib.compress("\n".join(body).encode("ascii"))
    objects = [
        f"<< /{KEYWORD} ({to_text(recipe)}) >>".encode("ascii"),
        b"<< /Type /Catalog /Pages 3 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 3 0 R /MediaBox [0 0 {width} {height}] /Contents 5 0 R "
        "/Group << /S /Transparency /CS /DeviceRGB >> /Resources << /ExtGState << "
        f"/O << /CA 1 >> /T << /CA {OPACITY} >> >> >> >>".encode("ascii"),
        f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode("ascii")
        + stream
        + b"\nendstream",
    ]
    data, offsets = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    trailer = b"trailer\n<< /Size %d /Root 2 0 R /Info 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    head = b"xref\n0 %d\n0000000000 65535 f \n" % count
    return data + head + table + trailer % (count, len(data))


def find_svg_text(file: BinaryIO, name: str) -> bytes:
    """Return the text of a recipe in an SVG file; only its beginning and end are read."""
    return _find(file, name, "SVG", _SVG_TEXT, b"</svg>")


def find_pdf_text(file: BinaryIO, name: str) -> bytes:
    """Return the text of a recipe in a PDF file; only its beginning and end are read."""
    return _find(file, name, "PDF", _PDF_TEXT, b"%%EOF")


def _find(file: BinaryIO, name: str, kind: str, pattern: re.Pattern[bytes], end: bytes) -> bytes:
    found = pattern.findall(file.read(_HEAD + MAX_TEXT))
    size = file.seek(0, 2)
    file.seek(max(0, size - 64))
    if not file.read().rstrip().endswith(end):
        raise must(name, f"be a whole {kind} file", "one cut short")
    if len(found) != 1:
        raise must(name, f"hold one genome ({KEYWORD!r}, at its beginning)", len(found))
    return bytes(found[0])
