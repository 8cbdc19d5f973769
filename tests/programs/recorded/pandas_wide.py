"""Wide frames, numbered columns, and cells that hold lists: recorded with pandas 3.1.1."""

import numpy as np
import pandas as pd

r = np.random.RandomState(0)
for frame in (
    pd.DataFrame(r.randint(0, 9, (2, 12))), pd.DataFrame(r.rand(2, 12).round(1)), pd.DataFrame(r.randint(0, 9, (2, 3)), columns=[5, 100, 7]),
    pd.DataFrame(r.randint(0, 9, (2, 3)), columns=[0.5, 100.25, 7]), pd.DataFrame(r.randint(0, 9, (2, 3)), columns=["5", 100, 7]),
    pd.DataFrame(r.rand(3, 25)), pd.DataFrame(r.rand(3, 14)), pd.DataFrame(r.randint(0, 9, (2, 30)), columns=[f"c{i}" for i in range(30)]),
):
    print(frame)
wide = pd.DataFrame(r.rand(3, 25))
for limit in (None, 30, 5, 20, 0):
    pd.set_option("display.max_columns", limit)
    print(wide, wide.describe(), sep="\n")
pd.set_option("display.width", 50)
print(wide)
pd.set_option("display.max_columns", None)
print(wide.iloc[:, :9])
pd.set_option("display.expand_frame_repr", False)
print(wide.iloc[:, :9])
pd.reset_option("display.max_columns")
print(wide.iloc[:, :9])
pd.reset_option("display.width")
pd.reset_option("display.expand_frame_repr")
print(wide.to_string(line_width=60))

for cells in (
    [["a", "b"], ["c"]], [[1, 2], [3.5]], [("a", 1)], [{"a": 1, "b": "x"}], [{"k"}], [np.array([1, 2])], [["a", ["b", None]]],
    [[f"t{i}" for i in range(200)]], [[]], [{"a": [1, "z"]}], [["it's", "q\n"]], [[[["deep", [["deeper"]]]]]], [range(3)],
):
    print(pd.Series(cells))
    print(pd.DataFrame({"tokens": cells, "n": range(len(cells))}))
print(pd.DataFrame({"t": ["a b", "c"]})["t"].str.split())
