"""The part of pandas that courses use: series, frames, CSV files, groups, merges and pictures, printed as pandas prints them."""

from . import _chained, _options, errors
from ._arrays import Categorical
from ._bins import cut, factorize, get_dummies, qcut
from ._columns import CategoricalDtype, NA, NaT, PeriodDtype, StringDtype
from . import _numpy
from ._dates import Timedelta, Timestamp, to_datetime, to_timedelta
from ._offsets import DateOffset, bdate_range, date_range, infer_freq
from ._files import json_normalize, read_csv, read_json, read_table
from ._frame import DataFrame
from ._groupby import Grouper, NamedAgg
from ._index import CategoricalIndex, DatetimeIndex, Index, MultiIndex, RangeIndex
from ._intervals import Interval, IntervalIndex
from ._merge import concat, merge, merge_asof, merge_ordered
from ._nullable import array
from ._options import describe_option, get_option, option_context, options, reset_option, set_option
from ._reshape import crosstab, melt, pivot, pivot_table, wide_to_long
from ._series import Series
from ._top import isna, isnull, notna, notnull, to_numeric, unique, value_counts
from ._later import _IndexSlice
from ._periods import Period, PeriodIndex, period_range
from . import api, offsets, plotting, tseries

__version__ = "3.1.1"
IndexSlice = _IndexSlice()

for _made in (
    DataFrame,
    Series,
    Index,
    MultiIndex,
    RangeIndex,
    DatetimeIndex,
    CategoricalIndex,
    Categorical,
    Timestamp,
    Timedelta,
    Interval,
    IntervalIndex,
    Period,
    PeriodIndex,
    StringDtype,
    CategoricalDtype,
    PeriodDtype,
):
    _made.__module__ = "pandas"
del _made


_chained.install()
_numpy.install()


def __getattr__(name):
    from ._nullable import KNOWN

    if name.endswith("Dtype") and (name[:-5] in KNOWN or name == "BooleanDtype"):
        return lambda: KNOWN["boolean" if name[0] == "B" else name[:-5]]
    if name in ("TimedeltaIndex", "timedelta_range"):
        from . import _lengths

        return getattr(_lengths, name)
    if name == "read_fwf":
        from ._fixed import read_fwf

        return read_fwf
    if name.startswith("read_") or name in (
        "HDFStore",
        "ExcelFile",
        "ExcelWriter",
        "interval_range",
        "eval",
        "arrays",
        "testing",
        "col",
        "lreshape",
        "NamedTuple",
        "show_versions",
        "test",
        "from_dummies",
    ):
        raise NotImplementedError(f"pandas.{name} isn't here")
    raise AttributeError(f"module 'pandas' has no attribute '{name}'")
