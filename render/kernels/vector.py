"""Operations on several pixels at once, for the numba kernel: a few instructions of the processor.

numba offers no vectors, so these are written as LLVM code; LLVM lowers them for any processor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir as _ir
from numba import types as _types
from numba.extending import intrinsic as _intrinsic

__all__ = [
    "count_bits",
    "disc_8",
    "first_bit",
    "gather_bits",
    "last_bit",
    "reverse_bits",
    "spread_bits",
    "transpose_8",
]

ir: Any = _ir  # neither ships annotations
types: Any = _types


def intrinsic(function: Callable[..., Any]) -> Any:
    """Return a function that compiled functions can call, from one that writes its code."""
    return _intrinsic(function)


_I32, _I64 = ir.IntType(32), ir.IntType(64)


def _splat(builder: Any, value: Any, n: int) -> Any:
    vector = ir.VectorType(value.type, n)
    undefined = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(undefined, value, ir.Constant(_I32, 0))
    return _pick(builder, one, [0] * n)


def _pick(builder: Any, vector: Any, numbers: list[int]) -> Any:
    """Return the vector of those elements of a vector."""
    undefined = ir.Constant(vector.type, ir.Undefined)
    chosen = ir.Constant(ir.VectorType(_I32, len(numbers)), numbers)
    return builder.shuffle_vector(vector, undefined, chosen)


@intrinsic
def disc_8(context: Any, x: Any, y: Any, step: Any, limit: Any) -> Any:
    """Return a block of 8 x 8 bits: bit 8 r + c is (x + c step)² + (y + r step)² <= limit.

    All are int32; a square or a sum that overflows gives any bit.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x, y, step, limit = (_splat(builder, value, 8) for value in arguments)
        away = builder.mul(step, ir.Constant(ir.VectorType(_I32, 8), list(range(8))))
        across, down = builder.add(x, away), builder.add(y, away)
        room = builder.sub(limit, builder.mul(down, down))  # for the square of a column
        square = builder.mul(across, across)
        columns, rows = [i & 7 for i in range(64)], [i >> 3 for i in range(64)]
        hit = builder.icmp_signed("<=", _pick(builder, square, columns), _pick(builder, room, rows))
        return builder.bitcast(hit, _I64)

    return types.uint64(types.int32, types.int32, types.int32, types.int32), generate


@intrinsic
def transpose_8(context: Any, words: Any, at: Any) -> Any:
    """Turn words[at:at + 8] (uint64, 1D) over: byte c of word r becomes byte r of word c."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.IntType(8), 64)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), vector.as_pointer())
        order = [8 * (i & 7) + (i >> 3) for i in range(64)]
        builder.store(_pick(builder, builder.load(place, align=8), order), place, align=8)
        return context.get_dummy_value()

    return types.void(words, types.int64), generate


@intrinsic
def first_bit(context: Any, bits: Any) -> Any:
    """Return the number of the lowest bit of a uint64 that is not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@intrinsic
def last_bit(context: Any, bits: Any) -> Any:
    """Return the number of the highest bit of a uint64 that is not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        above = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(_I64, 63), above)

    return types.int64(types.uint64), generate


@intrinsic
def count_bits(context: Any, bits: Any) -> Any:
    """Return how many bits of a uint64 are 1."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def reverse_bits(context: Any, bits: Any) -> Any:
    """Return a uint64 with its bits in reverse."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitreverse(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def gather_bits(context: Any, array: Any, start: Any) -> Any:
    """Return the 64 bytes array[start:start + 64] (uint8, 1D) as bits: 1 where not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = context.make_array(signature.args[0])(context, builder, arguments[0])
        vector = ir.VectorType(ir.IntType(8), 64)
        place = builder.bitcast(builder.gep(made.data, [arguments[1]]), vector.as_pointer())
        lanes = builder.load(place, align=1)
        hit = builder.icmp_signed("!=", lanes, ir.Constant(vector, [0] * 64))
        return builder.bitcast(hit, _I64)

    return types.uint64(array, types.int64), generate


@intrinsic
def spread_bits(context: Any, out: Any, start: Any, bits: Any) -> Any:
    """Write the 64 bits of a uint64 as 64 bytes, 0 or 1, to out[start:start + 64] (uint8, 1D)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        vector = ir.VectorType(ir.IntType(8), 64)
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), vector.as_pointer())
        lanes = builder.bitcast(arguments[2], ir.VectorType(ir.IntType(1), 64))
        builder.store(builder.zext(lanes, vector), place, align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.uint64), generate
