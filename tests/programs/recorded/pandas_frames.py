"""pandas: frames and series, what they are made of, how they print, reading and writing by label and by place."""

import numpy as np
import pandas as pd
import torch

people = pd.DataFrame({
    "name": ["Ann", "Bob", None, "Dee", "Eve"],
    "age": [31, 22, 45, 28, 39],
    "height": [1.625, 1.8, np.nan, 1.7125, 1.55],
    "member": [True, False, True, True, False],
})
print(people)
print(people.shape, people.size, people.ndim, len(people), list(people))
print(people.dtypes)
people.info()
print(people.describe())
print(people.describe(include="all"))
print(people.head(2))
print(people.tail(1))
print(people["name"])
print(people.age.mean(), people["height"].max(), people["age"].std(), people["height"].median())
print(people[["name", "age"]])
print(people.iloc[0])
print(people.iloc[1:3, [0, 2]])
print(people.iloc[-1, 1], people.loc[3, "name"], people.at[2, "age"], people.iat[0, 2])
print(people.loc[people["age"] > 30])
print(people[(people.age > 25) & ~people.member])
print(people.loc[people.member, ["name", "height"]])
print(people.loc[1:3, "age":"member"])
print(people.query("age > 25 and member"))
print(people.isna().sum())
print(people.dropna())
print(people.fillna({"name": "?", "height": people.height.mean()}))
print(people.columns, people.index)
print(people.values)
print(people["age"].values, people["age"].to_numpy(dtype="float32"))
print(torch.tensor(people["age"].values), torch.tensor(people[["age", "height"]].fillna(0).values, dtype=torch.float32))
print(torch.from_numpy(people[["age"]].to_numpy()).shape)

table = people.copy()
table["born"] = 2026 - table["age"]
table["ratio"] = table.height / table.age
table.loc[0, "age"] = 32
table.loc[table.name == "Bob", "height"] = 1.9
table.loc[5] = ["Fay", 50, 1.7, True, 1976, 0.034]
table.iloc[1, 0] = "Rob"
print(table)
print(table.drop(columns=["born", "ratio"]).drop(index=[0, 1]))
print(people.shape)
print(table.rename(columns={"name": "who", "age": "years"}).head(1))
print(table.sort_values("age", ascending=False).reset_index(drop=True))
print(table.sort_values(["member", "height"]))
print(table.set_index("name").loc["Dee"])
print(table.set_index("name").head(2))
print(table.nlargest(2, "age"))
print(table["member"].value_counts())
print(table["member"].astype(int).tolist(), table["age"].astype(str).tolist(), table.age.astype("float32").dtype)
print(table["name"].str.upper().tolist(), table["name"].str.len().tolist())
print(table.apply(lambda row: row["age"] * 2, axis=1).tolist())
print(table["age"].apply(lambda x: x / 10))
print(table["member"].map({True: "yes", False: "no"}))
print(table[["age", "height"]].apply(np.mean))
print(table[["age", "height"]].mean(axis=1))
print(table[["age", "height"]].agg(["min", "max"]))
print(table["age"].describe())
print(table["name"].describe())
print(pd.get_dummies(people[["name", "member"]]))
print(pd.get_dummies(people["name"], dtype=int))
print(table.to_dict("list")["age"], table.head(1).to_dict("records"))
for label, row in people.head(2).iterrows():
    print(label, row["name"], row["age"])
for row in people.head(2).itertuples():
    print(row, row.age)

big = pd.DataFrame({f"c{i}": np.arange(100) * i for i in range(25)})
print(big)
print(big["c3"])
print(big.iloc[:, :3])
print(pd.DataFrame(np.arange(12).reshape(3, 4) / 7, columns=list("abcd"), index=["x", "y", "z"]))
print(pd.DataFrame({"v": [1e-9, 2.5, 1234567.891]}))
print(pd.Series([1.0, 2.5, 3e10]), pd.Series([0.1234567891, 100]))
print(pd.Series([1, 2, 3], index=["a", "b", "c"], name="n"))
print(pd.Series({"x": 1, "y": 2.5}))
print(pd.DataFrame([{"a": 1, "b": 2}, {"a": 3, "c": 4}]))
print(pd.DataFrame([[1, "x"], [2, "y"]], columns=["n", "s"]))
print(pd.DataFrame(), pd.Series([], dtype=float), pd.DataFrame(columns=["a"]))
print(pd.Series([1, None, 3]).isna().tolist(), pd.Series(["a", None]).dtype, pd.Series([True, None]).dtype)

for what in (lambda: people["size_"], lambda: people.weight, lambda: people.loc[99], lambda: people.iloc[99], lambda: people.drop(columns=["q"]),
             lambda: bool(people["age"]), lambda: people["name"].astype(float), lambda: people["height"].astype(int),
             lambda: pd.DataFrame({"a": [1], "b": [1, 2]}), lambda: people.mean(), lambda: people.__setitem__("n", [1]),
             lambda: people[["age", "zip"]], lambda: people["name"] + 1, lambda: people.loc[["a"]], lambda: people.set_index("zip"),
             lambda: pd.to_numeric(pd.Series(["1", "x"])), lambda: people.sort_values("zip"), lambda: people["age"].str.lower(),
             lambda: people.groupby("zip"), lambda: people.merge(pd.DataFrame({"z": [1]}))):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error)
