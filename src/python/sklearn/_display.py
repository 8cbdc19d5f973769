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


class _Curve:
    """A line of a classifier's scores, with its name and its area in the legend."""

    @classmethod
    def from_estimator(cls, estimator, X, y, *, sample_weight=None, name=None, pos_label=None, ax=None, **options):
        if hasattr(estimator, "decision_function"):
            scores = estimator.decision_function(X)
        else:
            scores = estimator.predict_proba(X)[:, 1]
        label = estimator.classes_[1] if pos_label is None else pos_label
        return cls.from_predictions(y, scores, sample_weight=sample_weight, name=type(estimator).__name__ if name is None else name,
                                    pos_label=label, ax=ax, **options)

    def _drawn(self, x, y, name, score, what, ax, options):
        import matplotlib.pyplot as plt

        self.figure_, self.ax_ = plt.subplots() if ax is None else (ax.figure, ax)
        known = f"{what} = {score:0.2f}"
        label = f"{name} ({known})" if name is not None else known
        self.line_, = self.ax_.plot(x, y, **{"label": label, **options})
        of = f" (Positive label: {self.pos_label})" if self.pos_label is not None else ""
        self.ax_.set(xlabel=self._names[0] + of, ylabel=self._names[1] + of, xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        self.ax_.legend(loc=self._corner)
        return self


class RocCurveDisplay(_Curve):
    _names, _corner = ("False Positive Rate", "True Positive Rate"), "lower right"

    def __init__(self, *, fpr, tpr, roc_auc=None, name=None, pos_label=None):
        self.fpr, self.tpr, self.roc_auc, self.name, self.pos_label = fpr, tpr, roc_auc, name, pos_label

    @classmethod
    def from_predictions(cls, y_true, y_score=None, *, sample_weight=None, drop_intermediate=True, pos_label=None, name=None, ax=None,
                         plot_chance_level=False, **options):
        from .metrics import auc, roc_curve

        fpr, tpr, _ = roc_curve(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, drop_intermediate=drop_intermediate)
        label = np.unique(np.asarray(y_true))[-1] if pos_label is None else pos_label
        made = cls(fpr=fpr, tpr=tpr, roc_auc=auc(fpr, tpr), name="Classifier" if name is None else name, pos_label=label)
        return made.plot(ax, plot_chance_level=plot_chance_level, **options)

    def plot(self, ax=None, *, name=None, plot_chance_level=False, **options):
        self._drawn(self.fpr, self.tpr, self.name if name is None else name, self.roc_auc, "AUC", ax, options)
        self.chance_level_ = None
        if plot_chance_level:
            self.chance_level_, = self.ax_.plot((0, 1), (0, 1), label="Chance level (AUC = 0.5)", color="k", linestyle="--")
            self.ax_.legend(loc=self._corner)
        return self


class PrecisionRecallDisplay(_Curve):
    _names, _corner = ("Recall", "Precision"), "lower left"

    def __init__(self, precision, recall, *, average_precision=None, name=None, pos_label=None):
        self.precision, self.recall, self.average_precision = precision, recall, average_precision
        self.name, self.pos_label = name, pos_label

    @classmethod
    def from_predictions(cls, y_true, y_score=None, *, sample_weight=None, drop_intermediate=False, pos_label=None, name=None, ax=None,
                         **options):
        from .metrics import average_precision_score, precision_recall_curve

        label = np.unique(np.asarray(y_true))[-1] if pos_label is None else pos_label
        precision, recall, _ = precision_recall_curve(y_true, y_score, pos_label=label, sample_weight=sample_weight,
                                                      drop_intermediate=drop_intermediate)
        score = average_precision_score(y_true, y_score, pos_label=label, sample_weight=sample_weight)
        made = cls(precision, recall, average_precision=score, name="Classifier" if name is None else name, pos_label=label)
        return made.plot(ax, **options)

    def plot(self, ax=None, *, name=None, **options):
        options = {"drawstyle": "steps-post", **options}
        return self._drawn(self.recall, self.precision, self.name if name is None else name, self.average_precision, "AP", ax, options)
