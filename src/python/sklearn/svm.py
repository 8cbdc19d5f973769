"""Support vector machines aren't here. Their names can be imported, and making one says so."""

from sklearn.tree import missing

SVC, SVR, LinearSVC = (missing("svm", name) for name in ("SVC", "SVR", "LinearSVC"))
