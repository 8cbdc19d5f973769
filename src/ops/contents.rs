//! What is inside tensors when a program has ended, for people to look at: the numbers of a small storage, and which tensors
//! are windows on it.
//!
//! Nothing here is part of the run: no copy and no wait is reported or counted.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::transfer::scalar_at;
use crate::dtype::{DType, Scalar};
use crate::storage::Storage;
use crate::tensor::Tensor;
use crate::trace::StorageId;

/// The first is the most elements that a storage may have to be shown as numbers; the second, as a heat map.
const NUMBERS: usize = 36;
const SHADES: usize = 4096;
/// The most storages that are read, of all and of those on accelerators: each of the latter takes a trip to the device.
const READ: usize = 96;
const FETCHED: usize = 24;
/// The most windows and names that are listed for one storage.
const WINDOWS: usize = 6;
const NAMES: usize = 3;
/// A heat map's levels. One more value marks what isn't a finite number.
pub const LEVELS: u8 = 254;
pub const ODD: u8 = 255;

/// One storage that the program's variables reach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contents {
    pub storage: StorageId,
    pub dtype: DType,
    pub numel: usize,
    /// The different tensors over it, in the order in which they were found.
    pub windows: Vec<Window>,
    /// Tensors over it beyond the limit. A window that is found twice there counts twice.
    pub more: usize,
    /// `None` if there are too many elements, or if they can't be read.
    pub values: Option<Values>,
}

/// A tensor: which elements of its storage it shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Window {
    pub names: Vec<String>,
    pub dtype: DType,
    pub shape: Vec<usize>,
    pub strides: Vec<usize>,
    pub offset: usize,
}

/// The elements of a storage, in the order in which they're stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Values {
    Numbers(Vec<String>),
    Shades {
        /// The lowest and the highest finite value.
        low: f64,
        high: f64,
        /// From 0 for the lowest to [`LEVELS`] for the highest, and [`ODD`] for NaN and infinity.
        #[serde(with = "crate::base64url")]
        levels: Vec<u8>,
    },
}

/// The contents of the storages of these tensors, which come with the paths under which a program reaches them.
pub fn contents(reached: &[(String, Tensor)]) -> Vec<Contents> {
    /// A storage, its different tensors with their names, and how many more there are.
    type Found<'a> = (Storage, Vec<(&'a Tensor, Vec<String>)>, usize);
    let mut found: Vec<Found<'_>> = Vec::new();
    let mut places: HashMap<StorageId, usize> = HashMap::new();
    for (name, tensor) in reached {
        let storage = tensor.storage();
        let at = match places.get(&storage.id()) {
            Some(at) => *at,
            // A program may reach a hundred thousand tensors.
            None if found.len() == READ => continue,
            None => {
                places.insert(storage.id(), found.len());
                found.push((storage, Vec::new(), 0));
                found.len() - 1
            }
        };
        let (_, windows, more) = &mut found[at];
        let full = windows.len() == WINDOWS;
        match windows.iter_mut().find(|(known, _)| same_window(known, tensor)) {
            Some((_, names)) if names.len() < NAMES && is_variable(name) => names.push(name.clone()),
            Some(_) => {}
            None if full => *more += 1,
            None => windows.push((tensor, vec![name.clone()])),
        }
    }
    let mut fetched = 0;
    let mut out = Vec::new();
    for (storage, windows, more) in found {
        let far = !storage.device().is_cpu();
        let readable = storage.numel() <= SHADES && !storage.device().is_meta() && (!far || fetched < FETCHED);
        fetched += usize::from(far && readable);
        out.push(Contents {
            storage: storage.id(),
            dtype: storage.dtype(),
            numel: storage.numel(),
            more,
            windows: windows.into_iter().map(|(tensor, names)| window(tensor, names)).collect(),
            values: if readable { values(&storage) } else { None },
        });
    }
    out
}

/// Whether a path is that of a variable, not of something within an object.
fn is_variable(path: &str) -> bool {
    !path.contains(['.', '['])
}

fn same_window(a: &Tensor, b: &Tensor) -> bool {
    a.is_same(b) || (a.dtype() == b.dtype() && a.layout() == b.layout())
}

fn window(tensor: &Tensor, names: Vec<String>) -> Window {
    Window {
        names,
        dtype: tensor.dtype(),
        shape: tensor.shape().to_vec(),
        strides: tensor.strides().to_vec(),
        offset: tensor.offset(),
    }
}

fn values(storage: &Storage) -> Option<Values> {
    let (numel, dtype) = (storage.numel(), storage.dtype());
    // After an error of the device nothing can be read any more.
    let bytes = storage.read_silent(0, numel).ok()?;
    let scalars = (0..numel).map(|i| scalar_at(&bytes, dtype, i));
    if numel <= NUMBERS {
        return Some(Values::Numbers(scalars.map(text).collect()));
    }
    if dtype.is_complex() {
        return None;
    }
    let numbers: Vec<f64> = scalars.map(Scalar::as_f64).collect();
    let finite = || numbers.iter().copied().filter(|n| n.is_finite());
    let low = finite().reduce(f64::min).unwrap_or(0.0);
    let high = finite().reduce(f64::max).unwrap_or(0.0);
    // Halved, because the difference of two doubles may be infinite.
    let range = high / 2.0 - low / 2.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the levels just before")]
    let level = |n: &f64| match n.is_finite() {
        true if range > 0.0 => {
            ((n / 2.0 - low / 2.0) / range * f64::from(LEVELS)).round().clamp(0.0, f64::from(LEVELS)) as u8
        }
        true => 0,
        false => ODD,
    };
    Some(Values::Shades { low, high, levels: numbers.iter().map(level).collect() })
}

/// A number in few characters: four decimals at most, as PyTorch prints them.
fn text(value: Scalar) -> String {
    match value {
        Scalar::Bool(true) => "True".into(),
        Scalar::Bool(false) => "False".into(),
        Scalar::Int(n) => n.to_string(),
        Scalar::Float(x) => float(x),
        Scalar::Complex(re, im) => {
            let sign = if im.is_sign_negative() { "" } else { "+" };
            format!("{}{sign}{}j", float(re), float(im))
        }
    }
}

fn float(x: f64) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.into();
    }
    if x != 0.0 && !(1e-4..1e6).contains(&x.abs()) {
        return format!("{x:.2e}");
    }
    let text = format!("{x:.4}");
    let short = text.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;
    use crate::engine::{self, Engine};
    use crate::machine::Machine;
    use crate::shape::Layout;

    fn tensor(values: &[f32], device: Device) -> Tensor {
        let t = Tensor::empty(&[values.len()], DType::F32, device).unwrap();
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        t.storage().write(0, &bytes).unwrap();
        t
    }

    #[test]
    fn views_are_windows_on_one_storage_and_looking_reports_nothing() {
        let engine = engine::install(Engine::on_cpu(Machine::preset("cuda:1").unwrap()));
        for device in [Device::CPU, Device::cuda(0)] {
            let x = tensor(&[0.0, 1.5, 2.0, 3.0, 4.0, 1.0 / 3.0], device);
            let view = x.alias(Layout { offset: 1, ..Layout::contiguous(&[2, 2]) });
            let other = tensor(&[7.0], device);
            let reached = [("x", &x), ("view", &view), ("same", &x), ("kept[0]", &x), ("other", &other)];
            let reached: Vec<_> = reached.iter().map(|(name, t)| (name.to_string(), (*t).clone())).collect();
            engine.trace.set_on(true);
            engine.trace.drain();
            let all = contents(&reached);
            assert_eq!(engine.trace.drain(), []);
            assert_eq!(all.len(), 2);
            let names: Vec<_> = all[0].windows.iter().map(|w| w.names.clone()).collect();
            assert_eq!(names, [vec!["x", "same"], vec!["view"]]);
            assert_eq!((all[0].windows[1].offset, &all[0].windows[1].strides[..]), (1, &[2, 1][..]));
            let numbers = ["0.0", "1.5", "2.0", "3.0", "4.0", "0.3333"].map(String::from).to_vec();
            assert_eq!(all[0].values, Some(Values::Numbers(numbers)));
        }
    }

    #[test]
    fn larger_ones_become_shades_and_the_largest_nothing() {
        engine::install(Engine::on_cpu(Machine::preset("cpu").unwrap()));
        let mut numbers: Vec<f32> = (0..100).map(|i| i as f32).collect();
        numbers[7] = f32::NAN;
        numbers[8] = f32::INFINITY;
        let all = contents(&[("x".into(), tensor(&numbers, Device::CPU))]);
        let Some(Values::Shades { low, high, levels }) = &all[0].values else { panic!("{all:?}") };
        assert_eq!((*low, *high, levels[0], levels[99], levels[7], levels[8]), (0.0, 99.0, 0, LEVELS, ODD, ODD));
        let same = contents(&[("x".into(), tensor(&[2.0; 50], Device::CPU))]);
        assert!(matches!(&same[0].values, Some(Values::Shades { levels, .. }) if levels.iter().all(|l| *l == 0)));
        let wide = contents(&[("x".into(), tensor(&[f32::MAX, f32::MIN, 0.0].repeat(13), Device::CPU))]);
        assert!(matches!(&wide[0].values, Some(Values::Shades { levels, .. }) if levels[..3] == [LEVELS, 0, 127]));
        let large = contents(&[("x".into(), tensor(&vec![0.0; SHADES + 1], Device::CPU))]);
        assert_eq!(large[0].values, None);
    }

    /// Finding each tensor among all others would take minutes.
    #[test]
    fn a_hundred_thousand_tensors_are_looked_through_at_once() {
        engine::install(Engine::on_cpu(Machine::preset("cpu").unwrap()));
        let x = tensor(&[1.0, 2.0], Device::CPU);
        let views =
            (0..50_000).map(|i| (format!("views[{i}]"), x.alias(Layout { offset: i % 2, ..Layout::contiguous(&[]) })));
        let others =
            (0..50_000).map(|i| (format!("others[{i}]"), Tensor::empty(&[], DType::F32, Device::CPU).unwrap()));
        let reached: Vec<_> = views.chain(others).collect();
        let began = std::time::Instant::now();
        let all = contents(&reached);
        assert!(began.elapsed().as_secs() < 5);
        assert_eq!((all.len(), all[0].windows.len(), all[0].more), (READ, 2, 0));
        let parts = (0..WINDOWS + 3)
            .map(|n| (format!("p{n}"), x.alias(Layout { offset: 0, ..Layout::contiguous(&vec![1; n]) })));
        let all = contents(&parts.collect::<Vec<_>>());
        assert_eq!((all[0].windows.len(), all[0].more), (WINDOWS, 3));
    }

    #[test]
    fn numbers_are_short() {
        for (x, expected) in [
            (0.0, "0.0"),
            (-0.5, "-0.5"),
            (1e-5, "1.00e-5"),
            (123456.75, "123456.75"),
            (1e6, "1.00e6"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(float(x), expected);
        }
        assert_eq!(text(Scalar::Complex(1.0, -2.0)), "1.0-2.0j");
    }
}
