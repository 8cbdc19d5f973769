"""Counting values in groups, with and without sorting."""

import pandas as pd, numpy as np
df=pd.DataFrame({'a':['x','y','x','z','y','x'],'b':[3,1,2,3,1,3]})
print(df.groupby('a',sort=False)['b'].value_counts())
print(df.groupby('a',sort=False).value_counts())
print(df.groupby('a',sort=True).value_counts(sort=False))
print(df.groupby('a',sort=False).value_counts(sort=False))
print(df.groupby('a',sort=False)['b'].value_counts(sort=False))
print(df.groupby('a')['b'].value_counts(sort=False))
print(df.groupby('a')['b'].value_counts(normalize=True))
print(df.value_counts(sort=False)); print(df.value_counts())
print(df['b'].value_counts(sort=False))
df['c']=['p',None,'q','p','p','q']
for s in (True,False):
    print(df.groupby('a',sort=s)[['b','c']].value_counts(dropna=False))
    print(df.groupby('a',sort=s).value_counts(subset=['c'],normalize=True))
    print(df.groupby('a',sort=s,as_index=False)['c'].value_counts(ascending=True))
    print(df.groupby(['a','c'],sort=s)['b'].value_counts(normalize=True))
print(df.groupby('a')['c'].value_counts().unstack(fill_value=0))
t=pd.DataFrame({'g':list('bbaab'),'v':[5.5,1.,2.,2.,1.],'k':pd.Categorical(list('xyxxx'))})
print(t.groupby('g',sort=False)['v'].value_counts())
print(t.groupby('g')['v'].value_counts(True))
print(t[['g','v']].value_counts())
print(t.value_counts('g'))

# The labels of rows that are left are a range where they can be.
d = pd.DataFrame({"a": [1, 2, 3, 3]})
for x in (d[d.a < 3], d.drop_duplicates(), d.loc[d.a < 3], d.iloc[[0, 2]], d[d.a.isin([1, 3])], d.nlargest(2, "a"), d[d.a > 9], d.drop(3),
          d.assign(b=[None, 1, 2, 3]).dropna()):
    print(x.index)
d.drop_duplicates().info()

t = pd.DataFrame({"a": [1, 5, 5, 2, 5, np.nan], "b": list("xyzuvw"), "g": list("mmnnmn")})
for keep in ("first", "last", "all"):
    print(t.nlargest(2, "a", keep=keep), t["a"].nlargest(2, keep=keep).tolist(), t.nsmallest(3, "a", keep=keep).index.tolist())
print(t.groupby("g")["a"].pct_change())
print(t.pivot_table(index="g", columns="b", values=["a"], aggfunc={"a": "max"}))
w = pd.DataFrame({"i": list("ppqq"), "c": list("uvuv"), "z": [1, 2, 3, 4], "y": [5.0, 6, 7, 8]})
print(w.pivot_table(index="i", columns="c", values=["z", "y"]), w.pivot_table(index="i", columns="c", values=["z", "y"], aggfunc={"z": "sum", "y": "max"}))
g = pd.DataFrame({"c": ["r", None, "q", "r"], "g": list("mfmf"), "v": [1, 2, 3, 4]}).set_index(["c", "g"]).sort_index()
print(g["v"].tolist())
