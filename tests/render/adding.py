"""A function for the tests of compiling, in a file of its own as numba's cache wants it."""


def add_one(value: int) -> int:
    return value + 1
