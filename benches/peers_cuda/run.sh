#!/bin/sh
# Runs all that waits for a GPU, within ten minutes: see README.md. A step that fails does not stop the others.
set -u
cd "$(dirname "$0")" || exit 1
mkdir -p results
: >results/report.txt
failed=0

say() {
    printf '%s\n' "$*" | tee -a results/report.txt
}

# step NAME SECONDS COMMAND...: its output goes to results/NAME.log, its end to the report.
step() {
    name=$1 limit=$2
    shift 2
    begin=$(date +%s)
    if timeout "$limit" "$@" >"results/$name.log" 2>&1; then
        verdict=passed
    else
        verdict="FAILED (exit $?)"
        failed=1
    fi
    say "$name: $verdict in $(($(date +%s) - begin)) s"
    tail -n 3 "results/$name.log" | sed 's/^/    /' | tee -a results/report.txt
}

say "date: $(date -u +%Y-%m-%d)"
./tensoryard smi | tee results/smi.txt | head -12 | tee -a results/report.txt

step kernels 120 ./kernels on_a_gpu --nocapture --test-threads 1
step program 20 ./tensoryard run --executor cuda tests/programs/training_day.py
step operators 40 ./tensoryard run --executor cuda tests/oracle/torch/check.py tests/oracle/torch ops --device cuda
step optimizers 20 ./tensoryard run --executor cuda tests/oracle/torch/check.py tests/oracle/torch optimizers --device cuda
step generator 15 ./tensoryard run --executor cuda tests/oracle/torch/check.py tests/oracle/torch rng_cuda --show
step draws 30 python3 compare.py same rng.py
step allocator 30 python3 compare.py same allocator.py
if command -v compute-sanitizer >/dev/null 2>&1; then
    # The list is long and the tool slow: what is reached in this time is what it says.
    step sanitizer 75 compute-sanitizer --tool memcheck --error-exitcode 9 ./tensoryard run --executor cuda sanitize.py
else
    say "sanitizer: skipped: compute-sanitizer is not installed"
fi
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
if [ "$gpus" -gt 1 ]; then
    step ddp 45 python3 ddp.py "$gpus"
else
    say "ddp: skipped: NCCL links GPUs, and this machine shows $gpus"
fi
step figures 200 python3 compare.py figures bench.py
cat results/figures.txt 2>/dev/null | tee -a results/report.txt
exit $failed
