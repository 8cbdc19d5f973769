"""A tree drawn, written as a graph and as text."""

import numpy as np, sklearn
from sklearn.datasets import *
from sklearn.model_selection import train_test_split
from sklearn.svm import *
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, export_text, plot_tree, export_graphviz
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.gaussian_process.kernels import ConstantKernel as C
from sklearn.gaussian_process.kernels import WhiteKernel
from sklearn.gaussian_process.kernels import Matern
from sklearn.gaussian_process.kernels import RationalQuadratic
from sklearn.gaussian_process.kernels import ExpSineSquared
from sklearn.gaussian_process.kernels import DotProduct
X, y = load_iris(return_X_y=True)
t = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
print(export_text(t, feature_names=load_iris().feature_names))
print(export_text(t, show_weights=True, decimals=1))
import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
a = plot_tree(t, filled=True, feature_names=load_iris().feature_names, class_names=list(load_iris().target_names))
print(repr([x.get_text() for x in a]))
a = plot_tree(DecisionTreeRegressor(max_depth=1).fit(X, X[:, 0]), precision=2, impurity=False, proportion=True, rounded=True)
print(repr([x.get_text() for x in a]))
print(repr(export_graphviz(t, out_file=None)))
print(repr(t.tree_.node_count))
print(repr(t.tree_.threshold))
print(repr(t.tree_.value))
print(repr(t.get_depth()))
print(repr(t.feature_importances_))
print(repr(t.decision_path(X[:2]).toarray()))
print(repr(t.apply(X[:3])))
print(repr(DecisionTreeClassifier(criterion='log_loss', max_depth=2).fit(X, y).score(X, y)))
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from sklearn.manifold import MDS
from sklearn.manifold import Isomap
from sklearn.manifold import LocallyLinearEmbedding
from sklearn.manifold import SpectralEmbedding
from sklearn.ensemble import *
