//! Automatic layout of elements without positions.
//!
//! Locations and branch points are set out in layers ([`super::layers`]), each wide and high enough for the labels
//! that will stand there. Edges between two nodes side by side, and those whose straight line would run through a
//! third node, are bent by a nail; edges from a node to itself go round two nails at its right. Then the labels look
//! for free places ([`super::label`]).
//!
//! What has a position keeps it. Where only some nodes have one, the others go below them. An edge without nails is
//! straight by its author's will unless one of its ends has just been placed; only an edge from a node to itself
//! always gets nails, since nothing of it would be seen.
//!
//! A drawing has room for so much: layers that are too wide are broken into rows, and rows that would come too far down continue
//! in another column at the right, so that no two nodes come to lie at one place.
//!
//! Invariant: the result has positions for all nodes, names and labels, so arranging it again changes nothing.
//!
//! Cost: about linear in nodes, edges and labels. What compares many things with many others (edges with nodes, labels with
//! what is near) has a bound on its work, and does less thereafter.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_syntax::tree::Template;

use super::label::{LINE, OccupiedAreas, Rectangle, size_of};
use super::layers::layers;
use super::{Label, Layout, MAX_COORDINATE, Nodes, Point, TemplateLayout};
use crate::document::Document;

/// The distance between layers, and the least width of a node's column.
const GAP: i32 = 136;

/// The radius of a location with its border.
const RADIUS: i32 = 12;

/// The width of a row of nodes, and how far down a row may begin.
const ROW_MAX: i32 = MAX_COORDINATE / 2;
const DEPTH_MAX: i32 = MAX_COORDINATE - 8 * GAP;

/// The distance of nails from the straight line.
const BEND: i32 = 51;

/// The distance of the dots that stand for a line, and the most of them on one.
const DOT: i32 = 12;
const MAX_DOTS: f64 = 64.0;

/// Up to how many edges labels keep away from lines.
const MAX_LINES: usize = 2000;

/// How much work is spent on keeping edges away from nodes: pairs of an edge and a node.
const MAX_PAIRS: usize = 4_000_000;

/// The layout of a document, with a position for everything.
#[must_use]
pub fn arrange(document: &Document) -> Layout {
    arrange_until(document, &AtomicBool::new(false)).expect("nothing stops it")
}

/// The same; `None` if it is stopped before it has finished.
#[must_use]
pub fn arrange_until(document: &Document, stop: &AtomicBool) -> Option<Layout> {
    let mut layout = document.layout.clone();
    let blank = Layout::blank(&document.model);
    layout.templates.truncate(blank.templates.len());
    let missing = layout.templates.len();
    layout.templates.extend(blank.templates.iter().skip(missing).cloned());
    for ((template, drawn), blank) in document.templates().zip(&mut layout.templates).zip(blank.templates) {
        let fits = drawn.locations.len() == blank.locations.len()
            && drawn.branchpoints.len() == blank.branchpoints.len()
            && drawn.edges.len() == blank.edges.len();
        if !fits {
            *drawn = blank;
        }
        Arranger::new(document, template, drawn, stop).run()?;
    }
    Some(layout)
}

struct Arranger<'a> {
    document: &'a Document,
    template: &'a Template,
    layout: &'a mut TemplateLayout,
    /// The ends of each edge, as nodes: locations, then branch points. None if a name is unknown.
    ends: Vec<Option<(usize, usize)>>,
    root: usize,
    stop: &'a AtomicBool,
}

/// Nodes that are drawn beside each other.
struct LayoutRow<'a> {
    nodes: &'a [usize],
    width: i32,
    y: i32,
    column: usize,
}

impl<'a> Arranger<'a> {
    fn new(
        document: &'a Document,
        template: &'a Template,
        layout: &'a mut TemplateLayout,
        stop: &'a AtomicBool,
    ) -> Self {
        let nodes = Nodes::new(template);
        let ends = template.edges.iter().map(|edge| nodes.ends(edge)).collect();
        let root = template.init.and_then(|init| nodes.of(init)).unwrap_or(0);
        Self { document, template, layout, ends, root, stop }
    }

    /// Nothing if it is to stop.
    fn go_on(&self) -> Option<()> {
        (!self.stop.load(Ordering::Relaxed)).then_some(())
    }

    fn run(&mut self) -> Option<()> {
        let before = self.positions();
        let fixed: Vec<bool> = before.iter().map(Option::is_some).collect();
        let places = self.place_nodes(&before)?;
        for (location, &place) in self.layout.locations.iter_mut().zip(&places) {
            location.position = Some(place);
        }
        let count = self.layout.locations.len();
        for (branchpoint, &place) in self.layout.branchpoints.iter_mut().zip(&places[count..]) {
            branchpoint.position = Some(place);
        }
        self.place_nails(&places, &fixed)?;
        self.place_labels(&places)?;
        self.keep_within();
        self.go_on()
    }

    /// Coordinates are as large as the reader takes them, and no larger.
    fn keep_within(&mut self) {
        let clamp = |point: &mut Point| {
            *point = Point { x: within(i64::from(point.x)), y: within(i64::from(point.y)) };
        };
        for location in &mut self.layout.locations {
            let labels = location.labels.iter_mut().map(|label| &mut label.position);
            let all = [&mut location.position, &mut location.name_position].into_iter().chain(labels);
            all.flatten().for_each(clamp);
        }
        self.layout.branchpoints.iter_mut().filter_map(|node| node.position.as_mut()).for_each(clamp);
        for edge in &mut self.layout.edges {
            let labels = edge.labels.iter_mut().filter_map(|label| label.position.as_mut());
            labels.chain(&mut edge.nails).for_each(clamp);
        }
    }

    fn positions(&self) -> Vec<Option<Point>> {
        let locations = self.layout.locations.iter().map(|location| location.position);
        locations.chain(self.layout.branchpoints.iter().map(|branchpoint| branchpoint.position)).collect()
    }

    /// The places of all nodes.
    fn place_nodes(&self, before: &[Option<Point>]) -> Option<Vec<Point>> {
        if before.iter().all(Option::is_some) {
            return Some(before.iter().flatten().copied().collect());
        }
        let edges: Vec<(usize, usize)> = self.ends.iter().flatten().copied().collect();
        let layers = layers(before.len(), &edges, self.root, &mut || self.go_on())?;
        let (widths, heights) = self.room(&layers);
        self.go_on()?;
        let (rows, middles) = rows(&layers, &widths, &heights, below(before));
        let mut places = vec![Point::default(); before.len()];
        for row in &rows {
            let mut x = within(middles[row.column] - i64::from(row.width / 2));
            for &node in row.nodes {
                places[node] = Point { x: snap(x + widths[node] / 2), y: row.y };
                x = within(i64::from(x + widths[node]));
            }
        }
        for (place, before) in places.iter_mut().zip(before) {
            *place = before.unwrap_or(*place);
        }
        Some(places)
    }

    /// The width of each node's column and the height of each layer, labels of leaving edges included.
    fn room(&self, layers: &[Vec<usize>]) -> (Vec<i32>, Vec<i32>) {
        let nodes = layers.iter().map(Vec::len).sum();
        let (mut widths, mut lines) = (vec![GAP; nodes], vec![0; nodes]);
        for (node, location) in self.template.locations.iter().enumerate() {
            let name = size_of(self.document.tree.name(location.name)).0;
            let labels = self.layout.locations[node].labels.iter();
            let sizes = labels.map(|label| size_of(&self.document.location_label_text(location, label)).0);
            widths[node] = widths[node].max(sizes.max().unwrap_or(0).max(name) + 2 * LINE);
        }
        for ((edge, drawn), ends) in self.template.edges.iter().zip(&self.layout.edges).zip(&self.ends) {
            let Some((source, target)) = *ends else { continue };
            let sizes = drawn.labels.iter().map(|label| size_of(&self.document.edge_label_text(edge, label)));
            let (width, height) = sizes.fold((0, 0), |(w, h), size| (size.0.max(w), size.1 + h));
            widths[source] = widths[source].max(width.min(4 * GAP) + 4 * LINE);
            lines[source] = lines[source].max(height);
            if source == target {
                widths[source] = widths[source].max(2 * (width.min(4 * GAP) + BEND));
            }
        }
        let height = |layer: &Vec<usize>| {
            let labels = layer.iter().map(|&node| lines[node]).max().unwrap_or(0);
            GAP.max(labels.min(4 * GAP) + 4 * LINE)
        };
        (widths, layers.iter().map(height).collect())
    }

    fn place_nails(&mut self, places: &[Point], fixed: &[bool]) -> Option<()> {
        let pair = |(source, target): (usize, usize)| (source.min(target), source.max(target));
        let mut parallel: HashMap<(usize, usize), i32> = HashMap::new();
        for &ends in self.ends.iter().flatten() {
            *parallel.entry(pair(ends)).or_default() += 1;
        }
        let mut seen: HashMap<(usize, usize), i32> = HashMap::new();
        let careful = self.ends.len().saturating_mul(places.len()) <= MAX_PAIRS;
        for (ends, edge) in self.ends.iter().zip(&mut self.layout.edges) {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let Some((source, target)) = *ends else { continue };
            let (low, high) = pair((source, target));
            let rank = *seen.entry((low, high)).and_modify(|rank| *rank += 1).or_default();
            if !edge.nails.is_empty() || (source != target && fixed[source] && fixed[target]) {
                continue;
            }
            let (from, to) = (places[low], places[high]);
            if source == target {
                edge.nails = round(from, rank.min(1000));
                continue;
            }
            // Offsets from the straight line: 0 for a single edge, else to both sides of it.
            let offset = (2 * rank.min(10_000) - (parallel[&(low, high)].min(10_000) - 1)) * BEND / 2;
            let others = places.iter().enumerate().filter(|&(node, _)| node != low && node != high);
            let clear = |offset: i32| {
                let nail = bend(from, to, offset);
                let near = |(_, &place): (usize, &Point)| close(place, from, nail) || close(place, nail, to);
                !careful || !others.clone().any(near)
            };
            let tries = [0, BEND, -BEND, 2 * BEND, -2 * BEND, 3 * BEND];
            let tries = tries.into_iter().map(|more| offset + more);
            let offset = tries.clone().find(|&offset| clear(offset)).unwrap_or(offset);
            if offset != 0 {
                edge.nails = vec![bend(from, to, offset)];
            }
        }
        Some(())
    }

    fn place_labels(&mut self, places: &[Point]) -> Option<()> {
        let mut occupied = OccupiedAreas::default();
        for &place in places {
            occupied.add(Rectangle::around(place, RADIUS));
        }
        self.enter_given_labels(&mut occupied);
        self.enter_lines(places, &mut occupied);
        let document = self.document;
        for (location, drawn) in self.template.locations.iter().zip(&mut self.layout.locations) {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let centre = drawn.position.unwrap_or_default();
            if !drawn.anonymous && drawn.name_position.is_none() {
                let size = size_of(document.tree.name(location.name));
                let place = occupied.choose(beside_location(centre, size, true), size);
                occupied.add(Rectangle::at(place.unwrap_or(centre), size));
                drawn.name_position = place;
            }
            for label in drawn.labels.iter_mut().filter(|label| label.position.is_none()) {
                let size = size_of(&document.location_label_text(location, label));
                label.position = occupied.choose(beside_location(centre, size, false), size);
                occupied.add(Rectangle::at(label.position.unwrap_or(centre), size));
            }
        }
        for ((edge, drawn), ends) in self.template.edges.iter().zip(&mut self.layout.edges).zip(&self.ends) {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let Some((source, target)) = *ends else { continue };
            let path = path(places[source], &drawn.nails, places[target]);
            place_stack(&mut drawn.labels, &path, &mut occupied, |label| {
                size_of(&document.edge_label_text(edge, label))
            });
        }
        Some(())
    }

    /// Lines are in the way, too, though less than text is: as dots, not too many of them. Where there are
    /// thousands of lines, no place is free of them.
    fn enter_lines(&self, places: &[Point], occupied: &mut OccupiedAreas) {
        if self.ends.len() > MAX_LINES {
            return;
        }
        for (drawn, ends) in self.layout.edges.iter().zip(&self.ends) {
            let Some((source, target)) = *ends else { continue };
            let path = path(places[source], &drawn.nails, places[target]);
            for pair in path.windows(2) {
                let dots = (length(pair) / f64::from(DOT)).clamp(1.0, MAX_DOTS) as i32;
                for dot in 0..dots {
                    occupied.add(Rectangle::around(point_on(pair, 100 * dot / dots), DOT / 4));
                }
            }
        }
    }

    /// Labels and names that have a position are in the way of those that look for one.
    fn enter_given_labels(&self, occupied: &mut OccupiedAreas) {
        let document = self.document;
        for (location, drawn) in self.template.locations.iter().zip(&self.layout.locations) {
            if let Some(place) = drawn.name_position {
                occupied.add(Rectangle::at(place, size_of(document.tree.name(location.name))));
            }
            for label in &drawn.labels {
                if let Some(place) = label.position {
                    occupied
                        .add(Rectangle::at(place, size_of(&document.location_label_text(location, label))));
                }
            }
        }
        for (edge, drawn) in self.template.edges.iter().zip(&self.layout.edges) {
            for label in &drawn.labels {
                if let Some(place) = label.position {
                    occupied.add(Rectangle::at(place, size_of(&document.edge_label_text(edge, label))));
                }
            }
        }
    }
}

/// The rows of all layers, from the top, and the middle of each column of rows.
fn rows<'l>(
    layers: &'l [Vec<usize>],
    widths: &[i32],
    heights: &[i32],
    top: i32,
) -> (Vec<LayoutRow<'l>>, Vec<i64>) {
    let (mut rows, mut widest) = (Vec::new(), vec![0]);
    let mut y = top;
    for (layer, height) in layers.iter().zip(heights) {
        let mut rest = &layer[..];
        while !rest.is_empty() {
            let mut width = widths[rest[0]];
            let further = rest[1..].iter().take_while(|&&node| {
                let fits = width.saturating_add(widths[node]) <= ROW_MAX;
                width += if fits { widths[node] } else { 0 };
                fits
            });
            let (nodes, left) = rest.split_at(1 + further.count());
            if y > DEPTH_MAX && y > top {
                y = top;
                widest.push(0);
            }
            let column = widest.len() - 1;
            widest[column] = widest[column].max(width);
            rows.push(LayoutRow { nodes, width, y, column });
            y = within(i64::from(y + height));
            rest = left;
        }
    }
    let mut middles = vec![0];
    for pair in widest.windows(2) {
        let last = middles[middles.len() - 1];
        middles.push(last + i64::from(pair[0] / 2) + i64::from(pair[1] / 2) + i64::from(GAP));
    }
    (rows, middles)
}

/// Places the labels of an edge that have no position, one below the other.
fn place_stack(
    labels: &mut [Label],
    path: &[Point],
    occupied: &mut OccupiedAreas,
    size: impl Fn(&Label) -> (i32, i32),
) {
    let sizes: Vec<(i32, i32)> = labels.iter().map(size).collect();
    let open = labels.iter().zip(&sizes).filter(|(label, _)| label.position.is_none());
    let whole = open.fold((0, 0), |(w, h), (_, size)| (size.0.max(w), size.1 + h));
    if whole == (0, 0) {
        return;
    }
    let Some(corner) = occupied.choose(along(path, whole), whole) else { return };
    occupied.add(Rectangle::at(corner, whole));
    let mut y = corner.y;
    for (label, size) in labels.iter_mut().zip(sizes).filter(|(label, _)| label.position.is_none()) {
        label.position = Some(Point { x: corner.x, y });
        y += size.1;
    }
}

/// Places for a text beside a location: above first for a name, below first for an invariant, then round it.
fn beside_location(
    centre: Point,
    (width, height): (i32, i32),
    above: bool,
) -> impl Iterator<Item = Point> + Clone {
    let Point { x, y } = centre;
    let (over, under) = (y - RADIUS - height - 5, y + RADIUS + 5);
    let (right, left) = (x + RADIUS + 5, x - RADIUS - 5 - width);
    let (first, second) = if above { (over, under) } else { (under, over) };
    let far = if above { first - LINE } else { first + LINE };
    let corner = |high: i32| if high == over { y - height } else { y };
    [
        (x - 10, first),
        (right, corner(first)),
        (left, corner(first)),
        (right, y - height / 2),
        (left, y - height / 2),
        (right, corner(second)),
        (left, corner(second)),
        (x - 10, far),
        (x - 10, second),
    ]
    .into_iter()
    .map(|(x, y)| Point { x, y })
}

/// Places for a text along a path: near its middle first, right of it, then left, then further away.
fn along(path: &[Point], (width, height): (i32, i32)) -> impl Iterator<Item = Point> {
    let distances = [8, 2 * LINE, 4 * LINE];
    distances.into_iter().flat_map(move |distance| {
        [50, 40, 60, 30, 70, 20, 80].into_iter().flat_map(move |percent| {
            let Point { x, y } = point_on(path, percent);
            let top = y - height / 2;
            [Point { x: x + distance, y: top }, Point { x: x - distance - width, y: top }]
        })
    })
}

/// The points of an edge.
fn path(from: Point, nails: &[Point], to: Point) -> Vec<Point> {
    [from].into_iter().chain(nails.iter().copied()).chain([to]).collect()
}

/// The distance of two points.
fn length(pair: &[Point]) -> f64 {
    f64::from(pair[1].x - pair[0].x).hypot(f64::from(pair[1].y - pair[0].y))
}

/// The point after some per cent of a path.
fn point_on(path: &[Point], percent: i32) -> Point {
    let total: f64 = path.windows(2).map(length).sum();
    let mut left = total * f64::from(percent) / 100.0;
    for pair in path.windows(2) {
        let step = length(pair);
        if left <= step && step > 0.0 {
            let share = left / step;
            let between = |a: i32, b: i32| a + (f64::from(b - a) * share).round() as i32;
            return Point { x: between(pair[0].x, pair[1].x), y: between(pair[0].y, pair[1].y) };
        }
        left -= step;
    }
    path.last().copied().unwrap_or_default()
}

/// The nails of an edge from a node to itself, further out for each that came before it.
fn round(centre: Point, rank: i32) -> Vec<Point> {
    let (reach, half) = (BEND + rank * 2 * LINE, LINE + rank * LINE / 2);
    [-half, half].map(|dy| Point { x: centre.x + reach, y: centre.y + dy }).to_vec()
}

/// The nail that bends the line between two points by an offset to its side.
fn bend(from: Point, to: Point, offset: i32) -> Point {
    let (dx, dy) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
    let length = dx.hypot(dy).max(1.0);
    let offset = f64::from(offset);
    let middle = |a: i32, b: i32| f64::midpoint(f64::from(a), f64::from(b));
    Point {
        x: (middle(from.x, to.x) - dy / length * offset).round() as i32,
        y: (middle(from.y, to.y) + dx / length * offset).round() as i32,
    }
}

/// Whether a point is near the straight line between two others.
fn close(point: Point, from: Point, to: Point) -> bool {
    let reach = f64::from(2 * RADIUS);
    let (dx, dy) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
    let (px, py) = (f64::from(point.x - from.x), f64::from(point.y - from.y));
    let square = (dx * dx + dy * dy).max(1.0);
    let share = ((px * dx + py * dy) / square).clamp(0.0, 1.0);
    (px - share * dx).hypot(py - share * dy) < reach
}

/// Below everything that has a position.
fn below(positions: &[Option<Point>]) -> i32 {
    positions.iter().flatten().map(|point| snap(point.y + GAP)).max().unwrap_or(0)
}

/// The coordinate, or the largest there is.
fn within(coordinate: i64) -> i32 {
    let most = i64::from(MAX_COORDINATE);
    coordinate.clamp(-most, most) as i32
}

/// The nearest line of the grid.
fn snap(coordinate: i32) -> i32 {
    (coordinate + LINE / 2).div_euclid(LINE) * LINE
}
