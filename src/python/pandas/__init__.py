"""The part of pandas that courses use: series, frames, CSV files, groups, merges and pictures, printed as pandas prints them."""

from . import _options, errors
from ._arrays import Categorical
from ._bins import cut, factorize, get_dummies, qcut
from ._columns import CategoricalDtype, NaT, StringDtype
from . import _numpy
from ._dates import DateOffset, Timedelta, Timestamp, date_range, to_datetime, to_timedelta
from ._files import read_csv, read_json, read_table
from ._frame import DataFrame
from ._groupby import Grouper, NamedAgg
from ._index import CategoricalIndex, DatetimeIndex, Index, MultiIndex, RangeIndex
from ._merge import concat, merge
from ._options import describe_option, get_option, option_context, options, reset_option, set_option
from ._reshape import crosstab, melt, pivot, pivot_table
from ._series import Series
from ._top import isna, isnull, notna, notnull, to_numeric, unique, value_counts
from . import api, plotting

__version__ = "3.1.1"

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
    StringDtype,
    CategoricalDtype,
):
    _made.__module__ = "pandas"
del _made


_numpy.install()


def __getattr__(name):
    if name.startswith("read_") or name in (
        "NA",
        "Period",
        "PeriodIndex",
        "Interval",
        "IntervalIndex",
        "HDFStore",
        "ExcelFile",
        "ExcelWriter",
        "TimedeltaIndex",
        "period_range",
        "timedelta_range",
        "bdate_range",
        "interval_range",
        "merge_asof",
        "merge_ordered",
        "wide_to_long",
        "json_normalize",
        "eval",
        "array",
        "arrays",
        "offsets",
        "tseries",
        "testing",
        "col",
        "lreshape",
        "infer_freq",
        "Int64Dtype",
        "Int32Dtype",
        "Float64Dtype",
        "BooleanDtype",
        "NamedTuple",
        "show_versions",
        "test",
        "from_dummies",
    ):
        raise NotImplementedError(f"pandas.{name} isn't here")
    raise AttributeError(f"module 'pandas' has no attribute '{name}'")
