"""A shop's export, cleaned and summed up: dates in several forms, prices as text, gaps, and the mistakes on the way."""

import io
import warnings

import numpy as np
import pandas as pd

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *rest, **named: print("warning:", category.__name__, message)


def attempt(do):
    try:
        print(do())
    except Exception as error:
        print(type(error).__name__, error)


orders = pd.read_csv(io.StringIO("""order;customer;day;price;lines
1; Ada Byron ;03.02.2024;12,50;tea,milk
2;linus t.;2024-02-05;;coffee
3;Grace;5 Feb 2024;7,20;tea
4;;February 30, 2024;abc;
5;GRACE;Tue 6 Feb 2024 3:15 PM;3,10;milk,tea,cake
"""), sep=";")
orders.info()

print("dates")
attempt(lambda: pd.to_datetime(orders["day"]))
attempt(lambda: pd.to_datetime(orders["day"], format="mixed"))
orders["day"] = pd.to_datetime(orders["day"], format="mixed", dayfirst=True, errors="coerce")
print(orders["day"])
for text in ("13/02/2024", "02/13/2024", "1.2.24", "May 2024", "20240105", "5th January 2024", "2024-13-01", "soon", "99/99/2024", "NaT"):
    for first in (False, True):
        attempt(lambda: (text, first, pd.to_datetime(text, dayfirst=first)))
attempt(lambda: pd.to_datetime(["13/02/2024", "02/01/2024"]))
attempt(lambda: pd.to_datetime(["01.02.2024", "13.02.2024"]))
attempt(lambda: pd.to_datetime(["1/5/24", "12/31/99"]))
attempt(lambda: pd.to_datetime(["2024-01-01", "2024/01/02"], format="%Y-%m-%d"))
attempt(lambda: pd.to_datetime(["2024-01-01 10:00", "2024-01-02"], format="ISO8601"))
attempt(lambda: pd.to_datetime(["2024-02-30"], format="%Y-%m-%d"))
attempt(lambda: pd.to_datetime(["2024-01-01"], errors="ignore"))
attempt(lambda: pd.to_datetime(["2024-01-01 10:00:00.5", "2024-01-01 10:00:00"], format="mixed"))
for text in ("1 day 02:00:00", "90 min", "2:30", "x", "2 weeks", "1 day 2"):
    attempt(lambda: pd.to_timedelta([text]))

print("columns")
orders["price"] = pd.to_numeric(orders["price"].str.replace(",", "."), errors="coerce")
orders["customer"] = orders["customer"].str.strip().str.title()
print(orders.to_string(na_rep="-", index=False))
print(orders.to_string(justify="left", columns=["customer", "price"], formatters={"price": "{:07.2f}".format}))
print(orders.to_csv(date_format="%d.%m.%y", na_rep="?", index=False))
print(orders.head(2).to_json(orient="records", date_format="iso"))
print(orders["lines"].str.split(",").explode().value_counts())
print(orders["day"].dt.is_leap_year.tolist())
attempt(lambda: orders["price"] | 2)
attempt(lambda: orders["customer"] & orders["lines"])
attempt(lambda: orders["day"] + 1)
attempt(lambda: orders["day"] > 5)
attempt(lambda: orders.nlargest(1, "customer"))
attempt(lambda: orders["day"].sum())

print("tables")
sales = pd.DataFrame({"shop": ["a", "b", "a", "b"], "kind": ["x", "x", "y", "y"], "count": [1, 2, 3, 4], "sum": [1.5, 2, 3, 4.25]})
print(sales.pivot_table(index="shop", columns="kind", values=["count", "sum"], aggfunc="sum", margins=True))
nested = sales.set_index(["shop", "kind"])["count"]
print(nested.loc[:, "x"], nested.loc[["a"], "y"])
wide = pd.DataFrame({"id": [1, 2], "n2023": [5, 6], "n2024": [7, 8]})
print(pd.wide_to_long(wide, "n", i="id", j="year"))
attempt(lambda: pd.concat([sales, sales], verify_integrity=True))
attempt(lambda: sales.set_index("shop", verify_integrity=True))
attempt(lambda: pd.DataFrame([1, 2, 3], index=["u", "v"]))
attempt(lambda: pd.DataFrame({"a": [1]}, index=[0, 1]))
print(sales.cumsum(numeric_only=True))
sales["kind"] = sales["kind"].astype("category")
attempt(lambda: sales["kind"].where(sales["count"] > 2, "z"))
attempt(lambda: sales.groupby("shop").mean())
sales.loc[len(sales)] = ["c", "x", 9, 0.5]
print(sales.dtypes)
numbers = pd.Series(range(6))
try:
    numbers.iloc[4:2] = [1, 2]
except ValueError as error:
    print(error)
print(np.round(sales["sum"].mean(), 3))
