# Dates in tables that are read from files, and where labels of several levels hold them.
import io

import pandas as pd

t = "d,v\n2020-01-01,1\n2020-01-02,2\n"
print(pd.read_csv(io.StringIO(t), index_col=0, parse_dates=True).index)
print(pd.read_csv(io.StringIO(t), index_col="d", parse_dates=True).index)
print(pd.read_csv(io.StringIO(t), index_col="d", parse_dates=["d"]).index)

t = "d,v\nx1,1\ny,2\n"
print(pd.read_csv(io.StringIO(t), index_col=0, parse_dates=True).index)

t = "d,v\n1,1\n5,2\n"
print(pd.read_csv(io.StringIO(t), index_col=0, parse_dates=True).index)
print(pd.read_csv(io.StringIO("d,v\nx,1\ny,2\n"), parse_dates=["d"]).dtypes)

t = "d,v\n20200101,1\n20200202,2\n"
print(pd.read_csv(io.StringIO(t), index_col=0, parse_dates=True).index)
print(pd.read_csv(io.StringIO(t), parse_dates=["d"]).d)
print(pd.read_csv(io.StringIO(t), parse_dates=["d"], date_format="%Y%m%d").d)
print(pd.read_csv(io.StringIO("d,v\n31.01.2020,1\n01.02.2020,2\n"), parse_dates=["d"], dayfirst=True).d)
print(pd.read_csv(io.StringIO("d,v\n31.01.2020,1\n,2\n"), parse_dates=["d"], dayfirst=True).d)
print(pd.read_csv(io.StringIO("d,e,v\n2020-01-01,2021-01-01,1\n2020-01-05,2021-01-02,2\n"), index_col=["d","e"], parse_dates=["d"]).index)

i = pd.MultiIndex.from_product([pd.to_datetime(["2020-01-01", "2020-01-02"]), ["a", "b"]], names=["t", "k"])
print(i)
print(pd.MultiIndex.from_arrays([pd.to_datetime(["2020-01-01", None]), pd.to_timedelta(["1 days", "2 days 01:00:00"]), [1, 2]]))
print(pd.Series(range(4), index=i))
print(pd.Series(range(4), index=i).unstack())
