"""The switches of precision: what PyTorch 2.15 prints is in precision.txt."""

import torch
import torch.backends.cudnn as cudnn

backends = torch.backends
matmul = backends.cuda.matmul


def get(text):
    try:
        return eval(text)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def state():
    names = ("backends.fp32_precision", "matmul.fp32_precision", "cudnn.fp32_precision", "cudnn.conv.fp32_precision",
             "cudnn.rnn.fp32_precision", "backends.mkldnn.fp32_precision", "backends.mkldnn.matmul.fp32_precision",
             "backends.mkldnn.conv.fp32_precision")
    print("  ", *(get(name) for name in names))
    for name in ("matmul.allow_tf32", "cudnn.allow_tf32", "torch.get_float32_matmul_precision()"):
        print("  ", get(name))


def do(text):
    print(text)
    try:
        exec(text)
    except Exception as error:
        print("  ", f"{type(error).__name__}: {error}")


print(cudnn is backends.cudnn)
for name in ("allow_tf32", "allow_fp16_reduced_precision_reduction", "allow_fp16_reduced_precision_reduction_split_k",
             "allow_bf16_reduced_precision_reduction", "allow_bf16_reduced_precision_reduction_split_k",
             "allow_fp16_accumulation", "fp32_precision", "allow_tf23"):
    print(name, get(f"matmul.{name}"))
for name in ("benchmark", "benchmark_limit", "deterministic", "enabled"):
    print(name, getattr(cudnn, name))
state()
for text in ("matmul.allow_tf32 = True", "matmul.allow_tf32 = 1", "matmul.allow_tf32 = False",
             "torch.set_float32_matmul_precision('medium')", "torch.set_float32_matmul_precision('highest')",
             "cudnn.allow_tf32 = False", "cudnn.allow_tf32 = None", "cudnn.allow_tf32 = True",
             "backends.fp32_precision = 'tf32'", "matmul.fp32_precision = 'ieee'", "cudnn.conv.fp32_precision = 'ieee'",
             "backends.fp32_precision = 'ieee'", "cudnn.fp32_precision = 'tf32'", "matmul.fp32_precision = 'bf16'",
             "cudnn.fp32_precision = 'x'", "backends.fp32_precision = None", "cudnn.conv.precision = 'ieee'",
             "matmul.precision = 'ieee'", "backends.mkldnn.matmul.fp32_precision = 'bf16'",
             "backends.fp32_precision = 'none'", "cudnn.fp32_precision = 'none'", "cudnn.rnn.fp32_precision = 'none'"):
    do(text)
    state()
for value in ("False", "[True]", "(False, False)", "(False, True)", "(True, False)", "1", "()", "(1,)", "(True, 0)",
              "(True, True, True)"):
    for name in ("allow_fp16_reduced_precision_reduction", "allow_bf16_reduced_precision_reduction"):
        do(f"matmul.{name} = {value}")
        print("  ", getattr(matmul, name), getattr(matmul, name + "_split_k"))
for value in ("True", "0"):
    do(f"matmul.allow_fp16_accumulation = {value}")
    print("  ", matmul.allow_fp16_accumulation)
do("matmul.allow_fp16_reduced_precision_reduction_split_k = True")
with backends.flags(fp32_precision="tf32"):
    print(backends.fp32_precision)
print(backends.fp32_precision)
cudnn.benchmark, cudnn.allow_tf32 = True, True
with cudnn.flags(enabled=True, allow_tf32=False, fp32_precision="ieee"):
    print(cudnn.enabled, cudnn.benchmark, cudnn.deterministic, cudnn.allow_tf32, cudnn.fp32_precision)
print(cudnn.enabled, cudnn.benchmark, get("cudnn.allow_tf32"), cudnn.fp32_precision)
