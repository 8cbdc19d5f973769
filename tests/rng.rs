//! Both generators against recorded PyTorch 2.15 results.

use half::{bf16, f16};
use serde_json::Value;
use tensoryard::dtype::DType;
use tensoryard::rng::{CpuGenerator, CudaGenerator, philox};

/// The result of a call: the stored bits in hexadecimal, or integers.
#[derive(Debug, PartialEq)]
struct Made {
    values: Vec<Value>,
    sum: f64,
}

impl Made {
    fn f32(v: &[f32]) -> Made {
        Made {
            values: v.iter().map(|x| format!("{:08x}", x.to_bits()).into()).collect(),
            sum: v.iter().map(|&x| f64::from(x)).sum(),
        }
    }
    fn f64(v: &[f64]) -> Made {
        Made { values: v.iter().map(|x| format!("{:016x}", x.to_bits()).into()).collect(), sum: v.iter().sum() }
    }
    fn f16(v: &[f16]) -> Made {
        Made {
            values: v.iter().map(|x| format!("{:04x}", x.to_bits()).into()).collect(),
            sum: v.iter().map(|x| x.to_f64()).sum(),
        }
    }
    fn bf16(v: &[bf16]) -> Made {
        Made {
            values: v.iter().map(|x| format!("{:04x}", x.to_bits()).into()).collect(),
            sum: v.iter().map(|x| x.to_f64()).sum(),
        }
    }
    fn int(v: &[i64]) -> Made {
        Made { values: v.iter().map(|&x| x.into()).collect(), sum: v.iter().map(|&x| x as f64).sum() }
    }

    /// The numbers in the precision of `dtype`.
    fn cast(v: &[f64], dtype: &str) -> Made {
        match dtype {
            "float64" => Made::f64(v),
            "float32" => Made::f32(&v.iter().map(|&x| x as f32).collect::<Vec<_>>()),
            "float16" => Made::f16(&v.iter().map(|&x| f16::from_f32(x as f32)).collect::<Vec<_>>()),
            "bfloat16" => Made::bf16(&v.iter().map(|&x| bf16::from_f32(x as f32)).collect::<Vec<_>>()),
            _ => Made::int(&v.iter().map(|&x| x as i64).collect::<Vec<_>>()),
        }
    }

    fn cast_int(v: &[i64], dtype: &str) -> Made {
        if dtype.contains("float") {
            Made::cast(&v.iter().map(|&x| x as f64).collect::<Vec<_>>(), dtype)
        } else {
            Made::int(v)
        }
    }

    fn check(&self, case: &Value) {
        if let Some(expected) = case["values"].as_array() {
            assert_eq!(&self.values, expected, "{} {} seed {}", case["op"], case["dtype"], case["seed"]);
        } else {
            let (head, tail) = (case["head"].as_array().unwrap(), case["tail"].as_array().unwrap());
            assert_eq!(&self.values[..head.len()], &head[..], "{}", case["op"]);
            assert_eq!(&self.values[self.values.len() - tail.len()..], &tail[..], "{}", case["op"]);
            let sum = case["sum"].as_f64().unwrap();
            assert!((self.sum - sum).abs() <= 1e-9 * sum.abs().max(1.0), "{}: sum {} for {sum}", case["op"], self.sum);
        }
    }
}

fn dtype(name: &str) -> DType {
    DType::ALL.into_iter().find(|d| d.name() == name).unwrap()
}

struct Call<'a> {
    name: &'a str,
    n: usize,
    a: f64,
    b: f64,
    ints: (i64, i64),
}

fn call(case: &Value) -> Call<'_> {
    let op = case["op"].as_array().unwrap();
    let number = |i: usize| op.get(i).and_then(Value::as_f64).unwrap_or(0.0);
    let int = |i: usize| op.get(i).and_then(Value::as_i64).unwrap_or(0);
    Call { name: op[0].as_str().unwrap(), n: int(1) as usize, a: number(2), b: number(3), ints: (int(2), int(3)) }
}

fn on_cpu(g: &mut CpuGenerator, case: &Value) -> Made {
    let kind = case["dtype"].as_str().unwrap();
    let Call { name, n, a, b, ints } = call(case);
    match (name, kind) {
        ("uniform", "float32") => {
            let mut v = vec![0.0; n];
            g.uniform_f32(&mut v, a, b);
            Made::f32(&v)
        }
        ("uniform", "float64") => {
            let mut v = vec![0.0; n];
            g.uniform_f64(&mut v, a, b);
            Made::f64(&v)
        }
        ("uniform", "float16") => {
            let mut v = vec![f16::ZERO; n];
            g.uniform_f16(&mut v, a, b);
            Made::f16(&v)
        }
        ("uniform", "bfloat16") => {
            let mut v = vec![bf16::ZERO; n];
            g.uniform_bf16(&mut v, a, b);
            Made::bf16(&v)
        }
        ("normal", "float32") => {
            let mut v = vec![0.0; n];
            g.normal_f32(&mut v, a, b);
            Made::f32(&v)
        }
        ("normal", "float64") => {
            let mut v = vec![0.0; n];
            g.normal_f64(&mut v, a, b);
            Made::f64(&v)
        }
        ("normal", "float16") => {
            let mut v = vec![f16::ZERO; n];
            g.normal_f16(&mut v, a, b);
            Made::f16(&v)
        }
        ("normal", "bfloat16") => {
            let mut v = vec![bf16::ZERO; n];
            g.normal_bf16(&mut v, a, b);
            Made::bf16(&v)
        }
        ("random_from", _) => {
            let mut v = vec![0; n];
            g.random_from_i64(&mut v, ints.0, ints.1.wrapping_sub(ints.0) as u64);
            Made::cast_int(&v, kind)
        }
        ("random", _) => {
            let v: Vec<i64> = (0..n).map(|_| g.random_for(dtype(kind))).collect();
            Made::cast_int(&v, kind)
        }
        ("randperm", _) => {
            let mut v = vec![0; n];
            g.randperm(&mut v);
            Made::int(&v)
        }
        ("bernoulli", _) => Made::cast(&(0..n).map(|_| f64::from(u8::from(g.bernoulli(a)))).collect::<Vec<_>>(), kind),
        ("bernoulli_tensor", "float64") => {
            Made::f64(&(0..n).map(|_| f64::from(u8::from(g.bernoulli(a)))).collect::<Vec<_>>())
        }
        ("bernoulli_tensor", _) => {
            // The probabilities have the tensor's precision.
            let p = match kind {
                "float16" => f16::from_f64(a).to_f32(),
                "bfloat16" => bf16::from_f64(a).to_f32(),
                _ => a as f32,
            };
            Made::cast(&(0..n).map(|_| f64::from(u8::from(g.bernoulli_of_f32(p)))).collect::<Vec<_>>(), kind)
        }
        ("dropout", _) => {
            let kept = 1.0 / (1.0 - a) as f32;
            Made::f32(&(0..n).map(|_| if g.bernoulli(1.0 - a) { kept } else { 0.0 }).collect::<Vec<_>>())
        }
        ("exponential", _) => Made::cast(&(0..n).map(|_| g.exponential(a)).collect::<Vec<_>>(), kind),
        ("multinomial", _) => {
            let weights: Vec<f64> = serde_json::from_value(case["op"][2].clone()).unwrap();
            let replacement = case["op"][3].as_bool().unwrap();
            Made::int(&if case["weights"] == "float64" {
                g.multinomial_f64(&weights, n, replacement)
            } else {
                let weights: Vec<f32> = weights.iter().map(|&w| w as f32).collect();
                g.multinomial_f32(&weights, n, replacement)
            })
        }
        other => panic!("unknown call {other:?}"),
    }
}

fn recorded(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn cpu_numbers_are_pytorchs_bit_for_bit() {
    let recorded = recorded(include_str!("oracle/rng_cpu.json"));
    let cases = recorded["cases"].as_array().unwrap();
    for case in cases {
        let mut g = CpuGenerator::new(case["seed"].as_u64().unwrap());
        on_cpu(&mut g, case).check(case);
    }
    let mut steps = 0;
    for sequence in recorded["sequences"].as_array().unwrap() {
        let mut g = CpuGenerator::new(sequence["seed"].as_u64().unwrap());
        for step in sequence["steps"].as_array().unwrap() {
            on_cpu(&mut g, step).check(step);
            steps += 1;
        }
    }
    println!("CPU generator: {0} of {0} tensors and {steps} of {steps} steps of sequences, bit for bit", cases.len());
    assert_eq!((cases.len(), steps), (506, 18));
}

#[test]
fn loaders_shuffle_as_pytorch() {
    let recorded = recorded(include_str!("oracle/rng_cpu.json"));
    let order = |g: &mut CpuGenerator, n: usize| {
        let mut v = vec![0; n];
        g.randperm(&mut v);
        v
    };
    // Every epoch draws a base seed. Shuffling without a generator draws the seed of a new one.
    let epoch = |g: &mut CpuGenerator, shuffle: bool| {
        g.random_for(DType::I64);
        if !shuffle {
            return (0..10).collect();
        }
        let seed = g.random_for(DType::I64) as u64;
        order(&mut CpuGenerator::new(seed), 10)
    };
    let flat = |v: &Value| -> Vec<i64> {
        v.as_array().unwrap().iter().flat_map(|b| b.as_array().unwrap()).map(|i| i.as_i64().unwrap()).collect()
    };
    let mut checked = 0;
    for case in recorded["dataloader"].as_array().unwrap() {
        let code = case["code"].as_str().unwrap();
        let seed = if code.contains("42") { 42 } else { 0 };
        let mut g = CpuGenerator::new(seed);
        if code.starts_with("random_split") {
            let both = [&case["a"], &case["b"]].map(|v| serde_json::from_value::<Vec<i64>>(v.clone()).unwrap());
            assert_eq!(order(&mut g, 10), both.concat(), "{code}");
        } else if code.starts_with("generator=") {
            g.random_for(DType::I64);
            assert_eq!(order(&mut g, 10), flat(&case["epoch1"]), "{code}");
        } else {
            for name in ["epoch1", "epoch2"].into_iter().filter(|n| case.get(*n).is_some()) {
                let expected = flat(&case[name]);
                assert_eq!(
                    epoch(&mut g, code.contains("huffle") && !code.contains("no shuffle"))[..expected.len()],
                    expected
                );
            }
            assert_eq!(g.unit_f32(), case["next_rand"].as_f64().unwrap() as f32, "{code}");
        }
        checked += 1;
    }
    println!("loader orders: {checked} of 14");
    assert_eq!(checked, 14);
}

#[test]
fn state_has_pytorchs_bytes_and_restores() {
    let recorded = &recorded(include_str!("oracle/rng_cpu.json"))["state"];
    let mut g = CpuGenerator::new(5);
    g.normal_f32(&mut [0.0; 3], 0.0, 1.0);
    g.uniform_f32(&mut [0.0; 10], 0.0, 1.0);
    let state = g.state();
    assert_eq!(state.len(), 5056);
    assert_eq!(state.iter().map(|&b| u64::from(b)).sum::<u64>(), recorded["sum_of_bytes"].as_u64().unwrap());
    for pair in recorded["bytes"].as_array().unwrap() {
        assert_eq!(u64::from(state[pair[0].as_u64().unwrap() as usize]), pair[1].as_u64().unwrap(), "byte {}", pair[0]);
    }
    let mut restored = CpuGenerator::default();
    restored.set_state(&state).unwrap();
    assert_eq!(restored, g);
    let mut next = [0.0; 4];
    restored.normal_f32(&mut next, 0.0, 1.0);
    assert_eq!(Value::from(Made::f32(&next).values), recorded["next_randn_4"]);

    let text = |bytes: &[u8]| CpuGenerator::default().set_state(bytes).unwrap_err().message;
    assert_eq!(text(&[0; 5056]), "Invalid mt19937 state");
    assert_eq!(
        text(&[0; 10]),
        "Expected a CPUGeneratorImplState of size 5056 but found the input RNG state size to be 10"
    );
}

#[test]
fn seeds_wrap_as_in_pytorch() {
    let two = |seed| {
        let mut v = [0.0; 2];
        CpuGenerator::new(seed).uniform_f32(&mut v, 0.0, 1.0);
        v
    };
    assert_eq!(two(1 << 32), two(0));
    assert_eq!(CpuGenerator::new(u64::MAX).initial_seed(), u64::MAX);
    assert_eq!(two(u64::MAX), [0.993_799_4, 0.571_306_35]);
}

/// The distance between two float32, given by their bits, counted in representable numbers.
fn ulps(a: &Value, b: &Value) -> u32 {
    let order = |v: &Value| {
        let bits = u32::from_str_radix(v.as_str().unwrap(), 16).unwrap() as i32;
        if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits }
    };
    order(a).abs_diff(order(b))
}

fn on_cuda(g: &mut CudaGenerator, case: &Value) -> Made {
    const SMS: u32 = 108;
    let kind = case["dtype"].as_str().unwrap();
    let Call { name, n, a, b, ints } = call(case);
    let per = if kind == "float64" { 2 } else { 4 };
    match (name, kind) {
        ("uniform", "float32" | "float16") => {
            let mut v = vec![0.0; n];
            philox::uniform_f32(g.launch(n, per, SMS), &mut v, a, b);
            Made::cast(&v.iter().map(|&x| f64::from(x)).collect::<Vec<_>>(), kind)
        }
        ("uniform", "float64") => {
            let mut v = vec![0.0; n];
            philox::uniform_f64(g.launch(n, per, SMS), &mut v, a, b);
            Made::f64(&v)
        }
        ("normal", "float32") => {
            let mut v = vec![0.0; n];
            philox::normal_f32(g.launch(n, per, SMS), &mut v, a, b);
            Made::f32(&v)
        }
        ("normal", "float64") => {
            let mut v = vec![0.0; n];
            philox::normal_f64(g.launch(n, per, SMS), &mut v, a, b);
            Made::f64(&v)
        }
        ("random_from", _) => {
            let range = ints.1.wrapping_sub(ints.0) as u64;
            let mut v = vec![0; n];
            philox::random_from(g.launch(n, philox::random_pairs(range), SMS), &mut v, ints.0, range);
            Made::cast_int(&v, kind)
        }
        ("bernoulli" | "dropout", _) => {
            let mut v = vec![false; n];
            let at = g.launch(n, per, SMS);
            if name == "dropout" {
                philox::dropout_mask(at, &mut v, 1.0 - a);
            } else {
                philox::bernoulli(at, &mut v, a);
            }
            let one = if name == "dropout" { 1.0 / (1.0 - a) as f32 } else { 1.0 };
            Made::f32(&v.iter().map(|&m| if m { one } else { 0.0 }).collect::<Vec<_>>())
        }
        // The weight of `nn.Linear(3, 2)`, then its bias.
        ("linear", _) => {
            let bound = 3.0_f64.sqrt() * ((1.0_f64 / 3.0).sqrt() / 3.0_f64.sqrt());
            let mut v = vec![0.0; n];
            philox::uniform_f32(g.launch(n, per, SMS), &mut v, -bound, bound);
            g.launch(2, per, SMS);
            Made::f32(&v)
        }
        other => panic!("unknown call {other:?}"),
    }
}

#[test]
fn cuda_numbers_are_pytorchs() {
    let recorded = recorded(include_str!("oracle/rng_cuda.json"));
    let (mut exact, mut last_bit, mut worst) = (0, 0, 0);
    let mut check = |g: &mut CudaGenerator, case: &Value| {
        let made = on_cuda(g, case);
        assert_eq!(g.offset(), case["offset"].as_u64().unwrap(), "{}", case["op"]);
        if case["op"][0] != "normal" {
            made.check(case);
            exact += 1;
            return;
        }
        // Logarithm, sine and cosine are the platform's, so the last bits may differ from the recording.
        let n = made.values.len();
        let pairs: Vec<(&Value, &Value)> = match case["values"].as_array() {
            Some(v) => made.values.iter().zip(v).collect(),
            None => {
                let (head, tail) = (case["head"].as_array().unwrap(), case["tail"].as_array().unwrap());
                made.values.iter().zip(head).chain(made.values[n - tail.len()..].iter().zip(tail)).collect()
            }
        };
        if case["dtype"] == "float64" {
            for (a, b) in &pairs {
                let value = |v: &Value| f64::from_bits(u64::from_str_radix(v.as_str().unwrap(), 16).unwrap());
                assert!((value(a) - value(b)).abs() <= 1e-14, "{} {a} {b}", case["op"]);
            }
        } else {
            worst = pairs.iter().map(|(a, b)| ulps(a, b)).fold(worst, u32::max);
        }
        if pairs.iter().all(|(a, b)| a == b) { exact += 1 } else { last_bit += 1 }
    };
    for case in recorded["cases"].as_array().unwrap() {
        check(&mut CudaGenerator::new(case["seed"].as_u64().unwrap()), case);
    }
    let mut g = CudaGenerator::new(0);
    for step in recorded["sequence"].as_array().unwrap() {
        check(&mut g, step);
    }
    println!("CUDA generator: {exact} tensors bit for bit, {last_bit} within {worst} units in the last place, of 80");
    assert_eq!(exact + last_bit, 80);
    assert!(worst <= 16);
}

#[test]
fn cuda_numbers_are_those_that_gpus_printed() {
    let recorded = recorded(include_str!("oracle/rng_cuda.json"));
    let mut compared = 0;
    for case in recorded["published"].as_array().unwrap() {
        let (what, values) = (case["what"].as_str().unwrap(), case["values"].as_array().unwrap());
        let seed = if what.contains("(42)") { 42 } else { 0 };
        let mut made = vec![0.0; values.len()];
        let at = CudaGenerator::new(seed).launch(values.len(), 4, 108);
        if what.contains("randn") {
            philox::normal_f32(at, &mut made, 0.0, 1.0);
        } else {
            philox::uniform_f32(at, &mut made, 0.0, 1.0);
        }
        for (a, b) in made.iter().zip(values) {
            assert!((f64::from(*a) - b.as_f64().unwrap()).abs() < 0.5001e-4, "{what}: {a} for {b}");
            compared += 1;
        }
    }
    println!("published GPU values: {compared} of {compared}");
    assert!(compared > 50);
}

#[test]
fn cuda_state_is_seed_and_offset() {
    let mut g = CudaGenerator::new(7);
    g.launch(1000, 4, 108);
    let state = g.state();
    assert_eq!(state, [7, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
    let mut restored = CudaGenerator::default();
    restored.set_state(&state).unwrap();
    assert_eq!(restored, g);
    assert_eq!(restored.set_state(&[0; 3]).unwrap_err().message, "RNG state is wrong size");
}
