"""Scores drawn with matplotlib; `sklearn.metrics` has these classes."""

import numpy as np

from .metrics import confusion_matrix


class ConfusionMatrixDisplay:
    """A confusion matrix as a picture with its numbers."""

    def __init__(self, confusion_matrix, *, display_labels=None):
        self.confusion_matrix = confusion_matrix
        self.display_labels = display_labels

    def plot(self, *, include_values=True, cmap="viridis", xticks_rotation="horizontal", values_format=None, ax=None,
             colorbar=True, im_kw=None, text_kw=None):
        import matplotlib.pyplot as plt

        fig, ax = plt.subplots() if ax is None else (ax.figure, ax)
        counts = self.confusion_matrix
        size = counts.shape[0]
        self.im_ = ax.imshow(counts, **{"interpolation": "nearest", "cmap": cmap, **(im_kw or {})})
        self.text_ = None
        if include_values:
            self.text_ = np.empty(counts.shape, dtype=object)
            middle = (counts.max() + counts.min()) / 2.0
            # Words in the color of the map's other end can be read.
            dark, light = self.im_.cmap(0), self.im_.cmap(1.0)
            for i in range(size):
                for j in range(size):
                    options = {"ha": "center", "va": "center", "color": light if counts[i, j] < middle else dark}
                    word = self._word(counts[i, j], counts.dtype.kind, values_format)
                    self.text_[i, j] = ax.text(j, i, word, **{**options, **(text_kw or {})})
        names = np.arange(size) if self.display_labels is None else self.display_labels
        if colorbar:
            fig.colorbar(self.im_, ax=ax)
        ax.set(xticks=np.arange(size), yticks=np.arange(size), xticklabels=names, yticklabels=names, ylabel="True label",
               xlabel="Predicted label")
        plt.setp(ax.get_xticklabels(), rotation=xticks_rotation)
        self.figure_, self.ax_ = fig, ax
        return self

    @staticmethod
    def _word(number, kind, form):
        if form is not None:
            return format(number, form)
        word = format(number, ".2g")
        whole = word if kind == "f" else format(number, "d")
        return whole if len(whole) < len(word) else word

    @classmethod
    def from_predictions(cls, y_true, y_pred, *, labels=None, sample_weight=None, normalize=None, display_labels=None, **options):
        counts = confusion_matrix(y_true, y_pred, labels=labels, sample_weight=sample_weight, normalize=normalize)
        if display_labels is None:
            both = np.concatenate([np.unique(np.asarray(y)) for y in (y_true, y_pred)])
            display_labels = np.unique(both) if labels is None else labels
        return cls(counts, display_labels=display_labels).plot(**options)

    @classmethod
    def from_estimator(cls, estimator, X, y, **options):
        return cls.from_predictions(y, estimator.predict(X), **options)
