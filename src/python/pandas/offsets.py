"""Steps in time, such as the end of a month."""

from ._offsets import (BDay, BMonthBegin, BMonthEnd, BQuarterBegin, BQuarterEnd, BusinessDay, BusinessMonthBegin, BusinessMonthEnd, BYearBegin,
                       BYearEnd, DateOffset, Day, Hour, Micro, Milli, Minute, MonthBegin, MonthEnd, QuarterBegin, QuarterEnd, Second, Week,
                       YearBegin, YearEnd)

__all__ = ["BDay", "BMonthBegin", "BMonthEnd", "BQuarterBegin", "BQuarterEnd", "BusinessDay", "BusinessMonthBegin", "BusinessMonthEnd",
           "BYearBegin", "BYearEnd", "DateOffset", "Day", "Hour", "Micro", "Milli", "Minute", "MonthBegin", "MonthEnd", "QuarterBegin",
           "QuarterEnd", "Second", "Week", "YearBegin", "YearEnd"]


def __getattr__(name):
    if name in ("BusinessHour", "CustomBusinessDay", "CDay", "CustomBusinessHour", "CustomBusinessMonthEnd", "CustomBusinessMonthBegin",
                "CBMonthEnd", "CBMonthBegin", "SemiMonthEnd", "SemiMonthBegin", "LastWeekOfMonth", "WeekOfMonth", "FY5253",
                "FY5253Quarter", "Easter", "Nano", "Tick", "HalfYearEnd", "HalfYearBegin", "BHalfYearEnd", "BHalfYearBegin"):
        raise NotImplementedError(f"pandas.offsets.{name} isn't here")
    raise AttributeError(f"module 'pandas.tseries.offsets' has no attribute '{name}'")
