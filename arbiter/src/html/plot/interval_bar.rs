//! A value with its interval, as one row of a table.

use maud::{Markup, Render, html};

use super::figure::SeriesClass;
use super::scale::Coordinate as At;
use super::scale::Scale;

/// The width of a row in units; it is stretched to the width of its column.
const WIDTH: f64 = 1000.0;

/// A bar from the lower to the upper end with a stroke at the value, on a scale that all rows of a table share.
#[derive(Clone, Copy, Debug)]
pub struct IntervalBar {
    /// The smallest and the largest value that the column shows.
    pub range: [f64; 2],
    /// The value; may be infinite.
    pub value: f64,
    /// The lower and the upper end; may be infinite.
    pub interval: [f64; 2],
    /// The index of its colour.
    pub colour: usize,
}

impl Render for IntervalBar {
    fn render(&self) -> Markup {
        let scale = Scale::new(self.range, [0.0, WIDTH]);
        let [low, high] = self.interval.map(|end| scale.clamped(end));
        let (zero, value, class) =
            (At(scale.clamped(0.0)), At(scale.clamped(self.value)), SeriesClass(self.colour));
        html! {
            svg.row viewBox={ "0 0 " (WIDTH) " 20" } preserveAspectRatio="none" aria-hidden="true" {
                line.zero x1=(zero) x2=(zero) y1="0" y2="20" {}
                rect.interval.(class) x=(At(low)) y="7" width=(At((high - low).max(2.0))) height="6" {}
                line.value.(class) x1=(value) x2=(value) y1="3" y2="17" {}
            }
        }
    }
}

/// Shares of the width: the margin at the ends, and the length drawn for an infinite end.
const ROOM: f64 = 0.04;
const OPEN_ROOM: f64 = 0.2;

/// A range that shows all these intervals and zero; never empty. Infinite intervals reach the edge of the range.
pub fn interval_range(intervals: impl IntoIterator<Item = [f64; 2]>) -> [f64; 2] {
    let intervals: Vec<[f64; 2]> = intervals.into_iter().collect();
    let ends = intervals.iter().flatten().copied().filter(|end| end.is_finite());
    let [low, high] = ends.fold([0.0f64, 0.0f64], |[low, high], end| [low.min(end), high.max(end)]);
    let room = |is_open: bool| ((high - low) * if is_open { OPEN_ROOM } else { ROOM }).max(1.0);
    let is_open = |end: usize| intervals.iter().any(|interval| interval[end].is_infinite());
    [low - room(is_open(0)), high + room(is_open(1))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_interval_reaches_to_the_end_of_the_row() {
        let range = interval_range([[-20.0, 80.0], [60.0, f64::INFINITY]]);
        assert_eq!(range.map(|end| end.round() as i32), [-24, 100]);
        let bar = IntervalBar { range, value: f64::INFINITY, interval: [60.0, f64::INFINITY], colour: 1 };
        let text = bar.render().into_string();
        assert!(text.contains(r#"x1="1000" x2="1000""#) && !text.contains("inf"), "{text}");
    }
}
