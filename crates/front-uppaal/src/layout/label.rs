//! Boxes of labels, and free places for them.
//!
//! A drawing is made for a fixed font of which only this is assumed: a character is at most [`CHARACTER`] wide and a
//! line [`LINE`] high. A label is tried at a few places along its edge, on both sides; the first that overlaps
//! nothing is taken, or the one that overlaps least.
//!
//! Cost: boxes are kept in the cells of a grid, so a try looks only at those nearby. Where very much is drawn at one place
//! that would be all of them: so there is a bound on how many are examined in all, and labels take the first place that they are
//! offered thereafter.

use std::collections::HashMap;

use super::Point;

/// The width of a character.
pub(crate) const CHARACTER: i32 = 7;

/// The height of a line.
pub(crate) const LINE: i32 = 17;

/// The lines of a label.
pub(crate) fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.trim().lines().map(str::trim_end)
}

/// The size of a label: width and height.
pub(crate) fn size_of(text: &str) -> (i32, i32) {
    let (mut width, mut lines) = (0, 0);
    for line in lines_of(text) {
        width = width.max(line.chars().count().min(10_000) as i32 * CHARACTER);
        lines += 1;
    }
    (width, lines.clamp(1, 10_000) * LINE)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rectangle {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

impl Rectangle {
    pub(super) const fn at(corner: Point, (width, height): (i32, i32)) -> Self {
        Self { left: corner.x, top: corner.y, width, height }
    }

    /// A square round a point.
    pub(super) const fn around(centre: Point, radius: i32) -> Self {
        Self { left: centre.x - radius, top: centre.y - radius, width: 2 * radius, height: 2 * radius }
    }

    /// The size of what two have in common.
    fn overlap(self, other: Self) -> i64 {
        let side = |a: i32, a_size: i32, b: i32, b_size: i32| {
            i64::from((a + a_size).min(b + b_size)) - i64::from(a.max(b))
        };
        let width = side(self.left, self.width, other.left, other.width);
        let height = side(self.top, self.height, other.top, other.height);
        width.max(0) * height.max(0)
    }
}

/// What is drawn already.
#[derive(Default, Debug)]
pub(super) struct OccupiedAreas {
    cells: HashMap<(i32, i32), Vec<Rectangle>>,
    /// How many areas have been examined.
    looks: usize,
}

/// How many areas are examined in all: a fraction of a second.
const LOOKS_MAX: usize = 1 << 27;

/// The side of a cell of the grid.
const CELL: i32 = 256;

/// How many cells of each direction an area is entered in; larger ones are not examined beyond.
const MAX_CELLS: i32 = 16;

impl OccupiedAreas {
    pub(super) fn add(&mut self, area: Rectangle) {
        for cell in cells(area) {
            self.cells.entry(cell).or_default().push(area);
        }
    }

    fn overlap(&mut self, area: Rectangle) -> i64 {
        let mut sum = 0;
        for near in cells(area).filter_map(|cell| self.cells.get(&cell)) {
            self.looks += near.len();
            sum += near.iter().map(|&other| area.overlap(other)).sum::<i64>();
        }
        sum
    }

    /// The first of some places that is free, or the least occupied one. Text keeps a distance from what is left
    /// and right of it.
    pub(super) fn choose(
        &mut self,
        mut places: impl Iterator<Item = Point>,
        size: (i32, i32),
    ) -> Option<Point> {
        if self.looks > LOOKS_MAX {
            return places.next();
        }
        let mut best: Option<(i64, Point)> = None;
        for place in places {
            let corner = Point { x: place.x - CHARACTER / 2, ..place };
            let overlap = self.overlap(Rectangle::at(corner, (size.0 + CHARACTER, size.1)));
            if overlap == 0 {
                return Some(place);
            }
            if best.is_none_or(|(least, _)| overlap < least) {
                best = Some((overlap, place));
            }
        }
        best.map(|(_, place)| place)
    }
}

fn cells(area: Rectangle) -> impl Iterator<Item = (i32, i32)> {
    let range = |start: i32, size: i32| {
        let first = start.div_euclid(CELL);
        first..=(start + size).div_euclid(CELL).min(first + MAX_CELLS)
    };
    let rows = range(area.top, area.height);
    range(area.left, area.width).flat_map(move |column| rows.clone().map(move |row| (column, row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_measured_by_its_characters() {
        assert_eq!(size_of("é<=5"), (4 * CHARACTER, LINE));
        assert_eq!(size_of(" a &&\n bcdef \n"), (6 * CHARACTER, 2 * LINE));
        assert_eq!(size_of(""), (0, LINE));
    }

    #[test]
    fn a_free_place_is_preferred() {
        let mut occupied = OccupiedAreas::default();
        let at = |x, y| Point { x, y };
        occupied.add(Rectangle::at(at(0, 0), (100, 20)));
        occupied.add(Rectangle::at(at(1000, 1000), (10, 10)));
        let places = [at(10, 10), at(90, 15), at(300, 0)];
        assert_eq!(occupied.choose(places.into_iter(), (50, 17)), Some(at(300, 0)));
        assert_eq!(occupied.choose(places[..2].iter().copied(), (50, 17)), Some(at(90, 15)));
        assert_eq!(occupied.choose(std::iter::empty(), (1, 1)), None);
    }

    #[test]
    fn however_much_is_at_one_place_the_work_is_bounded() {
        let mut occupied = OccupiedAreas::default();
        let labels = 100_000;
        for _ in 0..labels {
            let place = occupied.choose([Point { x: 0, y: 0 }; 4].into_iter(), (50, 17));
            occupied.add(Rectangle::at(place.expect("the first"), (50, 17)));
        }
        // One more label may be tried at each of its places before the bound is noticed.
        assert!(occupied.looks <= LOOKS_MAX + 4 * 4 * labels, "{}", occupied.looks);
    }
}
