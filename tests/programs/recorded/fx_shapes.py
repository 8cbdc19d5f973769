# A graph that is changed while it is walked, and the shapes of its values.
import torch
from torch import fx, nn
from torch.fx.passes.shape_prop import ShapeProp


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.p, self.lin = nn.Parameter(torch.ones(3, 4)), nn.Linear(4, 5)

    def forward(self, x):
        return self.lin(x + self.p).clamp(min=0.0, max=1.0)


gm = fx.symbolic_trace(Model())
for node in gm.graph.nodes:
    print(node.op, node.name, node.args, node.kwargs, node.users)
    if node.op == "call_method" and node.target == "clamp":
        with gm.graph.inserting_after(node):
            relu = gm.graph.call_function(torch.relu, args=(node,))
            node.replace_all_uses_with(relu)
            relu.update_arg(0, node)
gm.graph.lint()
gm.recompile()
print(gm.code)
print(ShapeProp(gm).propagate(torch.ones(3, 4)).shape)
for node in gm.graph.nodes:
    print(node.name, node.meta["tensor_meta"], node.meta["type"])
for node in reversed(gm.graph.nodes):
    if node.op == "call_function" and node.target is torch.relu:
        node.replace_all_uses_with(node.args[0])
        gm.graph.erase_node(node)
print([node.name for node in reversed(gm.graph.nodes)])


class Halves(nn.Module):
    def forward(self, x):
        return x.split(1), x.shape, 3


gm = fx.symbolic_trace(Halves())
ShapeProp(gm).propagate(torch.ones(2, 2, dtype=torch.int32).t())
for node in gm.graph.nodes:
    print(node.name, node.meta)
gm = fx.symbolic_trace(nn.Sequential(nn.Conv2d(1, 2, 3)))
image = torch.ones(1, 2, 5, 5).to(memory_format=torch.channels_last)[:, :1]
ShapeProp(gm).propagate(image)
print([node.meta["tensor_meta"] for node in gm.graph.nodes][0])
