"""Periods of pandas: `Period`, `period_range`, `to_period`, and what groups, tables and arithmetic make of them."""

import warnings

import pandas as pd

warnings.simplefilter("ignore")


def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, str(e)[:250])


for f in ["ME","H","QE","Y","A","B","W","W-MON","Q-MAR","2M","s","ms","T","q","d","m","YE","BM"]:
    show(lambda: pd.Period("2023-03-15", freq=f))
    show(lambda: pd.Series(pd.to_datetime(["2023-03-15"])).dt.to_period(f))
P=pd.Period
show(lambda: P("2023-03-15"))
show(lambda: P("2023-03"))
show(lambda: P("2023"))
show(lambda: P("2023Q2"))
show(lambda: P(2023,freq="Y"))
show(lambda: P(year=2023,month=3,freq="M"))
show(lambda: P("2023-03-15 10:20"))
show(lambda: P("2023-03-15 10:20:30"))
show(lambda: P("2023-1Q"))
show(lambda: P("Mar 2023", freq="M"))
show(lambda: P(pd.Timestamp("2023-03-04"), freq="M"))
show(lambda: P(pd.Timestamp("2023-03-04")))
p=P("2023-03","M")
show(lambda: p.freq)
show(lambda: p.freqstr)
show(lambda: p.ordinal)
show(lambda: p==P("2023-03-01","D"))
show(lambda: p<P("2023-03-01","D"))
show(lambda: p<3)
show(lambda: p==3)
show(lambda: p+"a")
show(lambda: p+1.5)
show(lambda: p+p)
show(lambda: 1+p)
show(lambda: p-1)
show(lambda: p+pd.offsets.MonthEnd(2))
show(lambda: p+pd.offsets.Day(2))
show(lambda: p+pd.Timedelta("1D"))
show(lambda: P("2023-01-01","D")+pd.Timedelta("2D"))
show(lambda: p.asfreq("D"))
show(lambda: p.asfreq("D",how="start"))
show(lambda: p.asfreq("Q"))
show(lambda: p.asfreq("Y"))
show(lambda: P("2023Q3").asfreq("M"))
show(lambda: P("2023Q3").asfreq("M","s"))
show(lambda: p.to_timestamp(how="end"))
show(lambda: p.to_timestamp("D","e"))
show(lambda: p.end_time.isoformashow())
show(lambda: p.strftime("%b %Y"))
show(lambda: P("2023Q3").strftime("%Y-Q%q"))
show(lambda: f"{p:%b}")
show(lambda: p.qyear)
show(lambda: P("2023Q3").start_time)
show(lambda: p.day)
show(lambda: p.week)
show(lambda: p.day_of_week)
show(lambda: p.quarter)
show(lambda: P("2023-03-15","D").dayofweek)
show(lambda: P("2023-03-15","W").start_time)
show(lambda: P("2023-03-15","W").end_time)
show(lambda: P("NaT","M"))
show(lambda: P(None,"M"))
show(lambda: P("garb","M"))
show(lambda: hash(p)==hash(P("2023-03","M")))
show(lambda: p.nosuch)
i=pd.period_range("2023-01",periods=3,freq="M")
for f in [lambda: i.year,
    lambda: i.month,
    lambda: i.to_timestamp(),
    lambda: i+1,
    lambda: i-i[0],
    lambda: i[0],
    lambda: i[1:],
    lambda: i.dtype,
    lambda: i.freq,
    lambda: i.freqstr,
    lambda: i.strftime("%b"),
    lambda: i.astype(str),
    lambda: i.asfreq("D"),
    lambda: i.asfreq("Q"),
    lambda: i.start_time,
    lambda: i.end_time,
    lambda: i=="2023-02",
    lambda: i>"2023-01",
    lambda: i==pd.Period("2023-02"),
    lambda: i.values,
    lambda: i.to_numpy(),
    lambda: i.tolisshow(),
    lambda: pd.Series(i),
    lambda: pd.Series(i).dt.to_timestamp(),
    lambda: pd.Series(i).dt.start_time,
    lambda: pd.Series(i).dt.end_time,
    lambda: pd.Series(i).dt.strftime("%m/%y"),
    lambda: pd.Series(i).astype("datetime64[ns]"),
    lambda: pd.Series(i).diff(),
    lambda: pd.Series(i)-1,
    lambda: pd.Series(i).min(),
    lambda: pd.Series(i).dt.asfreq("D"),
    lambda: pd.Series(i).dt.qyear,
    lambda: pd.Series(i).dt.freq,
    lambda: i.map(str),
    lambda: i.shifshow(1),
    lambda: i.is_monotonic_increasing,
    lambda: i.append(i),
    lambda: i.union(i+1),
    lambda: i.get_loc("2023-02"),
    lambda: "2023-02" in i,
    lambda: pd.Series([1,2,3],i)["2023"],
    lambda: pd.Series([1,2,3],i).loc["2023-02":],
    lambda: pd.Series([1,2,3],i)[pd.Period("2023-02")],
    lambda: pd.Series([1,2,3],i).reindex(i+1),
    lambda: pd.Series([1,2,3],i).resample("Q").sum(),
    lambda: pd.Series(i).isna(),
    lambda: pd.Series(i).describe(),
    lambda: pd.DataFrame({"p":i,"v":1}).info(),
    lambda: pd.DataFrame({"p":i}).dtypes,
    lambda: pd.Series([p,p+1]),
    lambda: pd.Index([p,p+1]),
    lambda: pd.Series(["2023-01","2023-02"],dtype="period[M]"),
    lambda: pd.PeriodIndex(["2023-01","NaT"],freq="M"),
    lambda: pd.Series(pd.PeriodIndex(["2023-01","NaT"],freq="M")),
    lambda: pd.period_range("2023-01-01","2023-01-04",freq="D"),
    lambda: pd.period_range("2023-01-01","2023-02-01"),
    lambda: pd.period_range(end="2023-05",periods=2,freq="M",name="x"),
    lambda: pd.period_range("2023","2023-02",freq="W"),
    lambda: pd.PeriodIndex.from_fields(year=[2022,2023],quarter=[1,2],freq="Q"),
    lambda: pd.PeriodIndex(["2023-01"]),
    lambda: pd.date_range("2023-01-31",periods=3,freq="ME").to_period(),
    lambda: pd.DatetimeIndex(["2023-01-31"]).to_period(),
    lambda: pd.Timestamp("2023-01-31").to_period("M"),
    lambda: pd.PeriodDtype("M"),
    lambda: pd.to_datetime(pd.Series(i).astype(str)),
    lambda: pd.Series(i).dt.nosuch,
    lambda: pd.Series(i).dt.day_name(),
    lambda: pd.period_range("2023-01",freq="M"),
    lambda: i.nosuch,
    lambda: pd.Series(i).value_counts(),
    lambda: pd.Series(i).unique(),
    lambda: pd.Series(i).values,
    lambda: pd.Series(i).astype("int64"),
    lambda: pd.Series(i).astype(str),
    lambda: pd.Series(i) == "2023-02",
    lambda: pd.Series(i).sort_values(ascending=False),
    lambda: pd.Series(i).to_dicshow(),
    lambda: pd.Series(i).mean(),
    lambda: pd.Series(i).sum(),
    lambda: pd.Series(i).max(),
    lambda: pd.Series(i).shifshow(1),
    lambda: pd.DataFrame({"p":i,"v":[1,2,3]}).describe(),
    lambda: pd.DataFrame({"v":[1,2,3]},index=i).to_csv(),
    lambda: pd.DataFrame({"v":[1,2,3]},index=i).T,
    lambda: pd.concat([pd.Series(i),pd.Series(i)]),
    lambda: pd.Series(i).dt.to_timestamp().dt.strftime("%b"),
    lambda: pd.Series(i).isin([p]),
    lambda: pd.Series(i).apply(lambda x: x.month),
    lambda: pd.Series(i).map(str),
    lambda: pd.Series(i).iloc[0],
    lambda: pd.DataFrame({"p":i,"v":[1,2,3]}).set_index("p").loc["2023-02"],
    lambda: pd.DataFrame({"p":i,"v":[1,2,3]}).merge(pd.DataFrame({"p":i,"w":[1,2,3]}))]:
    show(f)
