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
    "at_most_8",
    "at_most_16",
    "at_most_32",
    "count_bits",
    "first_bit",
    "gather_bits",
    "spread_bits",
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
    return builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(_I32, n), [0] * n))


def _at_most(n: int) -> Any:
    @intrinsic
    def at_most(context: Any, first: Any, step: Any, limit: Any) -> Any:
        """Return the bits i below n for which (first + i * step)² <= limit.

        All are int32; a square that overflows gives any bit.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            start, stride, most = (_splat(builder, value, n) for value in arguments)
            numbers = ir.Constant(ir.VectorType(_I32, n), list(range(n)))
            x = builder.add(start, builder.mul(stride, numbers))
            hit = builder.icmp_signed("<=", builder.mul(x, x), most)
            return builder.zext(builder.bitcast(hit, ir.IntType(n)), _I64)

        return types.uint64(types.int32, types.int32, types.int32), generate

    return at_most


at_most_8 = _at_most(8)
at_most_16 = _at_most(16)
at_most_32 = _at_most(32)


@intrinsic
def first_bit(context: Any, bits: Any) -> Any:
    """Return the number of the lowest bit of a uint64 that is not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

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
