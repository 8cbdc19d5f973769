//! PyTorch's errors for tensors on two devices, from 2.0 to 2.15, and one from 1.5 that people still quote. Ten rules begin
//! here. The way in which the tensors got there decides which rule explains the error.

use super::Failure;
use super::seen::between;

/// The two devices in an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Met<'a> {
    pub(super) check: Check<'a>,
    /// The devices in the message. For an argument, its own device is first; for a layer, the input's.
    pub(super) first: &'a str,
    pub(super) second: &'a str,
}

/// Which of PyTorch's checks failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check<'a> {
    /// An elementwise operation checks all its tensors; 0-dim ones may be on the CPU.
    Elementwise,
    /// An operation that checks its arguments one by one: this one differs from earlier ones.
    Argument { argument: &'a str, method: &'a str },
    /// A convolution compares its input with its weight or bias.
    Convolution { part: &'a str },
    /// A recurrent layer compares its input with its parameters or hidden state.
    Recurrent { part: &'a str },
}

impl<'a> Met<'a> {
    pub(super) fn read(failure: &Failure<'a>) -> Option<Met<'a>> {
        let message = failure.runtime()?;
        if let Some(rest) = message.strip_prefix("Expected all tensors to be on the same device, but ") {
            return same_device(rest);
        }
        if let Some(rest) = message.strip_prefix("Input type (") {
            return convolution(rest);
        }
        if let Some(rest) = message.strip_prefix("Input and ") {
            let (part, rest) = rest.split_once(" tensors are not at the same device, found input tensor at ")?;
            let (first, rest) = rest.split_once(" and ")?;
            let second = rest.split_once(" tensor at ")?.1;
            return Some(Met { check: Check::Recurrent { part }, first, second });
        }
        let (first, second) = elementwise(message)?;
        Some(Met { check: Check::Elementwise, first, second })
    }

    pub(super) fn elementwise(&self) -> bool {
        self.check == Check::Elementwise
    }

    /// The wrapper that checked the arguments: `wrapper_CUDA_addmm`.
    pub(super) fn method(&self) -> Option<&'a str> {
        match self.check {
            Check::Argument { method, .. } => Some(method),
            _ => None,
        }
    }

    /// The device where a tensor shouldn't be, and the one where it should be: a program that uses a GPU wants to compute
    /// there.
    pub(super) fn sides(&self) -> (&'a str, &'a str) {
        let one_by_one = matches!(self.check, Check::Argument { .. });
        match self.first == "cpu" || (one_by_one && self.second != "cpu") {
            true => (self.first, self.second),
            false => (self.second, self.first),
        }
    }

    pub(super) fn wrong(&self) -> &'a str {
        self.sides().0
    }

    pub(super) fn wanted(&self) -> &'a str {
        self.sides().1
    }
}

fn same_device(rest: &str) -> Option<Met<'_>> {
    // PyTorch 2.15, for operations that check one argument after the other.
    if let Some(rest) = rest.strip_prefix("got ") {
        let (argument, rest) = rest.split_once(" is on ")?;
        let (first, rest) = rest.split_once(", different from other tensors on ")?;
        let (second, rest) = rest.split_once(" (when checking argument in method ")?;
        let method = rest.strip_suffix(')')?;
        return Some(Met { check: Check::Argument { argument, method }, first, second });
    }
    let rest = rest.strip_prefix("found at least two devices, ")?;
    let (devices, rest) = rest.split_once('!')?;
    let (first, second) = devices.split_once(" and ")?;
    // Before 2.15, the same operations named the devices first. Some versions always put the CPU first.
    match rest.strip_prefix(" (when checking argument for argument ") {
        Some(rest) => {
            let (argument, method) = rest.strip_suffix(')')?.split_once(" in method ")?;
            Some(Met { check: Check::Argument { argument, method }, first: second, second: first })
        }
        None => Some(Met { check: Check::Elementwise, first, second }),
    }
}

fn convolution(rest: &str) -> Option<Met<'_>> {
    let (input, rest) = rest.split_once(") and ")?;
    let (part, rest) = rest.split_once(" type (")?;
    let (other, rest) = rest.split_once(')')?;
    let on = |kind: &str| if kind.contains(".cuda.") { "cuda:0" } else { "cpu" };
    // If the types differ only in precision, the error isn't about devices.
    (rest.starts_with(" should be the same") && on(input) != on(other)).then(|| Met {
        check: Check::Convolution { part },
        first: on(input),
        second: on(other),
    })
}

/// Operations with messages of their own that mean the same as the elementwise message.
fn elementwise(message: &str) -> Option<(&str, &str)> {
    // PyTorch 1.5: an optimizer's state that wasn't moved.
    if let Some(rest) = message.strip_prefix("expected backend ") {
        let (first, rest) = rest.split_once(" and dtype ")?;
        let second = between(rest, " but got backend ", " and dtype ")?;
        let device = |backend| match backend {
            "CPU" => Some("cpu"),
            "CUDA" => Some("cuda:0"),
            _ => None,
        };
        return Some((device(first)?, device(second)?));
    }
    if let Some(rest) = message.strip_prefix("expected self and mask to be on the same device, but got mask on ") {
        let (second, first) = rest.split_once(" and self on ")?;
        return Some((first, second));
    }
    let rest = message.strip_prefix("Expected query, key, and value to have the same device type, but got ")?;
    let (first, rest) = rest.strip_prefix("query.device: ")?.split_once(" key.device: ")?;
    let (key, value) = rest.split_once(" and value.device: ")?;
    let second = if key == first { value.strip_suffix(" instead.")? } else { key };
    Some((first, second))
}
