//! Strongly connected components of a directed graph.

/// A graph on `0..n`: node `v` points to `edges[v]`.
pub(crate) struct Graph {
    /// Where each node's targets start; one more entry than nodes.
    bounds: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// Builds the graph from its edges; `edges` is called twice and must repeat itself.
    pub(crate) fn new(nodes: usize, edges: impl Fn(&mut dyn FnMut(u32, u32))) -> Graph {
        let mut bounds = vec![0u32; nodes + 1];
        edges(&mut |from, _| bounds[from as usize + 1] += 1);
        for node in 0..nodes {
            bounds[node + 1] += bounds[node];
        }
        let mut cursor = bounds.clone();
        let mut targets = vec![0; bounds[nodes] as usize];
        edges(&mut |from, to| {
            targets[cursor[from as usize] as usize] = to;
            cursor[from as usize] += 1;
        });
        Graph { bounds, targets }
    }

    pub(crate) fn targets(&self, node: u32) -> &[u32] {
        &self.targets[self.bounds[node as usize] as usize..self.bounds[node as usize + 1] as usize]
    }

    /// The strongly connected components; every component comes after all those it points to.
    ///
    /// Tarjan's algorithm with an explicit stack: ground programs are deep enough to overflow the
    /// machine's.
    pub(crate) fn components(&self) -> Vec<Vec<u32>> {
        const UNSEEN: u32 = u32::MAX;
        let nodes = self.bounds.len() - 1;
        let mut index = vec![UNSEEN; nodes];
        let mut low = vec![0u32; nodes];
        let mut on_stack = vec![false; nodes];
        let (mut stack, mut components) = (Vec::new(), Vec::new());
        let mut counter = 0;
        // Call frames: a node and the number of its targets that were already followed.
        let mut frames: Vec<(u32, usize)> = Vec::new();
        for root in 0..nodes as u32 {
            if index[root as usize] != UNSEEN {
                continue;
            }
            frames.push((root, 0));
            while let Some(&mut (node, ref mut followed)) = frames.last_mut() {
                let v = node as usize;
                if *followed == 0 && index[v] == UNSEEN {
                    index[v] = counter;
                    low[v] = counter;
                    counter += 1;
                    stack.push(node);
                    on_stack[v] = true;
                }
                if let Some(&target) = self.targets(node).get(*followed) {
                    *followed += 1;
                    let t = target as usize;
                    if index[t] == UNSEEN {
                        frames.push((target, 0));
                    } else if on_stack[t] {
                        low[v] = low[v].min(index[t]);
                    }
                    continue;
                }
                frames.pop();
                if let Some(&(parent, _)) = frames.last() {
                    low[parent as usize] = low[parent as usize].min(low[v]);
                }
                if low[v] == index[v] {
                    let start = stack.iter().rposition(|&n| n == node).unwrap_or(0);
                    let component = stack.split_off(start);
                    component.iter().for_each(|&n| on_stack[n as usize] = false);
                    components.push(component);
                }
            }
        }
        components
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    fn components(nodes: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let graph = Graph::new(nodes, |edge| edges.iter().for_each(|&(a, b)| edge(a, b)));
        let mut components = graph.components();
        components.iter_mut().for_each(|c| c.sort_unstable());
        components
    }

    #[test]
    fn targets_come_first() {
        assert_eq!(components(3, &[(0, 1), (1, 2)]), [[2], [1], [0]]);
    }

    #[test]
    fn a_cycle_is_one_component() {
        assert_eq!(
            components(4, &[(0, 1), (1, 2), (2, 1), (2, 3)]),
            [vec![3], vec![1, 2], vec![0]]
        );
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let edges: Vec<_> = (0..200_000).map(|n| (n, n + 1)).collect();
        assert_eq!(components(200_001, &edges).len(), 200_001);
    }
}
