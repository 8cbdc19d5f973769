"""Frames as tables of HTML, as notebooks show them."""

import warnings

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")


def show(f):
    try:
        made = f()
        print(made if isinstance(made, str) else repr(made))
    except Exception as e:
        print(type(e).__name__, str(e)[:250])


df=pd.DataFrame({"name":["Ann & Bo","<Cy>",None],"x":[1.5,np.nan,22.123456],"n":[1,2,3],"ok":[True,False,True]})
show(lambda: df.to_html())
show(lambda: df.to_html(index=False))
show(lambda: df.to_html(escape=False,border=2,classes=["a","b"],table_id="tt",justify="center",na_rep="-",float_format="%.2f",columns=["name","x"]))
show(lambda: df._repr_html_())
m=df.set_index(["name","n"])
show(lambda: m.to_html())
show(lambda: m._repr_html_())
g=pd.DataFrame({"a":list("xxyy"),"b":list("pqpq"),"v":[1,2,3,4],"w":[1.,2,3,4]}).set_index(["a","b"])
show(lambda: g.to_html())
show(lambda: g.unstack().to_html())
show(lambda: g.groupby("a").agg(["sum","mean"]).to_html())
show(lambda: df.rename_axis("idx").to_html())
show(lambda: df.rename_axis(columns="cols").to_html())
show(lambda: df.rename_axis(index="i",columns="cols").to_html())
b=pd.DataFrame(np.arange(100*3).reshape(100,3),columns=list("abc"))
show(lambda: b._repr_html_())
show(lambda: b.to_html(max_rows=4))
show(lambda: pd.DataFrame(np.arange(2*30).reshape(2,30)).to_html(max_cols=4))
show(lambda: pd.DataFrame().to_html())
show(lambda: df.to_html(header=False))
show(lambda: df.to_html(bold_rows=False))
show(lambda: df.to_html(show_dimensions=True))
show(lambda: df.to_html(col_space=50))
show(lambda: df.to_html(nosuch=1))
show(lambda: df.x.to_frame().to_html(notebook=True))
show(lambda: df.x.to_html())
show(lambda: df.to_html(formatters={"x":"{:.1f}".format}))
show(lambda: pd.DataFrame({"d":pd.date_range("2023",periods=2),"c":pd.Categorical(["a","b"])}).to_html()); 
mm=pd.DataFrame({"a":np.repeat(list("abcd"),5),"b":list(range(20)),"v":range(20)}).set_index(["a","b"])
show(lambda: mm.to_html(max_rows=6))
show(lambda: mm.to_html(max_rows=10))
show(lambda: mm.to_html(max_rows=8,min_rows=4))
show(lambda: mm.to_html(sparsify=False,max_rows=4))
show(lambda: mm.head(7).to_html(index=False))
show(lambda: pd.DataFrame({"o":[None,1,"a"],"d":pd.to_datetime(["2023-01-01",None,"2023-02-01"])}).to_html(na_rep="*"))
show(lambda: df.groupby("ok").size().to_frame("n").to_html())
show(lambda: df.describe().to_html(float_format=lambda v: f"{v:.1f}"))
