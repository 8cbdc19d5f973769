"""Programs as graphs of their calls, as in torch.fx: traced with stand-ins for tensors, changed, and turned back into
Python."""

from ._symbolic_trace import Tracer, symbolic_trace, wrap
from .graph import CodeGen, Graph
from .graph_module import GraphModule
from .interpreter import Interpreter, Transformer
from .node import Node, has_side_effect, map_arg
from .proxy import Proxy, TraceError
from .subgraph_rewriter import replace_pattern

__all__ = ["symbolic_trace", "Tracer", "wrap", "Graph", "GraphModule", "Interpreter", "Transformer", "Node", "Proxy",
           "has_side_effect", "map_arg", "replace_pattern"]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch.fx' has no attribute '{name}'")
    raise NotImplementedError(f"torch.fx.{name}")
