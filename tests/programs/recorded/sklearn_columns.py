"""scikit-learn: words, columns and what is missing. Recorded with scikit-learn 1.9.1."""

import warnings; warnings.simplefilter("ignore")
import numpy as np, pandas as pd
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer, TfidfTransformer
from sklearn.impute import SimpleImputer
from sklearn.compose import ColumnTransformer, make_column_transformer, make_column_selector
from sklearn.preprocessing import *
from sklearn.pipeline import make_pipeline, Pipeline
from sklearn.linear_model import *
from sklearn.naive_bayes import MultinomialNB
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
np.set_printoptions(precision=6, suppress=True)
def T(f):
    try: r = f()
    except Exception as e: r = f"{type(e).__name__}: {str(e)[:300]}"
    print(r)
texts = ["The cat sat on the mat.", "A dog, a cat and the bird!", "Birds sing; dogs bark at the cat", "ÀB the-end 12"]
for v in (CountVectorizer(), CountVectorizer(stop_words="english"), CountVectorizer(ngram_range=(1,2), min_df=2), CountVectorizer(binary=True, lowercase=False), CountVectorizer(analyzer="char", ngram_range=(2,2)), CountVectorizer(vocabulary=["cat","dog"]), CountVectorizer(token_pattern=r"\w+", max_df=0.6), TfidfVectorizer(), TfidfVectorizer(sublinear_tf=True, norm="l1", smooth_idf=False)):
    m = v.fit_transform(texts); print(v, repr(m), m.shape, m.nnz); print(m.toarray(), v.get_feature_names_out(), dict(sorted(v.vocabulary_.items())))
    print(v.transform(["cat cat zebra"]).toarray())
print(m[0]); print(m.sum(), m.mean(axis=0), m.T.shape, v.inverse_transform(m)[:2]); print(TfidfTransformer().fit_transform([[1,0,2],[0,1,1]]).toarray())
T(lambda: CountVectorizer().transform(["a"])); T(lambda: CountVectorizer().fit("abc")); T(lambda: CountVectorizer().fit(["a","b"])); T(lambda: CountVectorizer(stop_words="german").fit(texts)); T(lambda: CountVectorizer(min_df=5).fit(texts)); T(lambda: TfidfVectorizer().transform(["a"]))
clf = make_pipeline(TfidfVectorizer(), MultinomialNB()).fit(texts, [0,1,1,0]); print(clf, clf.predict(["cat on mat"]), clf.predict_proba(["dog"]))
clf = make_pipeline(CountVectorizer(), LogisticRegression(tol=1e-10)).fit(texts, [0,1,1,0]); print(clf.predict_proba(texts))
df = pd.DataFrame({"age":[22,np.nan,35,58],"fare":[7.25,71.3,np.nan,8.0],"sex":["m","f","f",np.nan],"cls":[3,1,3,2]})
y = [0,1,1,0]
for s in ("mean","median","most_frequent"):
    i = SimpleImputer(strategy=s); print(i, i.fit_transform(df[["age","fare"]]), i.statistics_, i.get_feature_names_out())
print(SimpleImputer(strategy="most_frequent").fit_transform(df[["sex"]]), SimpleImputer(strategy="constant", fill_value="?").fit_transform(df[["sex"]]), SimpleImputer(add_indicator=True).fit_transform(df[["age","cls"]]))
T(lambda: SimpleImputer().fit(df[["sex"]]))
T(lambda: SimpleImputer(missing_values=0, strategy="median").fit_transform(np.array([[0,1],[2,0],[4,5]])))
num = Pipeline([("imp", SimpleImputer(strategy="median")), ("sc", StandardScaler())])
cat = Pipeline([("imp", SimpleImputer(strategy="most_frequent")), ("oh", OneHotEncoder(handle_unknown="ignore"))])
ct = ColumnTransformer([("num", num, ["age","fare"]), ("cat", cat, ["sex"])])
print(ct); o = ct.fit_transform(df); print(type(o).__name__, o, ct.get_feature_names_out() , ct.output_indices_)
ct = ColumnTransformer([("num", num, ["age","fare"]), ("cat", cat, ["sex"])], remainder="passthrough", verbose_feature_names_out=False)
print(ct.fit_transform(df), ct.transform(df.iloc[:2]), ct.named_transformers_["cat"])
print(ct)
m = make_column_transformer((StandardScaler(), make_column_selector(dtype_include=np.number)), (OneHotEncoder(), make_column_selector(dtype_include=object)), ("drop", ["cls"]))
T(lambda: m.fit_transform(df.fillna({"sex":"m"}).fillna(0)))
full = Pipeline([("prep", ct), ("clf", LogisticRegression(tol=1e-9))]).fit(df, y)
print(full, full.predict(df), full.predict_proba(df))
g = GridSearchCV(full, {"prep__num__imp__strategy":["mean","median"], "clf__C":[0.1,1.0]}, cv=2).fit(df, y); print(g, g.best_params_)
T(lambda: ct.transform(df.drop(columns="sex"))); T(lambda: ColumnTransformer([("a","passthrough",["zz"])]).fit(df)); T(lambda: ColumnTransformer([("a","passthrough",["zz"])]).fit(df.to_numpy()))
print(ColumnTransformer([("a","passthrough",[0]),("b",MinMaxScaler(),slice(1,3))]).fit_transform(np.arange(12.).reshape(4,3)))
print(RandomForestClassifier(n_estimators=200, max_depth=7, min_samples_leaf=3, random_state=42, n_jobs=-1, max_features="log2"))
print(OneHotEncoder(sparse_output=False).fit_transform(df[["sex"]]), OrdinalEncoder().fit_transform(df[["sex","cls"]]), OneHotEncoder().fit(df[["sex"]]).categories_)
from sklearn.metrics.pairwise import cosine_similarity
t = TfidfVectorizer().fit_transform(texts); print(cosine_similarity(t)[:2], cosine_similarity(t[0], t))
T(lambda: full.set_params(foo=1))
T(lambda: Ridge().set_params(foo=1))
