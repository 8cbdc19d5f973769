"""Finds the parts of a graph that are like a pattern, and puts something else in their place."""

import copy
import itertools
from dataclasses import dataclass
from typing import NamedTuple

import torch

from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule
from .node import Node, map_arg

__all__ = ["Match", "replace_pattern", "replace_pattern_with_filters", "ReplacedPatterns"]


class Match(NamedTuple):
    """Where a pattern was found: the node at its end, and the graph's node for each of the pattern's."""

    anchor: Node
    nodes_map: dict


@dataclass
class ReplacedPatterns:
    anchor: Node
    nodes_map: dict
    replacements: list


@dataclass
class InternalMatch:
    anchors: list
    nodes_map: dict
    placeholder_nodes: list
    returning_nodes: list


def _graph(pattern):
    return pattern.graph if isinstance(pattern, GraphModule) else pattern if isinstance(pattern, Graph) else symbolic_trace(pattern).graph


class _Matcher:
    def __init__(self, pattern, ignore_literals):
        nodes = list(pattern.nodes)
        if any(n.op != "output" and not n.is_impure() and not n.users for n in nodes):
            raise AssertionError("SubgraphMatcher cannot be initialized with a pattern with dead code")
        self.placeholders = [n for n in nodes if n.op == "placeholder"]
        self.returned = nodes[-1].all_input_nodes
        self.anchors = [n for n in self.returned if len(n.users) == 1]
        self.ignore_literals = ignore_literals

    @staticmethod
    def _attribute(node):
        value = node.graph.owning_module
        for part in node.target.split("."):
            value = getattr(value, part)
        return value

    def _alike(self, ours, theirs):
        if ours.op == "placeholder":
            return True
        if ours.op != theirs.op:
            return False
        if ours.op == "get_attr":
            pair = self._attribute(ours), self._attribute(theirs)
            return type(pair[0]) is type(pair[1]) and isinstance(pair[0], torch.Tensor)
        return ours.target == theirs.target

    def _same(self, ours, theirs, found):
        """Whether two arguments are alike. `found` gets the nodes that stand for each other."""
        if isinstance(ours, Node) and (isinstance(theirs, Node) or ours.op == "placeholder"):
            return self._same_node(ours, theirs, found)
        if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
            return len(ours) == len(theirs) and all(self._same(a, b, found) for a, b in zip(ours, theirs))
        if isinstance(ours, dict) and isinstance(theirs, dict):
            return list(ours) == list(theirs) and all(self._same(ours[k], theirs[k], found) for k in ours)
        if isinstance(ours, Node) or isinstance(theirs, Node):
            return False
        return self.ignore_literals or (type(ours) is type(theirs) and ours == theirs)

    def _same_node(self, ours, theirs, found):
        if ours in found:
            return found[ours] == theirs
        if isinstance(theirs, Node):
            if any(theirs is other for other in found.values()) or not self._alike(ours, theirs):
                return False
        before = dict(found)
        found[ours] = theirs
        if ours.op == "placeholder" or (self._same(ours.args, theirs.args, found) and self._same(ours.kwargs, theirs.kwargs, found)):
            return True
        found.clear()
        found.update(before)
        return False

    def _inside(self, found):
        """Whether nothing outside uses what the pattern computes on the way."""
        taken = {id(theirs) for ours, theirs in found.items() if ours.op != "placeholder"}
        return all(id(user) in taken for ours, theirs in found.items() if ours.op != "placeholder" and ours not in self.returned
                   for user in theirs.users)

    def match(self, graph):
        nodes = list(graph.nodes)
        candidates = [[n for n in nodes if self._alike(anchor, n)] for anchor in self.anchors]
        matches, taken = [], set()
        for chosen in itertools.product(*candidates):
            found = {}
            if not all(self._same_node(anchor, node, found) for anchor, node in zip(self.anchors, chosen)):
                continue
            own = {id(theirs) for ours, theirs in found.items() if ours.op != "placeholder"}
            if self._inside(found) and not own & taken:
                taken |= own
                matches.append(InternalMatch(list(self.anchors), found, [found.get(p) for p in self.placeholders],
                                             [found[r] for r in self.returned]))
        return matches


def _take_attributes(gm, replacement):
    """Copies what the replacement's nodes name and the module doesn't have."""
    gm.delete_all_unused_submodules()

    def at(module, target):
        path, _, name = target.rpartition(".")
        try:
            return getattr(module.get_submodule(path), name, None)
        except AttributeError:
            return None

    for node in gm.graph.nodes:
        if node.op not in ("call_module", "get_attr") or at(gm, node.target) is not None:
            continue
        value = at(replacement, node.target)
        if value is None:
            raise RuntimeError('Attempted to create a "', node.op, f'" node during subgraph rewriting with target {node.target}, but the '
                               "referenced attribute does not exist in the replacement GraphModule")
        value = copy.deepcopy(value)
        if isinstance(value, torch.nn.Module):
            gm.add_submodule(node.target, value)
        else:
            setattr(gm, node.target, value)
    gm.graph.lint()


def replace_pattern(gm, pattern, replacement):
    """Replaces every part of `gm` that is like the function `pattern` by the calls of `replacement`."""
    return [Match(r.anchor, r.nodes_map) for r in replace_pattern_with_filters(gm, pattern, replacement)]


def replace_pattern_with_filters(gm, pattern, replacement=None, match_filters=None, ignore_literals=False, replacement_callback=None,
                                 node_name_match=""):
    if node_name_match:
        raise NotImplementedError("torch.fx.subgraph_rewriter.replace_pattern_with_filters(node_name_match=)")
    graph, wanted = gm.graph, _graph(pattern)
    common = None if replacement is None else _graph(replacement)
    if common is None and replacement_callback is None:
        raise AssertionError("Must provide either a replacement GraphModule or a replacement callback")
    changed, results = {}, []
    for match in _Matcher(wanted, ignore_literals).match(graph):
        if not all(accept(match, graph, wanted) for accept in match_filters or ()):
            continue
        new = replacement_callback(match, graph, wanted) if replacement_callback is not None else common
        inputs = [n for n in new.nodes if n.op == "placeholder"]
        if len(inputs) != len(match.placeholder_nodes):
            raise AssertionError(f"Placeholder count mismatch: {len(match.placeholder_nodes)} vs {len(inputs)}")
        values = {}
        for i, (own, ours) in enumerate(zip(inputs, [n for n in wanted.nodes if n.op == "placeholder"])):
            value = map_arg(match.placeholder_nodes[i], lambda n: changed.get(n, n))
            values[own] = match.placeholder_nodes[i] = match.nodes_map[ours] = value
        users = {user for n in match.returning_nodes for user in n.users}
        nodes = list(graph.nodes)
        place = next((n for n in nodes if n in users), None)
        if place is None:
            place = nodes[max(nodes.index(n) for n in match.returning_nodes) + 1]
        with graph.inserting_before(place):
            returned = graph.graph_copy(new, values)
        returned = (returned,) if isinstance(returned, Node) else returned
        added = [v for v in values.values() if isinstance(v, Node) and v not in match.placeholder_nodes]
        if len(match.returning_nodes) != len(returned):
            raise AssertionError(f"Returning nodes count mismatch: {len(match.returning_nodes)} vs {len(returned)}")
        for old, copied in zip(match.returning_nodes, returned):
            old.replace_all_uses_with(copied)
            changed[old] = copied
        for node in reversed(list(wanted.nodes)):
            if node.op not in ("placeholder", "output"):
                graph.erase_node(match.nodes_map[node])
        results.append(ReplacedPatterns(match.anchors[0], match.nodes_map, added))
    gm.recompile()
    if isinstance(replacement, torch.nn.Module):
        _take_attributes(gm, replacement)
    return results
