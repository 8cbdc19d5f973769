"""In which order `einsum` would contract its operands at the least cost."""

import itertools
import math
import string

from numpy._array import asarray


def _terms(operands):
    """The subscripts of each operand, the subscripts of the result, and the operands."""
    if isinstance(operands[0], str):
        text, arrays = operands[0].replace(" ", ""), [asarray(a) for a in operands[1:]]
    else:
        # Operands and lists of numbers in turn.
        known = string.ascii_uppercase + string.ascii_lowercase
        letter = lambda axes: "".join("..." if axis is Ellipsis else known[axis] for axis in axes)
        pairs = list(zip(operands[::2], operands[1::2]))
        arrays = [asarray(a) for a, _ in pairs]
        text = ",".join(letter(axes) for _, axes in pairs) + ("->" + letter(operands[-1]) if len(operands) % 2 else "")
    if "." in text:
        raise NotImplementedError("numpy.einsum_path with an ellipsis")
    left, _, right = text.partition("->")
    if "->" not in text:
        right = "".join(sorted(c for c in set(left) - {","} if left.count(c) == 1))
    terms = left.split(",")
    if len(terms) != len(arrays):
        raise ValueError("Number of einsum subscripts must be equal to the number of operands.")
    return terms, right, arrays


class _Plan:
    def __init__(self, sizes, result, limit):
        self.sizes, self.result, self.limit = sizes, set(result), limit

    def size(self, letters):
        return math.prod(self.sizes[c] for c in letters)

    def cost(self, letters, sums, count):
        return self.size(letters) * (max(1, count - 1) + bool(sums))

    def step(self, at, sets):
        """What contracting some operands leaves, all letters of these, and the operands from then on."""
        rest = [s for i, s in enumerate(sets) if i not in at]
        met = set().union(*(sets[i] for i in at))
        left = met & self.result.union(*rest)
        return left, met, rest + [left]

    def greedy(self, sets):
        left, met, _ = self.step(range(len(sets)), sets)
        dearest, known, path, spent = self.cost(met, met - left, len(sets)), None, [], 0
        for _ in range(len(sets) - 1):
            if known is None:
                fresh, known = list(itertools.combinations(range(len(sets)), 2)), []
            else:
                fresh = [(i, len(sets) - 1) for i in range(len(sets) - 1)]
            known += self._ranked([pair for pair in fresh if sets[pair[0]] & sets[pair[1]]], sets, spent, dearest)
            if not known:
                known = self._ranked(itertools.combinations(range(len(sets)), 2), sets, spent, dearest)
            if not known:
                path.append(tuple(range(len(sets))))
                break
            rank, pair = min(known, key=lambda found: found[0])
            sets = self.step(pair, sets)[2]
            # The places of operands after those that are gone move down.
            moved = lambda i: i - sum(i > gone for gone in pair)
            known = [(r, (moved(i), moved(j))) for r, (i, j) in known if not {i, j} & set(pair)]
            path.append(pair)
            spent += rank[1]
        return path

    def _ranked(self, pairs, sets, spent, dearest):
        found = []
        for pair in pairs:
            left, met, _ = self.step(pair, sets)
            cost = self.cost(met, met - left, 2)
            if self.size(left) <= self.limit and spent + cost <= dearest:
                found.append(((self.size(left) - sum(self.size(sets[i]) for i in pair), cost), pair))
        return found

    def optimal(self, sets):
        plans = [(0, [], sets)]
        for n in range(len(sets), 1, -1):
            longer = []
            for spent, path, now in plans:
                for pair in itertools.combinations(range(n), 2):
                    left, met, after = self.step(pair, now)
                    if self.size(left) <= self.limit:
                        longer.append((spent + self.cost(met, met - left, 2), path + [pair], after))
            if not longer:
                return min(plans, key=lambda plan: plan[0])[1] + [tuple(range(n))]
            plans = longer
        return min(plans, key=lambda plan: plan[0])[1]


def einsum_path(*operands, optimize="greedy", einsum_call=False):
    way, limit = ("greedy" if optimize is True else False if optimize is None else optimize), None
    told = not isinstance(way, (bool, str)) and len(way) and way[0] == "einsum_path"
    if not told and not isinstance(way, (bool, str)):
        if len(way) != 2 or not isinstance(way[0], str) or not isinstance(way[1], (int, float)):
            raise TypeError(f"Did not understand the path: {way}")
        way, limit = way[0], int(way[1])
    terms, right, arrays = _terms(operands)
    sizes = {}
    for i, (term, a) in enumerate(zip(terms, arrays)):
        if len(term) != a.ndim:
            raise ValueError(f"Einstein sum subscript {term} does not contain the correct number of indices for operand {i}.")
        for letter, n in zip(term, a.shape):
            if sizes.get(letter, 1) == 1:
                sizes[letter] = n
            elif n not in (1, sizes[letter]):
                raise ValueError(f"Size of label '{letter}' for operand {i} ({sizes[letter]}) does not match previous terms ({n}).")
    sets, letters = [set(term) for term in terms], set("".join(terms))
    plan = _Plan(sizes, right, 0)
    plan.limit = max(plan.size(term) for term in [*terms, right]) if limit is None else limit
    if told:
        path = list(way[1:])
    elif way is False or len(terms) < 3 or letters == set(right):
        path = [tuple(range(len(terms)))]
    elif way in ("greedy", "optimal"):
        path = getattr(plan, way)(sets)
    else:
        raise KeyError("Path name %s not found", way)
    costs, scales, largest, lines, names = [], [], [], [], list(terms)
    for n, at in enumerate(path):
        at = sorted(at, reverse=True)
        left, met, sets = plan.step(at, sets)
        costs.append(plan.cost(met, met - left, len(at)))
        scales.append(len(met))
        largest.append(plan.size(left))
        made = right if n == len(path) - 1 else "".join(sorted(left, key=lambda c: (sizes[c], c)))
        taken = [names.pop(i) for i in at]
        names.append(made)
        lines.append("\n%4d    %24s %40s" % (len(met), f"{','.join(taken)}->{made}", f"{','.join(names)}->{right}"))
    if len(names) != 1:
        raise RuntimeError(f"Invalid einsum_path is specified: {len(names) - 1} more operands has to be contracted.")
    naive = plan.cost(letters, sum(len(set(t)) for t in terms) > len(letters), len(terms))
    best = sum(costs) + 1
    head = (f"  Complete contraction:  {','.join(terms)}->{right}\n         Naive scaling:  {len(letters)}\n"
            f"     Optimized scaling:  {max(scales)}\n      Naive FLOP count:  {naive:.3e}\n  Optimized FLOP count:  {best:.3e}\n"
            f"   Theoretical speedup:  {naive / best:3.3f}\n  Largest intermediate:  {max(largest):.3e} elements\n" + "-" * 74
            + "\n%6s %24s %40s\n" % ("scaling", "current", "remaining") + "-" * 74)
    return ["einsum_path", *path], head + "".join(lines)
