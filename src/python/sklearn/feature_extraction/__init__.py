"""`sklearn.feature_extraction`: turns texts into tables of numbers."""

from . import text
