//! PyTorch's collectives, for tensors on any device.
//!
//! As in PyTorch's gloo, a tensor on an accelerator is copied to the host, and the result is copied back to the device.
//! These copies are ordinary transfers, so the trace shows what a group costs. In a group of one process a tensor
//! stays where it is. In a group whose devices are linked, the devices exchange the data; such a call returns while it is
//! still running.
//!
//! Collectives aren't part of an autograd graph. Those that write into a tensor increase its version.

use super::{Combine, Communicator, Flight, Sending, Target};
use crate::autograd::GradMode;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::ops::transfer;
use crate::tensor::Tensor;
use crate::trace::Why;

/// The running collective, if it hasn't ended when the call returns.
pub type Begun = Result<Option<Flight>>;

/// The elements on the host, in row-major order.
fn taken(t: &Tensor, why: Why) -> Result<Vec<u8>> {
    let host = transfer::to_device(&t.detach(), Device::CPU, why)?;
    transfer::to_host(&host, why)
}

fn put(t: &Tensor, bytes: &[u8], why: Why) -> Result<()> {
    let host = Tensor::from_bytes(bytes, &t.shape(), t.dtype(), Device::CPU)?;
    transfer::copy_with(t, &host, false, why)?;
    t.bump_version();
    Ok(())
}

/// A copy between tensors of this process.
fn copy(to: &Tensor, from: &Tensor, why: Why) -> Result<()> {
    let _mode = GradMode::set(false);
    if to.numel() != from.numel() {
        return Err(mismatch(to, from));
    }
    transfer::copy_with(to, &crate::ops::view::reshape(from, &dims(to))?, false, why)?;
    to.bump_version();
    Ok(())
}

fn dims(t: &Tensor) -> Vec<i64> {
    t.shape().iter().map(|&n| n as i64).collect()
}

fn mismatch(to: &Tensor, from: &Tensor) -> Error {
    let show = crate::shape::show;
    Error::value(format!(
        "tensors of a collective must have one size, but got {} and {}",
        show(&to.shape()),
        show(&from.shape())
    ))
}

/// Checks that each has the dtype and the number of elements of `one`.
fn check_alike(many: &[Tensor], one: &Tensor) -> Result<()> {
    for t in many {
        if t.dtype() != one.dtype() {
            return Err(Error::type_("Invalid usage of tensors with different dtypes"));
        }
        if t.numel() != one.numel() {
            return Err(mismatch(t, one));
        }
    }
    Ok(())
}

fn joined(tensors: &[Tensor], why: Why) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for t in tensors {
        out.extend(taken(t, why)?);
    }
    Ok(out)
}

/// Distributes received bytes over tensors, one after the other.
fn spread(tensors: &[Tensor], mut bytes: &[u8], why: Why) -> Result<()> {
    tensors.iter().try_for_each(|t| {
        let (mine, rest) = bytes.split_at(t.numel() * t.dtype().size());
        bytes = rest;
        put(t, mine, why)
    })
}

/// Every rank's `t` becomes that of `root`.
///
/// # Errors
/// Those of [`Communicator`]; device errors of the copies.
pub fn broadcast(group: &dyn Communicator, t: &Tensor, root: usize) -> Begun {
    if group.size() == 1 {
        return Ok(None);
    }
    if let Some(wired) = group.wired() {
        return wired.broadcast(t, root).map(Some);
    }
    if group.rank() == root {
        return group.broadcast(taken(t, Why::Broadcast)?, root).map(|_| None);
    }
    put(t, &group.broadcast(vec![0; t.numel() * t.dtype().size()], root)?, Why::Broadcast)?;
    Ok(None)
}

/// Every rank's `t` becomes the combination of all under `op`.
///
/// # Errors
/// Those of [`broadcast`]; bitwise operations on floating-point numbers.
pub fn all_reduce(group: &dyn Communicator, t: &Tensor, op: Combine) -> Begun {
    if group.size() == 1 {
        return Ok(None);
    }
    if let Some(wired) = group.wired() {
        return wired.all_reduce(t, op).map(Some);
    }
    let all = group.reduce(&taken(t, Why::AllReduce)?, t.dtype(), op, Target::Everyone)?;
    put(t, &all, Why::AllReduce)?;
    Ok(None)
}

/// Like [`all_reduce`], for the `t` of rank `to` alone.
///
/// # Errors
/// Those of [`all_reduce`].
pub fn reduce(group: &dyn Communicator, t: &Tensor, to: usize, op: Combine) -> Begun {
    if group.size() == 1 {
        return Ok(None);
    }
    if let Some(wired) = group.wired() {
        return wired.reduce(t, to, op).map(Some);
    }
    let all = group.reduce(&taken(t, Why::Reduce)?, t.dtype(), op, Target::One(to))?;
    if group.rank() == to {
        put(t, &all, Why::Reduce)?;
    }
    Ok(None)
}

/// `out` of rank `i` becomes the combination of all ranks' `parts[i]`, or of part `i` of a single tensor.
///
/// # Errors
/// Those of [`all_reduce`]; parts that differ in size or dtype.
pub(crate) fn reduce_scatter(group: &dyn Communicator, out: &Tensor, parts: &[Tensor], op: Combine) -> Begun {
    check_divided(parts, out, group.size())?;
    if group.size() == 1 {
        return copy(out, &parts[0], Why::Scatter).map(|()| None);
    }
    if let Some(wired) = group.wired() {
        return wired.reduce_scatter(out, parts, op).map(Some);
    }
    let mine = group.reduce(&joined(parts, Why::Reduce)?, out.dtype(), op, Target::Blocks)?;
    put(out, &mine, Why::Scatter)?;
    Ok(None)
}

/// Checks for one tensor per rank, each like `piece`, or a single one for all.
fn check_divided(tensors: &[Tensor], piece: &Tensor, size: usize) -> Result<()> {
    match tensors {
        [whole] if size > 1 => {
            if whole.dtype() != piece.dtype() {
                return Err(Error::type_("Invalid usage of tensors with different dtypes"));
            }
            match whole.numel() == piece.numel() * size {
                true => Ok(()),
                false => Err(mismatch(whole, piece)),
            }
        }
        _ if tensors.len() != size => Err(Error::value(format!(
            "a list must have one tensor for each of the {size} ranks, not {}",
            tensors.len()
        ))),
        _ => check_alike(tensors, piece),
    }
}

/// Every rank's `all[i]` becomes the `t` of rank `i`. A single tensor gets them one after the other.
///
/// # Errors
/// Those of [`broadcast`]; tensors that differ in size or dtype.
pub(crate) fn all_gather(group: &dyn Communicator, all: &[Tensor], t: &Tensor) -> Begun {
    check_divided(all, t, group.size())?;
    if group.size() == 1 {
        return copy(&all[0], t, Why::Gather).map(|()| None);
    }
    if let Some(wired) = group.wired() {
        return wired.all_gather(all, t).map(Some);
    }
    spread(all, &group.gather(taken(t, Why::Gather)?, None)?, Why::Gather)?;
    Ok(None)
}

/// Like [`all_gather`], for the list of rank `to` alone.
///
/// # Errors
/// Those of [`all_gather`].
pub fn gather(group: &dyn Communicator, all: &[Tensor], t: &Tensor, to: usize) -> Begun {
    if group.rank() == to {
        check_divided(all, t, group.size())?;
    }
    if group.size() == 1 {
        return copy(&all[0], t, Why::Gather).map(|()| None);
    }
    if let Some(wired) = group.wired() {
        return wired.gather(all, t, to).map(Some);
    }
    let bytes = group.gather(taken(t, Why::Gather)?, Some(to))?;
    if group.rank() == to {
        spread(all, &bytes, Why::Gather)?;
    }
    Ok(None)
}

/// `out` of rank `i` becomes `parts[i]` of rank `root`.
///
/// # Errors
/// Those of [`broadcast`]; tensors that differ in size or dtype.
pub fn scatter(group: &dyn Communicator, out: &Tensor, parts: &[Tensor], root: usize) -> Begun {
    let is_root = group.rank() == root;
    if is_root {
        check_divided(parts, out, group.size())?;
    }
    if group.size() == 1 {
        return copy(out, &parts[0], Why::Scatter).map(|()| None);
    }
    if let Some(wired) = group.wired() {
        return wired.scatter(out, parts, root).map(Some);
    }
    let data = if is_root { Some(joined(parts, Why::Scatter)?) } else { None };
    put(out, &group.scatter(data, out.numel() * out.dtype().size(), root)?, Why::Scatter)?;
    Ok(None)
}

/// `outs[j]` of rank `i` becomes `ins[i]` of rank `j`. The two must have the same size, but other pairs may have other
/// sizes.
///
/// # Errors
/// Those of [`broadcast`]; not one tensor per rank; tensors with different dtypes; ranks that disagree on a size.
pub(crate) fn all_to_all(group: &dyn Communicator, outs: &[Tensor], ins: &[Tensor]) -> Begun {
    for tensors in [outs, ins] {
        if tensors.len() != group.size() {
            return Err(Error::value(format!(
                "a list must have one tensor for each of the {} ranks, not {}",
                group.size(),
                tensors.len()
            )));
        }
        if tensors.iter().any(|t| t.dtype() != ins[0].dtype()) {
            return Err(Error::type_("Invalid usage of tensors with different dtypes"));
        }
    }
    let numels = |tensors: &[Tensor]| tensors.iter().map(Tensor::numel).collect::<Vec<_>>();
    trade(group, outs, ins, &numels(outs), &numels(ins))
}

/// Sends `in_splits[j]` rows of `input` to rank `j`, one block after the other, and receives `out_splits[j]` rows from it
/// into `out`. Without splits, all blocks have the same size.
///
/// # Errors
/// Those of [`all_to_all`]; splits that don't add up to the tensor.
pub(crate) fn all_to_all_single(
    group: &dyn Communicator,
    out: &Tensor,
    input: &Tensor,
    out_splits: &[i64],
    in_splits: &[i64],
) -> Begun {
    if out.dtype() != input.dtype() {
        let text = "Invalid usage of tensors with different dtypes";
        return Err(Error::value(format!("{text}Found {} and  {}", out.dtype(), input.dtype())));
    }
    let given = parts(input, in_splits, group.size())?;
    let expected = parts(out, out_splits, group.size())?;
    if in_splits.is_empty() && out_splits.is_empty() && out.numel() != input.numel() {
        return Err(mismatch(out, input));
    }
    trade(group, std::slice::from_ref(out), std::slice::from_ref(input), &expected, &given)
}

/// How many elements each rank gets of a tensor that is split by rows.
fn parts(t: &Tensor, splits: &[i64], size: usize) -> Result<Vec<usize>> {
    if splits.iter().any(|&rows| rows < 0) {
        return Err(Error::runtime("Split sizes must be non-negative"));
    }
    let shape = t.shape();
    let Some(&rows) = shape.first() else {
        return Err(Error::index("Dimension specified as 0 but tensor has no dimensions"));
    };
    let row: usize = shape[1..].iter().product();
    if splits.is_empty() {
        return match rows % size {
            0 => Ok(vec![rows / size * row; size]),
            _ => Err(Error::runtime("Tensor's dim 0 does not divide equally across group size")),
        };
    }
    if splits.len() != size {
        return Err(Error::runtime("Number of tensor splits not equal to group size"));
    }
    match splits.iter().try_fold(0i64, |sum, &rows| sum.checked_add(rows)) == Some(rows as i64) {
        true => Ok(splits.iter().map(|&rows| rows as usize * row).collect()),
        false => Err(Error::runtime("Split sizes doesn't match total dim 0 size")),
    }
}

/// Sends each rank this many elements of `ins`, and receives this many from it into `outs`. Both are one tensor, or one
/// per rank.
fn trade(group: &dyn Communicator, outs: &[Tensor], ins: &[Tensor], expected: &[usize], given: &[usize]) -> Begun {
    if group.size() == 1 {
        return copy(&outs[0], &ins[0], Why::Gather).map(|()| None);
    }
    if let Some(wired) = group.wired() {
        return wired.all_to_all(outs, ins, expected, given).map(Some);
    }
    let bytes = |counts: &[usize]| counts.iter().map(|n| n * ins[0].dtype().size()).collect::<Vec<_>>();
    let came = group.exchange(joined(ins, Why::Scatter)?, &bytes(given), &bytes(expected))?;
    spread(outs, &came, Why::Gather)?;
    Ok(None)
}

/// Starts sending `t`.
///
/// # Errors
/// Those of [`broadcast`].
pub fn send(group: &dyn Communicator, t: &Tensor, to: usize, tag: i32) -> Result<Sending> {
    group.send(taken(t, Why::Send)?, to, tag)
}

/// Fills `t` with data from one rank, or from the first that sends. Returns that rank.
///
/// # Errors
/// Those of [`broadcast`].
pub(crate) fn receive(group: &dyn Communicator, t: &Tensor, from: Option<usize>, tag: i32) -> Result<usize> {
    let (bytes, from) = group.receive(t.numel() * t.dtype().size(), from, tag)?;
    put(t, &bytes, Why::Receive)?;
    Ok(from)
}
