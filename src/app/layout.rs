//! Lays out an autograd graph in columns: the node of the tensor itself comes first, and the nodes that its gradient
//! reaches are to the right.

use crate::protocol::Graph;

/// Where each node is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Column and row of each node.
    pub places: Vec<(usize, usize)>,
    pub columns: usize,
    pub rows: usize,
}

/// Places each node to the right of every node that its gradient comes from.
pub(crate) fn layout(graph: &Graph) -> Layout {
    let mut column = vec![0_usize; graph.nodes.len()];
    // Edges lead away from the root and the graph has no cycle, so the columns stop changing after as many rounds as the
    // graph is deep.
    for _ in 0..graph.nodes.len() {
        let mut moved = false;
        for &(from, to) in &graph.edges {
            if from < column.len() && to < column.len() && column[to] <= column[from] {
                column[to] = column[from] + 1;
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    let columns = column.iter().max().map_or(0, |most| most + 1);
    let mut filled = vec![0; columns];
    let places = column
        .iter()
        .map(|&at| {
            filled[at] += 1;
            (at, filled[at] - 1)
        })
        .collect();
    Layout { places, columns, rows: filled.into_iter().max().unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::GraphNode;

    #[test]
    fn a_node_stands_right_of_every_node_that_leads_to_it() {
        let node = |name: &str| GraphNode { name: name.into(), device: None, leaf: None };
        let nodes = ["Mean", "Mul", "Add", "w"].map(node).to_vec();
        // `w` is reached directly from Mul, and also through Add.
        let graph = Graph { nodes, edges: vec![(0, 1), (1, 3), (1, 2), (2, 3)], ..Graph::default() };
        let drawn = layout(&graph);
        assert_eq!(drawn.places, [(0, 0), (1, 0), (2, 0), (3, 0)]);
        assert_eq!((drawn.columns, drawn.rows), (4, 1));
        assert_eq!(layout(&Graph::default()), Layout::default());
    }
}
