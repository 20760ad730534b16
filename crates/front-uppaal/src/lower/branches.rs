//! Edges through branch points, combined to edges of a process.
//!
//! An edge from location to location is one of its own. One that leads to a branch point is one for each branch that
//! leads on to a location, and consists of two. The order is that in which processes have their edges, which is how a
//! step of a process finds its way back to what was drawn.

use std::collections::HashSet;

use tourbillon_syntax::tree::{Symbol, Template};

/// For each edge of the processes of a template the edges of the template that it is made of: one, or two that meet
/// at a branch point. Of a template without mistakes only.
#[must_use]
pub fn drawn_edges(template: &Template) -> Vec<Vec<usize>> {
    let locations: HashSet<Symbol> = template.locations.iter().map(|location| location.name.symbol).collect();
    let is_location = |symbol: Symbol| locations.contains(&symbol);
    let mut drawn = Vec::new();
    for (index, edge) in template.edges.iter().enumerate() {
        let (source, target) = (edge.source.symbol, edge.target.symbol);
        if is_location(source) && is_location(target) {
            drawn.push(vec![index]);
        } else if is_location(source) {
            let branches = template.edges.iter().enumerate();
            let branches = branches
                .filter(|(_, branch)| branch.source.symbol == target && is_location(branch.target.symbol));
            drawn.extend(branches.map(|(branch, _)| vec![index, branch]));
        }
    }
    drawn
}
