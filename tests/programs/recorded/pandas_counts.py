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
