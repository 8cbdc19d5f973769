import pickle
import tempfile

import torch

print(torch.cuda.get_per_process_memory_fraction())


def fails(f):
    try:
        print("no error:", f())
    except Exception as e:
        print(type(e).__name__, e)


# The history: who took what, and where in the program.
torch.cuda.memory._record_memory_history(max_entries=100)


def make():
    return torch.zeros(1000, 1000, device="cuda")


a = make()
b = torch.zeros(10, device="cuda")
side = torch.cuda.Stream()
with torch.cuda.stream(side):
    c = torch.zeros(10, device="cuda")
del b
snapshot = torch.cuda.memory._snapshot()
print(sorted(snapshot))
for segment in snapshot["segments"]:
    print({k: v for k, v in segment.items() if k not in ("address", "frames", "blocks")})
    print([(b["size"], b["requested_size"], b["state"], b["address"] - segment["address"]) for b in segment["blocks"]])
    print([(f["name"], f["line"]) for f in segment["blocks"][0]["frames"]])
print([(e["action"], e["size"], e["stream"]) for e in snapshot["device_traces"][0]])
print(a.data_ptr() == snapshot["segments"][0]["blocks"][0]["address"], snapshot["device_traces"][0][1]["addr"] == a.data_ptr())
print(torch.cuda.memory_snapshot()[0]["total_size"])

with tempfile.TemporaryDirectory() as folder:
    torch.cuda.memory._dump_snapshot(folder + "/snapshot.pickle")
    with open(folder + "/snapshot.pickle", "rb") as file:
        print(len(pickle.load(file)["segments"]))
torch.cuda.memory._record_memory_history(enabled=None)
before = len(torch.cuda.memory._snapshot()["device_traces"][0])
d = make()
print(len(torch.cuda.memory._snapshot()["device_traces"][0]) - before)

# Out of memory, and on with a smaller batch.
del a, c, d
torch.cuda.empty_cache()
torch.cuda.set_per_process_memory_fraction(0.25)
total = torch.cuda.mem_get_info()[1]
batch = total // 2
while True:
    try:
        x = torch.empty(batch, dtype=torch.uint8, device="cuda")
        break
    except torch.OutOfMemoryError as e:
        print(str(e).split(". ")[0], "allowed;" in str(e))
        batch //= 2
print(batch * 4 == total, torch.cuda.memory_stats()["num_ooms"], torch.cuda.get_per_process_memory_fraction())
torch.cuda.reset_peak_memory_stats()
del x
print(torch.cuda.max_memory_allocated() == batch, torch.cuda.memory_allocated())
fails(lambda: torch.cuda.set_per_process_memory_fraction(1))
fails(lambda: torch.cuda.set_per_process_memory_fraction(1.5))

# Streams and events.
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
start.record()
y = torch.ones(100, device="cuda") * 2
y.record_stream(side)
end.record()
torch.cuda.synchronize()
print(start.elapsed_time(end) > 0, end.query(), torch.cuda.current_stream() == torch.cuda.default_stream(), side.query())
fails(lambda: torch.ones(1).record_stream(side))
print(torch.accelerator.memory_allocated(), torch.accelerator.current_stream() == torch.cuda.current_stream())
with torch.accelerator.device_index(0):
    print(torch.accelerator.current_device_index())
print(torch.ones(1).pin_memory().is_pinned(), torch.ones(1).is_pinned())
