//! Minimisation of a network for which a test fails.
//!
//! One thing is taken away at a time, large things first: processes, locations, edges, then parts of labels,
//! queries and declarations. What is left counts if it still is a model and still fails; from there it continues
//! until nothing can be taken away. No attempt is made to be fast: networks are small and failures rare.

use super::{Formula, Network, Query};

impl Network {
    /// The smallest network that can be reached by taking away one thing at a time while `fails` is true of
    /// it, which it is of this one.
    #[must_use]
    pub fn shrink(self, mut fails: impl FnMut(&Self) -> bool) -> Self {
        let mut smallest = self;
        while let Some(smaller) =
            smallest.smaller().into_iter().find(|network| network.model().is_ok() && fails(network))
        {
            smallest = smaller;
        }
        smallest
    }

    /// All networks with one thing less; some are no models.
    fn smaller(&self) -> Vec<Self> {
        let mut found = Vec::new();
        self.without_processes(&mut found);
        self.without_locations(&mut found);
        self.without_edges(&mut found);
        self.without_parts_of_locations(&mut found);
        self.without_queries(&mut found);
        self.without_declarations(&mut found);
        found
    }

    fn without_processes(&self, found: &mut Vec<Self>) {
        for index in 0..self.processes.len() {
            let mut network = self.clone();
            let name = network.processes.remove(index).name;
            network.forget(&format!("{name}."));
            network.vectors.iter_mut().for_each(|fields| {
                fields.retain(|field| !field.starts_with(&format!("{name}@")));
            });
            network.vectors.retain(|fields| !fields.is_empty());
            found.push(network);
        }
    }

    fn without_locations(&self, found: &mut Vec<Self>) {
        for (p, process) in self.processes.iter().enumerate() {
            for l in 0..process.locations.len() {
                let mut network = self.clone();
                let gone = network.processes[p].locations.remove(l).name;
                network.processes[p].edges.retain(|edge| edge.source != gone && edge.target != gone);
                network.forget(&format!("{}.{gone}", process.name));
                found.push(network);
            }
        }
    }

    /// Drops the queries that mention something.
    fn forget(&mut self, name: &str) {
        self.queries.retain(|query| !query.to_string().contains(name));
    }

    fn without_edges(&self, found: &mut Vec<Self>) {
        for (p, process) in self.processes.iter().enumerate() {
            for (e, edge) in process.edges.iter().enumerate() {
                let mut changed = |change: &dyn Fn(&mut Self)| {
                    let mut network = self.clone();
                    change(&mut network);
                    found.push(network);
                };
                changed(&|network| drop(network.processes[p].edges.remove(e)));
                if edge.sync.is_some() {
                    changed(&|network| network.processes[p].edges[e].sync = None);
                }
                for i in 0..edge.guard.len() {
                    changed(&|network| drop(network.processes[p].edges[e].guard.remove(i)));
                }
                for i in 0..edge.updates.len() {
                    changed(&|network| drop(network.processes[p].edges[e].updates.remove(i)));
                }
                for i in 0..edge.selects.len() {
                    changed(&|network| drop(network.processes[p].edges[e].selects.remove(i)));
                }
            }
        }
    }

    fn without_parts_of_locations(&self, found: &mut Vec<Self>) {
        for (p, process) in self.processes.iter().enumerate() {
            for (l, location) in process.locations.iter().enumerate() {
                let mut changed = |change: &dyn Fn(&mut Self)| {
                    let mut network = self.clone();
                    change(&mut network);
                    found.push(network);
                };
                if location.kind.is_some() {
                    changed(&|network| network.processes[p].locations[l].kind = None);
                }
                for i in 0..location.invariant.len() {
                    changed(&|network| drop(network.processes[p].locations[l].invariant.remove(i)));
                }
            }
        }
    }

    fn without_queries(&self, found: &mut Vec<Self>) {
        for (q, query) in self.queries.iter().enumerate() {
            let mut network = self.clone();
            network.queries.remove(q);
            found.push(network);
            for simpler in query.simpler() {
                let mut network = self.clone();
                network.queries[q] = simpler;
                found.push(network);
            }
        }
    }

    fn without_declarations(&self, found: &mut Vec<Self>) {
        for index in 0..self.declarations.len() {
            let mut network = self.clone();
            network.declarations.remove(index);
            found.push(network);
        }
        for index in 0..self.clocks.len() {
            let mut network = self.clone();
            network.clocks.remove(index);
            network.starts.remove(index);
            found.push(network);
        }
        for index in (0..self.starts.len()).filter(|&index| self.starts[index] != 0) {
            let mut network = self.clone();
            network.starts[index] = 0;
            found.push(network);
        }
        for index in 0..self.vectors.len() {
            let mut network = self.clone();
            network.vectors.remove(index);
            found.push(network);
        }
        for (index, _) in self.processes.iter().enumerate().filter(|(_, process)| process.priority > 0) {
            let mut network = self.clone();
            network.processes[index].priority = 0;
            found.push(network);
        }
    }
}

impl Query {
    /// The same with simpler formulas.
    fn simpler(&self) -> Vec<Self> {
        let all = |formula: &Formula, query: &dyn Fn(Formula) -> Self| {
            formula.simpler().into_iter().map(query).collect::<Vec<_>>()
        };
        match self {
            Self::Possibly(formula) => all(formula, &Self::Possibly),
            Self::Invariantly(formula) => all(formula, &Self::Invariantly),
            Self::PotentiallyAlways(formula) => all(formula, &Self::PotentiallyAlways),
            Self::Eventually(formula) => all(formula, &Self::Eventually),
            Self::LeadsTo(from, to) => {
                let mut simpler = all(from, &|from| Self::LeadsTo(from, to.clone()));
                simpler.extend(all(to, &|to| Self::LeadsTo(from.clone(), to)));
                simpler
            }
        }
    }
}

impl Formula {
    /// The same with one operand in place of what joins it to others.
    fn simpler(&self) -> Vec<Self> {
        match self {
            Self::Atom(_) => Vec::new(),
            Self::Not(part) => {
                let inside = part.simpler().into_iter().map(|part| Self::Not(Box::new(part)));
                [(**part).clone()].into_iter().chain(inside).collect()
            }
            Self::And(left, right) | Self::Or(left, right) => {
                let join = |left: &Self, right: &Self| match self {
                    Self::And(..) => Self::And(Box::new(left.clone()), Box::new(right.clone())),
                    _ => Self::Or(Box::new(left.clone()), Box::new(right.clone())),
                };
                let whole = [(**left).clone(), (**right).clone()];
                let of_left = left.simpler().into_iter().map(|part| join(&part, right));
                let of_right = right.simpler().into_iter().map(|part| join(left, &part));
                whole.into_iter().chain(of_left).chain(of_right).collect()
            }
        }
    }
}
