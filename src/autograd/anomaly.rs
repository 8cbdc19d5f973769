//! Anomaly detection: a backward pass looks for NaN in what each node computes, and an error names the node. A watcher
//! keeps what it knows of the call that made a node, such as the program's stack, and tells it when the node fails.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::error::{Error, Result};
use crate::tensor::Tensor;
use crate::tensor::modes::GradMode;
use crate::tensor::node::{Node, Operators};

/// Hears of nodes while anomalies are looked for.
pub trait Watcher {
    /// A node was made, while node `during` ran if it belongs to the graph of a gradient.
    ///
    /// # Errors
    /// Of what it does to find out where.
    fn made(&self, node: &Rc<Node>, during: Option<&Rc<Node>>) -> Result<()>;

    /// The backward pass ends with an error in this node.
    ///
    /// # Errors
    /// It replaces the node's own.
    fn failed(&self, node: &Rc<Node>) -> Result<()>;
}

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static CHECKS_NAN: Cell<bool> = const { Cell::new(true) };
    static WATCHER: RefCell<Option<Rc<dyn Watcher>>> = const { RefCell::new(None) };
    /// The nodes that run, the innermost one last.
    static RUNNING: RefCell<Vec<Rc<Node>>> = const { RefCell::new(Vec::new()) };
}

/// Starts with a watcher, or ends without one. `check_nan` is whether NaN is an anomaly.
pub fn set(watcher: Option<Rc<dyn Watcher>>, check_nan: bool) {
    IS_ON.set(watcher.is_some());
    CHECKS_NAN.set(check_nan);
    let before = WATCHER.replace(watcher);
    drop(before);
}

fn watcher() -> Option<Rc<dyn Watcher>> {
    WATCHER.with_borrow(Clone::clone)
}

/// Tells the watcher of a new node.
pub(super) fn made(node: &Rc<Node>) -> Result<()> {
    if !IS_ON.get() {
        return Ok(());
    }
    let during = RUNNING.with_borrow(|running| running.last().cloned());
    watcher().map_or(Ok(()), |watcher| watcher.made(node, during.as_ref()))
}

/// Runs a node, and tells the watcher if that fails.
pub(super) fn around(node: &Rc<Node>, run: impl FnOnce() -> Result<()>) -> Result<()> {
    if !IS_ON.get() {
        return run();
    }
    RUNNING.with_borrow_mut(|running| running.push(node.clone()));
    let result = run();
    let last = RUNNING.with_borrow_mut(Vec::pop);
    drop(last);
    if result.is_err()
        && let Some(watcher) = watcher()
    {
        watcher.failed(node)?;
    }
    result
}

/// Fails if a node computed NaN and NaN is an anomaly.
///
/// Source: `evaluate_function` in torch/csrc/autograd/engine.cpp.
pub(super) fn check(node: &Node, results: &[Option<Tensor>], operators: &Operators) -> Result<()> {
    if !IS_ON.get() || !CHECKS_NAN.get() {
        return Ok(());
    }
    let _no_grad = GradMode::set(false);
    for (i, g) in results.iter().enumerate() {
        if let Some(g) = g
            && (operators.has_nan)(g)?
        {
            let name = node.full_name();
            return Err(Error::runtime(format!("Function '{name}' returned nan values in its {i}th output.")));
        }
    }
    Ok(())
}
