"""Traced graphs: what they print, generate and compute. PyTorch 2.15 recorded `fx.txt` from this file."""

import torch, operator
from torch import nn
import torch.fx
from torch.fx import symbolic_trace, Interpreter, Graph, GraphModule, Transformer, Proxy, Tracer
def say(name, f):
    try: r = str(f())
    except Exception as e: r = f"{type(e).__name__}: {e}"
    print(name, "->", r)
class M(nn.Module):
    def __init__(self):
        super().__init__(); self.param = nn.Parameter(torch.rand(3, 4)); self.linear = nn.Linear(4, 5); self.seq = nn.Sequential(nn.Linear(5, 5), nn.ReLU()); self.register_buffer("buf", torch.ones(5))
    def forward(self, x, y: torch.Tensor = None, *, k=2):
        a = self.linear(x + self.param).clamp(min=0.0, max=1.0)
        b = self.seq(a) * self.buf - 3
        c = torch.nn.functional.relu(b, inplace=False)
        d = torch.cat([c, a], dim=1)[:, 1:7]
        return torch.sum(d.view(d.shape[0], -1).transpose(0, 1), dim=0) / k
torch.manual_seed(0)
m = M(); g = symbolic_trace(m)
print(g.graph); print(g.code); print(g)
x = torch.rand(3, 4); say("same", lambda: torch.equal(m(x), g(x))); say("type", lambda: (type(g).__name__, isinstance(g, GraphModule), list(g.state_dict())))
for n in g.graph.nodes: print(n.op, n.name, n.args, n.kwargs, n.users, n.all_input_nodes)
for n in g.graph.nodes:
    if n.op == "call_function" and n.target == torch.nn.functional.relu:
        with g.graph.inserting_after(n): new = g.graph.call_function(torch.tanh, args=(n.args[0],))
        n.replace_all_uses_with(new); g.graph.erase_node(n)
g.graph.lint(); g.recompile(); print(g.code)
say("erase", lambda: g.graph.erase_node(list(g.graph.nodes)[1]))
def f(x, y): return (x + y).relu(), {"a": x * 2, "b": [y, -x]}, x[0] ** 2 @ y if False else y // 2
fg = symbolic_trace(f); print(fg.code); print(fg.graph); say("call", lambda: fg(torch.ones(2), torch.ones(2)))
class Log(Interpreter):
    def run_node(self, n): r = super().run_node(n); print(n.op, n.target if isinstance(n.target, str) else n.target.__name__, getattr(r, "shape", None)); return r
say("interp", lambda: Log(symbolic_trace(m)).run(x).shape)
class Swap(Transformer):
    def call_function(self, target, args, kwargs): return super().call_function(torch.mul if target is operator.add else target, args, kwargs)
print(Swap(symbolic_trace(lambda x, y: x + y - 1)).transform().code)
gr = Graph(); a = gr.placeholder("a"); b = gr.call_function(torch.add, (a, 1)); c = gr.call_method("neg", (b,)); gr.output(c); gm = GraphModule({}, gr); print(gm.code); say("gm", lambda: gm(torch.ones(2)))
def cond(x): return x if x.sum() > 0 else -x
def loop(x): return [a for a in x]
def ln(x): return len(x)
for q in (cond, loop, ln): say(q.__name__, lambda: symbolic_trace(q))
say("concrete", lambda: symbolic_trace(lambda x, flag: x * 2 if flag else x, concrete_args={"flag": True}).graph)
dead = symbolic_trace(lambda x: (x + 1, x * 2)[0]); print(dead.code); dead.graph.eliminate_dead_code(); dead.recompile(); print(dead.code)
class Leaf(Tracer):
    def is_leaf_module(self, mod, name): return isinstance(mod, nn.Sequential) or super().is_leaf_module(mod, name)
print(Leaf().trace(m)); say("after", lambda: torch.relu(torch.tensor([-1.])))
print(symbolic_trace(nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten())).code)
import copy
say("copy", lambda: copy.deepcopy(g)(x).equal(g(x))); say("wrong", lambda: symbolic_trace(lambda x, flag: x * 2 if flag else x, concrete_args={"flag": True})(torch.ones(1), True)); say("wrong", lambda: symbolic_trace(lambda x, flag: x * 2 if flag else x, concrete_args={"flag": True})(torch.ones(1), False))
def hyp(x, n): return x ** n
torch.fx.wrap("hyp")
print(symbolic_trace(lambda x: hyp(x, 2) + x[1:2]).code)
class Deep(nn.Module):
    def __init__(self): super().__init__(); self.a = nn.ModuleDict({"b": nn.ModuleList([nn.Linear(2, 2)])}); self.w = torch.ones(2)
    def forward(self, x, *rest, **more): return self.a["b"][0](x) + self.w + torch.zeros(2) if x is not None else 0
dg = symbolic_trace(Deep()); print(dg.code); print(dg.graph); say("deep", lambda: dg(torch.ones(1, 2)).shape)
say("attr", lambda: [n for n, _ in dg.named_modules()]); say("add", lambda: dg.add_submodule("q.r", nn.ReLU())); say("del", lambda: dg.delete_submodule("q.r")); dg.delete_all_unused_submodules(); say("attr", lambda: [n for n, _ in dg.named_modules()])
say("run", lambda: Interpreter(symbolic_trace(lambda x, y=3: x + y)).run(torch.ones(1)))
bad = Graph(); q1 = bad.placeholder("x"); q2 = bad.call_function(torch.relu, (q1,)); q1.prepend(q2); say("lint", lambda: bad.lint()); say("node", lambda: (q2, q2.next, q1.users)); say("bad", lambda: bad.create_node("x", "y"))
