//! One sentence of cause.

use super::text::Mistake;
use super::{Failure, fix};

/// Why it happened, with the learner's own names where they are known.
pub fn sentence(mistake: &Mistake<'_>, rule: &str, failure: &Failure<'_>) -> String {
    match mistake {
        Mistake::Mixed { .. } if rule == "D14" => {
            "The optimizer's state was created on one device and its parameters have been moved to another since: \
             `Module.to` moves parameters, not the state that an optimizer already has."
                .into()
        }
        Mistake::Mixed { first, second } => match fix::plain_attribute(failure, first, second).filter(|_| rule == "D07") {
            Some((name, _, _)) => format!(
                "`self.{name}` is a plain attribute: `Module.to` moves parameters and buffers, and nothing else."
            ),
            None => mixed(failure, first, second),
        },
        Mistake::Argument { argument, on, common, method } => argument_sentence(rule, argument, on, common, method, failure),
        Mistake::Convolution { input, other, what } => {
            format!("The layer's input is on {input} and its {what} on {other}; a layer computes where both are.")
        }
        Mistake::Recurrent { input, what, other } => {
            format!("The layer's input is on {input} and its {what} on {other}; a layer computes where both are.")
        }
        Mistake::Index { indexed } => format!(
            "The indexed tensor is on {indexed} and its index on another device; an index is on the CPU or where the tensor is."
        ),
        Mistake::Numpy { device } => {
            format!("NumPy reads the host's memory, and this tensor is on {device}: copy it to the CPU first.")
        }
        Mistake::NumpyGrad => "NumPy arrays carry no graph, and this tensor requires gradients: detach it first.".into(),
        Mistake::NoCuda { driver: true } => {
            "The program asks for a GPU, and this machine has none that PyTorch can use.".into()
        }
        Mistake::NoCuda { driver: false } => {
            "The program asks for a GPU, and this PyTorch was built for the CPU alone.".into()
        }
        Mistake::UnknownDevice { name } => {
            format!("PyTorch knows no device type '{name}'; an NVIDIA GPU is 'cuda', an Apple one 'mps'.")
        }
        Mistake::MalformedDevice { text } => {
            format!("'{text}' is not a device: write a type, or a type, a colon and an index, such as 'cuda:0'.")
        }
        Mistake::Ordinal => "The program names a GPU by an index that this machine does not have; indices begin at 0.".into(),
        Mistake::OutOfMemory { tried, capacity, free: "" } => {
            format!("The GPU has {capacity} in all, and no free piece of {tried} was left.")
        }
        Mistake::OutOfMemory { tried, capacity, free } => {
            format!("The program needed {tried} more and the GPU had {free} left of its {capacity}.")
        }
        Mistake::NoParameters => {
            "The model has no parameters that it knows of: layers in a plain list are not registered, those in \
             `nn.ModuleList` are."
                .into()
        }
        Mistake::NonLeaf => {
            "This tensor is the result of an operation, such as `.to`; an optimizer takes the leaf that it came from.".into()
        }
        Mistake::Checkpoint { fewer: false } => {
            "The file holds tensors of a GPU, and this machine has none: say where they should go with `map_location`.".into()
        }
        Mistake::Checkpoint { fewer: true } => {
            "The file holds tensors of a GPU with a higher index than this machine has: say where they should go with \
             `map_location`."
                .into()
        }
        Mistake::Pin => "Only memory of the host can be pinned, and this tensor is on a GPU.".into(),
        Mistake::Fork => "A forked worker inherits a CUDA context that it cannot use: workers return CPU tensors.".into(),
        Mistake::Generator { wanted, found } => {
            format!("The random numbers are drawn on {wanted} and the generator belongs to {found}.")
        }
        Mistake::Replica { wanted, found } => format!(
            "`DataParallel` copies the module from its first device, {wanted}, to the others in every forward pass; the module is on {found}."
        ),
        Mistake::ReplicaIds => {
            "`device_ids` names a GPU, and the module's parameters are elsewhere: move the module there first.".into()
        }
        Mistake::StateKeys { wrapped: true } => {
            "The checkpoint was saved from a `DataParallel` wrapper, which puts `module.` before every key; the model here is not wrapped."
                .into()
        }
        Mistake::StateKeys { wrapped: false } => {
            "The model here is wrapped, so that its keys begin with `module.`; the checkpoint was saved from the model inside.".into()
        }
        Mistake::NoProcessGroup => {
            "Processes find each other in `torch.distributed.init_process_group`, which has not been called in this one.".into()
        }
        Mistake::LegacyConstructor => {
            "`torch.FloatTensor` and its like make tensors of the CPU only; `torch.tensor` takes a `device`.".into()
        }
        Mistake::DeviceAssert => {
            "A kernel found an index out of bounds, such as a label beyond the classes; the line shown may be a later one."
                .into()
        }
    }
}

fn argument_sentence(
    rule: &str,
    argument: &str,
    on: &str,
    common: &str,
    method: &str,
    failure: &Failure<'_>,
) -> String {
    match rule {
        "D08" => format!("The tensors to be joined are on two devices: one is on {on}, those before it on {common}."),
        "D09" if argument == "weight" => {
            format!("The loss's class weights are on {on} and the predictions on {common}.")
        }
        "D09" => format!("The {argument} of the loss is on {on} and the predictions are on {common}."),
        "D10" => format!("The {argument} is on {on} and the table that it looks up in on {common}."),
        // A linear layer computes bias + input @ weight.
        "D02" if method.ends_with("_addmm") => match (argument, named(failure, on, false)) {
            ("mat1", Some(name)) => {
                format!(
                    "The layer's parameters are on {common} and its input, {name}, on {on}; calling a model moves nothing."
                )
            }
            ("mat1", None) => {
                format!("The layer's parameters are on {common} and its input on {on}; calling a model moves nothing.")
            }
            _ => format!("`{argument}` of the product is on {on} and the tensors before it on {common}."),
        },
        _ => match (named(failure, on, false), named(failure, common, false)) {
            (Some(a), Some(b)) => {
                format!("{a} is on {on} and {b} on {common}; an operation needs its tensors on one device.")
            }
            _ => {
                format!("`{argument}` is on {on} and the tensors before it on {common}; they need to be on one device.")
            }
        },
    }
}

fn mixed(failure: &Failure<'_>, first: &str, second: &str) -> String {
    match (named(failure, first, true), named(failure, second, true)) {
        (Some(a), Some(b)) => {
            format!("{a} is on {first} and {b} on {second}; an operation needs its tensors on one device.")
        }
        (Some(a), None) => {
            format!("{a} is on {first} and meets a tensor on {second}; an operation needs them on one device.")
        }
        (None, Some(b)) => {
            format!("{b} is on {second} and meets a tensor on {first}; an operation needs them on one device.")
        }
        (None, None) => {
            format!("This operation met a tensor on {first} and one on {second}; it needs them on one device.")
        }
    }
}

/// The only tensor of the line on a device, in backticks.
fn named(failure: &Failure<'_>, device: &str, elementwise: bool) -> Option<String> {
    match fix::culprits(failure, device, elementwise)[..] {
        [operand] => Some(format!("`{}`", operand.name)),
        _ => None,
    }
}
