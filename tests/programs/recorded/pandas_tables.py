"""pandas: CSV files, groups, merges, missing values and text, as courses use them."""

import io

import numpy as np
import pandas as pd

text = """city,year,month,rain,temp,note
Oslo,2020,1,49.5,-3.2,cold
Oslo,2020,7,81,17.1,
Bern,2020,1,60.25,0.1,"snow, ice"
Bern,2020,7,NA,18.9,warm
Rome,2020,1,,7.5,mild
Rome,2020,7,19,25.6,hot
Oslo,2021,1,55,-4.0,cold
"""
data = pd.read_csv(io.StringIO(text))
print(data)
print(data.dtypes)
data.info()
print(data.to_csv(index=False))
import os, tempfile
path = os.path.join(tempfile.mkdtemp(), "weather.csv")
data.to_csv(path, index=False)
again = pd.read_csv(path, usecols=["city", "rain"], nrows=3)
print(again)
print(pd.read_csv(io.StringIO("1;2;x\n3;4;y\n"), sep=";", header=None, names=["a", "b", "c"]))
print(pd.read_csv(io.StringIO("1 2 3\n4 5 6"), sep=r"\s+", header=None))
print(pd.read_csv(io.StringIO("id,v\n7,True\n8,False"), index_col="id"))
print(pd.read_csv(io.StringIO("a,b\n1,?\n2,5"), na_values="?"))
print(pd.read_csv(io.StringIO("code,n\n007,1\n010,2"), dtype={"code": str, "n": "float32"}).dtypes)
print(pd.read_csv(io.StringIO("d,v\n2024-01-05,1\n2024-02-01,2"), parse_dates=["d"]).dtypes)

print(data.groupby("city")["rain"].mean())
print(data.groupby("city").agg({"rain": ["mean", "max"], "temp": "min"}))
print(data.groupby(["city", "year"]).size())
print(data.groupby(["city", "month"])["temp"].mean().unstack())
print(data.groupby("city", as_index=False)["temp"].mean())
print(data.groupby("city").agg(wet=("rain", "sum"), rows=("temp", "count")))
print(data.groupby("month")[["rain", "temp"]].sum())
print(data.groupby("city").temp.transform("mean").tolist())
for name, part in data.groupby("month"):
    print(name, part.shape, part["city"].tolist())
print(data.groupby("city")["temp"].apply(lambda s: s.max() - s.min()))
print(data.groupby("city").first())
print(data["city"].value_counts(normalize=True))
print(data["city"].unique(), data["city"].nunique(), data["year"].unique())
print(data.pivot_table(index="city", columns="month", values="temp"))
print(pd.crosstab(data.city, data.month))

codes = pd.DataFrame({"city": ["Oslo", "Rome", "Paris"], "land": ["NO", "IT", "FR"]})
print(data[["city", "temp"]].merge(codes, on="city"))
print(data[["city", "temp"]].merge(codes, on="city", how="left"))
print(pd.merge(codes, data.groupby("city", as_index=False)["rain"].sum(), how="outer"))
print(codes.set_index("city").join(data.groupby("city")["temp"].mean()))
print(pd.concat([codes, codes.head(1)]))
print(pd.concat([codes, codes.head(1)], ignore_index=True))
print(pd.concat([codes, pd.DataFrame({"n": [1, 2, 3]})], axis=1))
print(pd.concat([pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [2]})]))
print(data.melt(id_vars=["city", "year", "month"], value_vars=["rain", "temp"]).head(3))

print(data["note"].str.contains("o"), data["note"].fillna("-").str.split(",").tolist())
print(data["note"].str.title().str.replace("Cold", "Freezing"))
print(data["city"].str[:2].str.lower().tolist(), data["city"].str.startswith("O").sum())
print(pd.Series(["a-1", "b-2"]).str.split("-", expand=True))
print(pd.Series(["x12", "y3"]).str.extract(r"(\d+)"))
print(data["temp"].clip(0, 20).round(0).tolist(), data["temp"].rank().tolist())
print(data["rain"].interpolate if False else data["rain"].ffill().tolist(), data["rain"].fillna(0).cumsum().tolist())
print(data["temp"].shift(1).tolist(), data["temp"].diff().round(2).tolist())
print(data["temp"].rolling(3).mean())
print(data[["rain", "temp"]].corr())
print(data.select_dtypes("number").columns.tolist(), data.select_dtypes(include=["object", "str"]).columns.tolist())
print(data.sample(3, random_state=1))
print(data.sample(frac=1, random_state=0).index.tolist())
print(data.duplicated("city").tolist(), data.drop_duplicates("city").city.tolist())
print(data["month"].replace({1: "Jan", 7: "Jul"}).tolist(), data.replace("cold", "icy")["note"].tolist())
print(pd.cut(data["temp"], bins=[-10, 0, 15, 30], labels=["low", "mid", "high"]))
print(pd.cut(pd.Series([1, 5, 9]), 2))
print(pd.qcut(pd.Series(range(8)), 4, labels=False).tolist())
kinds = data["city"].astype("category")
print(kinds)
print(kinds.cat.codes.tolist(), kinds.cat.categories)
print(pd.factorize(data["city"]))
print(data.T.iloc[:2, :3])
print(data.assign(fahrenheit=lambda d: d.temp * 9 / 5 + 32)[["temp", "fahrenheit"]].head(2))
print(data.where(data["temp"] > 0).head(3)["temp"].tolist(), data["temp"].between(0, 20).tolist(), data.city.isin(["Rome"]).sum())
print(data.max(numeric_only=True))
print(data["temp"].idxmax(), data.loc[data["temp"].idxmin(), "city"], data["temp"].quantile([0.1, 0.9]).tolist())
days = pd.date_range("2024-01-30", periods=4)
series = pd.Series([1.0, 2.0, 3.0, 4.0], index=days)
print(series)
print(days.day.tolist(), series.index.month.tolist(), series["2024-01-31"])
stamps = pd.to_datetime(pd.Series(["2024-03-01", "2023-12-25"]))
print(stamps, stamps.dt.year.tolist(), stamps.dt.day_name().tolist(), (stamps[0] - stamps[1]).days)
print(data.to_string(index=False))
for what in (lambda: pd.read_csv(io.StringIO("")), lambda: pd.read_csv("nothere.csv"), lambda: pd.read_csv(io.StringIO("a,b\n1,2,3\n4,5,6,7\n")),
             lambda: pd.concat([]), lambda: codes.merge(data, on="zip"), lambda: data.groupby("city").mean(),
             lambda: pd.cut(data.temp, bins=[0, 1], labels=["a", "b"]), lambda: data.pivot(index="city", columns="month", values="temp")):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error)
