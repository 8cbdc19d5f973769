# Encoders of strings, scalers, missing values and transformers of a frame's columns.
import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (Binarizer, FunctionTransformer, LabelBinarizer, LabelEncoder, MaxAbsScaler, MinMaxScaler, Normalizer,
                                   OneHotEncoder, OrdinalEncoder, RobustScaler, StandardScaler, label_binarize, minmax_scale, normalize,
                                   scale)

le = LabelEncoder()
s = pd.Series(["b", "a", "b"])
print(le.fit_transform(s), le.classes_, le.transform(pd.Series(["b"])), le.inverse_transform(np.array([1])))
for y in (["u", "v", "u"], np.array(["u", "v"], dtype=object), [3, 1, 3], [True, False], np.array([1.5, 0.5])):
    print(le.fit_transform(y), le.classes_)
for y, bad in (([3, 1], [7, 8]), (["a", "b"], ["zz", "a"])):
    try:
        le.fit(y).transform(bad)
    except ValueError as e:
        print(e)

X = np.array([[1.0, -2, 2], [2, 0, 0], [0, 1, -1]])
for t in (MaxAbsScaler(), RobustScaler(), Normalizer(), Normalizer("l1"), Binarizer(), FunctionTransformer(np.abs)):
    made = t.fit_transform(X)
    print(t, made.round(4).tolist())
print(RobustScaler().fit(X).inverse_transform(X).tolist(), scale(X).round(3).tolist(), minmax_scale(X[:, 0]), normalize(X, "max").tolist())
print(OrdinalEncoder().fit_transform([["b", 1], ["a", 3]]),
      OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1).fit([["a"]]).transform([["q"], ["a"]]))
print(LabelBinarizer().fit_transform(["x", "y", "z", "x"]), LabelBinarizer().fit_transform([1, 0, 1]), label_binarize([1, 3], classes=[1, 2, 3]))
for drop in (None, "first", "if_binary"):
    enc = OneHotEncoder(sparse_output=False, drop=drop)
    print(enc.fit_transform([["m", 1], ["f", 2], ["f", 3]]), enc.get_feature_names_out(), enc.drop_idx_)

print(SimpleImputer().fit_transform([[1, np.nan], [3, 4]]), SimpleImputer(strategy="median").fit(np.array([[1.0], [np.nan], [9], [2]])).statistics_)
print(SimpleImputer(strategy="most_frequent").fit_transform(pd.DataFrame({"a": ["x", "y", np.nan, "y"]}).astype(object)))
print(SimpleImputer(strategy="constant", fill_value=-1).fit_transform([[1.0, np.nan]]), SimpleImputer(missing_values=0).fit_transform([[1, 0], [3, 6]]))

df = pd.DataFrame({"age": [20.0, np.nan, 40, 30], "fare": [1.0, 2, 3, 4], "sex": ["m", "f", "f", "m"], "port": ["S", "C", "S", "Q"]})
numeric = Pipeline([("imputer", SimpleImputer(strategy="median")), ("scaler", StandardScaler())])
ct = ColumnTransformer([("num", numeric, ["age", "fare"]), ("cat", OneHotEncoder(handle_unknown="ignore"), ["sex", "port"])])
print(ct.fit_transform(df).round(3))
print(ct.transform(df.iloc[:1][["port", "sex", "fare", "age"]]).round(3), ct.named_transformers_["cat"].categories_[1])
print(ColumnTransformer([("s", MinMaxScaler(), ["fare"])], remainder="passthrough").fit_transform(df[["age", "fare"]]))
ct = make_column_transformer((StandardScaler(), [0]), ("drop", [1]), remainder=MinMaxScaler())
print(ct.fit_transform(X).round(3), [name for name, *_ in ct.transformers_])
ct = ColumnTransformer([("n", StandardScaler(), ["fare"]), ("c", OneHotEncoder(sparse_output=False), ["sex"])])
print(ct.fit(df).get_feature_names_out())
model = Pipeline([("pre", ct), ("clf", LogisticRegression())]).fit(df, [0, 1, 1, 0])
print(model.predict(df), model.score(df, [0, 1, 1, 0]))
