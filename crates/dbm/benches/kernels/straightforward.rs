//! What one writes first: the same encoding of bounds, one flat vector, indexed loops, no padding.
//!
//! It is what the kernels are measured against, and deliberately not foolish: emptiness is found early, rows
//! that cannot improve are skipped, and inclusion leaves at the first bound that fails.

#![expect(clippy::needless_range_loop, reason = "indexed loops are the point")]

pub(crate) const INFINITY: i32 = 1 << 30;

#[derive(Clone)]
pub(crate) struct Matrix {
    pub(crate) n: usize,
    pub(crate) d: Vec<i32>,
}

fn add(a: i32, b: i32) -> i32 {
    if a == INFINITY || b == INFINITY { INFINITY } else { a + b - ((a | b) & 1) }
}

impl Matrix {
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.d.copy_from_slice(&other.d);
    }

    pub(crate) fn close(&mut self) -> bool {
        for k in 0..self.n {
            for i in 0..self.n {
                if self.d[i * self.n + k] == INFINITY {
                    continue;
                }
                for j in 0..self.n {
                    let via = add(self.d[i * self.n + k], self.d[k * self.n + j]);
                    if via < self.d[i * self.n + j] {
                        self.d[i * self.n + j] = via;
                    }
                }
                if self.d[i * self.n + i] < 1 {
                    return false;
                }
            }
        }
        true
    }

    pub(crate) fn constrain(&mut self, i: usize, j: usize, bound: i32) -> bool {
        if bound >= self.d[i * self.n + j] {
            return true;
        }
        if add(self.d[j * self.n + i], bound) < 1 {
            return false;
        }
        for p in 0..self.n {
            let to = add(self.d[p * self.n + i], bound);
            if to == INFINITY {
                continue;
            }
            for q in 0..self.n {
                let via = add(to, self.d[j * self.n + q]);
                if via < self.d[p * self.n + q] {
                    self.d[p * self.n + q] = via;
                }
            }
        }
        true
    }

    pub(crate) fn intersect(&mut self, other: &Self) -> bool {
        for i in 0..self.n {
            for j in 0..self.n {
                if other.d[i * self.n + j] < self.d[i * self.n + j] {
                    self.d[i * self.n + j] = other.d[i * self.n + j];
                }
            }
        }
        self.close()
    }

    pub(crate) fn includes(&self, other: &Self) -> bool {
        for i in 0..self.n {
            for j in 0..self.n {
                if other.d[i * self.n + j] > self.d[i * self.n + j] {
                    return false;
                }
            }
        }
        true
    }

    /// Extra_LU, or Extra_LU+ if `plus`; with `L = U = M` Extra_M and Extra_M+.
    pub(crate) fn extrapolate(&mut self, lower: &[i32], upper: &[i32], plus: bool) {
        let old = self.d.clone();
        for i in 0..self.n {
            for j in 0..self.n {
                if i == j || old[i * self.n + j] == INFINITY {
                    continue;
                }
                let (c, c0i, c0j) = (old[i * self.n + j] >> 1, old[i] >> 1, old[j] >> 1);
                let entry = &mut self.d[i * self.n + j];
                if i > 0 && (c > lower[i] || plus && (-c0i > lower[i] || -c0j > upper[j])) {
                    *entry = INFINITY;
                } else if (i == 0 || !plus) && -c > upper[j] {
                    *entry = -2 * upper[j];
                }
            }
        }
        assert!(self.close());
    }

    pub(crate) fn simulated(&self, other: &Self, lower: &[i32], upper: &[i32]) -> bool {
        for x in 0..self.n {
            if self.d[x] < -2 * upper[x] + 1 {
                continue;
            }
            for y in 0..self.n {
                let (own, theirs) = (self.d[y * self.n + x], other.d[y * self.n + x]);
                if theirs < own && add(theirs, -2 * lower[y]) < self.d[x] {
                    return false;
                }
            }
        }
        true
    }
}
