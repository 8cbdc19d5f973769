"""A confusion matrix as a figure."""

import matplotlib.pyplot as plt
import numpy as np


def plot_confusion_matrix(conf_mat, hide_spines=False, hide_ticks=False, figsize=None, cmap=None, colorbar=False,
                          show_absolute=True, show_normed=False, norm_colormap=None, class_names=None, figure=None, axis=None,
                          fontcolor_threshold=0.5):
    """The matrix as an image with its numbers, and its share of each row with `show_normed`. Returns the figure and the axes."""
    if not (show_absolute or show_normed):
        raise AssertionError("Both show_absolute and show_normed are False")
    if class_names is not None and len(class_names) != len(conf_mat):
        raise AssertionError("len(class_names) should be equal to number ofclasses in the dataset")
    if hide_spines or norm_colormap is not None:
        raise NotImplementedError("mlxtend: plot_confusion_matrix(hide_spines=, norm_colormap=)")
    shares = conf_mat.astype("float") / conf_mat.sum(axis=1)[:, np.newaxis]
    if axis is not None:
        ax, fig = axis, figure
    elif figure is not None:
        fig, ax = figure, figure.add_subplot(1, 1, 1)
    else:
        fig, ax = plt.subplots(figsize=figsize)
    ax.grid(False)
    shown = shares if show_normed else conf_mat
    image = ax.matshow(shown, cmap=plt.cm.Blues if cmap is None else cmap)
    if colorbar:
        fig.colorbar(image)
    limit = (1 if show_normed else np.max(conf_mat)) * fontcolor_threshold
    for row in range(conf_mat.shape[0]):
        for column in range(conf_mat.shape[1]):
            share = f"{float(shares[row, column]):.2f}"
            count = f"{int(conf_mat[row, column])}"
            words = f"{count}\n({share})" if show_absolute and show_normed else count if show_absolute else share
            ax.text(column, row, words, va="center", ha="center", color="white" if shown[row, column] > limit else "black")
    if class_names is not None:
        places = np.arange(len(class_names))
        ax.set_xticks(places, class_names, rotation=45)
        ax.set_yticks(places, class_names)
    if hide_ticks:
        ax.set_xticks([])
        ax.set_yticks([])
    ax.set_xlabel("predicted label")
    ax.set_ylabel("true label")
    return fig, ax


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"mlxtend.plotting.{name} is not here")
