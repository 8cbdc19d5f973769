//! What `torch.use_deterministic_algorithms` changes: which operations raise on CUDA, and what new tensors hold.
//!
//! The names are those of PyTorch 2.15's own tests, test/test_torch.py.

#![cfg(feature = "python")]

mod gpu;

use gpu::traced;

/// A call, and what PyTorch calls the kernel that isn't deterministic: on CUDA, and on the CPU.
const CASES: &[(&str, &str, &str)] = &[
    ("back(torch.nn.AvgPool3d(1), 3, 4, 5, 6)", "avg_pool3d_backward_cuda", ""),
    ("back(torch.nn.AdaptiveAvgPool2d(3), 2, 3, 5, 5)", "adaptive_avg_pool2d_backward_cuda", ""),
    ("back(torch.nn.AdaptiveAvgPool2d(1), 2, 3, 5, 5)", "", ""),
    ("back(torch.nn.AdaptiveAvgPool3d(3), 2, 3, 4, 4, 4)", "adaptive_avg_pool3d_backward_cuda", ""),
    ("back(torch.nn.AdaptiveMaxPool2d(3), 2, 3, 5, 5)", "adaptive_max_pool2d_backward_cuda", ""),
    ("back(torch.nn.AdaptiveMaxPool3d(3), 2, 3, 5, 5, 5)", "", ""),
    ("back(torch.nn.FractionalMaxPool2d(2, output_ratio=0.5), 2, 3, 8, 8)", "fractional_max_pool2d_backward_cuda", ""),
    (
        "back(torch.nn.FractionalMaxPool3d(2, output_ratio=0.5), 2, 3, 6, 6, 6)",
        "fractional_max_pool3d_backward_cuda",
        "",
    ),
    ("back(torch.nn.ReflectionPad1d((1, 2)), 2, 3, 8)", "reflection_pad1d_backward_out_cuda", ""),
    ("back(torch.nn.ReflectionPad2d(1), 2, 3, 8, 8)", "", ""),
    ("back(torch.nn.ReflectionPad3d(1), 2, 3, 4, 4, 4)", "reflection_pad3d_backward_out_cuda", ""),
    ("back(torch.nn.Upsample(12, mode='linear'), 1, 2, 4)", "upsample_linear1d_backward_out_cuda", ""),
    ("back(torch.nn.Upsample(12, mode='bilinear'), 1, 2, 4, 4)", "", ""),
    ("back(torch.nn.MaxPool2d(2), 1, 2, 4, 4)", "", ""),
    ("back(lambda x: F.grid_sample(x, grid, align_corners=False), 1, 1, 2, 2)", "grid_sampler_2d_backward_cuda", ""),
    (
        "back(lambda x: torch.nn.CTCLoss()(x, torch.ones(3, 4, dtype=torch.long, device=d), [9] * 3, [4] * 3), 9, 3, 5)",
        "ctc_loss_backward_gpu",
        "",
    ),
    (
        "torch.nn.MaxUnpool1d(3, 1)(x.reshape(1, 1, 4), i.reshape(1, 1, 4))",
        "max_unpooling2d_forward_out",
        "max_unpooling2d_forward_out",
    ),
    (
        "torch.nn.MaxUnpool2d(1, 1)(x.reshape(1, 2, 2), i.reshape(1, 2, 2))",
        "max_unpooling2d_forward_out",
        "max_unpooling2d_forward_out",
    ),
    (
        "F.nll_loss(torch.zeros(2, 3, 5, 5, device=d), torch.zeros(2, 5, 5, dtype=torch.long, device=d))",
        "nll_loss2d_forward_out_cuda_template",
        "",
    ),
    ("F.nll_loss(torch.zeros(2, 3, device=d), torch.zeros(2, dtype=torch.long, device=d))", "", ""),
    ("x.put_(i, x.clone())", "put_", "put_"),
    ("x.put_(i, x.clone(), accumulate=True)", "put_", ""),
    ("torch.histc(x, min=0, max=3)", "_histc_cuda with floating point input", ""),
    ("torch.bincount(i, x)", "_bincount_cuda", ""),
    ("torch.bincount(i)", "", ""),
    ("torch.median(x, 0)", "median CUDA with indices output", ""),
    ("torch.median(x)", "", ""),
    ("torch.zeros(4, device=d).index_add_(0, i, x)", "", ""),
    ("torch.zeros(4, device=d).scatter_add_(0, i, x)", "", ""),
    ("x.cumsum(0)", "", ""),
    ("F.embedding(i, torch.randn(4, 2, device=d, requires_grad=True)).sum().backward()", "", ""),
];

const BEFORE: &str = "
import torch, warnings
import torch.nn.functional as F
print(torch.are_deterministic_algorithms_enabled(), torch.get_deterministic_debug_mode(), torch.empty(2, device=d).isnan().any().item())
x, i = torch.randn(4, device=d), torch.arange(4, device=d)
grid = torch.zeros(1, 1, 1, 2, device=d)
def back(module, *size):
    module(torch.randn(*size, device=d, requires_grad=True)).sum().backward()
def kernel(text):
    torch.use_deterministic_algorithms(False)
    exec(text)
    torch.use_deterministic_algorithms(True)
    raised = ''
    try:
        exec(text)
    except RuntimeError as error:
        raised, rest = str(error).split(' does not have a deterministic implementation, but you set ')
        assert rest == RAISES, rest
    torch.use_deterministic_algorithms(True, warn_only=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        exec(text)
    caught = [str(w.message) for w in caught if 'deterministic' in str(w.message)]
    # An operator that is several here may warn again for its parts.
    assert (caught[0] == raised + ' does not have a deterministic implementation, but you set ' + WARNS) if raised else not caught, caught
    return raised or 'nothing'
RAISES = \"\"\"'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for this operation, or you can use the 'warn_only=True' option, if that's acceptable for your application. You can also file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic support for this operation.\"\"\"
WARNS = \"\"\"'torch.use_deterministic_algorithms(True, warn_only=True)'. You can file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic support for this operation.\"\"\"
";

const AFTER: &str = "
print(torch.is_deterministic_algorithms_warn_only_enabled(), torch.get_deterministic_debug_mode())
torch.use_deterministic_algorithms(True)
print(torch.empty(2, device=d).tolist(), torch.empty_like(i)[0].item(), torch.empty(1, dtype=torch.bool, device=d).item())
print(x.new_empty(1).tolist(), torch.empty_strided((1,), (1,), dtype=torch.int8, device=d).tolist(), torch.utils.deterministic.fill_uninitialized_memory)
torch.utils.deterministic.fill_uninitialized_memory = False
print(torch.empty(1 << 20, device=d).isnan().all().item())
for mode in ('warn', 2, 'default'):
    torch.set_deterministic_debug_mode(mode)
    print(torch.get_deterministic_debug_mode(), torch.are_deterministic_algorithms_enabled())
for mode in ('loud', 3, 1.5):
    try:
        torch.set_deterministic_debug_mode(mode)
    except (RuntimeError, TypeError) as error:
        print(error)
";

#[test]
fn what_is_not_deterministic_raises_or_warns() {
    for (device, on_cuda) in [("cuda", true), ("cpu", false)] {
        let source = CASES
            .iter()
            .fold(format!("d = {device:?}\n{BEFORE}"), |text, (case, ..)| text + &format!("print(kernel({case:?}))\n"));
        let out = traced(&(source + AFTER)).0;
        let mut lines = out.lines();
        assert_eq!(lines.next(), Some("False 0 False"));
        for (case, cuda, cpu) in CASES {
            let name = if on_cuda { cuda } else { cpu };
            let wanted = if name.is_empty() { "nothing" } else { name };
            assert_eq!(lines.next(), Some(wanted), "{case} on {device}");
        }
        let rest: Vec<&str> = lines.collect();
        let wanted = [
            "True 1",
            "[nan, nan] 9223372036854775807 True",
            "[nan] [127] True",
            "False",
            "1 True",
            "2 True",
            "0 False",
            "invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got loud",
            "invalid value of debug_mode, expected 0, 1, or 2, but got 3",
            "debug_mode must be str or int, but got <class 'float'>",
        ];
        assert_eq!(rest, wanted, "{device}");
    }
}
