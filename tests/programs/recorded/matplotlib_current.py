"""The current axes, what can be asked of axes and of what is drawn. matplotlib 3.11 recorded `matplotlib_current.txt` from this
file."""

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
def where(): return [plt.gcf().number, plt.gcf().axes.index(plt.gca())]
def f():
    fig = plt.figure()
    for i in range(1, 5):
        ax = fig.add_subplot(2, 2, i); plt.imshow(np.ones((2, 2))); plt.title(str(i)); print(where(), plt.gca() is ax, ax.get_title())
    return [len(a.images) for a in fig.axes]
t('add_subplot', f)
def f():
    fig, ax = plt.subplots(1, 3); print(where()); plt.sca(ax[0]); print(where()); plt.figure(1); print(where()); plt.figure(fig.number); return where()
t('figures', f)
def f():
    fig, ax = plt.subplots(); tw = ax.twinx(); print(where(), plt.gca() is tw, fig.gca() is tw); fig.sca(ax); return where()
t('twin', f)
def f():
    plt.figure(); plt.subplot(1, 2, 1); plt.plot([1]); plt.subplot(122); print(where()); plt.subplot(121); return where() + [len(plt.gca().lines)]
t('subplot', f)
def f():
    fig = plt.figure(); g = fig.add_gridspec(2, 2); a = fig.add_subplot(g[0, :]); b = fig.add_subplot(g[1, 0]); print(where(), plt.gca() is b); plt.delaxes(b); print(plt.gca() is a); plt.clf(); return len(plt.gcf().axes)
t('gridspec', f)
def f():
    fig, (a, b) = plt.subplots(1, 2); m = a.imshow(np.eye(2)); print(where()); fig.colorbar(m, ax=a); return plt.gca() is b
t('colorbar', f)
t('cla', lambda: [plt.cla(), plt.ion() and None, plt.isinteractive(), plt.ioff() and None, plt.isinteractive()])
def f():
    plt.close('all'); plt.figure(); ax = plt.gca(); print(ax.get_xscale(), ax.get_yscale(), ax.has_data(), ax.axison, ax.get_aspect(), ax.xaxis_inverted(), ax.get_facecolor())
    l, = ax.plot([1, 2], [3, 4], 'r--o', lw=3, ms=4, label='q'); print(ax.has_data(), l.get_linestyle(), l.get_linewidth(), l.get_marker(), l.get_markersize(), l.get_alpha(), l.get_xydata().tolist(), l.get_lw(), l.get_label())
    l2, = ax.plot([1, 2]); print(l2.get_marker(), l2.get_linestyle()); l2.set_markersize(3); l2.set_ls(':'); print(l2.get_ls())
    ax.set_xscale('log'); ax.set_aspect('equal'); ax.invert_yaxis(); ax.set_axis_off(); print(ax.get_xscale(), ax.get_aspect(), ax.yaxis_inverted(), ax.axison); ax.set_axis_on(); print(ax.axison)
    b = plt.figure().gca().bar([1, 2], [3, 4]); print(len(plt.gca().patches), [float(p.get_height()) for p in plt.gca().patches], b[0].get_center().tolist() if hasattr(b[0].get_center(), 'tolist') else list(b[0].get_center()), b[0].get_hatch())
    b[1].set_hatch('/'); print(b[1].get_hatch(), b[0].get_hatch())
    m = plt.figure().gca().imshow(np.eye(2), cmap='gray', alpha=.5); print(m.get_cmap().name, [float(v) for v in m.get_extent()], m.get_alpha(), plt.gca().yaxis_inverted(), len(plt.gca().get_images()))
    w = plt.text(0, 0, 'x', fontsize=7); print(w.get_fontsize(), w.get_text())
t('get', f)
