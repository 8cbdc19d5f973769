# The caching allocator's counters after each step of a script: the same file under PyTorch and under Tensoryard.
import torch

KEYS = (
    "allocated_bytes.all.current",
    "allocated_bytes.all.peak",
    "reserved_bytes.all.current",
    "reserved_bytes.all.peak",
    "active.all.current",
    "segment.all.current",
    "inactive_split_bytes.all.current",
)


def show(step):
    stats = torch.cuda.memory_stats()
    print(step, *(stats[key] for key in KEYS))


torch.zeros(1, device="cuda")
torch.cuda.empty_cache()
torch.cuda.reset_peak_memory_stats()
show("empty")
small = [torch.empty(100 * (i + 1), device="cuda") for i in range(20)]
show("20 small")
del small[::2]
show("10 freed")
big = torch.empty(3 << 20, device="cuda")
show("12 MiB")
middle = torch.empty(1 << 20, device="cuda")
show("4 MiB")
del big
show("12 MiB freed")
again = torch.empty(2 << 20, device="cuda")
show("8 MiB")
del again, middle
torch.cuda.empty_cache()
show("cache emptied")
model = torch.nn.Sequential(torch.nn.Linear(512, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).cuda()
show("model")
optimizer = torch.optim.Adam(model.parameters())
for step in range(3):
    loss = model(torch.ones(64, 512, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    show(f"step {step}")
