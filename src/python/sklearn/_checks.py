"""What every estimator checks: its parameters when it's fitted, and the names of its columns whenever it's given some."""

import functools
import math
import numbers
import warnings

import numpy as np

# Parameter, what it may be, and other constraints with the classes that have them. Alternatives are separated by bars: an interval of
# integers (i), of numbers (f) or of fractions (r), words (s), an array (a), a function (c), a truth value (b), None (N), old words (H), an array of
# NumPy (A).
_TABLE = """
C f(0.0:inf] f(0.0:inf) LinearSVC
activation sidentity,logistic,relu,tanh
algorithm sauto,ball_tree,brute,kd_tree selkan,lloyd KMeans sauto,ball_tree,kd_tree KernelDensity sarpack,randomized TruncatedSVD sdeflation,parallel FastICA
assign_labels scluster_qr,discretize,kmeans
alpha f[0.0:inf) f[0.0:inf)|a BernoulliNB,ComplementNB,GaussianProcessRegressor,KernelRidge,MultinomialNB,Ridge,RidgeClassifier f(0.0:1.0)
 GradientBoostingRegressor
angle f[0.0:1.0]
bandwidth f(0.0:inf)|sscott,silverman f(0.0:inf)|N MeanShift
batch_size * i[1:inf) MiniBatchKMeans
beta_1 f[0.0:1.0)
beta_2 f[0.0:1.0)
ccp_alpha f[0.0:inf)
contamination sauto|f(0.0:0.5]
covariance_type sdiag,full,spherical,tied
criterion sentropy,gini,log_loss|H sabsolute_error,poisson,squared_error|H
 DecisionTreeRegressor,ExtraTreeRegressor,ExtraTreesRegressor,RandomForestRegressor ssquared_error|H
 GradientBoostingClassifier,GradientBoostingRegressor
decision_function_shape sovo,ovr
degree f[0.0:inf) i[0:inf)|a PolynomialFeatures i[0:inf) NuSVC,NuSVR,OneClassSVM,SVC,SVR
early_exaggeration f[1.0:inf)
early_stopping * sauto|b HistGradientBoostingClassifier,HistGradientBoostingRegressor
eps f(0.0:inf) f[0.0:inf) MDS
epsilon f[0.0:inf) f(0.0:inf) MLPClassifier,MLPRegressor f[1.0:inf) HuberRegressor
eta0 f(0.0:inf)
fun scube,exp,logcosh|c
gamma f[0.0:inf)|N f[0.0:inf) SpectralClustering sauto,scale|f[0.0:inf) NuSVC,NuSVR,OneClassSVM,SVC,SVR
init * sk-means++,random|c|a KMeans,MiniBatchKMeans scustom,nndsvd,nndsvda,nndsvdar,random|N NMF spca,random|A TSNE
k sall|i[0:inf)
kernel slinear,poly,precomputed,rbf,sigmoid|c scosine,epanechnikov,exponential,gaussian,linear,tophat KernelDensity
 scosine,linear,poly,precomputed,rbf,sigmoid|c KernelPCA * GaussianProcessClassifier,GaussianProcessRegressor,_TwoClasses
 sadditive_chi2,chi2,cosine,laplacian,linear,poly,polynomial,precomputed,rbf,sigmoid|c KernelRidge
l1_ratio f[0.0:1.0] f[0.0:1.0]|a ElasticNetCV f[0.0:1.0]|N LogisticRegression,SGDClassifier,SGDRegressor
l2_regularization f[0.0:inf)
leaf_size i[1:inf)
learning_rate f(0.0:inf) f[0.0:inf) GradientBoostingClassifier,GradientBoostingRegressor sadaptive,constant,invscaling
 MLPClassifier,MLPRegressor sadaptive,constant,invscaling,optimal,pa1,pa2 SGDClassifier,SGDRegressor sauto|f(0.0:inf) TSNE
learning_rate_init f(0.0:inf)
linkage saverage,complete,single,ward
loss sexponential,linear,square slog_loss HistGradientBoostingClassifier sabsolute_error,gamma,poisson,quantile,squared_error
 HistGradientBoostingRegressor sexponential,log_loss GradientBoostingClassifier sabsolute_error,huber,quantile,squared_error
 GradientBoostingRegressor shinge,squared_hinge LinearSVC spoisson,squared_error MLPRegressor
 sepsilon_insensitive,hinge,huber,log_loss,modified_huber,perceptron,squared_epsilon_insensitive,squared_error,squared_hinge
 SGDClassifier sepsilon_insensitive,huber,squared_epsilon_insensitive,squared_error SGDRegressor
max_bins * i[2:255] HistGradientBoostingClassifier,HistGradientBoostingRegressor
max_depth i[1:inf)|N
max_df r[0.0:1.0]|i[1:inf)
max_features i[1:inf)|r(0.0:1.0]|slog2,sqrt|N i[1:inf)|r(0.0:1.0] BaggingClassifier,BaggingRegressor i[1:inf)|N
 CountVectorizer,TfidfVectorizer i[0:inf)|c|N SelectFromModel r(0.0:1.0]
 HistGradientBoostingClassifier,HistGradientBoostingRegressor
max_iter i[1:inf) i[1:inf)|N ElasticNet,Isomap,KernelPCA,Lasso,Ridge,RidgeClassifier i[0:inf)
 GaussianMixture,HuberRegressor,LinearSVC,LogisticRegression,MeanShift i[-1:inf) NuSVC,NuSVR,OneClassSVM,SVC,SVR i[250:inf) TSNE
max_iter_predict i[1:inf)
max_leaf_nodes i[2:inf)|N
max_samples N|r(0.0:inf)|i[1:inf) N|i[1:inf)|r(0.0:1.0] BaggingClassifier,BaggingRegressor sauto|i[1:inf)|r(0.0:1.0] IsolationForest
method sbox-cox,yeo-johnson sisotonic,sigmoid,temperature CalibratedClassifierCV sbarnes_hut,exact TSNE
min_df r[0.0:1.0]|i[1:inf)
min_grad_norm f[0.0:inf)
min_impurity_decrease f[0.0:inf)
min_samples i[1:inf)
min_samples_leaf i[1:inf)|r(0.0:1.0)
min_samples_split i[2:inf)|r(0.0:1.0]
min_weight_fraction_leaf f[0.0:0.5]
momentum f[0.0:1.0]
multi_class * sone_vs_one,one_vs_rest GaussianProcessClassifier
n_bins i[2:inf)|a
n_clusters i[1:inf)|N i[1:inf) KMeans,MiniBatchKMeans,SpectralClustering
n_components i[1:inf) i[1:inf)|N FastICA,IncrementalPCA,KernelPCA,LinearDiscriminantAnalysis,SpectralClustering i[1:inf)|N|sauto NMF i[0:inf)|r(0.0:1.0)|smle|N PCA
n_estimators i[1:inf)
n_init i[1:inf) sauto|i[1:inf) KMeans,MiniBatchKMeans i[1:inf)|H MDS
n_iter_no_change i[1:inf) i[1:inf)|N GradientBoostingClassifier,GradientBoostingRegressor
n_iter_without_progress i[-1:inf)
n_neighbors i[1:inf)|N i[1:inf) KNNImputer,SpectralClustering
n_quantiles i[1:inf)
n_restarts_optimizer i[0:inf)
norm sl1,l2|N sl1,l2,max Normalizer * ComplementNB
nu f(0.0:1.0]
optimizer sfmin_l_bfgs_b|c|N
output_distribution snormal,uniform
p f(0.0:inf]|N f[0.0:inf)|N DBSCAN f[1.0:inf) Isomap
penalty selasticnet,l1,l2|N sl1,l2 LinearSVC selasticnet,l1,l2|N|H LogisticRegression,LogisticRegressionCV
percentile f[0.0:100.0]
perplexity f(0.0:inf)
quantile * f[0.0:1.0]|N HistGradientBoostingRegressor
radius f[0.0:inf]|N
reg_covar f[0.0:inf)
reg_param f[0.0:1.0]
shrinkage sauto|f[0.0:1.0]|N
solver sadam,lbfgs,sgd seigen,lsqr,svd LinearDiscriminantAnalysis slbfgs,liblinear,newton-cg,newton-cholesky,sag,saga LogisticRegression,LogisticRegressionCV
 scd,mu NMF seigen,svd QuadraticDiscriminantAnalysis sauto,cholesky,lbfgs,lsqr,sag,saga,sparse_cg,svd Ridge,RidgeClassifier
splitter sbest,random
strategy sconstant,most_frequent,prior,stratified,uniform sconstant,mean,median,quantile DummyRegressor skmeans,quantile,uniform
 KBinsDiscretizer sconstant,mean,median,most_frequent|c SimpleImputer
subsample f(0.0:1.0] i[1:inf)|N KBinsDiscretizer,QuantileTransformer
svd_solver sarpack,auto,covariance_eigh,full,randomized
tol f[0.0:inf) f(0.0:inf) FastICA,LinearSVC,NuSVC,NuSVR,OneClassSVM,SVC,SVR f[0.0:inf)|N Perceptron,SGDClassifier,SGDRegressor
validation_fraction f(0.0:1.0) r(0.0:1.0)|i[1:inf)|N HistGradientBoostingClassifier,HistGradientBoostingRegressor f[0.0:1.0) MLPClassifier,MLPRegressor
var_smoothing f[0.0:inf)
voting shard,soft
weights sdistance,uniform|c|N sdistance,uniform|c|H KNNImputer a|N VotingClassifier,VotingRegressor
whiten_solver seigh,svd
"""


class InvalidParameterError(ValueError, TypeError):
    """A parameter that can't have this value."""


@functools.cache
def _constraints():
    made = {}
    for line in _TABLE.strip().replace("\n ", " ").split("\n"):
        name, most, *others = line.split(" ")
        made[name] = (most, {owner: rule for rule, owners in zip(others[::2], others[1::2]) for owner in owners.split(",")})
    return made


def _fits(rule, value):
    kind, of = rule[0], rule[1:]
    if kind in "ifr":
        if not isinstance(value, numbers.Real) or kind == "i" and not isinstance(value, numbers.Integral):
            return False
        if kind == "r" and isinstance(value, numbers.Integral) or math.isnan(value):
            return False
        low, high = map(float, of[1:-1].split(":"))
        return (value >= low if of[0] == "[" else value > low) and (value <= high if of[-1] == "]" else value < high)
    if kind == "s":
        return isinstance(value, str) and value in of.split(",")
    if kind == "H":
        return isinstance(value, str) and value in ("deprecated", "warn", "friedman_mse")
    return {"a": hasattr(value, "__len__") and not isinstance(value, str) or hasattr(value, "shape"), "c": callable(value),
            "A": isinstance(value, np.ndarray),
            "b": isinstance(value, (bool, np.bool_)), "N": value is None}[kind]


def _said(rule):
    kind, of = rule[0], rule[1:]
    if kind in "ifr":
        return f"{'an int' if kind == 'i' else 'a float'} in the range {of.replace(':', ', ')}"
    if kind == "s":
        return f"a str among {{{', '.join(map(repr, of.split(',')))}}}"
    return {"a": "an array-like", "A": "an instance of 'numpy.ndarray'", "c": "a callable", "N": "None",
            "b": "an instance of 'bool' or an instance of 'numpy.bool'"}[kind]


def invalid(name, caller, parts, value):
    words = f"{', '.join(parts[:-1])} or {parts[-1]}" if len(parts) > 1 else parts[0]
    return InvalidParameterError(f"The {name!r} parameter of {caller} must be {words}. Got {value!r} instead.")


def parameters(estimator):
    """Refuses parameters that an estimator can't have."""
    owner = next((c.__name__ for c in type(estimator).__mro__ if c.__module__.startswith("sklearn.")), "")
    for name, value in estimator.get_params(deep=False).items():
        most, others = _constraints().get(name, (None, {}))
        rules = others.get(owner, most)
        if rules not in (None, "*") and not any(_fits(rule, value) for rule in rules.split("|")):
            raise invalid(name, type(estimator).__name__, [_said(rule) for rule in rules.split("|") if rule != "H"], value)


def names_of(X):
    """The names of the columns of a frame, if all are strings."""
    if not hasattr(X, "columns") or not hasattr(X, "iloc"):
        return None
    found = list(X.columns)
    if all(isinstance(name, str) for name in found) and found:
        return np.array(found, dtype=object)
    if any(isinstance(name, str) for name in found):
        raise TypeError("Feature names are only supported if all input features have string names, but your input has "
                        f"{sorted({type(name).__name__ for name in found})} as feature name / column name types. If you want feature names to be "
                        "stored and validated, you must convert them all to strings, by using X.columns = X.columns.astype(str) for example. "
                        "Otherwise you can remove feature / column names from your data, or convert them all to a non-string data type.")
    return None


def _names(estimator, X):
    """Compares the names of columns with those that the estimator was fitted with."""
    known, found = vars(estimator).get("feature_names_in_"), names_of(X)
    if known is None and found is None:
        return
    if known is None:
        warnings.warn(f"X has feature names, but {type(estimator).__name__} was fitted without feature names", UserWarning, stacklevel=4)
    elif found is None:
        warnings.warn(f"X does not have valid feature names, but {type(estimator).__name__} was fitted with feature names", UserWarning,
                      stacklevel=4)
    elif known.tolist() != found.tolist():
        said = "The feature names should match those that were passed during fit.\n"
        extra, lacking = sorted(set(found) - set(known)), sorted(set(known) - set(found))
        for text, several in (("Feature names unseen at fit time:\n", extra), ("Feature names seen at fit time, yet now missing:\n", lacking)):
            if several:
                said += text + "".join(f"- {name}\n" for name in several[:5]) + ("- ...\n" if len(several) > 5 else "")
        if not extra and not lacking:
            said += "Feature names must be in the same order as they were in fit.\n"
        raise ValueError(said)


_CLASSES = ("LogisticRegression", "SVC", "LinearSVC", "NuSVC", "GaussianNB", "MultinomialNB", "BernoulliNB", "ComplementNB", "Perceptron",
            "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis", "NearestCentroid")


def _targets(estimator, y):
    name = type(estimator).__name__
    if y is None or name == "DummyClassifier" or not (name.endswith("Classifier") or name in _CLASSES):
        return
    y = np.asarray(y)
    if y.dtype.kind == "f" and y.ndim == 1 and not np.isnan(y).any() and (y != np.floor(y)).any():
        raise ValueError("Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects discrete classes on a regression "
                         "target with continuous values.")


# Estimators that take a column of targets as one flat array and warn of it; classifiers do as well, apart from those named next.
_WARN = ("LabelEncoder", "SelectKBest", "SelectPercentile", "MLPRegressor", "SGDRegressor", "BayesianRidge", "HuberRegressor", "SVR", "LinearSVR", "NuSVR",
         "RandomForestRegressor", "ExtraTreesRegressor", "GradientBoostingRegressor", "HistGradientBoostingRegressor", "AdaBoostRegressor",
         "BaggingRegressor", "VotingRegressor", "StackingRegressor", "LassoCV", "ElasticNetCV", "LogisticRegressionCV")
_SILENT = ("Ridge", "Lasso", "ElasticNet", "DecisionTreeClassifier", "ExtraTreeClassifier", "OneVsRestClassifier", "OneVsOneClassifier")
_KEEPS = ("DummyClassifier", "MultiOutputClassifier")


def flat(estimator, y):
    """Targets of shape (n, 1) as most estimators read them: of shape (n,)."""
    name = next((c.__name__ for c in type(estimator).__mro__ if c.__module__.startswith("sklearn.")), "")
    warn = name in _WARN or (name.endswith("Classifier") or name in _CLASSES) and name not in _SILENT + _KEEPS
    if not warn and name not in _SILENT or len(np.shape(y)) != 2 or np.shape(y)[1] != 1:
        return y
    if warn:
        from .exceptions import DataConversionWarning

        gap = "" if "Forest" in name or name in ("ExtraTreesClassifier", "ExtraTreesRegressor", "KNeighborsClassifier") else " "
        warnings.warn(f"A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples,{gap}), for example using "
                      "ravel().", DataConversionWarning, stacklevel=4)
    return np.asarray(y).ravel()


def _lacking(estimator, error):
    """Adds what to do to the error for missing values."""
    if str(error) == "Input X contains NaN." and hasattr(estimator, "predict"):
        error.args = (
            f"Input X contains NaN.\n{type(estimator).__name__} does not accept missing values encoded as NaN natively. For supervised learning, you "
            "might want to consider sklearn.ensemble.HistGradientBoostingClassifier and Regressor which accept missing values encoded as NaNs "
            "natively. Alternatively, it is possible to preprocess the data, for instance by using an imputer transformer in a pipeline or drop "
            "samples with missing values. See https://scikit-learn.org/stable/modules/impute.html You can find a list of all estimators that handle "
            "NaN values at the following page: https://scikit-learn.org/stable/modules/impute.html#estimators-that-handle-nan-values",)


_FITS = ("fit", "partial_fit", "fit_transform", "fit_predict")
_USES = ("predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "score_samples", "kneighbors", "apply", "score")


def checked(cls):
    """Wraps the methods of an estimator of this package."""
    for name in _FITS + _USES:
        method = cls.__dict__.get(name)
        if method is not None and hasattr(method, "__code__"):
            setattr(cls, name, _wrapped(method, name))


def _wrapped(method, name):
    fits = name in _FITS

    @functools.wraps(method)
    def call(self, *args, **options):
        state = vars(self)
        if state.get("_inside") or not args and "X" not in options:
            return method(self, *args, **options)
        X = args[0] if args else options["X"]
        state["_inside"] = True
        try:
            if fits:
                parameters(self)
                place = 0 if type(self).__name__ == "LabelEncoder" else 1
                if len(args) > place:
                    args = (*args[:place], flat(self, args[place]), *args[place + 1:])
                elif "y" in options:
                    options["y"] = flat(self, options["y"])
                if not self._passes:
                    _targets(self, args[1] if len(args) > 1 else options.get("y"))
                    found = names_of(X)
                    if name != "partial_fit" or not hasattr(self, "n_features_in_"):
                        state.pop("feature_names_in_", None)
                        if found is not None:
                            self.feature_names_in_ = found
            else:
                # Before the names of columns are compared, which warns.
                if self._fitted is not None:
                    self._need_fit()
                if not self._passes and (hasattr(X, "columns") or "feature_names_in_" in state):
                    _names(self, X)
            made = method(self, *args, **options)
        except ValueError as error:
            _lacking(self, error)
            raise
        finally:
            state.pop("_inside", None)
        how = state.get("_output")
        if how == "pandas" and name in ("transform", "fit_transform"):
            return _framed(self, made, X)
        return made

    return call


def _framed(estimator, made, X):
    import pandas as pd

    if hasattr(made, "iloc"):
        return made
    if hasattr(made, "toarray"):
        raise ValueError("Pandas output does not support sparse data. Set sparse_output=False to output pandas dataframes or disable Pandas output "
                         "via `ohe.set_output(transform=\"default\").")
    return pd.DataFrame(made, columns=estimator.get_feature_names_out(), index=X.index if hasattr(X, "iloc") else None)
