"""A user's own score: any callable on a scene, by "package.module:attribute"."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from evo.checks import FAILURES, as_float, must, nearest
from fitness.base import NEEDS
from fitness.scene import Scene

__all__ = ["OwnScore", "load_own"]

_ALL = NEEDS - {"ground", "heights"}  # those two are in a scene wherever the run has them


@dataclass(frozen=True)
class OwnScore:
    """A callable on a scene as a score.

    Parameters
    ----------
    function : callable
        Scene -> number: int, float, numpy scalar or 0-d array. It should be pure, and stay in
        [0, 1]; below 0.01 it counts as 0.01 in the geometric mean. NaN and infinity are passed on
        and counted by the run. It is not called for an empty plant, which scores 0.
    name : str
        What messages and logs call it; by default the function's qualified name.
    needs : frozenset of str, optional
        Parts of a scene that it reads, of `fitness.NEEDS`. By default the function's own attribute
        `needs`, or else everything. A score that asks for the mask alone is several times faster.

    Raises
    ------
    ValueError
        If the function is not callable, or needs hold an unknown word.
    """

    function: Callable[[Scene], Any]
    name: str = ""
    needs: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise must(self.name or "score", "be callable", self.function)
        if not self.name:
            name = getattr(self.function, "__qualname__", type(self.function).__qualname__)
            object.__setattr__(self, "name", name)
        declared = self.needs or getattr(self.function, "needs", _ALL)
        words = f"hold words of {', '.join(sorted(NEEDS))}"
        try:
            needs = frozenset([declared] if isinstance(declared, str) else declared)
        except TypeError as error:
            raise must(f"needs of {self.name}", words, declared) from error
        for need in sorted(needs - NEEDS, key=str):
            hint = nearest(need, NEEDS) if isinstance(need, str) else ""
            raise must(f"needs of {self.name}", f"{words}{hint}", need)
        object.__setattr__(self, "needs", needs)

    def prepare(self, blank: Scene) -> tuple[str, ...]:
        """Let the callable get ready, if it has a method `prepare`; see `PlantScore.prepare`.

        Raises
        ------
        ValueError
            If it fails, or returns something else than texts or None.
        """
        prepare = getattr(self.function, "prepare", None)
        if not callable(prepare):
            return ()
        try:
            notes = prepare(blank)
        except FAILURES as error:
            raise _failed(self.name, "get ready", error) from error
        notes = () if notes is None else notes
        if not isinstance(notes, list | tuple) or not all(isinstance(one, str) for one in notes):
            raise must(f"prepare of {self.name}", "return texts or None", notes)
        return tuple(notes)

    def __call__(self, scene: Scene) -> float:
        """Return the callable's number as a float; 0 for an empty plant.

        Raises
        ------
        ValueError
            If it returned something else than one real number.
        """
        if scene.area == 0:
            return 0.0
        return as_float(self.name, self.function(scene))


def _failed(name: str, what: str, error: BaseException) -> ValueError:
    return must(name, f"{what} without an error", f"{type(error).__name__}: {error}")


def _resolve(path: str) -> Any:
    module_name, _, attribute = path.partition(":")
    parts = attribute.split(".")
    if not all(part.isidentifier() for part in (*module_name.split("."), *parts)):
        raise must("fitness name", "be a score or package.module:attribute", path)
    try:
        found: Any = importlib.import_module(module_name)
    except ImportError as error:
        raise must("fitness name", f"name a module that can be imported ({error})", path) from error
    except FAILURES as error:
        raise _failed(f"module {module_name}", "be imported", error) from error
    for part in parts:
        if not hasattr(found, part):
            hint = nearest(part, dir(found))
            raise must("fitness name", f"name an attribute of {module_name}{hint}", path)
        found = getattr(found, part)
    return found


def load_own(path: str, parameters: Mapping[str, Any]) -> OwnScore:
    """Return the score that "package.module:attribute" names.

    Parameters
    ----------
    path : str
        A function on a scene, or a class whose instances are such callables.
    parameters : mapping of str to values
        Keyword arguments: of a function at each call, of a class when it is made, once.

    Raises
    ------
    ValueError
        If there is no such module or attribute, it is not callable, or does not take these
        parameters.
    """
    target = _resolve(path)
    if not callable(target):
        raise must(path, "be callable", target)
    is_class = inspect.isclass(target)
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):  # some built-in callables have none
        signature = None
    if signature is not None:
        try:
            if is_class:
                signature.bind(**parameters)
            else:
                signature.bind(None, **parameters)
        except TypeError as error:
            raise must(path, f"take {sorted(parameters)} ({error})", str(signature)) from error
    if is_class:
        try:
            made = target(**parameters)
        except FAILURES as error:
            raise _failed(path, "be made", error) from error
        return OwnScore(made, path)
    if not parameters:
        return OwnScore(target, path)
    bound = partial(target, **parameters)
    return OwnScore(bound, path, getattr(target, "needs", frozenset()))
