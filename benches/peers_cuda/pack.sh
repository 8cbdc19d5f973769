#!/bin/sh
# Makes the archive for a GPU machine: see README.md beside this file.
set -eu
cd "$(dirname "$0")/../.."

target=${CARGO_TARGET_DIR:-target}
cargo build --release --features cuda --bin tensoryard
tests=$(cargo test --release --features cuda --lib --no-run --message-format=json |
    python3 -c 'import json,sys; print([e["executable"] for e in map(json.loads, sys.stdin) if e.get("executable")][-1])')

root=$target/peers_cuda
rm -rf "$root"
mkdir -p "$root/tests/oracle"
cp "$target/release/tensoryard" "$root/tensoryard"
cp "$tests" "$root/kernels"
strip "$root/tensoryard" "$root/kernels"
cp -r tests/oracle/torch "$root/tests/oracle/torch"
cp -r tests/programs "$root/tests/programs"
cp benches/train_program.py benches/peers_cuda/*.py benches/peers_cuda/limits.json benches/peers_cuda/README.md "$root/"
cp benches/peers_cuda/run.sh "$root/run.sh"
chmod +x "$root/run.sh"
tar -C "$target" -czf "$target/peers_cuda.tar.gz" peers_cuda
ls -l "$target/peers_cuda.tar.gz"
