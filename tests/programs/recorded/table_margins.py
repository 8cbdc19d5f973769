"""Pivot tables and crosstabs with margins, and what groups of a column can do."""

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

sales = pd.DataFrame({
    "region": ["N", "S", "N", "E", "W", "S", "E", "N"],
    "product": ["a", "b", "b", "a", "c", "a", "a", "c"],
    "year": [1, 1, 2, 2, 1, 2, 1, 2],
    "count": [2, 4, 1, np.nan, 6, 3, 2, 5],
    "total": [10.0, 20, 30, 40, 50, 60, 70, 80],
})

# Margins.
print(sales.pivot_table(index="region", columns="product", values="total", aggfunc=["sum", "mean"], margins=True).to_string())
print(sales.pivot_table(index=["region", "year"], columns="product", values="total", aggfunc="sum", margins=True))
print(sales.pivot_table(index=["region", "year"], columns="product", values=["total", "count"], aggfunc="sum", margins=True, fill_value=0).to_string())
print(sales.pivot_table(index="region", columns=["product", "year"], values="total", aggfunc="count", margins=True, fill_value=0).to_string())
print(sales.pivot_table(index="region", columns="product", values=["total", "count"], margins=True, margins_name="Total").round(2).to_string())
print(sales.pivot_table(index=["region", "product"], values=["total", "count"], aggfunc="sum", margins=True))
print(sales.pivot_table(index="region", values=["total", "count"], aggfunc={"total": "sum", "count": "mean"}, margins=True))
print(pd.crosstab(sales["region"], sales["product"], values=sales["count"], aggfunc="sum", margins=True))
print(pd.crosstab(sales["region"], sales["product"], values=sales["total"], aggfunc="mean", normalize="index"))
print(pd.crosstab([sales["region"], sales["year"]], sales["product"], margins=True))
print(pd.crosstab([sales["region"], sales["year"]], sales["product"], normalize="all"))

# Groups.
groups = sales.groupby("region")
print(groups["total"].nlargest(2))
print(groups["count"].nsmallest(1))
print(groups[["count", "total"]].corr().round(3))
print(groups["product"].transform("first").tolist(), groups["count"].transform("last").tolist())
print(groups["total"].transform("cumcount").tolist(), groups["total"].transform("nunique").tolist())

# A pipeline fits the very steps it was given.
before = ColumnTransformer([("scale", StandardScaler(), ["total"]), ("kind", OneHotEncoder(), ["product"])])
model = Pipeline([("before", before), ("model", LogisticRegression())]).fit(sales, sales["year"])
print(model.named_steps["before"] is before, before.get_feature_names_out())
print(model.predict(sales))
