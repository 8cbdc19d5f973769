//! The cause that a text alone gives.

use super::text::Mistake;
use super::words::Cause;
use super::{Failure, fix};

/// Why it happened, with the learner's own names where they are known.
pub fn of(mistake: &Mistake<'_>, rule: &str, failure: &Failure<'_>) -> Cause {
    let text = |text: &str| text.to_string();
    match *mistake {
        Mistake::Mixed { .. } if rule == "D14" => Cause::OptimizerState,
        Mistake::Mixed { first, second } => {
            match fix::plain_attribute(failure, first, second).filter(|_| rule == "D07") {
                Some((name, _, _)) => Cause::PlainAttribute { attribute: format!("self.{name}") },
                None => mixed(failure, first, second),
            }
        }
        Mistake::Argument { argument, on, common, method } => {
            of_argument(rule, &[argument, on, common].map(text), method, failure)
        }
        Mistake::Convolution { input, other, what } | Mistake::Recurrent { input, what, other } => {
            Cause::Layer { input: text(input), part: text(what), other: text(other) }
        }
        Mistake::Index { indexed } => Cause::Index { indexed: text(indexed) },
        Mistake::Numpy { device } => Cause::Numpy { device: text(device) },
        Mistake::NumpyGrad => Cause::NumpyGrad,
        Mistake::NoCuda { driver: true } => Cause::NoDriver,
        Mistake::NoCuda { driver: false } => Cause::BuiltForCpu,
        Mistake::UnknownDevice { name } => Cause::UnknownDevice { name: text(name) },
        Mistake::MalformedDevice { text: device } => Cause::MalformedDevice { text: text(device) },
        Mistake::Ordinal => Cause::Ordinal,
        Mistake::OutOfMemory { tried, capacity, allowed, .. } if !allowed.is_empty() => {
            Cause::Allowed { tried: text(tried), allowed: text(allowed), capacity: text(capacity) }
        }
        Mistake::OutOfMemory { tried, capacity, free: "", .. } => {
            Cause::NoFreePiece { capacity: text(capacity), tried: text(tried) }
        }
        Mistake::OutOfMemory { tried, capacity, free, .. } => {
            Cause::OutOfMemory { tried: text(tried), free: text(free), capacity: text(capacity) }
        }
        Mistake::NoParameters => Cause::NoParameters,
        Mistake::NonLeaf => Cause::NonLeaf,
        Mistake::Checkpoint { fewer: false } => Cause::CheckpointNoGpu,
        Mistake::Checkpoint { fewer: true } => Cause::CheckpointFewer,
        Mistake::Pin => Cause::Pin,
        Mistake::Fork => Cause::Fork,
        Mistake::Generator { wanted, found } => Cause::Generator { wanted: text(wanted), found: text(found) },
        Mistake::Replica { wanted, found } => Cause::Replica { wanted: text(wanted), found: text(found) },
        Mistake::ReplicaIds => Cause::ReplicaIds,
        Mistake::StateKeys { wrapped: true } => Cause::KeysWrapped,
        Mistake::StateKeys { wrapped: false } => Cause::KeysUnwrapped,
        Mistake::NoProcessGroup => Cause::NoProcessGroup,
        Mistake::LegacyConstructor => Cause::LegacyConstructor,
        Mistake::DeviceAssert => Cause::DeviceAssert,
    }
}

/// `texts`: the argument, the device it is on, and that of those before it.
fn of_argument(rule: &str, texts: &[String; 3], method: &str, failure: &Failure<'_>) -> Cause {
    let [argument, on, common] = texts.clone();
    match rule {
        "D08" => Cause::Joined { on, common },
        "D09" if argument == "weight" => Cause::LossWeights { on, common },
        "D09" => Cause::LossArgument { argument, on, common },
        "D10" => Cause::Lookup { argument, on, common },
        // A linear layer computes bias + input @ weight.
        "D02" if method.ends_with("_addmm") => match (argument.as_str(), named(failure, &on, false)) {
            ("mat1", Some(input)) => Cause::LayerInput { input, on, common },
            ("mat1", None) => Cause::LayerInputUnnamed { on, common },
            _ => Cause::Product { argument, on, common },
        },
        _ => match (named(failure, &on, false), named(failure, &common, false)) {
            (Some(a), Some(b)) => Cause::TwoNamed { a, on, b, other: common },
            _ => Cause::Argument { argument, on, common },
        },
    }
}

fn mixed(failure: &Failure<'_>, first: &str, second: &str) -> Cause {
    let (on, other) = (first.to_string(), second.to_string());
    match (named(failure, first, true), named(failure, second, true)) {
        (Some(a), Some(b)) => Cause::TwoNamed { a, on, b, other },
        (Some(a), None) => Cause::OneNamed { a, on, other },
        (None, Some(a)) => Cause::OneNamed { a, on: other, other: on },
        (None, None) => Cause::NoneNamed { on, other },
    }
}

/// The only tensor of the line on a device.
fn named(failure: &Failure<'_>, device: &str, elementwise: bool) -> Option<String> {
    match fix::culprits(failure, device, elementwise)[..] {
        [operand] => Some(operand.name.clone()),
        _ => None,
    }
}
