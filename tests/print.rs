//! Texts of tensors against recorded PyTorch 2.15 results.

use serde_json::Value;
use tensoryard::device::Device;
use tensoryard::dtype::{DType, Scalar};
use tensoryard::print::{Defaults, History, PrintOptions, TensorText, tensor_repr};

#[test]
fn texts_are_pytorchs() {
    let recorded: Value = serde_json::from_str(include_str!("oracle/repr.json")).unwrap();
    let cases = recorded["cases"].as_array().unwrap();
    for case in cases {
        let shape: Vec<usize> = serde_json::from_value(case["shape"].clone()).unwrap();
        let dtype = DType::ALL.into_iter().find(|d| d.name() == case["dtype"]).unwrap();
        let device = Device::parse(case["device"].as_str().unwrap()).unwrap();
        let history = match (case["grad_fn"].as_str(), case["leaf"].as_bool()) {
            (Some(name), _) => History::Function(name),
            (None, Some(true)) => History::Leaf,
            _ => History::None,
        };
        let at = |i: usize| {
            let value = match (case.get("fill"), case.get("arange")) {
                (Some(fill), _) => fill,
                (_, Some(_)) => &Value::from(i),
                _ => &case["values"][i],
            };
            match dtype {
                DType::Bool => Scalar::Bool(value.as_i64().unwrap() != 0),
                d if d.is_float() => Scalar::Float(value.as_str().unwrap().parse().unwrap()),
                _ => Scalar::Int(value.as_i64().unwrap()),
            }
        };
        let text = TensorText { class: "tensor", shape: &shape, dtype, device, history };
        let got = tensor_repr(&text, &Defaults::default(), &options(&case["options"]), at);
        assert_eq!(got, case["repr"].as_str().unwrap(), "{case}");
    }
    println!("tensor texts: {0} of {0}", cases.len());
    assert_eq!(cases.len(), 387);
}

fn options(recorded: &Value) -> PrintOptions {
    if recorded.is_null() {
        return PrintOptions::default();
    }
    let number = |name: &str| recorded[name].as_u64().unwrap() as usize;
    PrintOptions {
        precision: number("precision"),
        threshold: number("threshold") as f64,
        edgeitems: number("edgeitems"),
        linewidth: number("linewidth"),
        sci_mode: recorded["sci_mode"].as_bool(),
    }
}

#[test]
fn a_summary_reads_only_what_it_shows() {
    let shape = [1 << 20, 1 << 12];
    let text = TensorText {
        class: "tensor",
        shape: &shape,
        dtype: DType::I64,
        device: Device::cuda(1),
        history: History::None,
    };
    let read = std::cell::Cell::new(0);
    let got = tensor_repr(&text, &Defaults::default(), &PrintOptions::default(), |i| {
        read.set(read.get() + 1);
        Scalar::Int(i as i64 % 7)
    });
    assert!(got.ends_with("device='cuda:1')"), "{got}");
    assert_eq!(read.get(), 72);
}

#[test]
fn absurd_options_do_not_panic() {
    let text =
        TensorText { class: "tensor", shape: &[2], dtype: DType::F64, device: Device::CPU, history: History::None };
    let options = PrintOptions { precision: usize::MAX, linewidth: 0, ..PrintOptions::default() };
    assert!(tensor_repr(&text, &Defaults::default(), &options, |_| Scalar::Float(1e-300)).starts_with("tensor([1.0"));
}
