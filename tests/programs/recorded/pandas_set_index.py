# pandas: an index of several levels as a key of set_index, alone, beside columns and appended; the text of its names.
import pandas as pd

two = pd.MultiIndex.from_tuples([(1, "a"), (1, "b"), (2, "a"), (2, "b")], names=["x", "y"])
frame = pd.DataFrame({"v": range(4), "w": list("stuv")})
for made in (frame.set_index(two), frame.set_index([two, "w"]), frame.set_index(["w", two]), frame.set_index(two).set_index("w", append=True),
             frame.set_index("w", append=True), frame.set_index(pd.Index([5, 6, 7, 8], name="k")), frame.set_index([pd.Series([1, 2, 3, 4], name="s"), "v"])):
    print(made.index.nlevels, made.index.names, repr(made.index.names))
    print(made)
print(frame.set_index(two).droplevel("x").index.tolist(), frame.set_index(two).reorder_levels(["y", "x"]).index.names)
