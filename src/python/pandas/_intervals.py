"""Intervals: the values between two numbers or dates."""

import operator

import numpy as np

from ._columns import OBJECT, Column, ExtensionDtype, infer
from ._index import Index


class Interval:
    """The numbers between `left` and `right`; `closed` says which of the two ends belong to it."""

    def __init__(self, left, right, closed="right"):
        if any(isinstance(x, str) or not hasattr(type(x), "__sub__") for x in (left, right)):
            raise ValueError("Only numeric, Timestamp and Timedelta endpoints are allowed when constructing an Interval.")
        if closed not in ("left", "right", "both", "neither"):
            raise ValueError(f"invalid option for 'closed': {closed}")
        if not left <= right:
            raise ValueError("left side of interval must be <= right side")
        self.left, self.right, self.closed = left, right, closed

    @property
    def mid(self):
        try:
            return 0.5 * (self.left + self.right)
        except TypeError:
            return self.left + 0.5 * self.length

    length = property(lambda self: self.right - self.left)
    closed_left = property(lambda self: self.closed in ("left", "both"))
    closed_right = property(lambda self: self.closed in ("right", "both"))
    open_left = property(lambda self: not self.closed_left)
    open_right = property(lambda self: not self.closed_right)
    is_empty = property(lambda self: self.left == self.right and self.closed != "both")

    def overlaps(self, other):
        if not isinstance(other, Interval):
            raise TypeError(f"`other` must be an Interval, got {type(other).__name__}")
        touch = lambda a, b: a.closed_left and b.closed_right
        return (self.left < other.right or touch(self, other) and self.left == other.right) and (
            other.left < self.right or touch(other, self) and other.left == self.right
        )

    def _key(self):
        return self.left, self.right, self.closed

    def __eq__(self, other):
        return isinstance(other, Interval) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __contains__(self, x):
        if isinstance(x, Interval):
            return (
                (self.left < x.left or self.left == x.left and (self.closed_left or x.open_left))
                and (x.right < self.right or self.right == x.right and (self.closed_right or x.open_right))
            )
        return (self.left < x or self.closed_left and x == self.left) and (
            x < self.right or self.closed_right and x == self.right
        )

    def __str__(self):
        return f"{'[' if self.closed_left else '('}{self.left}, {self.right}{']' if self.closed_right else ')'}"

    def __repr__(self):
        return f"Interval({self.left}, {self.right}, closed='{self.closed}')"


def _method(name):
    act, ordered = getattr(operator, name), name in ("lt", "le", "gt", "ge")

    def method(self, other):
        if ordered:
            return act(self._key(), other._key()) if isinstance(other, Interval) else NotImplemented
        return Interval(act(self.left, other), act(self.right, other), self.closed)

    return method


for _name in "lt le gt ge add sub mul truediv floordiv".split():
    setattr(Interval, f"__{_name}__", _method(_name))
Interval.__radd__, Interval.__rmul__ = Interval.__add__, Interval.__mul__


class IntervalDtype(ExtensionDtype):
    kind, itemsize = "O", 16

    def __init__(self, subtype="int64", closed="right"):
        self.subtype, self.closed = subtype, closed
        self.name = f"interval[{subtype}, {closed}]"

    def __repr__(self):
        return self.name


class IntervalIndex(Index):
    """Labels that are intervals."""

    def __new__(cls, data, closed=None, dtype=None, copy=False, name=None):
        self = object.__new__(cls)
        self._made, self.name, self._found = Column(OBJECT, list(data)), name, None
        return self

    @classmethod
    def from_breaks(cls, breaks, closed="right", name=None):
        edges = list(breaks)
        return cls.from_tuples(zip(edges, edges[1:]), closed, name)

    @classmethod
    def from_tuples(cls, data, closed="right", name=None):
        left, right = zip(*data)
        return cls.from_arrays(left, right, closed, name)

    @classmethod
    def from_arrays(cls, left, right, closed="right", name=None):
        left, right = list(left), list(right)
        ends = infer(left + right).items()
        return cls([Interval(a, b, closed) for a, b in zip(ends, ends[len(left):])], name=name)

    left, right, mid, length = (
        property(lambda self, name=name: Index._of(infer([getattr(x, name) for x in self._labels()])))
        for name in ("left", "right", "mid", "length")
    )
    closed = property(lambda self: self._labels()[0].closed if len(self) else "right")
    dtype = property(lambda self: IntervalDtype(self.left.dtype, self.closed))

    def contains(self, other):
        return np.array([other in x for x in self._labels()], dtype=bool)

    def __getitem__(self, key):
        return self.take(range(*key.indices(len(self)))) if isinstance(key, slice) else Index.__getitem__(self, key)

    def take(self, places):
        return IntervalIndex(self._column.take(places).data, name=self.name)
