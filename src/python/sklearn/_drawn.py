"""A decision tree as a drawing, and as a graph for Graphviz."""

import numpy as np


def _brew(count):
    """As many hues as there are classes."""
    made, c, m = [], 0.75 * 0.9, 0.9 - 0.75 * 0.9
    for hue in np.arange(25, 385, 360.0 / count).astype(int).tolist():
        part = hue / 60.0
        x = c * (1 - abs(part % 2 - 1))
        rgb = [(c, x, 0), (x, c, 0), (0, c, x), (0, x, c), (x, 0, c), (c, 0, x), (c, x, 0)][int(part)]
        made.append([int(255 * (v + m)) for v in rgb])
    return made


class Nodes:
    """What is written in the nodes of a tree, and their colors."""

    def __init__(self, decision_tree, feature_names, class_names, label, impurity, node_ids, proportion, precision):
        decision_tree._need_fit()
        self.of, self.tree = decision_tree, decision_tree.tree_
        self.classes = getattr(decision_tree, "classes_", None)
        if feature_names is not None and len(feature_names) != self.tree.n_features:
            raise ValueError(f"Length of feature_names, {len(feature_names)} does not match number of features, {self.tree.n_features}")
        self.features, self.names, self.label, self.impurity = feature_names, class_names, label, impurity
        self.ids, self.proportion, self.precision = node_ids, proportion, precision
        self.hues = _brew(1 if self.classes is None else len(self.classes))

    def shares(self, node):
        return np.asarray(self.tree.value[node][0], dtype=float)

    def _number(self, value):
        return f"{value:.{self.precision}f}".rstrip("0").rstrip(".") if self.precision else f"{value:.0f}"

    def text(self, node):
        tree, lines = self.tree, []
        named = self.label == "all" or self.label == "root" and node == 0
        told = lambda name, value: f"{name} = {value}" if named else str(value)
        if self.ids:
            lines.append(f"node #{node}" if named else str(node))
        if tree.children_left[node] >= 0:
            at = tree.feature[node]
            name = f"x[{at}]" if self.features is None else self.features[at]
            lines.append(f"{name} <= {round(float(tree.threshold[node]), self.precision)}")
        if self.impurity:
            lines.append(told(self.of.criterion, round(float(tree.impurity[node]), self.precision)))
        count = int(tree.n_node_samples[node])
        if self.proportion:
            share = 100.0 * count / float(tree.n_node_samples[0])
            lines.append(told("samples", f"{round(share, 1)}%"))
        else:
            lines.append(told("samples", count))
        values = self.shares(node)
        if self.classes is None:
            lines.append(told("value", round(float(values[0]), self.precision)))
            return lines
        weight = 1.0 if self.proportion else float(tree.weighted_n_node_samples[node])
        shown = values / values.sum() * weight
        if not self.proportion and np.all(np.abs(shown - np.round(shown)) < 1e-9):
            parts = [str(int(v)) for v in np.round(shown)]
        else:
            parts = [str(v) for v in np.round(shown, self.precision)]
        lines.append(told("value", f"[{', '.join(parts)}]"))
        if self.names is not None and self.names is not False:
            best = int(values.argmax())
            lines.append(told("class", self.names[best] if self.names is not True else f"y[{best}]"))
        return lines

    def color(self, node):
        values = self.shares(node)
        if self.classes is None:
            every = [float(self.shares(i)[0]) for i in range(self.tree.node_count)]
            low, high = min(every), max(every)
            hue, alpha = self.hues[0], (float(values[0]) - low) / (high - low) if high > low else 0.0
        else:
            values = values / values.sum()
            hue = self.hues[int(values.argmax())]
            first, *others = sorted(values.tolist(), reverse=True)
            alpha = (first - others[0]) / (1 - others[0]) if others else 0.0
        return "#" + "".join(f"{int(round(alpha * c + (1 - alpha) * 255)):02x}" for c in hue)


def plot_tree(decision_tree, *, max_depth=None, feature_names=None, class_names=None, label="all", filled=False, impurity=True,
              node_ids=False, proportion=False, rounded=False, precision=3, ax=None, fontsize=None):
    """Draws a tree with matplotlib. The texts are those of scikit-learn, their places are our own."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    ax = plt.gca() if ax is None else ax
    nodes, tree = Nodes(decision_tree, feature_names, class_names, label, impurity, node_ids, proportion, precision), decision_tree.tree_
    places, deepest, leaves = {}, [0], [0]

    def place(node, depth):
        deepest[0] = max(deepest[0], depth)
        left, right = tree.children_left[node], tree.children_right[node]
        if left < 0 or max_depth is not None and depth > max_depth:
            x = float(leaves[0])
            leaves[0] += 1
        else:
            x = (place(left, depth + 1) + place(right, depth + 1)) / 2
        places[node] = x, depth
        return x

    place(0, 0)
    wide, tall = 1.0 / leaves[0], 1.0 / (deepest[0] + 1)
    at = lambda node: ((places[node][0] + 0.5) * wide, 1 - (places[node][1] + 0.5) * tall)
    ax.clear()
    ax.set_axis_off()
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    size = fontsize if fontsize is not None else max(4.0, min(10.0, 70.0 * wide))
    made = []

    def draw(node, parent=None, side=None):
        x, y = at(node)
        if parent is not None:
            px, py = at(parent)
            ax.plot([px, x], [py - 0.4 * tall, y + 0.4 * tall], color="black", linewidth=0.8)
        depth = places[node][1]
        cut = max_depth is not None and depth > max_depth
        color = "#808080" if cut else nodes.color(node)
        ax.add_patch(Rectangle((x - 0.46 * wide, y - 0.4 * tall), 0.92 * wide, 0.8 * tall, facecolor=color if filled or cut else "white",
                               edgecolor="black", linewidth=0.8))
        made.append(ax.text(x, y, "\n  (...)  \n" if cut else "\n".join(nodes.text(node)), ha="center", va="center", fontsize=size))
        if side is not None:
            px, py = at(parent)
            made.append(ax.text((px + x) / 2, (py + y) / 2, side, fontsize=size, ha="right" if side == "True  " else "left", va="center"))
        if not cut and tree.children_left[node] >= 0:
            draw(tree.children_left[node], node, "True  " if node == 0 else None)
            draw(tree.children_right[node], node, "  False" if node == 0 else None)

    draw(0)
    return made


def export_graphviz(decision_tree, out_file=None, *, max_depth=None, feature_names=None, class_names=None, label="all", filled=False,
                    leaves_parallel=False, impurity=True, node_ids=False, proportion=False, rotate=False, rounded=False,
                    special_characters=False, precision=3, fontname="helvetica"):
    if leaves_parallel or special_characters or max_depth is not None:
        raise NotImplementedError("sklearn.tree.export_graphviz(leaves_parallel=, special_characters=, max_depth=)")
    nodes, tree = Nodes(decision_tree, feature_names, class_names, label, impurity, node_ids, proportion, precision), decision_tree.tree_
    styles = [style for style, on in (("filled", filled), ("rounded", rounded)) if on]
    shape = f'shape=box, style="{", ".join(styles)}", color="black"' if styles else "shape=box"
    lines = ["digraph Tree {", f'node [{shape}, fontname="{fontname}"] ;', f'edge [fontname="{fontname}"] ;']
    if rotate:
        lines.insert(1, "rankdir=LR ;")

    def walk(node, parent):
        fill = f', fillcolor="{nodes.color(node)}"' if filled else ""
        lines.append(f'{node} [label="' + "\\n".join(nodes.text(node)) + f'"{fill}] ;')
        if parent is not None:
            angle = ""
            if parent == 0:
                first = node == tree.children_left[0]
                angle = f' [labeldistance=2.5, labelangle={(45 if first else -45) * (-1 if rotate else 1)}, headlabel="{first}"]'
            lines.append(f"{parent} -> {node}{angle} ;")
        if tree.children_left[node] >= 0:
            walk(int(tree.children_left[node]), node)
            walk(int(tree.children_right[node]), node)

    walk(0, None)
    text = "\n".join([*lines, "}"])
    if out_file is None:
        return text
    if isinstance(out_file, str):
        with open(out_file, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        out_file.write(text)
