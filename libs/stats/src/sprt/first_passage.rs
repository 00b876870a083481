//! The distribution of when and where a Wiener process stops at a boundary of any shape.
//!
//! The density of the process between the bounds obeys the heat equation with a drift. The strip between the bounds is
//! mapped to the same cells at every time, so bounds may be straight or curved and may converge. The Crank–Nicolson scheme
//! advances the cells' probabilities from one time to the next; what flows out at either end has stopped there. (The
//! equation: Anderson, "A Modification of the Sequential Probability Ratio Test to Reduce the Sample Size", 1960. The tests
//! compare with the closed solution for straight bounds, [`SprtCourse`](super::SprtCourse).)

use crate::normal::cumulative;

/// The scheme starts when both bounds are this many standard deviations away. The process then has a normal distribution,
/// with 7 millionths outside.
const CLEAR: f64 = 4.5;

/// Bounds are clamped to this many standard deviations beyond the drift, so that the cells cover the process.
const FARTHEST: f64 = 16.0;

/// Bounds that have met are kept this many standard deviations apart.
const NARROWEST: f64 = 1e-6;

/// Cells per standard deviation at the start; cells per 1/drift, the distance over which a drift outweighs diffusion; and
/// the minimum and maximum number of cells.
const CELLS_PER_DEVIATION: f64 = 5.0;
const CELLS_PER_DEPTH: f64 = 2.0;
const CELLS: (f64, f64) = (60.0, 1000.0);

/// A time step is the least of three: a share of the elapsed time, of the squared width, in which time nearly everything
/// flows out, and of the time in which the drift covers a standard deviation. No step is below the end time / `MOST_STEPS`.
const STEP: f64 = 0.06;
const STEP_OF_WIDTH: f64 = 0.01;
const STEP_OF_DEVIATION: f64 = 0.2;
const MOST_STEPS: f64 = 4000.0;

#[derive(Clone, Copy, Debug)]
struct Bounds {
    time: f64,
    lower: f64,
    upper: f64,
}

impl Bounds {
    const fn width(&self) -> f64 {
        self.upper - self.lower
    }
}

#[derive(Clone, Debug)]
pub(super) struct Boundary {
    path: Vec<Bounds>,
    cells: usize,
}

/// The state of a process at the end: stopped at a bound, or still between them.
#[derive(Clone, Debug)]
pub(super) struct FirstPassage {
    /// The probability that the lower bound was reached first.
    pub below: f64,
    /// The probability that the upper bound was reached first.
    pub above: f64,
    /// The probabilities of having stopped by each time, in ascending order of time.
    pub course: Vec<Stopped>,
    /// The probability of each cell between the bounds at the end, from the lower bound up.
    inside: Vec<f64>,
    end: Bounds,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stopped {
    pub time: f64,
    pub below: f64,
    pub above: f64,
}

impl Boundary {
    /// The boundary whose bounds `(lower, upper)` at each time up to `end` are given by `at`, for processes from 0 with
    /// drifts up to `drift` in size. `None` if the bounds are always out of reach or 0 is not between them.
    pub fn new(at: impl Fn(f64) -> (f64, f64), end: f64, drift: f64) -> Option<Boundary> {
        let bounds = |time: f64| {
            let ((lower, upper), farthest) = (at(time), FARTHEST * time.sqrt() + drift * time);
            Bounds { time, lower: lower.max(-farthest), upper: upper.min(farthest) }
        };
        let is_clear = |bounds: &Bounds| {
            bounds.upper.min(-bounds.lower) > CLEAR * bounds.time.sqrt() + drift * bounds.time
        };
        let starts = (0..200).map(|halvings| bounds(end * 0.8f64.powi(halvings)));
        let first = starts.into_iter().find(is_clear).filter(|first| first.time < end)?;
        let per_length = (CELLS_PER_DEVIATION / first.time.sqrt()).max(CELLS_PER_DEPTH * drift);
        let cells = first.width() * per_length;
        let mut path = vec![first];
        let mut last = first;
        while last.time < end {
            let by_width = STEP_OF_WIDTH * last.width() * last.width();
            let by_drift = STEP_OF_DEVIATION * last.time.sqrt() / drift;
            let step = (STEP * last.time).min(by_width).min(by_drift).max(end / MOST_STEPS);
            // The last step is not much shorter than the one before.
            let left = end - last.time;
            let time = if step > 0.7 * left { end } else { last.time + step };
            last = bounds(time);
            last.upper = last.upper.max(last.lower + NARROWEST * time.sqrt());
            path.push(last);
        }
        Some(Boundary { path, cells: cells.clamp(CELLS.0, CELLS.1) as usize })
    }

    /// The end of a process from 0 with variance 1 and this drift, both per unit of time.
    pub fn passage(&self, drift: f64) -> FirstPassage {
        let (start, cells) = (self.path[0], self.cells);
        let up_to = |cell: usize| {
            let place = start.lower + start.width() * cell as f64 / cells as f64;
            cumulative((place - drift * start.time) / start.time.sqrt())
        };
        let mut inside: Vec<f64> = (0..cells).map(|cell| up_to(cell + 1) - up_to(cell)).collect();
        let (mut below, mut above) = (up_to(0), 1.0 - up_to(cells));
        let mut course = vec![Stopped { time: start.time, below, above }];
        let (mut right, mut factors) = (vec![0.0; cells], vec![0.0; cells]);
        for step in self.path.windows(2) {
            let flow = Flow::new(&step[0], &step[1], drift, cells);
            let (out_below, out_above) = flow.out(&inside);
            for cell in 0..cells {
                let [left, middle, next] = flow.row(cell);
                let neighbour =
                    |index: Option<usize>| index.and_then(|index| inside.get(index)).unwrap_or(&0.0);
                right[cell] = (1.0 + middle) * inside[cell]
                    + left * neighbour(cell.checked_sub(1))
                    + next * neighbour(Some(cell + 1));
            }
            // Thomas's algorithm for the tridiagonal system.
            for cell in 0..cells {
                let [left, middle, next] = flow.row(cell).map(|rate| -rate);
                let (factor, before) =
                    cell.checked_sub(1).map_or((0.0, 0.0), |before| (factors[before], right[before]));
                let pivot = 1.0 + middle - left * factor;
                factors[cell] = next / pivot;
                right[cell] = (right[cell] - left * before) / pivot;
            }
            let mut next = 0.0;
            for cell in (0..cells).rev() {
                next = right[cell] - factors[cell] * next;
                inside[cell] = next;
            }
            let (later_below, later_above) = flow.out(&inside);
            below += out_below + later_below;
            above += out_above + later_above;
            course.push(Stopped { time: step[1].time, below, above });
        }
        FirstPassage { below, above, course, inside, end: self.path[self.path.len() - 1] }
    }
}

struct Flow {
    cells: usize,
    /// The drift in half a time step, relative to the lowest and to the highest face, both of which move; in cells.
    drift: (f64, f64),
    /// Half the variance in half a time step, in squared cells.
    spread: f64,
}

impl Flow {
    fn new(from: &Bounds, to: &Bounds, drift: f64, cells: usize) -> Flow {
        let time = to.time - from.time;
        let cell = f64::midpoint(from.width(), to.width()) / cells as f64;
        let seen = |from: f64, to: f64| (drift * time - (to - from)) / cell / 2.0;
        Flow {
            cells,
            drift: (seen(from.lower, to.lower), seen(from.upper, to.upper)),
            spread: time / 2.0 / (cell * cell) / 2.0,
        }
    }

    /// The flow upwards through the face below a cell, as factors of the probabilities of the cell before and of this cell.
    fn through(&self, face: usize) -> (f64, f64) {
        let (first, last) = self.drift;
        let drift = first + (last - first) * face as f64 / self.cells as f64;
        (drift / 2.0 + self.spread, drift / 2.0 - self.spread)
    }

    /// The change of a cell's probability, as factors of those of the cell before, of this cell, and of the next.
    fn row(&self, cell: usize) -> [f64; 3] {
        let (mut left, mut middle, mut next) = (0.0, 0.0, 0.0);
        if cell > 0 {
            let (before, own) = self.through(cell);
            left += before;
            middle += own;
        } else {
            middle -= 3.0 * self.spread;
            next += self.spread / 3.0;
        }
        if cell + 1 < self.cells {
            let (own, after) = self.through(cell + 1);
            middle -= own;
            next -= after;
        } else {
            middle -= 3.0 * self.spread;
            left += self.spread / 3.0;
        }
        [left, middle, next]
    }

    /// The flow out at the lower and at the upper bound. The density is 0 at a bound; its slope there is that of the
    /// parabola through 0 and the two nearest cells.
    fn out(&self, inside: &[f64]) -> (f64, f64) {
        let slope = |near: f64, far: f64| self.spread * (3.0 * near - far / 3.0);
        let last = self.cells - 1;
        (slope(inside[0], inside[1]), slope(inside[last], inside[last - 1]))
    }
}

impl FirstPassage {
    /// The mean time until a bound or the end is reached.
    pub fn mean_time(&self) -> f64 {
        let inside = |stopped: &Stopped| 1.0 - stopped.below - stopped.above;
        let step =
            |one: &Stopped, next: &Stopped| (next.time - one.time) * inside(one).midpoint(inside(next));
        self.course[0].time + self.course.windows(2).map(|two| step(&two[0], &two[1])).sum::<f64>()
    }

    /// The probability that the process is between the bounds at the end, at `place` or above it.
    pub fn inside_above(&self, place: f64) -> f64 {
        let cells = self.inside.len();
        let at = ((place - self.end.lower) / self.end.width() * cells as f64).clamp(0.0, cells as f64);
        let cell = at as usize;
        let whole: f64 = self.inside[(cell + 1).min(cells)..].iter().sum();
        whole + self.inside.get(cell).map_or(0.0, |mass| mass * (1.0 - at.fract()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ResultShares, Sprt, SprtCourse, SprtModel};

    /// The closed solution for straight bounds corrects for overshoot, so the bounds are moved here too.
    #[test]
    fn between_straight_bounds_it_is_the_closed_solution() {
        let results = ResultShares::Games([0.25, 0.5, 0.25]);
        for (elo0, elo1, alpha, beta) in
            [(-5.0, 5.0, 0.05, 0.05), (0.0, 10.0, 0.05, 0.05), (2.0, 12.0, 0.001, 0.2)]
        {
            let test = Sprt::new(elo0, elo1, alpha, beta, SprtModel::Normalized).unwrap();
            let course = SprtCourse::new(&test, &results).unwrap();
            let (h0, h1) = test.hypotheses(1);
            let (step, slope) = (h1 - h0, h0.midpoint(h1));
            let bounds = |time: f64| {
                let place = |ratio: f64| ratio / step + slope * time;
                let moved = 0.583 * step;
                (place(test.lower().value() - moved), place(test.upper().value() + moved))
            };
            for games in [500u64, 3000, 10_000, 40_000] {
                let end = Boundary::new(bounds, games as f64, 0.05).map(|boundary| boundary.passage(0.0));
                let (below, above) = end.as_ref().map_or((0.0, 0.0), |end| (end.below, end.above));
                let expected = course.stopped_within(games);
                assert!(
                    (below - expected.below).abs() < 5e-4 && (above - expected.above).abs() < 5e-4,
                    "{below} {above} {expected:?}"
                );
                let inside = end.map_or(1.0, |end| end.inside_above(f64::NEG_INFINITY));
                assert!((below + above + inside - 1.0).abs() < 1e-9);
            }
        }
    }

    /// The probability that a process without drift stays between ±c·√(time + 1) decays as a power of time; the exponent
    /// for c = 1 is 1 (Breiman, "First exit times from a square root boundary", 1967).
    #[test]
    fn between_curved_bounds_it_is_the_known_decay() {
        let inside = |end: f64| {
            let bounds = |time: f64| (-(time + 1.0).sqrt(), (time + 1.0).sqrt());
            Boundary::new(bounds, end, 0.0).unwrap().passage(0.0).inside_above(f64::NEG_INFINITY)
        };
        let exponent = (inside(20.0) / inside(200.0)).ln() / (201.0f64 / 21.0).ln();
        assert!((exponent - 1.0).abs() < 0.02, "{exponent}");
    }
}
