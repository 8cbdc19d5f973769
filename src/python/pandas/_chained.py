"""Warns when a value is assigned to a part of a frame that nothing holds: the assignment changes a copy, and the copy is gone."""

import functools
import sys
import warnings

from . import _shared
from ._frame import DataFrame
from ._series import Series
from .errors import ChainedAssignmentError

_SET = """A value is being set on a copy of a DataFrame or Series through chained assignment.
Such chained assignment never works to update the original DataFrame or Series, because the intermediate object on which we are setting values \
always behaves as a copy (due to Copy-on-Write).

Try using '.loc[row_indexer, col_indexer] = value' instead, to perform the assignment in a single step.

See the documentation for a more detailed explanation: \
https://pandas.pydata.org/docs/dev/user_guide/migration.html#chained-assignment"""
_CALLED = """A value is being set on a copy of a DataFrame or Series through chained assignment using an inplace method.
Such inplace method never works to update the original DataFrame or Series, because the intermediate object on which we are setting values \
always behaves as a copy (due to Copy-on-Write).

For example, when doing 'df[col].method(value, inplace=True)', try using 'df.method({col: value}, inplace=True)' instead, to perform the \
operation inplace on the original object, or try to avoid an inplace operation using 'df[col] = df[col].method(value)'.

See the documentation for a more detailed explanation: \
https://pandas.pydata.org/docs/dev/user_guide/migration.html#copy-on-write-cow"""


class _Probe:
    """Counts how many references there are to an object that only an expression holds."""

    def __setitem__(self, key, value):
        _Probe.set = sys.getrefcount(self)

    def call(self, *args, **options):
        _Probe.called = sys.getrefcount(self)

    def __getattr__(self, name):
        # With this method, the interpreter holds another number of references during a call, as it does for frames.
        raise AttributeError(name)

    loc = property(lambda self: _Part(self))


class _Part:
    def __init__(self, of):
        self._of = of

    def __setitem__(self, key, value):
        _Probe.part = sys.getrefcount(self._of)


_Probe()[0] = 0
_Probe().call(inplace=True)
_Probe().loc[0] = 0


def _held(of):
    """Whether a variable of the calling function holds the object: such a reference isn't always counted."""
    return any(value is of for value in sys._getframe(2).f_locals.values())


def _assigned(method):
    @functools.wraps(method)
    def __setitem__(self, key, value):
        if sys.getrefcount(self) <= _Probe.set and not _held(self):
            warnings.warn(_SET, ChainedAssignmentError, stacklevel=2)
        method(self, key, value)

    return __setitem__


def _assigned_part(method):
    @functools.wraps(method)
    def __setitem__(self, key, value):
        if sys.getrefcount(self._of) <= _Probe.part and not _held(self._of):
            warnings.warn(_SET, ChainedAssignmentError, stacklevel=2)
        method(self, key, value)

    return __setitem__


def _called(method):
    @functools.wraps(method)
    def call(self, *args, **options):
        if options.get("inplace") is True and sys.getrefcount(self) <= _Probe.called and not _held(self):
            warnings.warn(_CALLED, ChainedAssignmentError, stacklevel=2)
        return method(self, *args, **options)

    return call


def install():
    for cls in (DataFrame, Series):
        cls.__setitem__ = _assigned(cls.__setitem__)
        for name in ("fillna", "replace", "clip", "ffill", "bfill", "where", "mask", "interpolate"):
            setattr(cls, name, _called(getattr(cls, name)))
    _shared._Indexer.__setitem__ = _assigned_part(_shared._Indexer.__setitem__)
