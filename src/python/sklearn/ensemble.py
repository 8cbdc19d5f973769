"""Forests aren't here. Their names can be imported, and making one says so."""

from sklearn.tree import missing

RandomForestClassifier, RandomForestRegressor, GradientBoostingClassifier, GradientBoostingRegressor = (
    missing("ensemble", name) for name in ("RandomForestClassifier", "RandomForestRegressor", "GradientBoostingClassifier",
                                           "GradientBoostingRegressor"))
