//! The graph behind a tensor as a picture: names, devices and edges, without keeping any tensor alive.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::node::edge_of;
use crate::device::Device;
use crate::tensor::Tensor;
use crate::tensor::node::Node;
use crate::trace::StorageId;

/// Nodes in the order of a breadth-first search, so those nearest to the root come first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graph {
    /// The variable whose graph it is.
    pub variable: String,
    pub nodes: Vec<GraphNode>,
    /// Pairs of indices: a node, and a node that gets its gradient.
    pub edges: Vec<(usize, usize)>,
    /// Whether nodes beyond the limit were left out.
    pub cut: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphNode {
    /// `AddmmBackward0`.
    pub name: String,
    /// The device of its forward operator's result.
    pub device: Option<Device>,
    /// Shape and storage of the leaf, for an `AccumulateGrad`.
    pub leaf: Option<(Vec<usize>, StorageId)>,
}

/// The graph of `root`, with at most `limit` nodes; `None` if it has none.
pub fn graph(variable: &str, root: &Tensor, limit: usize) -> Option<Graph> {
    root.grad_fn()?;
    let mut graph = Graph { variable: variable.to_string(), ..Graph::default() };
    let mut known: HashMap<*const Node, usize> = HashMap::new();
    let mut queue: VecDeque<Rc<Node>> = edge_of(root).into_iter().map(|edge| edge.node).collect();
    for node in &queue {
        known.insert(Rc::as_ptr(node), 0);
        graph.nodes.push(picture(node));
    }
    while let Some(node) = queue.pop_front() {
        let from = known[&Rc::as_ptr(&node)];
        for edge in node.next.borrow().iter().flatten() {
            let to = match known.get(&Rc::as_ptr(&edge.node)) {
                Some(at) => *at,
                None if graph.nodes.len() >= limit => {
                    graph.cut = true;
                    continue;
                }
                None => {
                    known.insert(Rc::as_ptr(&edge.node), graph.nodes.len());
                    graph.nodes.push(picture(&edge.node));
                    queue.push_back(edge.node.clone());
                    graph.nodes.len() - 1
                }
            };
            if !graph.edges.contains(&(from, to)) {
                graph.edges.push((from, to));
            }
        }
    }
    Some(graph)
}

fn picture(node: &Rc<Node>) -> GraphNode {
    let leaf = node.leaf();
    GraphNode {
        name: node.name.to_string(),
        device: leaf.as_ref().map(Tensor::device).or(node.device.get()),
        leaf: leaf.map(|t| (t.shape().to_vec(), t.storage().id())),
    }
}
