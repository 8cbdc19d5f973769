//! Products by cuBLAS and cuBLASLt, replaced by stand-ins (`tests/card/blas.cpp`) that compute in the emulator's
//! memory.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use libloading::Library;

use super::super::emulator::STREAM;
use super::super::product::Products;
use super::*;

const SOURCE: &str = include_str!("../../../../tests/card/blas.cpp");

/// The stand-in library, compiled once; `None` if there is no C++ compiler.
fn library() -> Option<PathBuf> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    BUILT.get_or_init(build).clone()
}

fn build() -> Option<PathBuf> {
    Command::new("c++").arg("--version").output().ok().filter(|o| o.status.success())?;
    let home = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from).unwrap_or_else(|| "target".into());
    let folder = home.join("cuda-emulator");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("blas-{:016x}.so", super::super::compiler::hash(SOURCE)));
    if !path.exists() {
        // Written to a temporary file and then moved, because tests in other processes may build the same.
        let fresh = path.with_extension(std::process::id().to_string());
        let source = path.with_extension(format!("{}.cpp", std::process::id()));
        std::fs::write(&source, SOURCE).unwrap();
        let mut compiler = Command::new("c++");
        compiler.args(["-std=c++17", "-O1", "-fPIC", "-shared", "-o"]).args([&fresh, &source]).arg("-ldl");
        let built = compiler.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        std::fs::rename(&fresh, &path).unwrap();
        std::fs::remove_file(&source).unwrap();
    }
    Some(path)
}

/// An emulated device with the stand-ins, and their log.
struct Card {
    cuda: CudaExecutor,
    library: Library,
}

impl Card {
    /// With all kernels compiled that the list needs besides products.
    fn new(lt: bool, list: fn(&dyn Harness)) -> Option<Card> {
        let Some((path, emulator)) = library().zip(Emulator::new()) else {
            println!("skipped: no C++ compiler (c++) for the stand-ins");
            return None;
        };
        let recorder = Recorder { products: true, ..Recorder::new(emulator.multiprocessors(), |_| true) };
        let names = recorder.names(&[list]);
        emulator.prepare(names.into_iter().filter(|(_, names)| !names.is_empty())).unwrap();
        // SAFETY: our own library.
        let open = || unsafe { Library::new(&path) }.unwrap();
        let products = Products::on(open(), lt.then(open)).unwrap();
        let card = Card { cuda: CudaExecutor::on(Rc::new(emulator.with(products))), library: open() };
        card.log();
        Some(card)
    }

    /// The calls since the last look, one per line.
    fn log(&self) -> Vec<String> {
        let mut bytes = vec![0u8; 1 << 22];
        // SAFETY: the stand-in's function, which writes no more than it may.
        let size = unsafe {
            let log = self.library.get::<unsafe extern "C" fn(*mut u8, usize) -> usize>(b"standin_blas_log\0").unwrap();
            log(bytes.as_mut_ptr(), bytes.len())
        };
        String::from_utf8_lossy(&bytes[..size]).lines().map(String::from).collect()
    }
}

/// An operand's layout in memory.
#[derive(Clone, Copy)]
enum Lies {
    Dense,
    Turned,
    /// Rows, or columns, with gaps between them.
    Apart,
    TurnedApart,
    /// No dimension is dense.
    Odd,
    /// One row, broadcast to all rows.
    Row,
    /// One matrix, broadcast to the batch.
    Same,
}

fn lay<'b>(buffer: &'b Buffer, shape: [usize; 3], how: Lies) -> View<'b> {
    let [_, rows, cols] = shape;
    let mut v = view(buffer, &shape);
    let strides = match how {
        Lies::Dense => [rows * cols, cols, 1],
        Lies::Turned => [rows * cols, 1, rows],
        Lies::Apart => [rows * (cols + 3), cols + 3, 1],
        Lies::TurnedApart => [(rows + 2) * cols, 1, rows + 2],
        Lies::Odd => [2 * rows * cols, 2 * cols, 2],
        Lies::Row => [cols, 0, 1],
        Lies::Same => [0, cols, 1],
    };
    v.strides = Dims::from_slice(&strides);
    v.offset = 3;
    v
}

const ALL: &[Lies] = &[Lies::Dense, Lies::Turned, Lies::Apart, Lies::TurnedApart, Lies::Odd, Lies::Row, Lies::Same];

/// Products of every layout, dtype and bias, of batches, and of empty operands.
fn products(r: &dyn Harness) {
    use Lies::*;
    for &d in &[DType::F32, DType::F64, DType::F16, DType::BF16] {
        // Every layout in float32; for other dtypes, only those that behave differently.
        let some: &[Lies] = if d == DType::F32 { ALL } else { &[Dense, Turned] };
        for [b, m, k, n] in [[1, 5, 7, 6], [3, 4, 3, 5], [1, 1, 7, 6], [1, 5, 1, 6], [1, 5, 7, 1], [1, 4, 13, 5]] {
            let size = b * (m + 3) * (k + 3) * (n + 3);
            let (a, c, out, bias) = (r.buffer(size, d), r.buffer(size, d), r.buffer(size, d), r.buffer(size, d));
            for &left in some {
                for &right in some {
                    let (av, cv) = (lay(&a, [b, m, k], left), lay(&c, [b, k, n], right));
                    let ov = lay(&out, [b, m, n], if matches!(left, Apart) { Apart } else { Dense });
                    let run = |bias, alpha, beta| {
                        r.run(Kernel::MatMul { a: av.clone(), c: cv.clone(), bias, alpha, beta, out: ov.clone() })
                    };
                    run(None, 1.0, 0.0);
                    run(Some(lay(&bias, [b, m, n], Row)), 1.0, 1.0);
                    if matches!((left, right), (Dense, Dense) | (Turned, Odd)) {
                        let full = lay(&bias, [b, m, n], Dense);
                        run(Some(full.clone()), 0.5, 2.0);
                        run(Some(full), 0.5, 0.0);
                        run(Some(ov.clone()), 2.0, 0.5);
                        run(Some(lay(&bias, [b, m, n], Row)), 0.5, 1.0);
                        run(Some(lay(&bias, [b, m, n], Row)), 1.0, 0.5);
                        let mut column = view(&bias, &[b, m, n]);
                        column.strides = Dims::from_slice(&[0, 1, 0]);
                        run(Some(column), 1.0, 1.0);
                    }
                }
            }
        }
    }
    // Empty operands: no rows, no columns, or no batch. With nothing to sum, the bias is the result.
    for [b, m, k, n] in [[2, 0, 3, 4], [2, 3, 4, 0], [0, 3, 4, 5], [2, 3, 0, 4]] {
        let d = DType::F32;
        let (a, c, out, bias) = (r.buffer(99, d), r.buffer(99, d), r.buffer(99, d), r.buffer(99, d));
        for bias in [None, Some(view(&bias, &[b, m, n]))] {
            let (a, c, out) = (view(&a, &[b, m, k]), view(&c, &[b, k, n]), view(&out, &[b, m, n]));
            r.run(Kernel::MatMul { a, c, bias, alpha: 1.0, beta: 2.0, out });
        }
    }
}

fn is_product(kernel: &Kernel<'_>) -> bool {
    matches!(kernel, Kernel::MatMul { .. })
}

/// The layouts for cuBLAS and cuBLASLt, which were derived by hand, give the CPU's results.
#[test]
fn cuda_products_by_the_libraries_agree_with_the_cpu() {
    for lt in [true, false] {
        let Some(card) = Card::new(lt, products) else { return };
        agree(&card.cuda, products, is_product);
        let log = card.log();
        let of = |name: &str| log.iter().filter(|line| line.starts_with(name)).count();
        let (gemm, fused, asked) = (of("gemm"), of("lt"), of("heuristic"));
        // Every product that isn't empty is one call of a library, on the executor's stream and in the lent memory.
        let all = Counter::of(products, |k| match k {
            Kernel::MatMul { a, out, .. } => out.numel() > 0 && a.shape[2] > 0,
            _ => false,
        });
        assert_eq!(gemm + fused, all);
        let lent = format!("stream {STREAM:x} workspace {}", workspace_bytes((8, 0)));
        assert!(log.iter().filter(|line| !line.starts_with("heuristic")).all(|line| line.ends_with(&lent)));
        if lt {
            assert!(fused > 50 && asked > 0, "{fused} fused, {asked} asked");
            // A product without an algorithm goes to cuBLAS, and no question is asked twice.
            assert!(!log.iter().any(|line| line.starts_with("lt") && line.contains("x13 ")));
            run_all(&card.cuda, products, is_product);
            assert!(!card.log().iter().any(|line| line.starts_with("heuristic")));
        } else {
            assert_eq!((fused, asked), (0, 0));
        }
    }
}

/// Convolutions with kernels of one pixel: in groups, with a bias, on a batch, and on images whose pixels can't be one
/// dimension.
fn pointwise(r: &dyn Harness) {
    for (d, groups) in [(DType::F32, 1), (DType::F32, 2), (DType::F16, 1)] {
        let params = Conv2d { stride: [1, 1], padding: [0, 0], dilation: [1, 1], groups };
        let (n, c, o, h, w) = (3, 4, 6, 5, 7);
        let (xs, ys, ks) = ([n, c, h, w], [n, o, h, w], [o, c / groups, 1, 1]);
        let buffer = |shape: &[usize]| r.buffer(shape.iter().product(), d);
        let (x, y, k, bias) = (buffer(&xs), buffer(&ys), buffer(&ks), buffer(&[o]));
        // Channels last, and a part of a wider image.
        let mut last = view(&x, &xs);
        last.strides = Dims::from_slice(&[h * w * c, 1, w * c, c]);
        let mut part = view(&x, &xs);
        part.strides = Dims::from_slice(&[c * h * (w + 1), h * (w + 1), w + 1, 1]);
        for (k_bias, x) in [(None, view(&x, &xs)), (Some(view(&bias, &[o])), last), (None, part)] {
            let (w, out) = (view(&k, &ks), view(&y, &ys));
            r.run(Kernel::Conv2d { x: x.clone(), w: w.clone(), bias: k_bias, params, out: out.clone() });
            r.run(Kernel::Conv2dGradInput { grad: out, w, params, out: x });
        }
    }
}

/// A convolution with a kernel of one pixel is a product of the library, with its own switch for TF32.
#[test]
fn cuda_convolutions_of_single_pixels_are_products() {
    let Some(card) = Card::new(false, pointwise) else { return };
    card.cuda.set_precision(EXACT);
    agree(&card.cuda, pointwise, |_| true);
    // For each image whose pixels are one dimension: one product forward, and as many backward if the result can be
    // written so.
    let exact = card.log();
    assert_eq!(exact.len(), (1 + 2 + 1) * 3, "{exact:#?}");
    assert!(exact.iter().all(|line| line.contains("batch 3 ") && line.contains("compute 68 ")));
    card.cuda.set_precision(Precision { convolutions_in_tf32: true, ..EXACT });
    agree_within(&card.cuda, pointwise, |_| true, 300.0);
    let short = card.log();
    assert!(short.iter().all(|line| line.contains("compute 77 ") == line.contains("types 0 ")), "{short:#?}");
}

/// Counts kernels.
struct Counter {
    wanted: fn(&Kernel<'_>) -> bool,
    count: Cell<usize>,
}

impl Counter {
    fn of(list: fn(&dyn Harness), wanted: fn(&Kernel<'_>) -> bool) -> usize {
        let counter = Counter { wanted, count: Cell::new(0) };
        list(&counter);
        counter.count.get()
    }
}

impl Harness for Counter {
    fn buffer(&self, numel: usize, dtype: DType) -> Buffer {
        Buffer::new(Rc::new(()), numel, dtype)
    }
    fn run(&self, kernel: Kernel<'_>) {
        self.count.set(self.count.get() + (self.wanted)(&kernel) as usize);
    }
}

/// One product of a row of 1 + 2^-12 with a column of ones, and its result: `inner` of them, minus what is lost.
fn tiny(card: &Card, d: DType, bias: bool) -> (f64, String) {
    let e = &card.cuda;
    let put = |n: usize, value: f64| {
        let buffer = e.allocate(n, d).unwrap();
        e.write(&buffer, 0, &(0..n).flat_map(|_| encode(d, value)).collect::<Vec<_>>()).unwrap();
        buffer
    };
    let (a, c, zeros, out) = (put(16, 1.0 + 1.0 / 4096.0), put(16, 1.0), put(2, 0.0), put(4, 0.0));
    let mut row = view(&zeros, &[1, 2, 2]);
    row.strides = Dims::from_slice(&[0, 0, 1]);
    let bias = bias.then_some(row);
    let beta = if bias.is_some() { 1.0 } else { 0.0 };
    let (av, cv, ov) = (view(&a, &[1, 2, 8]), view(&c, &[1, 8, 2]), view(&out, &[1, 2, 2]));
    card.log();
    e.launch(&Kernel::MatMul { a: av, c: cv, bias, alpha: 1.0, beta, out: ov }).unwrap();
    let mut bytes = vec![0; d.size()];
    e.read(&out, 0, &mut bytes).unwrap();
    let line = card.log().into_iter().find(|line| !line.starts_with("heuristic")).unwrap();
    (decode(d, &bytes)[0], line)
}

/// Each switch of PyTorch reaches its call, with and without a bias.
#[test]
fn cuda_precision_switches_reach_the_libraries() {
    let Some(card) = Card::new(true, |_| ()) else { return };
    let usual = Precision::default();
    let said = |precision, d, bias| {
        card.cuda.set_precision(precision);
        tiny(&card, d, bias)
    };
    let has = |line: &str, what: &str| assert!(line.contains(what), "{line} has no {what}");
    for bias in [false, true] {
        let name = if bias { "lt" } else { "gemm" };
        let (exact, line) = said(usual, DType::F32, bias);
        has(&line, &format!("{name} NN 2x2x8"));
        has(&line, "compute 68 ");
        assert_eq!(exact, 8.0 + 8.0 / 4096.0);
        let (short, line) = said(Precision { products_in_tf32: true, ..usual }, DType::F32, bias);
        has(&line, "compute 77 ");
        assert_eq!(short, 8.0);
        // The switches of 16-bit floats, each for its own type.
        has(&said(usual, DType::F16, bias).1, "types 2 compute 68 ");
        has(&said(usual, DType::BF16, bias).1, "types 14 compute 68 ");
        has(&said(Precision { float16_throughout: true, ..usual }, DType::F16, bias).1, "types 2 compute 64 ");
        has(&said(Precision { float16_throughout: true, ..usual }, DType::BF16, bias).1, "types 14 compute 68 ");
        for (reduction, math, schemes) in [
            (Reduction16::Reduced, "math 0 ", "schemes 7 "),
            (Reduction16::Exact, "math 16 ", "schemes 2 "),
            (Reduction16::Whole, "math 16 ", "schemes 0 "),
        ] {
            let (wanted, other) = if bias { (schemes, "schemes 7 ") } else { (math, "math 0 ") };
            let half = Precision { float16: reduction, ..usual };
            has(&said(half, DType::F16, bias).1, wanted);
            has(&said(half, DType::BF16, bias).1, other);
            let brain = Precision { bfloat16: reduction, ..usual };
            has(&said(brain, DType::BF16, bias).1, wanted);
            has(&said(brain, DType::F16, bias).1, other);
            has(&said(brain, DType::F32, bias).1, other);
        }
    }
}

/// The stand-in refuses what cuBLAS refuses, so that a mistake in a layout is an error and not a wrong number.
#[test]
fn cuda_stand_in_checks_its_arguments() {
    use super::super::kernels::Stored;
    use super::super::product::Workspace;
    let Some(card) = Card::new(true, |_| ()) else { return };
    let buffer = card.cuda.allocate(64, DType::F32).unwrap();
    let at = buffer.downcast::<CudaBuffer>().unwrap().address();
    let memory = card.cuda.scratch(workspace_bytes((8, 0))).unwrap();
    let stored = |address, leading| Stored { address, leading, batch: 0, transposed: false };
    let good = Product {
        dtype: DType::F32,
        batch: 1,
        m: 4,
        n: 4,
        k: 2,
        left: stored(at, 4),
        right: stored(at + 64, 2),
        out: stored(at + 128, 4),
        alpha: 1.0,
        beta: 0.0,
        tf32: false,
        bias: None,
    };
    let lent = Workspace { address: memory.address(), bytes: 4096 };
    let run = |p: &Product, lent| card.cuda.device.product(p, Precision::default(), lent);
    assert_eq!(run(&good, lent), Ok(()));
    let refused = |p: Product, lent, words: &str| match run(&p, lent) {
        Err(Fault::Lost(text)) => assert!(text.contains(words), "{text}"),
        other => panic!("{other:?}"),
    };
    for bias in [None, Some(at + 192)] {
        let good = Product { bias, ..good.clone() };
        let call = if bias.is_some() { "status 7" } else { "cublasGemmStridedBatchedEx failed with status 7" };
        refused(Product { left: stored(at, 3), ..good.clone() }, lent, call);
        refused(Product { right: stored(at + 64, 1), ..good.clone() }, lent, call);
        refused(Product { out: stored(at + 128, 2), ..good.clone() }, lent, call);
        refused(good, Workspace { address: lent.address + 16, ..lent }, "status 7");
    }
    // Several results in the same place.
    refused(Product { batch: 2, ..good.clone() }, lent, "cublasGemmStridedBatchedEx failed with status 7");
}
