//! `torch.einsum` and `torch.tensordot`: each pair of operands becomes one batched matrix product.
//!
//! Source of rules and texts: aten/src/ATen/native/Linear.cpp in PyTorch 2.15.

use crate::error::{Error, Result};
use crate::ops::{self, view};
use crate::tensor::Tensor;

/// A dimension's name: a letter, or a position in the ellipsis, counted from its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Label {
    Ellipsis(usize),
    Letter(u8),
}

/// An operand with named dimensions.
struct Named {
    tensor: Tensor,
    labels: Vec<Label>,
}

fn labels_of(term: &str, ndim: usize, operand: Option<usize>) -> Result<Vec<Label>> {
    let (before, after) = match term.find("...") {
        Some(at) => (&term[..at], Some(&term[at + 3..])),
        None => (term, None),
    };
    let letters = |part: &str| -> Result<Vec<Label>> {
        part.bytes()
            .map(|c| {
                if c.is_ascii_alphabetic() {
                    return Ok(Label::Letter(c));
                }
                let place = operand.map_or("the output".to_string(), |i| format!("operand {i}"));
                Err(Error::runtime(format!(
                    "einsum(): invalid subscript given at index 0 in the equation string for {place}, subscripts must be in [a-zA-Z]"
                )))
            })
            .collect()
    };
    let mut labels = letters(before)?;
    let tail = after.map(letters).transpose()?;
    let named = labels.len() + tail.as_ref().map_or(0, Vec::len);
    let Some(i) = operand else {
        if let Some(tail) = tail {
            labels.extend((0..ndim).rev().map(Label::Ellipsis));
            labels.extend(tail);
        }
        return Ok(labels);
    };
    match tail {
        None if named != ndim => Err(Error::runtime(format!(
            "einsum(): the number of subscripts in the equation ({named}) does not match the number of dimensions ({ndim}) for operand {i} and no ellipsis was given"
        ))),
        Some(_) if named > ndim => Err(Error::runtime(format!(
            "einsum(): the number of subscripts in the equation ({named}) is more than the number of dimensions ({ndim}) for operand {i}"
        ))),
        None => Ok(labels),
        Some(tail) => {
            labels.extend((0..ndim - named).rev().map(Label::Ellipsis));
            labels.extend(tail);
            Ok(labels)
        }
    }
}

/// Refuses characters that have no meaning where they are.
fn check_equation(equation: &str) -> Result<()> {
    let bytes = equation.as_bytes();
    let arrow = equation.find("->").unwrap_or(bytes.len());
    let (mut i, mut operand, mut has_ellipsis) = (0, 0, false);
    while i < bytes.len() {
        if i == arrow {
            has_ellipsis = false;
            i += 2;
            continue;
        }
        match bytes[i] {
            b' ' => {}
            b',' if i < arrow => {
                operand += 1;
                has_ellipsis = false;
            }
            b'.' => {
                let is_part = bytes.get(i + 1..i + 3) == Some(&b".."[..]);
                let of_operand = i < arrow;
                if has_ellipsis || !is_part {
                    return Err(Error::runtime(match (of_operand, has_ellipsis) {
                        (true, true) => {
                            format!("einsum(): found '.' for operand {operand} for which an ellipsis was already found")
                        }
                        (true, false) => {
                            format!("einsum(): found '.' for operand {operand} that is not part of any ellipsis")
                        }
                        (false, true) => {
                            "einsum(): found '.' for output but an ellipsis (...) was already found".to_string()
                        }
                        (false, false) => {
                            "einsum(): found '.' for output that is not part of any ellipsis (...)".to_string()
                        }
                    }));
                }
                has_ellipsis = true;
                i += 2;
            }
            c if c.is_ascii_alphabetic() => {}
            _ => {
                return Err(Error::runtime(format!(
                    "einsum(): invalid subscript given at index {i} in the equation string, subscripts must be in [a-zA-Z]"
                )));
            }
        }
        i += 1;
    }
    Ok(())
}

/// `torch.einsum(equation, operands)`.
///
/// # Errors
/// PyTorch's texts for equations that do not fit the operands.
pub fn einsum(equation: &str, operands: &[Tensor]) -> Result<Tensor> {
    if operands.is_empty() {
        return Err(Error::runtime("einsum(): must provide at least one operand"));
    }
    check_equation(equation)?;
    let equation: String = equation.chars().filter(|c| *c != ' ').collect();
    let (left, right) = match equation.split_once("->") {
        Some((left, right)) => (left.to_string(), Some(right.to_string())),
        None => (equation, None),
    };
    let terms: Vec<&str> = left.split(',').collect();
    if terms.len() != operands.len() {
        return Err(Error::runtime(if terms.len() > operands.len() {
            "einsum(): fewer operands were provided than specified in the equation"
        } else {
            "einsum(): more operands were provided than specified in the equation"
        }));
    }
    let labels: Vec<Vec<Label>> = terms
        .iter()
        .zip(operands)
        .enumerate()
        .map(|(i, (term, t))| labels_of(term, t.ndim(), Some(i)))
        .collect::<Result<_>>()?;
    let output = output_labels(right.as_deref(), &left, &labels)?;
    let mut named = Vec::with_capacity(operands.len());
    for (i, (labels, t)) in labels.into_iter().zip(operands).enumerate() {
        named.push(diagonals(t, labels, i)?);
    }
    let mut seen: Vec<(Label, usize)> = Vec::new();
    for (i, operand) in named.iter().enumerate() {
        for (d, label) in operand.labels.iter().enumerate() {
            let size = operand.tensor.size(d);
            match seen.iter_mut().find(|(l, _)| l == label) {
                None => seen.push((*label, size)),
                Some((_, have)) if *have == 1 => *have = size,
                Some((_, have)) if size != 1 && *have != size => {
                    let name = match label {
                        Label::Letter(c) => char::from(*c).to_string(),
                        Label::Ellipsis(_) => "...".into(),
                    };
                    return Err(Error::runtime(format!(
                        "einsum(): subscript {name} has size {size} for operand {i} which does not broadcast with previously seen size {have}"
                    )));
                }
                Some(_) => {}
            }
        }
    }
    let named = named.iter().map(|n| sorted(n, &output)).collect::<Result<Vec<_>>>()?;
    let mut rest = named.into_iter();
    let mut acc = match rest.next() {
        Some(first) => first,
        None => return Err(Error::runtime("einsum(): must provide at least one operand")),
    };
    let mut waiting: Vec<Named> = rest.collect();
    // Of two operands, the one with the first dimension of its own is the left one. Measured in PyTorch: of more operands, or where a
    // dimension has size 1, it's the one that comes first.
    if let [other] = &mut waiting[..]
        && seen.iter().all(|(_, size)| *size != 1)
    {
        let first = |n: &Named, other: &Named| {
            let own = n.labels.iter().filter(|l| output.contains(l) && !other.labels.contains(l));
            own.map(|l| rank(l, &output)).min()
        };
        if let (Some(left), Some(right)) = (first(&acc, other), first(other, &acc))
            && right < left
        {
            std::mem::swap(&mut acc, other);
        }
    }
    while !waiting.is_empty() {
        let next = waiting.remove(0);
        let needed = |l: &Label| output.contains(l) || waiting.iter().any(|n| n.labels.contains(l));
        acc = sorted(&contract(&acc, &next, &needed, &output)?, &output)?;
    }
    finish(&acc, &output, &seen)
}

/// A label twice in one operand takes the diagonal.
fn diagonals(t: &Tensor, labels: Vec<Label>, operand: usize) -> Result<Named> {
    let (mut tensor, mut labels) = (t.clone(), labels);
    let mut i = 0;
    while i < labels.len() {
        match labels[..i].iter().position(|l| *l == labels[i]) {
            None => i += 1,
            Some(first) => {
                let (a, b) = (tensor.size(first), tensor.size(i));
                if a != b {
                    let name = if let Label::Letter(c) = labels[i] { char::from(c) } else { '.' };
                    return Err(Error::runtime(format!(
                        "einsum(): subscript {name} is repeated for operand {operand} but the sizes don't match, {b} != {a}"
                    )));
                }
                tensor = view::diagonal(&tensor, 0, first as i64, i as i64)?;
                tensor = ops::shape::movedim(&tensor, &[-1], &[first as i64])?;
                labels.remove(i);
            }
        }
    }
    Ok(Named { tensor, labels })
}

fn output_labels(right: Option<&str>, left: &str, inputs: &[Vec<Label>]) -> Result<Vec<Label>> {
    let of_ellipsis = |input: &Vec<Label>| input.iter().filter(|l| matches!(l, Label::Ellipsis(_))).count();
    let ellipsis = inputs.iter().map(of_ellipsis).max().unwrap_or(0);
    let Some(right) = right else {
        // Without `->`, the output is the ellipsis, then the letters that occur once, in alphabetical order.
        let mut labels: Vec<Label> = (0..ellipsis).rev().map(Label::Ellipsis).collect();
        let mut letters: Vec<u8> = left.bytes().filter(u8::is_ascii_alphabetic).collect();
        letters.sort_unstable();
        let once = letters.iter().filter(|&&c| left.bytes().filter(|&d| d == c).count() == 1);
        labels.extend(once.map(|&c| Label::Letter(c)));
        return Ok(labels);
    };
    let labels = labels_of(right, ellipsis, None)?;
    for (i, label) in labels.iter().enumerate() {
        let Label::Letter(c) = label else { continue };
        if labels[..i].contains(label) {
            return Err(Error::runtime(format!(
                "einsum(): output subscript {} appears more than once in the output",
                char::from(*c)
            )));
        }
        if !inputs.iter().flatten().any(|l| l == label) {
            return Err(Error::runtime(format!(
                "einsum(): output subscript {} does not appear in the equation for any input operand",
                char::from(*c)
            )));
        }
    }
    Ok(labels)
}

/// Sums over dimensions that only this operand has and that the output doesn't need.
fn drop_unneeded(n: &Named, keep: impl Fn(&Label) -> bool) -> Result<Named> {
    let dims: Vec<i64> = (0..n.labels.len()).filter(|&d| !keep(&n.labels[d])).map(|d| d as i64).collect();
    if dims.is_empty() {
        return Ok(Named { tensor: n.tensor.clone(), labels: n.labels.clone() });
    }
    let tensor = ops::reduce::sum(&n.tensor, &dims, false, None)?;
    let labels = n.labels.iter().copied().filter(|l| keep(l)).collect();
    Ok(Named { tensor, labels })
}

/// `n` with its dimensions in the order of `labels`. A missing one gets size 1.
fn arrange(n: &Named, labels: &[Label]) -> Result<Tensor> {
    let order: Vec<i64> =
        labels.iter().filter_map(|l| n.labels.iter().position(|m| m == l)).map(|d| d as i64).collect();
    let mut t = if order.iter().enumerate().all(|(i, &d)| i as i64 == d) {
        n.tensor.clone()
    } else {
        view::permute(&n.tensor, &order)?
    };
    for (i, l) in labels.iter().enumerate() {
        if !n.labels.contains(l) {
            t = view::unsqueeze(&t, i as i64)?;
        }
    }
    Ok(t)
}

/// Where a dimension stands in every step: those of the output first, in its order, then the others by their letters. It decides the
/// order of a result in memory.
fn rank(label: &Label, output: &[Label]) -> (usize, Label) {
    (output.iter().position(|l| l == label).unwrap_or(output.len()), *label)
}

fn sorted(n: &Named, output: &[Label]) -> Result<Named> {
    let mut labels = n.labels.clone();
    labels.sort_unstable_by_key(|l| rank(l, output));
    Ok(Named { tensor: arrange(n, &labels)?, labels })
}

fn contract(a: &Named, b: &Named, needed: &dyn Fn(&Label) -> bool, output: &[Label]) -> Result<Named> {
    let a = &drop_unneeded(a, |l| needed(l) || b.labels.contains(l))?;
    let b = &drop_unneeded(b, |l| needed(l) || a.labels.contains(l))?;
    let size = |n: &Named, l: &Label| n.labels.iter().position(|m| m == l).map_or(1, |d| n.tensor.size(d));
    let both = |l: &&Label| b.labels.contains(l);
    // A dimension with size 1 on one side isn't contracted: it broadcasts.
    let (mut batch, mut inner) = (Vec::new(), Vec::new());
    for l in a.labels.iter().filter(both) {
        if needed(l) { batch.push(*l) } else { inner.push(*l) }
    }
    let only_a: Vec<Label> = a.labels.iter().filter(|l| !b.labels.contains(l)).copied().collect();
    let only_b: Vec<Label> = b.labels.iter().filter(|l| !a.labels.contains(l)).copied().collect();
    if inner.is_empty() {
        // Nothing is summed, so this is an elementwise product, which allows dtypes that matrix products don't.
        let mut labels: Vec<Label> = [batch, only_a, only_b].concat();
        labels.sort_unstable_by_key(|l| rank(l, output));
        let tensor = ops::mul(&arrange(a, &labels)?, &arrange(b, &labels)?)?;
        return Ok(Named { tensor, labels });
    }
    let joint = |l: &Label| if size(a, l) == 1 { size(b, l) } else { size(a, l) };
    let grow = |n: &Named, order: &[&[Label]]| -> Result<Tensor> {
        let labels: Vec<Label> = order.concat();
        let t = arrange(n, &labels)?;
        let wanted: Vec<i64> = labels.iter().map(|l| joint(l) as i64).collect();
        let t =
            if t.shape().iter().zip(&wanted).all(|(&s, &w)| s as i64 == w) { t } else { view::expand(&t, &wanted)? };
        let folded: Vec<i64> = order.iter().map(|part| part.iter().map(joint).product::<usize>() as i64).collect();
        view::reshape(&t, &folded)
    };
    let left = grow(a, &[&batch, &only_a, &inner])?;
    let right = grow(b, &[&batch, &inner, &only_b])?;
    let product = ops::matmul::bmm(&left, &right)?;
    let labels: Vec<Label> = [batch, only_a, only_b].concat();
    let shape: Vec<i64> = labels.iter().map(|l| joint(l) as i64).collect();
    Ok(Named { tensor: view::view(&product, &shape)?, labels })
}

fn finish(n: &Named, output: &[Label], seen: &[(Label, usize)]) -> Result<Tensor> {
    let n = drop_unneeded(n, |l| output.contains(l))?;
    let t = arrange(&n, output)?;
    let wanted: Vec<i64> =
        output.iter().map(|l| seen.iter().find(|(m, _)| m == l).map_or(1, |(_, s)| *s) as i64).collect();
    if t.shape().iter().zip(&wanted).all(|(&s, &w)| s as i64 == w) { Ok(t) } else { view::expand(&t, &wanted) }
}

/// `torch.tensordot(a, b, (dims_a, dims_b))`.
///
/// # Errors
/// Dimensions that do not match.
pub fn tensordot(a: &Tensor, b: &Tensor, dims_a: &[i64], dims_b: &[i64]) -> Result<Tensor> {
    if dims_a.len() != dims_b.len() {
        return Err(Error::runtime("both dimension lists should have same length"));
    }
    let wrap = |t: &Tensor, dims: &[i64]| -> Result<Vec<usize>> {
        dims.iter().map(|&d| crate::shape::wrap_own_dim(d, t.ndim())).collect()
    };
    let (da, db) = (wrap(a, dims_a)?, wrap(b, dims_b)?);
    let (mut a, mut b) = (a.clone(), b.clone());
    for (k, (&i, &j)) in da.iter().zip(&db).enumerate() {
        // A dimension of size 1 is paired with every element of the other's.
        match (a.size(i), b.size(j)) {
            (1, m) if m != 1 => b = ops::reduce::sum(&b, &[j as i64], true, Some(b.dtype()))?,
            (n, 1) if n != 1 => a = ops::reduce::sum(&a, &[i as i64], true, Some(a.dtype()))?,
            _ => {}
        }
        if a.size(i) != b.size(j) {
            return Err(Error::runtime(format!(
                "contracted dimensions need to match, but first has size {} in dim {} and second has size {} in dim {}",
                a.size(i),
                dims_a[k],
                b.size(j),
                dims_b[k]
            )));
        }
    }
    let (a, b) = (&a, &b);
    let free = |t: &Tensor, used: &[usize]| (0..t.ndim()).filter(|d| !used.contains(d)).collect::<Vec<_>>();
    let (fa, fb) = (free(a, &da), free(b, &db));
    let sizes = |t: &Tensor, dims: &[usize]| dims.iter().map(|&d| t.size(d) as i64).collect::<Vec<_>>();
    let order = |x: &[usize], y: &[usize]| x.iter().chain(y).map(|&d| d as i64).collect::<Vec<_>>();
    let inner: i64 = sizes(a, &da).iter().product();
    let rows = view::reshape(&view::permute(a, &order(&fa, &da))?, &[sizes(a, &fa).iter().product(), inner])?;
    let cols = view::reshape(&view::permute(b, &order(&db, &fb))?, &[inner, sizes(b, &fb).iter().product()])?;
    let shape = [sizes(a, &fa), sizes(b, &fb)].concat();
    view::reshape(&ops::matmul::mm(&rows, &cols)?, &shape)
}

/// `torch.inner(a, b)`: the sum over both last dimensions; with a scalar, the product.
///
/// # Errors
/// Last dimensions that differ.
pub fn inner(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    if a.ndim() == 0 || b.ndim() == 0 {
        return ops::mul(a, b);
    }
    if a.size(a.ndim() - 1) != b.size(b.ndim() - 1) {
        return Err(Error::runtime(format!(
            "inner() the last dimension must match on both input tensors but got shapes {} and {}",
            crate::shape::show(&a.shape()),
            crate::shape::show(&b.shape())
        )));
    }
    if a.ndim() == 1 && b.ndim() == 1 {
        return crate::autograd::under(&ops::matmul::dot(a, b)?, crate::ops::rows::VIEW.node);
    }
    tensordot(a, b, &[-1], &[-1])
}
