//! PyTorch's texts, 2.0 to 2.15, taken apart, and one of 1.5 that is still quoted.

use super::{Failure, fix, source};

/// How the error begins when the memory of an Apple GPU is full.
pub(super) const MPS_FULL: &str = "MPS backend out of memory (";
const FORKED: &str = "Cannot re-initialize CUDA in forked subprocess.";

/// What a text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake<'a> {
    /// An elementwise operation with tensors on two devices.
    Mixed { first: &'a str, second: &'a str },
    /// An operation that checks its arguments one by one: `argument` is on `on`, those before it on `common`.
    Argument { argument: &'a str, on: &'a str, common: &'a str, method: &'a str },
    /// A convolution that compares types: where its input and its weight or bias are.
    Convolution { input: &'static str, other: &'static str, what: &'a str },
    /// A recurrent layer.
    Recurrent { input: &'a str, what: &'a str, other: &'a str },
    /// An index on another device than the tensor it indexes.
    Index { indexed: &'a str },
    /// NumPy cannot read the memory of a device.
    Numpy { device: &'a str },
    /// NumPy cannot carry a graph.
    NumpyGrad,
    /// There is no GPU to be used. `driver`: the build of PyTorch could use one.
    NoCuda { driver: bool },
    /// A device string whose type is none.
    UnknownDevice { name: &'a str },
    /// A device string whose index is none.
    MalformedDevice { text: &'a str },
    /// An index beyond the GPUs of this machine.
    Ordinal,
    /// `tried`, `capacity` and `free` as PyTorch words them.
    /// `allowed` is what `set_per_process_memory_fraction` leaves, and empty without it.
    OutOfMemory { tried: &'a str, capacity: &'a str, free: &'a str, allowed: &'a str },
    /// An optimizer over no parameters.
    NoParameters,
    /// An optimizer over results instead of leaves.
    NonLeaf,
    /// A checkpoint of a GPU on a machine without one, or with fewer.
    Checkpoint { fewer: bool },
    /// Pinning what is on a device.
    Pin,
    /// CUDA in a forked worker.
    Fork,
    /// A generator of another device.
    Generator { wanted: &'a str, found: &'a str },
    /// An error found on the device after its launch.
    DeviceAssert,
    /// `DataParallel` over a module that is elsewhere.
    Replica { wanted: &'a str, found: &'a str },
    /// `DistributedDataParallel` with GPU indices over a module that is elsewhere.
    ReplicaIds,
    /// Keys of a checkpoint that differ by the `module.` of a wrapper; `wrapped`: the checkpoint has it.
    StateKeys { wrapped: bool },
    /// Communication before `init_process_group`.
    NoProcessGroup,
    /// `torch.FloatTensor(..., device="cuda")`.
    LegacyConstructor,
}

impl Mistake<'_> {
    /// The rule's number.
    pub fn rule(&self, failure: &Failure<'_>) -> &'static str {
        match self {
            // The text of an elementwise operation, but nothing in the line is one: the optimizer's own tensors differ.
            Mistake::Mixed { .. } if failure.failing().is_some_and(|(_, line)| source::calls(line, "step")) => "D14",
            Mistake::Mixed { first, second } if fix::plain_attribute(failure, first, second).is_some() => "D07",
            Mistake::Mixed { .. } => "D01",
            Mistake::Argument { method, .. } if method.contains("nll_loss") => "D09",
            Mistake::Argument { method, .. } if method.contains("conv") => "D03",
            Mistake::Argument { method, .. } if method.ends_with("_cat") => "D08",
            Mistake::Argument { method, .. } if method.contains("index_select") || method.contains("embedding") => {
                "D10"
            }
            Mistake::Argument { .. } | Mistake::Recurrent { .. } => "D02",
            Mistake::Convolution { .. } => "D03",
            Mistake::Index { .. } => "D10",
            Mistake::Numpy { .. } => "D11",
            Mistake::NumpyGrad => "D12",
            Mistake::NoCuda { .. } => "D17",
            Mistake::UnknownDevice { .. } | Mistake::MalformedDevice { .. } | Mistake::Ordinal => "D18",
            Mistake::OutOfMemory { .. } => "D20",
            Mistake::NoParameters => "D06",
            Mistake::NonLeaf => "D13",
            Mistake::Checkpoint { fewer: false } => "D15",
            Mistake::Checkpoint { fewer: true } => "D16",
            Mistake::Pin => "D24",
            Mistake::Fork => "D25",
            Mistake::Generator { .. } => "D28",
            Mistake::DeviceAssert => "D29",
            Mistake::Replica { .. } | Mistake::StateKeys { .. } => "D26",
            Mistake::ReplicaIds | Mistake::NoProcessGroup => "D27",
            Mistake::LegacyConstructor => "D30",
        }
    }
}

/// Takes a message apart; `None` when it is none of those that the rules know.
pub fn recognise<'a>(class: &str, message: &'a str) -> Option<Mistake<'a>> {
    let class = class.rsplit('.').next().unwrap_or(class);
    match class {
        "RuntimeError" | "AcceleratorError" | "OutOfMemoryError" => runtime(message),
        "TypeError" => {
            if let Some(mistake) = legacy(message) {
                return Some(mistake);
            }
            let device = between(message, "can't convert ", " device type tensor to numpy.")?;
            // A tensor on `meta` has no data to copy.
            (device != "meta").then_some(Mistake::Numpy { device })
        }
        "AssertionError" => {
            (message == "Torch not compiled with CUDA enabled").then_some(Mistake::NoCuda { driver: false })
        }
        "ValueError" => match message {
            "optimizer got an empty parameter list" => Some(Mistake::NoParameters),
            "can't optimize a non-leaf Tensor" => Some(Mistake::NonLeaf),
            _ if message.starts_with("Default process group has not been initialized") => Some(Mistake::NoProcessGroup),
            _ if message
                .starts_with("DistributedDataParallel device_ids and output_device arguments only work with") =>
            {
                Some(Mistake::ReplicaIds)
            }
            _ => legacy(message),
        },
        _ => None,
    }
}

fn legacy(message: &str) -> Option<Mistake<'_>> {
    let rest = message.strip_prefix("legacy constructor expects device type: ")?;
    rest.contains(" but device type: ").then_some(Mistake::LegacyConstructor)
}

fn runtime(message: &str) -> Option<Mistake<'_>> {
    if let Some(rest) = message.strip_prefix("module must have its parameters and buffers on device ") {
        let (wanted, rest) = rest.split_once(" (device_ids[0]) but found one of them on device: ")?;
        return Some(Mistake::Replica { wanted, found: rest });
    }
    if message.starts_with("Error(s) in loading state_dict for ") {
        let keys = |what: &str| message.split_once(what).map(|(_, rest)| rest.split('\n').next().unwrap_or_default());
        let (missing, unexpected) =
            (keys("Missing key(s) in state_dict: ")?, keys("Unexpected key(s) in state_dict: ")?);
        let all = |keys: &str| keys.split('"').skip(1).step_by(2).all(|key| key.starts_with("module."));
        return match (all(missing), all(unexpected)) {
            (false, true) => Some(Mistake::StateKeys { wrapped: true }),
            (true, false) => Some(Mistake::StateKeys { wrapped: false }),
            _ => None,
        };
    }
    if message.starts_with("Default process group has not been initialized") {
        return Some(Mistake::NoProcessGroup);
    }
    if let Some(mistake) = legacy(message) {
        return Some(mistake);
    }
    if let Some(rest) = message.strip_prefix("Expected all tensors to be on the same device, but ") {
        return same_device(rest);
    }
    // PyTorch 1.5, of an optimizer's state that stayed behind.
    if let Some(rest) = message.strip_prefix("expected backend ") {
        let (first, rest) = rest.split_once(" and dtype ")?;
        let second = between(rest, " but got backend ", " and dtype ")?;
        let device = |backend| match backend {
            "CPU" => Some("cpu"),
            "CUDA" => Some("cuda:0"),
            _ => None,
        };
        return Some(Mistake::Mixed { first: device(first)?, second: device(second)? });
    }
    if let Some(rest) = message.strip_prefix("Input type (") {
        return convolution(rest);
    }
    if let Some(rest) = message.strip_prefix("Input and ") {
        let (what, rest) = rest.split_once(" tensors are not at the same device, found input tensor at ")?;
        let (input, rest) = rest.split_once(" and ")?;
        let other = rest.split_once(" tensor at ")?.1;
        return Some(Mistake::Recurrent { input, what, other });
    }
    if let Some(rest) =
        message.strip_prefix("indices should be either on cpu or on the same device as the indexed tensor (")
    {
        return Some(Mistake::Index { indexed: rest.strip_suffix(')')? });
    }
    if let Some(rest) = message.strip_prefix("expected self and mask to be on the same device, but got mask on ") {
        let (second, first) = rest.split_once(" and self on ")?;
        return Some(Mistake::Mixed { first, second });
    }
    if let Some(rest) = message.strip_prefix("Expected query, key, and value to have the same device type, but got ") {
        let (first, rest) = rest.strip_prefix("query.device: ")?.split_once(" key.device: ")?;
        let (key, value) = rest.split_once(" and value.device: ")?;
        let second = if key == first { value.strip_suffix(" instead.")? } else { key };
        return Some(Mistake::Mixed { first, second });
    }
    if message.starts_with("Can't call numpy() on Tensor that requires grad.") {
        return Some(Mistake::NumpyGrad);
    }
    if message.starts_with("Found no NVIDIA driver on your system.") {
        return Some(Mistake::NoCuda { driver: true });
    }
    if let Some((_, name)) = message.split_once(" device type at start of device string: ") {
        return message.starts_with("Expected one of cpu, cuda, ").then_some(Mistake::UnknownDevice { name });
    }
    if let Some(rest) = message.strip_prefix("Invalid device string: '") {
        return Some(Mistake::MalformedDevice { text: rest.strip_suffix('\'')? });
    }
    if message.starts_with("CUDA error: invalid device ordinal") {
        return Some(Mistake::Ordinal);
    }
    if message.starts_with("CUDA error: device-side assert triggered") {
        return Some(Mistake::DeviceAssert);
    }
    if message.starts_with("CUDA out of memory. Tried to allocate ") {
        let tried = between(message, "Tried to allocate ", ". GPU ")?;
        let capacity = between(message, "has a total capacity of ", " of which ")
            // Before 2.1: "(GPU 0; 15.90 GiB total capacity; ... free; ...)".
            .or_else(|| between(message, "; ", " total capacity"))?;
        let free = between(message, " of which ", " is free.").unwrap_or_default();
        let allowed =
            message.split_once(" allowed; ").and_then(|(before, _)| before.rsplit(". ").next()).unwrap_or_default();
        return Some(Mistake::OutOfMemory { tried, capacity, free, allowed });
    }
    if message.starts_with(MPS_FULL) {
        let tried = between(message, "Tried to allocate ", " on ")?;
        let capacity = between(message, "max allowed: ", ")")?;
        return Some(Mistake::OutOfMemory { tried, capacity, free: "", allowed: "" });
    }
    if message.starts_with("Attempting to deserialize object on a CUDA device but") {
        return Some(Mistake::Checkpoint { fewer: false });
    }
    if message.starts_with("Attempting to deserialize object on CUDA device ") {
        return Some(Mistake::Checkpoint { fewer: true });
    }
    if message.starts_with("cannot pin '") && message.ends_with("only dense CPU tensors can be pinned") {
        return Some(Mistake::Pin);
    }
    // From a worker of a loader the error comes as text, with its traceback around it.
    let worker = message.starts_with("Caught RuntimeError in DataLoader worker process ");
    if message.starts_with(FORKED) || (worker && message.contains(FORKED)) {
        return Some(Mistake::Fork);
    }
    if let Some(rest) = message.strip_prefix("Expected a '") {
        let (wanted, rest) = rest.split_once("' device type for generator but found '")?;
        return Some(Mistake::Generator { wanted, found: rest.strip_suffix('\'')? });
    }
    None
}

fn same_device(rest: &str) -> Option<Mistake<'_>> {
    // 2.15, for operations that check argument by argument.
    if let Some(rest) = rest.strip_prefix("got ") {
        let (argument, rest) = rest.split_once(" is on ")?;
        let (on, rest) = rest.split_once(", different from other tensors on ")?;
        let (common, rest) = rest.split_once(" (when checking argument in method ")?;
        return Some(Mistake::Argument { argument, on, common, method: rest.strip_suffix(')')? });
    }
    let rest = rest.strip_prefix("found at least two devices, ")?;
    let (devices, rest) = rest.split_once('!')?;
    let (first, second) = devices.split_once(" and ")?;
    // Before 2.15 the same operations named the devices first. Some versions put the CPU first whatever the order.
    match rest.strip_prefix(" (when checking argument for argument ") {
        Some(rest) => {
            let (argument, method) = rest.strip_suffix(')')?.split_once(" in method ")?;
            Some(Mistake::Argument { argument, on: second, common: first, method })
        }
        None => Some(Mistake::Mixed { first, second }),
    }
}

fn convolution(rest: &str) -> Option<Mistake<'_>> {
    let (input, rest) = rest.split_once(") and ")?;
    let (what, rest) = rest.split_once(" type (")?;
    let (other, rest) = rest.split_once(')')?;
    let on = |kind: &str| if kind.contains(".cuda.") { "cuda:0" } else { "cpu" };
    // Types that differ only in precision say nothing about devices.
    (rest.starts_with(" should be the same") && on(input) != on(other)).then(|| Mistake::Convolution {
        input: on(input),
        other: on(other),
        what,
    })
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after)?.0)
}
