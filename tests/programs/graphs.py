"""CUDA graphs: what a capture forbids and in which words, what a replay runs, and where memory stays."""

import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore", message="The CUDA Graph is empty")


def said(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
    else:
        print("no error")


def captured(body, **options):
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g, **options):
        body()
    return g


x = torch.ones(4, device="cuda")
print(torch.cuda.is_current_stream_capturing())
for f in ("capture_begin", "instantiate", "pool", "replay"):
    said(getattr(torch.cuda.CUDAGraph(), f))
said(lambda: torch.cuda.CUDAGraph().debug_dump("graph.dot"))
said(lambda: torch.cuda.CUDAGraph(keep_graph=True).debug_dump("graph.dot"))
said(lambda: torch.cuda.CUDAGraph().register_generator_state)
said(lambda: torch.cuda.CUDAGraph().nothing)
said(lambda: torch.cuda.CUDAGraph().capture_begin(capture_error_mode="local"))

# What makes the host wait spoils the capture: the last error says so, the first one what it was.
g = torch.cuda.CUDAGraph()


def spoilt():
    with torch.cuda.graph(g):
        print(torch.cuda.is_current_stream_capturing())
        said(x.sum().item)
        said(lambda: x + 1)


said(spoilt)
said(g.pool)
print(torch.cuda.is_current_stream_capturing(), x.sum().item())
for f in (lambda: print(x), torch.cuda.synchronize, x.nonzero, lambda: bool(x[0] > 0)):
    try:
        captured(f)
    except torch.AcceleratorError as e:
        print(str(e).split("\n")[0], "<-", str(e.__context__).split("\n")[0])
# A copy is refused before it begins, so the capture itself is fine.
host = torch.zeros(4)
for f in (x.cpu, x.tolist, lambda: torch.tensor([1.0], device="cuda"), lambda: x.copy_(host), lambda: host.copy_(x)):
    said(lambda: captured(f))
said(lambda: captured(lambda: x.copy_(host.pin_memory())))
said(lambda: captured(torch.cuda.empty_cache))

# A capture runs nothing; a replay runs it on the same memory, with what is there now.
y = torch.zeros(4, device="cuda")
g = captured(lambda: y.add_(x))
print(y.tolist(), g.capture_begin.__name__)
for _ in range(3):
    g.replay()
x.fill_(10)
g.replay()
print(y.tolist())
said(g.capture_begin)
said(g.instantiate)
kept = torch.cuda.CUDAGraph(keep_graph=True)
with torch.cuda.graph(kept):
    z = y * 2
kept.replay()
kept.instantiate()
kept.replay()
print(z.tolist())
said(lambda: captured(g.replay))
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    captured(lambda: None).replay()
print(seen[0].message)
side = torch.cuda.Stream()
other = torch.cuda.CUDAGraph()
with torch.cuda.stream(side):
    other.capture_begin()
    w = x + 1
said(other.capture_end)
with torch.cuda.stream(side):
    other.capture_end()
other.replay()
print(w.tolist())

# A captured stream takes others with it that wait for it, and has to wait for them before it ends.
side, outside = torch.cuda.Stream(), torch.cuda.Stream()
outside_event = outside.record_event()


def forked(join):
    global u, v
    current = torch.cuda.current_stream()
    side.wait_stream(current)
    u = x + 1
    with torch.cuda.stream(side):
        print(torch.cuda.is_current_stream_capturing())
        v = u * x
    if join:
        current.wait_stream(side)
        u = u + v


g = captured(lambda: forked(True))
x.fill_(3)
g.replay()
print(u.tolist(), v.tolist())
said(lambda: captured(lambda: forked(False)))
inside_event = torch.cuda.Event()
for f in (lambda: torch.cuda.current_stream().wait_event(outside_event), side.synchronize, outside.synchronize,
          lambda: torch.cuda.current_stream().synchronize(), lambda: inside_event.record() or inside_event.query()):
    try:
        captured(f)
        print("no error")
    except torch.AcceleratorError as e:
        print(str(e).split("\n")[0], "<-", str(e.__context__).split("\n")[0])
said(inside_event.synchronize)
said(lambda: side.wait_event(inside_event))

# Draws go on at every replay where the generator is, as if they had been drawn one by one.
torch.cuda.manual_seed(3)
eager = [torch.rand(3, device="cuda").tolist() for _ in range(6)] + [torch.randn(2, device="cuda").tolist()]
torch.cuda.manual_seed(3)
g = torch.cuda.CUDAGraph()
with torch.cuda.graph(g):
    a, b = torch.rand(3, device="cuda"), torch.rand(3, device="cuda")
drawn = []
for _ in range(3):
    g.replay()
    drawn += [a.tolist(), b.tolist()]
print(drawn + [torch.randn(2, device="cuda").tolist()] == eager)
own = torch.Generator(device="cuda")
said(lambda: captured(lambda: torch.rand(3, device="cuda", generator=own)))
said(lambda: captured(lambda: torch.cuda.manual_seed(4)))

# Memory comes from a pool of the graph's own, which stays for as long as the graph does.
del u, v
del g, kept, other, a, b, w, z
torch.cuda.empty_cache()
before = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
g = torch.cuda.CUDAGraph()
with torch.cuda.graph(g):
    first = torch.empty(3 << 20, dtype=torch.uint8, device="cuda")
    place = first.data_ptr()
    del first
    second = torch.empty(3 << 20, dtype=torch.uint8, device="cuda")
print(second.data_ptr() == place, torch.cuda.memory_allocated() - before[0], torch.cuda.memory_reserved() - before[1])
del second
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() - before[0], torch.cuda.memory_reserved() - before[1])
outside = torch.empty(3 << 20, dtype=torch.uint8, device="cuda")
print(outside.data_ptr() == place)
with torch.cuda.graph(shared := torch.cuda.CUDAGraph(), pool=g.pool()):
    third = torch.empty(3 << 20, dtype=torch.uint8, device="cuda")
print(third.data_ptr() == place, shared.pool() == g.pool(), torch.cuda.graph_pool_handle() != g.pool())
g.reset()
said(g.replay)
del shared, outside
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() - before[0], torch.cuda.memory_reserved() - before[1])
del third
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() - before[0], torch.cuda.memory_reserved() - before[1])

# Optimizers that count on the host refuse.
p = nn.Parameter(torch.ones(2, device="cuda"))
p.grad = torch.ones(2, device="cuda")
for cls in (torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop, torch.optim.NAdam):
    said(lambda: captured(cls([p]).step))
warnings.filterwarnings("ignore", message="This instance was constructed with capturable=True")
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    optimizer = torch.optim.Adam([p], capturable=True)
    optimizer.step()
    optimizer.step()
print(len(seen), seen[0].message)
print(optimizer.state[p]["step"])
on_host = nn.Parameter(torch.ones(2))
on_host.grad = torch.ones(2)
said(torch.optim.Adam([on_host], capturable=True).step)


# A whole training step: forward, backward and optimizer, with dropout, against the same steps one by one.
def model_and_optimizer(kind):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.25), nn.Linear(16, 1)).cuda()
    if kind == "sgd":
        return model, torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    return model, torch.optim.AdamW(model.parameters(), lr=0.01, amsgrad=kind == "amsgrad", capturable=True)


def step(model, optimizer, x, y):
    optimizer.zero_grad(set_to_none=True)
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


torch.manual_seed(0)
data = [(torch.randn(32, 8), torch.randn(32, 1)) for _ in range(5)]


def train(kind, capture):
    model, optimizer = model_and_optimizer(kind)
    x, y = data[0][0].cuda(), data[0][1].cuda()
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step(model, optimizer, x, y)
    torch.cuda.current_stream().wait_stream(side)
    if capture:
        g = torch.cuda.CUDAGraph()
        optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(g):
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
    losses = []
    for a, b in data:
        x.copy_(a)
        y.copy_(b)
        if capture:
            g.replay()
        else:
            loss = step(model, optimizer, x, y)
        losses.append(loss.item())
    return losses, [p.tolist() for p in model.parameters()]


for kind in ("sgd", "adamw", "amsgrad"):
    print(kind, train(kind, False) == train(kind, True))

# Forward and backward pass of one module as graphs, the rest of the step as it is.
torch.manual_seed(2)
plain = nn.Sequential(nn.Linear(8, 8), nn.Tanh()).cuda()
graphed = nn.Sequential(nn.Linear(8, 8), nn.Tanh()).cuda()
graphed.load_state_dict(plain.state_dict())
sample = torch.randn(4, 8, device="cuda", requires_grad=True)
graphed = torch.cuda.make_graphed_callables(graphed, (sample,))
for _ in range(2):
    given = torch.randn(4, 8, device="cuda", requires_grad=True)
    results = []
    for module in (plain, graphed):
        module.zero_grad()
        given.grad = None
        out = module(given)
        (out * out).sum().backward()
        results.append([out.tolist(), given.grad.tolist()] + [p.grad.tolist() for p in module.parameters()])
    print(results[0] == results[1])


# A node that is written in Python goes with its results, and what it was given with it: else no graph would ever go.
class Given(torch.autograd.Function):
    @staticmethod
    def forward(ctx, given, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return None, grad * 2


class Told:
    def __del__(self):
        print("gone")


out = Given.apply(Told(), sample)
del out
print("after it")
