import json
import os
import tempfile

import torch
import torch.nn as nn
import torch.utils.benchmark as benchmark
from torch.profiler import ProfilerActivity, profile, record_function, schedule

model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).cuda()
x = torch.randn(32, 64).cuda()
host = torch.ones(1000)

with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True, profile_memory=True) as prof:
    with record_function("inference"):
        y = model(x)
    y.sum().backward()
    z = (host + 1) * 2
    w = host.cuda()
    v = y[0, 0].item()

rows = {e.key: e for e in prof.key_averages()}
print([(k, rows[k].count) for k in ("inference", "aten::linear", "aten::relu", "AddmmBackward0", "ReluBackward0", "aten::add",
                                    "aten::mul", "aten::item", "Memcpy HtoD (Pageable -> Device)")])
print(rows["aten::linear"].device_memory_usage, rows["aten::mul"].cpu_memory_usage, rows["inference"].self_device_memory_usage)
print(all(e.self_cpu_time_total >= 0 and e.cpu_time_total >= e.self_cpu_time_total for e in rows.values()))
print(rows["aten::linear"].device_time_total > 0, rows["aten::linear"].self_device_time_total == 0, rows["aten::add"].device_time_total == 0)
shapes = {(e.key, str(e.input_shapes)): e.count for e in prof.key_averages(group_by_input_shape=True)}
print(shapes["aten::linear", "[[32, 64], [128, 64], [128]]"], shapes["aten::linear", "[[32, 128], [10, 128], [10]]"])
lines = prof.key_averages().table(sort_by="cuda_time_total", row_limit=3).splitlines()
print(lines[1].split("  ")[-2].strip(), len(lines), lines[-1].split(":")[0], lines[-2].split(":")[0])
print([w for w in lines[1].split("  ") if w.strip()][-1].strip(), lines[0] == lines[2])

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "trace.json")
    prof.export_chrome_trace(path)
    with open(path) as file:
        trace = json.load(file)["traceEvents"]
print(sorted({e["cat"] for e in trace if e["ph"] == "X"}), next(e["line"] for e in [t["args"] for t in trace if t["name"] == "aten::linear"]))

cycles = []
with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=1),
             on_trace_ready=lambda p: cycles.append((p.step_num, sum(e.key == "aten::matmul" for e in p.events())))) as prof:
    for _ in range(6):
        x @ x.T
        prof.step()
print(cycles)

with torch.autograd.profiler.profile() as old:
    with torch.autograd.profiler.record_function("block"):
        host + host
print(sorted(e.key for e in old.key_averages()))


@record_function("named")
def work():
    return host * 2


work()
with profile() as prof:
    work()
print([e.key for e in prof.events()])

timer = benchmark.Timer(stmt="x + y", setup="y = 1.0", globals={"x": x}, label="add", description="cuda")
found = timer.timeit(20)
print(str(found).splitlines()[1:4], found.number_per_run, len(found.times), found.median == found.mean > 0)
found = timer.blocked_autorange(min_run_time=0.01)
print("measurements" in str(found), found.iqr >= 0, "cuda" in str(benchmark.Compare([found])))
