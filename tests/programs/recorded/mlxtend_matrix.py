"""A confusion matrix as a figure: recorded with mlxtend 0.25.0 and matplotlib 3.11.2."""

import io

import matplotlib.pyplot as plt
import mlxtend
import numpy as np
from mlxtend.plotting import plot_confusion_matrix

assert int(mlxtend.__version__.split(".")[1]) >= 19
matrix = np.array([[8, 2, 0], [1, 5, 4], [0, 0, 10]])
plt.rcParams["svg.fonttype"] = "none"


def page(**options):
    fig, ax = plot_confusion_matrix(matrix, **options)
    print(ax.get_xlabel(), "|", ax.get_ylabel(), "|", [round(float(v), 3) for v in (*ax.get_xlim(), *ax.get_ylim())])
    buffer = io.BytesIO()
    fig.savefig(buffer, format="svg")
    text = buffer.getvalue().decode()
    print([word in text for word in ("shirt", "bag", ">10<", "0.50", "true label")])


page(class_names=["shirt", "bag", "boot"], figsize=(10, 7))
page(show_normed=True, colorbar=True)
page(show_absolute=False, show_normed=True, cmap="viridis", hide_ticks=True)
for options in ({"class_names": ["a"]}, {"show_absolute": False}):
    try:
        plot_confusion_matrix(matrix, **options)
    except AssertionError as error:
        print(error)
