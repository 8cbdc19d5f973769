"""torch.compile, torch.compiler, torch.jit: what they give back. PyTorch 2.15 recorded `compile.txt` from this file."""

import torch, warnings
from torch import nn
warnings.simplefilter("ignore")
def say(name, f):
    try: r = str(f())
    except Exception as e: r = f"{type(e).__name__}: {e}"
    print(name, "->", r)
m = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
c = torch.compile(m, backend="eager")
say("repr", lambda: c); say("type", lambda: (type(c).__name__, type(c).__module__, isinstance(c, nn.Module), c._orig_mod is m))
say("state", lambda: list(c.state_dict())); say("names", lambda: [n for n, _ in c.named_parameters()]); say("training", lambda: (c.training, c.eval().training, m.training, c.train() is c))
say("attr", lambda: c[0]); say("len", lambda: len(c)); say("sub", lambda: [n for n, _ in c.named_modules()])
say("load", lambda: c.load_state_dict(c.state_dict())); say("call", lambda: c(torch.ones(1, 2)).shape)
c.foo = 3; say("set", lambda: (m.foo, c.foo)); say("to", lambda: c.to(torch.float64)[0].weight.dtype)
@torch.compile(backend="eager")
def f(x): "doc"; return x * 2
say("f", lambda: f(torch.ones(2))); say("name", lambda: (f.__name__, f.__doc__))
g = torch.compile(lambda x: x + 1, backend="eager"); say("g", lambda: g(torch.ones(1)))
say("disable", lambda: torch.compile(m, disable=True) is m)
say("Module.compile", lambda: m.compile(backend="eager")); say("m", lambda: type(m).__name__)
say("compiler", lambda: (torch.compiler.is_compiling(), torch.compiler.is_dynamo_compiling(), torch.compiler.is_exporting()))
@torch.compiler.disable
def h(x): return x
say("h", lambda: h(3)); say("h", lambda: torch.compiler.disable(recursive=False)(lambda x: x + 1)(1)); say("reset", lambda: torch.compiler.reset()); say("dynamo", lambda: torch._dynamo.reset())
say("allow", lambda: torch.compiler.allow_in_graph(h)(4)); say("const", lambda: torch.compiler.assume_constant_result(h)(5)); say("mark", lambda: torch.compiler.cudagraph_mark_step_begin())
with torch.compiler.set_stance("force_eager"): say("in", lambda: f(torch.ones(1)))
say("e", lambda: torch.compile(m, mode="default", options={"a": 1})); say("e", lambda: torch.compile(m, mode="x", backend="inductor")); say("e", lambda: torch.compile(m, backend="nonsense")); say("e", lambda: torch.compile(3)); say("dec", lambda: torch.compile(mode="reduce-overhead").__name__)
torch._dynamo.config.suppress_errors = True
say("jit", lambda: (torch.jit.is_scripting(), torch.jit.is_tracing()))
say("ann", lambda: torch.jit.annotate(int, 3)); say("Final", lambda: torch.jit.Final)
@torch.jit.script
def s(x): return x * 2
say("s", lambda: s(torch.ones(1)))
t = torch.jit.trace(nn.Linear(2, 2), torch.ones(1, 2)); say("t", lambda: t(torch.ones(1, 2)).shape); 
sm = torch.jit.script(nn.Linear(2, 1)); say("sm", lambda: sm(torch.ones(1, 2)).shape); say("state", lambda: list(sm.state_dict()))
say("freeze", lambda: torch.jit.freeze(sm.eval())(torch.ones(1, 2)).shape); say("opt", lambda: torch.jit.optimize_for_inference(torch.jit.script(nn.Linear(2, 1).eval()))(torch.ones(1, 2)).shape)
class M(nn.Module):
    @torch.jit.ignore
    def a(self): return 1
    @torch.jit.export
    def b(self): return 2
    @torch.jit.unused
    def c(self): return 3
    def forward(self, x): return x
say("M", lambda: (M().a(), M().b(), M().c())); say("fork", lambda: torch.jit.wait(torch.jit.fork(lambda x: x + 1, 3)))
@torch.jit.script_if_tracing
def st(x): return x + 1
say("st", lambda: st(torch.ones(1)))
say("trace fn", lambda: torch.jit.trace(lambda x: x * 3, torch.ones(2))(torch.ones(2))); say("trace kw", lambda: torch.jit.trace(nn.Bilinear(2, 2, 1), (torch.ones(1, 2), torch.ones(1, 2)))(torch.ones(1, 2), torch.ones(1, 2)).shape)
print(torch._dynamo.list_backends())
