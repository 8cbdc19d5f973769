"""Labels as numbers: strings, columns of frames, and labels that were never seen."""
import numpy as np, pandas as pd, torch
from sklearn.preprocessing import LabelEncoder, LabelBinarizer
df=pd.DataFrame({'c':['b','a','b','c'],'n':[3,1,3,2]})
e=LabelEncoder(); print(e.fit_transform(df['c']), e.classes_, e.inverse_transform([0,2]))
print(LabelEncoder().fit_transform(['x','y','x']), LabelEncoder().fit_transform(df['n']), LabelEncoder().fit_transform(np.array(['q','r'],dtype=object)))
try: e.transform(['z'])
except Exception as x: print(type(x).__name__, x)
try: e.transform(pd.Series(['z','a']))
except Exception as x: print(type(x).__name__, x)
try: LabelEncoder().fit([1,2]).transform([3,4])
except Exception as x: print(type(x).__name__, x)
try: LabelEncoder().fit([1,2]).inverse_transform([3])
except Exception as x: print(type(x).__name__, x)
print(LabelBinarizer().fit_transform(['a','b','c']))
