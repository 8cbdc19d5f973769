use super::*;
use crate::language::Language;

fn on(name: &str, device: &str, shape: &[usize]) -> Operand {
    let bytes = 4 * shape.iter().product::<usize>();
    let about = About::default();
    Operand { name: name.into(), device: device.into(), shape: shape.to_vec(), bytes, created: 1, moved: 0, about }
}

fn said(card: &Card) -> String {
    card.cause.say(Language::English).to_string()
}

/// Diagnoses a failure of the last line of `source`, and shows rule and new line.
#[track_caller]
fn check(source: &str, class: &str, message: &str, operands: &[Operand], rule: &str, fixed: Option<&str>) -> Card {
    let line = source.lines().count() as u32;
    let card = diagnose(&Failure { class, message, line: Some(line), source, operands }).expect("a card");
    assert_eq!(card.rule, rule, "{}", said(&card));
    assert_eq!(card.fix.first().map(|fix| fix.after.as_str()), fixed, "{}", said(&card));
    for fix in &card.fix {
        assert_eq!(Some(fix.before.as_str()), source.lines().nth(fix.line as usize - 1));
    }
    assert!(said(&card).ends_with('.') && !said(&card).contains("  "), "{}", said(&card));
    card
}

/// The card of a runtime error in a program of a single letter.
fn from_text(message: &str) -> Option<Card> {
    diagnose(&Failure { class: "RuntimeError", message, line: Some(1), source: "x", operands: &[] })
}

const MIXED: &str = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!";
const MAT1: &str = "Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)";
const MAT1_OLD: &str = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument mat1 in method wrapper_CUDA_addmm)";
const MAT1_REVERSED: &str = "Expected all tensors to be on the same device, but got mat1 is on cuda:0, different from other tensors on cpu (when checking argument in method wrapper_CUDA_addmm)";

#[test]
fn elementwise() {
    let both = [on("x", "cpu", &[3]), on("y", "cuda:0", &[3])];
    let mixed = |line: &str, fixed: Option<&str>| check(line, "RuntimeError", MIXED, &both, "D01", fixed);
    let card = mixed("z = x + y", Some("z = x.to(y.device) + y"));
    let cause = "`y` is on cuda:0, but `x` is on cpu. The tensors of one operation must be on the same device, so move one of them with `.to()`.";
    assert_eq!(said(&card), cause);
    assert_eq!(card.lesson.as_deref(), Some("same-device-rule"));
    mixed("    print(x.sum(0) * y)  # x and y", Some("    print(x.to(y.device).sum(0) * y)  # x and y"));
    mixed("z = torch.where(x, y, other=x)", None);
    mixed("z = f'{x + y}'", None);
    // In place, the device of the left side stays.
    mixed("x += y", Some("x += y.to(x.device)"));
    mixed("x.add_(y)", Some("x.add_(y.to(x.device))"));
    mixed("y.add_(x)", Some("y.add_(x.to(y.device))"));
    mixed("x = x + y", Some("x = x.to(y.device) + y"));
    // A 0-dim CPU tensor isn't the mistake.
    let three = [on("x", "cpu", &[3]), on("y", "cuda:0", &[3]), on("s", "cpu", &[])];
    check("z = s * x * y", "RuntimeError", MIXED, &three, "D01", Some("z = s * x.to(y.device) * y"));
    // If two tensors may be the mistake, or none is known, there's no edit.
    let more = [on("x", "cpu", &[3]), on("w", "cpu", &[3]), on("y", "cuda:0", &[3])];
    check("z = x * w + y", "RuntimeError", MIXED, &more, "D01", None);
    check("z = f(1)", "RuntimeError", MIXED, &[], "D01", None);
    // An attribute, as in `forward`.
    let mask = [on("self.mask", "cpu", &[3]), on("x", "cuda:0", &[3])];
    check(
        "        return x * self.mask",
        "RuntimeError",
        MIXED,
        &mask,
        "D01",
        Some("        return x * self.mask.to(x.device)"),
    );
    // Two GPUs.
    let two = "Expected all tensors to be on the same device, but found at least two devices, cuda:1 and cuda:0!";
    let both = [on("a", "cuda:1", &[3]), on("b", "cuda:0", &[3])];
    check("a + b", "RuntimeError", two, &both, "D01", Some("a + b.to(a.device)"));
    // The other tensor was made in this line.
    let x = [on("x", "cpu", &[3])];
    check(
        "x + torch.ones(3, device='cuda')",
        "RuntimeError",
        MIXED,
        &x,
        "D01",
        Some("x.to(\"cuda\") + torch.ones(3, device='cuda')"),
    );
}

#[test]
fn a_plain_attribute_of_a_module() {
    let operands = [on("self.fc.weight", "cuda:0", &[3, 3]), on("x", "cuda:0", &[3]), on("self.mask", "cpu", &[3])];
    let class = |base: &str, set: &str| {
        format!(
            "class M({base}):\n    def __init__(self):\n        {set}\n    def forward(self, x):\n        return self.fc(x) * self.mask"
        )
    };
    let module = class("nn.Module", "self.mask = torch.tensor([1.0, 0.0])");
    let card = check(
        &module,
        "RuntimeError",
        MIXED,
        &operands,
        "D07",
        Some("        self.register_buffer(\"mask\", torch.tensor([1.0, 0.0]))"),
    );
    assert!(said(&card).starts_with("`self.mask` is a plain attribute"));
    let at_use = Some("        return self.fc(x) * self.mask.to(x.device)");
    for other in [
        class("object", "self.mask = torch.ones(3)"),
        class("nn.Module", "self.mask = nn.Parameter(torch.ones(3))"),
        class("nn.Module", "self.mask = torch.ones("),
        class("nn.Module", "self.mask = 1\n        self.mask = torch.ones(3)"),
    ] {
        let card = check(&other, "RuntimeError", MIXED, &operands, "D01", at_use);
        assert!(said(&card).starts_with("`x` is on cuda:0, but `self.mask` is on cpu."), "{}", said(&card));
    }
}

#[test]
fn an_optimizer_that_stayed_behind() {
    check("optimizer.step()", "RuntimeError", MIXED, &[], "D14", None);
    // The message in the oldest forum threads about it.
    let old = "expected backend CPU and dtype Float but got backend CUDA and dtype Float";
    check("optimizer.step()", "RuntimeError", old, &[], "D14", None);
}

#[test]
fn a_batch_that_stayed_behind() {
    let operands = [
        on("model.0.weight", "cuda:0", &[4, 8]),
        on("model.0.bias", "cuda:0", &[4]),
        on("x", "cpu", &[2, 8]),
        on("y", "cpu", &[2, 1]),
    ];
    for text in [MAT1, MAT1_OLD] {
        check("out = model(x)", "RuntimeError", text, &operands[..3], "D02", Some("out = model(x.to(\"cuda\"))"));
        check(
            "loss = loss_fn(model(x), y)",
            "RuntimeError",
            text,
            &operands,
            "D02",
            Some("loss = loss_fn(model(x.to(\"cuda\")), y)"),
        );
    }
    let source = "device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\nout = model(x)";
    let card = check(source, "RuntimeError", MAT1, &operands[..3], "D02", Some("out = model(x.to(device))"));
    assert_eq!(
        said(&card),
        "`x` is on cpu, but the layer's parameters are on cuda:0. Calling a model moves nothing, so put both on the same device first."
    );
    assert_eq!(card.lesson.as_deref(), Some("model-and-data"));
}

#[test]
fn a_model_that_stayed_behind() {
    let operands = [on("model.0.weight", "cpu", &[4, 8]), on("model.0.bias", "cpu", &[4]), on("x", "cuda:0", &[2, 8])];
    let one = "device = 'cuda'\nmodel = nn.Sequential(nn.Linear(8, 4))\nout = model(x)";
    check(
        one,
        "RuntimeError",
        MAT1_REVERSED,
        &operands,
        "D02",
        Some("model = nn.Sequential(nn.Linear(8, 4)).to(device)"),
    );
    let many = "model = nn.Sequential(\n    nn.Linear(8, 4),\n)\nout = model(x)";
    check(many, "RuntimeError", MAT1_REVERSED, &operands, "D02", Some(").to(\"cuda\")"));
    // It's moved elsewhere, so the line that makes it isn't the mistake.
    let back = "model = nn.Linear(8, 4)\nmodel.cpu()\nout = model(x)";
    check(back, "RuntimeError", MAT1_REVERSED, &operands, "D02", None);
    let twice = "model = nn.Linear(8, 4)\nmodel = wrap(model)\nout = model(x)";
    check(twice, "RuntimeError", MAT1_REVERSED, &operands, "D02", None);
}

#[test]
fn products_and_joins() {
    let text = "Expected all tensors to be on the same device, but got mat2 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_mm)";
    let operands = [on("a", "cuda:0", &[2, 2]), on("b", "cpu", &[2, 2])];
    check("c = a @ b", "RuntimeError", text, &operands, "D02", Some("c = a @ b.to(a.device)"));
    for text in [
        "Expected all tensors to be on the same device, but got tensors is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_cat)",
        "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument tensors in method wrapper_cat)",
    ] {
        check(
            "c = torch.cat([a, b])",
            "RuntimeError",
            text,
            &operands,
            "D08",
            Some("c = torch.cat([a, b.to(a.device)])"),
        );
    }
    let target = "Expected all tensors to be on the same device, but got target is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_nll_loss_forward)";
    let operands = [on("logits", "cuda:0", &[2, 2]), on("y", "cpu", &[2])];
    check(
        "loss = loss_fn(logits, y)",
        "RuntimeError",
        target,
        &operands,
        "D09",
        Some("loss = loss_fn(logits, y.to(logits.device))"),
    );
    let weight = target.replace("target", "weight");
    let operands = [on("loss_fn.weight", "cpu", &[2]), on("logits", "cuda:0", &[2, 2]), on("y", "cuda:0", &[2])];
    let source = "loss_fn = nn.CrossEntropyLoss(weight=w)\nloss = loss_fn(logits, y)";
    check(
        source,
        "RuntimeError",
        &weight,
        &operands,
        "D09",
        Some("loss_fn = nn.CrossEntropyLoss(weight=w).to(\"cuda\")"),
    );
}

#[test]
fn layers_with_texts_of_their_own() {
    let operands = [on("conv.weight", "cpu", &[1, 1, 3, 3]), on("x", "cuda:0", &[1, 1, 8, 8])];
    let source = "conv = nn.Conv2d(1, 1, 3)\ny = conv(x)";
    let text = "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same";
    check(source, "RuntimeError", text, &operands, "D03", Some("conv = nn.Conv2d(1, 1, 3).to(\"cuda\")"));
    let operands = [on("conv.weight", "cuda:0", &[1, 1, 3, 3]), on("x", "cpu", &[1, 1, 8, 8])];
    for text in [
        "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same or input should be a MKLDNN tensor and weight is a dense tensor",
        "Expected all tensors to be on the same device, but got weight is on cuda:0, different from other tensors on cpu (when checking argument in method wrapper_CUDA___slow_conv2d_forward)",
    ] {
        check("y = conv(x)", "RuntimeError", text, &operands, "D03", Some("y = conv(x.to(\"cuda\"))"));
    }
    let text = "Input and parameter tensors are not at the same device, found input tensor at cpu and parameter tensor at cuda:0";
    let operands = [on("rnn.weight_ih_l0", "cuda:0", &[1]), on("x", "cpu", &[1])];
    check("y, h = rnn(x)", "RuntimeError", text, &operands, "D02", Some("y, h = rnn(x.to(\"cuda\"))"));
    let precision = "Input type (double) and bias type (float) should be the same";
    assert_eq!(from_text(precision), None);
}

#[test]
fn indices() {
    let text = "indices should be either on cpu or on the same device as the indexed tensor (cpu)";
    let operands = [on("t", "cpu", &[4]), on("idx", "cuda:0", &[2])];
    check("u = t[idx]", "RuntimeError", text, &operands, "D10", Some("u = t[idx.to(t.device)]"));
    let text = "Expected all tensors to be on the same device, but got index is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA__index_select)";
    let operands = [on("emb.weight", "cuda:0", &[4, 2]), on("ids", "cpu", &[3])];
    check("e = emb(ids)", "RuntimeError", text, &operands, "D10", Some("e = emb(ids.to(\"cuda\"))"));
}

#[test]
fn numpy() {
    let device =
        "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.";
    check("plot(y.numpy())", "TypeError", device, &[], "D11", Some("plot(y.cpu().numpy())"));
    check("a = (x + y).numpy()", "TypeError", device, &[], "D11", Some("a = (x + y).cpu().numpy()"));
    check("a = np.array(y)", "TypeError", device, &[], "D11", None);
    let grad = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.";
    check("a = y.cpu().numpy()", "RuntimeError", grad, &[], "D12", Some("a = y.cpu().detach().numpy()"));
}

#[test]
fn devices_that_are_not_there() {
    let driver = "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx";
    let agnostic = "\"cuda\" if torch.cuda.is_available() else \"cpu\"";
    let fixed = |before: &str, after: &str| {
        let after = after.replace("AGNOSTIC", agnostic);
        check(before, "RuntimeError", driver, &[], "D17", Some(&after));
        check(before, "AssertionError", "Torch not compiled with CUDA enabled", &[], "D17", Some(&after));
    };
    fixed("x = torch.ones(3, device='cuda')", "x = torch.ones(3, device=AGNOSTIC)");
    fixed("x = torch.ones(3).to(\"cuda\")", "x = torch.ones(3).to(AGNOSTIC)");
    fixed("x = y.cuda()", "x = y.to(AGNOSTIC)");
    fixed("x = torch.ones(3).cuda()", "x = torch.ones(3).to(AGNOSTIC)");
    fixed("device = 'cuda'\nx = torch.ones(3, device=device)", "device = AGNOSTIC");
    fixed("s = [\"cuda\", 3][0]\nx = torch.ones(3, device=s)", "s = [(AGNOSTIC), 3][0]");
    // Two places use CUDA: neither is the smallest edit.
    check("x = y.cuda()\nz = x.cuda()", "RuntimeError", driver, &[], "D17", None);

    let unknown = |name: &str| {
        format!(
            "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: {name}"
        )
    };
    check("x.to('gpu')", "RuntimeError", &unknown("gpu"), &[], "D18", Some("x.to(\"cuda\")"));
    check("x.to('GPU:0')", "RuntimeError", &unknown("GPU"), &[], "D18", Some("x.to(\"cuda:0\")"));
    check("x.to('tpu')", "RuntimeError", &unknown("tpu"), &[], "D18", None);
    check("x.to('cuda:x')", "RuntimeError", "Invalid device string: 'cuda:x'", &[], "D18", None);
    for class in ["RuntimeError", "torch.AcceleratorError"] {
        let text = "CUDA error: invalid device ordinal\nGPU device may be out of range, do you have enough GPUs?\n";
        check("x.to('cuda:3')", class, text, &[], "D18", Some("x.to(\"cuda:0\")"));
    }
}

#[test]
fn out_of_memory() {
    let text = "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 31.36 GiB of which 18.62 MiB is free. Including non-PyTorch memory, this process has 764.00 MiB memory in use. Of the allocated memory 165.30 MiB is allocated by PyTorch, and 4.70 MiB is reserved by PyTorch but unallocated.";
    let card = check("y = model(x)", "torch.OutOfMemoryError", text, &[], "D20", None);
    assert_eq!(
        said(&card),
        "The program needed 20.00 MiB more, but only 18.62 MiB of the GPU's 31.36 GiB were free. Use a smaller batch, or keep fewer tensors."
    );
    // The limit is one that the program set, not the memory of the GPU.
    let text = text.replace("in use. ", "in use. 2.00 GiB allowed; ");
    let card = check("y = model(x)", "torch.OutOfMemoryError", &text, &[], "D20", None);
    let limit = "The program needed 20.00 MiB more, but `set_per_process_memory_fraction` allows it only 2.00 GiB of the GPU's 31.36 GiB. Use a smaller batch, or allow a larger fraction.";
    assert_eq!(said(&card), limit);
    // The allocator for an Apple GPU has a message of its own.
    let text = "MPS backend out of memory (MPS allocated: 15.72 GiB, other allocations: 2.41 MiB, max allowed: 18.13 GiB). Tried to allocate 5.81 GiB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause system failure).";
    let card = check("y = model(x)", "RuntimeError", text, &[], "D20", None);
    let piece = "The program needed 5.81 GiB in one piece, but the GPU's 18.13 GiB had no free piece of that size left. Use a smaller batch, or keep fewer tensors.";
    assert_eq!(said(&card), piece);
}

#[test]
fn other_errors_have_no_card() {
    for (class, message) in [
        ("RuntimeError", "mm: mat1 and mat2 shapes cannot be multiplied (4x5 and 3x2)"),
        ("ValueError", MIXED),
        ("TypeError", "unsupported operand type(s) for +: 'int' and 'str'"),
        ("ZeroDivisionError", "division by zero"),
        ("RuntimeError", ""),
        ("RuntimeError", "Expected all tensors to be on the same device, but"),
    ] {
        assert_eq!(diagnose(&Failure { class, message, line: Some(1), source: "x", operands: &[] }), None, "{message}");
    }
}

#[test]
fn strange_sources_are_survived() {
    let both = [on("x", "cpu", &[3]), on("y", "cuda:0", &[3])];
    for source in ["", "\"", "x + '", "é = x + 'y", "((((", "x = (", "))))x)y", "x..y", "'''x + y"] {
        for line in [None, Some(0), Some(1), Some(9), Some(u32::MAX)] {
            for message in [MIXED, MAT1, MAT1_REVERSED] {
                let failure = Failure { class: "RuntimeError", message, line, source, operands: &both };
                assert!(diagnose(&failure).is_some(), "{source}");
            }
        }
    }
}

#[test]
fn names_of_a_line() {
    assert_eq!(names("z = self.a.b + x.sum() # c"), ["z", "self.a.b", "self.a", "self", "x.sum", "x"]);
    assert_eq!(names("f\"{a}\" + 'b' + 1.5e3"), Vec::<String>::new());
}

#[test]
fn a_card_as_text() {
    let operands = [on("x", "cpu", &[3]), Operand { moved: 2, ..on("label", "cuda:0", &[2, 3]) }];
    let card = Card {
        rule: "D01".into(),
        line: 4,
        cause: Cause::new(["What is wrong.".into(), "Was falsch ist.".into()]),
        operands: operands.to_vec(),
        fix: vec![
            Fix { line: 4, before: "    a".into(), after: "    b".into() },
            Fix { line: 6, before: "    c".into(), after: "    d()\n    c".into() },
        ],
        lesson: Some("pinned-memory".into()),
    };
    let english = "  x      cpu     [3]  12 bytes  created in line 1\n  label  cuda:0  [2, 3]  24 bytes  created in line 1, moved in line 2\n  line 4:\n  - a\n  + b\n  line 6:\n  + d()\n  lesson: pinned-memory\n";
    let german = "  x      cpu     [3]  12 Bytes  erzeugt in Zeile 1\n  label  cuda:0  [2, 3]  24 Bytes  erzeugt in Zeile 1, verschoben in Zeile 2\n  Zeile 4:\n  - a\n  + b\n  Zeile 6:\n  + d()\n  Lektion: pinned-memory\n";
    for (language, rest) in [(Language::English, english), (Language::German, german)] {
        assert_eq!(card.say(language), format!("D01: {}\n{rest}", card.cause.say(language)));
    }
}

#[test]
fn later_wordings() {
    let replica = "module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cpu";
    check("y = net(x)", "RuntimeError", replica, &[], "D26", None);
    let keys = |missing: &str, unexpected: &str| {
        format!(
            "Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: {missing}. \n\tUnexpected key(s) in state_dict: {unexpected}. "
        )
    };
    let plain = "\"weight\", \"bias\"";
    let wrapped = "\"module.weight\", \"module.bias\"";
    check("m.load_state_dict(s)", "RuntimeError", &keys(plain, wrapped), &[], "D26", None);
    check("m.load_state_dict(s)", "RuntimeError", &keys(wrapped, plain), &[], "D26", None);
    // The keys of a completely different model have nothing to do with wrappers.
    assert_eq!(from_text(&keys("\"a\"", "\"b\"")), None);
    let group = "Default process group has not been initialized, please make sure to call init_process_group.";
    check("dist.barrier()", "ValueError", group, &[], "D27", None);
    let legacy = "legacy constructor expects device type: cpu but device type: cuda was passed";
    check("torch.FloatTensor([1.0], device='cuda')", "RuntimeError", legacy, &[], "D30", None);
    let fork = "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method";
    let worker = format!(
        "Caught RuntimeError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\nRuntimeError: {fork}\n"
    );
    for text in [fork, &worker] {
        check("for x in loader:", "RuntimeError", text, &[], "D25", None);
    }
}

#[test]
fn edits_apply_from_the_end() {
    let fixes = [
        Fix { line: 1, before: "a".into(), after: "import b\na".into() },
        Fix { line: 3, before: "c\nd".into(), after: "e".into() },
    ];
    assert_eq!(apply("a\nb\nc\nd\n", &fixes).as_deref(), Some("import b\na\nb\ne\n"));
    assert_eq!(apply("a\nb\nc\nx\n", &fixes), None);
}
