"""Errors and warnings of scikit-learn."""


class NotFittedError(ValueError, AttributeError):
    """`fit` hasn't been called yet."""


class InvalidParameterError(ValueError, TypeError):
    """An argument has a type or a value that isn't allowed."""


class UndefinedMetricWarning(UserWarning):
    """A score divides by zero."""


class ConvergenceWarning(UserWarning):
    """A search ended before it converged."""


class FitFailedWarning(RuntimeWarning):
    """An estimator couldn't be fitted while its parameters were searched."""


class DataConversionWarning(UserWarning):
    """Data was changed to be used."""
