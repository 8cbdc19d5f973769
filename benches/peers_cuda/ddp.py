"""DistributedDataParallel over NCCL on the GPUs that are here, against one GPU and against PyTorch: `ddp.py GPUS`.

Every collective computes what it should; the parameters after training on all GPUs are those of one, and those of PyTorch.
"""

import json
import subprocess
import sys

# The program's batches of 16 are divided equally.
count = max(n for n in (2, 4, 8, 16) if n <= int(sys.argv[1]))
ours = ["./tensoryard", "torchrun", "--launcher", "own", "--standalone", "--executor", "cuda"]
peer = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
programs = "tests/programs/distributed"


def run(starter, processes, program, *args):
    command = [*starter, "--nproc-per-node", str(processes), f"{programs}/{program}", *args]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    return done.stdout


def parameters(starter, processes):
    return json.loads(run(starter, processes, "train.py", "nccl", "sgd").splitlines()[-1])


def farthest(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


lines = sorted(run(ours, count, "nccl.py").splitlines())
if lines != sorted(f"rank {rank} of {count}: all as it should be" for rank in range(count)):
    sys.exit("\n".join(lines))
together = parameters(ours, count)
away = {"of one GPU": farthest(together, parameters(ours, 1))}
try:
    import torch
except ImportError:
    print("PyTorch is not installed")
else:
    away["of PyTorch's"] = farthest(together, parameters(peer, count))
print(f"{count} GPUs: every collective; parameters within", ", ".join(f"{v:.1e} {k}" for k, v in away.items()))
sys.exit(any(value > 1e-5 for value in away.values()))
