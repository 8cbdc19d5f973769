"""Confusion matrices drawn. scikit-learn 1.9 recorded `sklearn_display.txt` from this file."""

def t(name, f):
    try:
        r = f()
        if r is not None: print(name, '->', r)
        else: print(name, 'ok')
    except BaseException as e:
        print(name, 'ERR', type(e).__name__, str(e)[:300])
import numpy as np, matplotlib
matplotlib.use('agg')
import matplotlib.pyplot as plt
from sklearn.metrics import ConfusionMatrixDisplay, confusion_matrix
def show(d):
    ax = d.ax_
    print(d.text_ is not None and [[x.get_text() for x in r] for r in d.text_], [x.get_text() for x in ax.get_xticklabels()], [x.get_text() for x in ax.get_yticklabels()], ax.get_xlabel(), ax.get_ylabel(), len(ax.images), [round(float(v), 2) for v in ax.get_ylim()])
    print(d.text_ is not None and [tuple(round(float(v), 1) for v in matplotlib.colors.to_rgb(x.get_color())) for x in d.text_[0]])
cm = confusion_matrix([0, 1, 2, 1] * 50, [0, 2, 2, 1] * 50)
t('1', lambda: show(ConfusionMatrixDisplay(cm).plot()))
t('2', lambda: show(ConfusionMatrixDisplay(confusion_matrix=cm, display_labels=['a', 'b', 'c']).plot(cmap='Blues', xticks_rotation=45, colorbar=False)))
t('3', lambda: show(ConfusionMatrixDisplay.from_predictions([0, 1, 1], [1, 1, 0], normalize='true', values_format='.3f')))
t('4', lambda: show(ConfusionMatrixDisplay.from_predictions(['x', 'y', 'y'], ['y', 'y', 'x'], include_values=False)))
t('5', lambda: show(ConfusionMatrixDisplay.from_predictions([0, 1, 1], [1, 1, 0], labels=[1, 0], ax=plt.subplots()[1], text_kw={'fontsize': 7})))
t('6', lambda: show(ConfusionMatrixDisplay(np.array([[1234567, 1], [0, 3]])).plot(cmap=plt.cm.Reds, im_kw={'vmin': 0})))
