//! A series of values with their intervals.

use maud::{Markup, Render, html};

use super::frame::{Axis, Frame, SeriesClass};
use super::line_chart::extremes;
use super::scale::{Coordinate as At, Scale, signed};

const CAP: f64 = 4.0;
const ROOM: f64 = 0.06;
/// The maximum number of names below the chart; with more points, only some are named.
const NAMES: usize = 7;

#[derive(Clone, Debug, Default)]
pub struct IntervalChart {
    pub description: String,
    pub x_label: String,
    pub y_label: String,
    pub points: Vec<IntervalPoint>,
    pub colour: usize,
}

#[derive(Clone, Debug)]
pub struct IntervalPoint {
    pub name: String,
    /// The value; values that are not finite are not drawn.
    pub value: f64,
    pub interval: [f64; 2],
}

impl IntervalChart {
    fn frame(&self) -> Frame {
        let values = self.points.iter().flat_map(|point| [point.value, point.interval[0], point.interval[1]]);
        let finite = values.filter(|value| value.is_finite());
        let [low, high] = extremes(finite).unwrap_or([0.0, 1.0]);
        let room = (high - low) * ROOM;
        let every = self.points.len().div_ceil(NAMES).max(1);
        let names = self.points.iter().enumerate().step_by(every);
        let ticks = names.map(|(place, point)| (place as f64 + 0.5, point.name.clone())).collect();
        Frame {
            x: Axis::across_with_ticks(self.points.len().max(1) as f64, ticks, &*self.x_label),
            y: Axis::upward([low - room, high + room], signed, &*self.y_label),
        }
    }
}

impl Render for IntervalChart {
    fn render(&self) -> Markup {
        let frame = self.frame();
        let class = SeriesClass(self.colour);
        let place = |index: usize| frame.x.scale.at(index as f64 + 0.5);
        let known = || self.points.iter().enumerate().filter(|(_, point)| point.value.is_finite());
        let marks = html! {
            path.line.faint.(class) d={
                @for (step, (index, point)) in known().enumerate() {
                    (if step == 0 { "M" } else { "L" }) (At(place(index))) " " (At(frame.y.scale.at(point.value)))
                }
            } {}
            @for (index, point) in known() {
                @let x = place(index);
                @let [low, high] = point.interval.map(|end| At(frame.y.scale.clamped(end)));
                @let (left, right) = (At(x - CAP), At(x + CAP));
                path.line.(class) d={
                    "M" (At(x)) " " (low) "V" (high) "M" (left) " " (low) "H" (right) "M" (left) " " (high) "H" (right)
                } {}
                circle.(class) cx=(At(x)) cy=(At(frame.y.scale.at(point.value))) r="4" {
                    title { (point.name) ": " (format!("{:+.1}", point.value)) }
                }
            }
        };
        frame.chart(&self.description, &marks)
    }
}

/// The width of a row in units; it is stretched to the width of its column.
const WIDTH: f64 = 1000.0;

/// A bar from the lower to the upper end with a mark at the value, on a scale that all rows of a table share.
#[derive(Clone, Copy, Debug)]
pub struct IntervalBar {
    pub range: [f64; 2],
    pub value: f64,
    pub interval: [f64; 2],
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
const BAR_ROOM: f64 = 0.04;
const OPEN_ROOM: f64 = 0.2;

/// A range that shows all these intervals and zero; never empty. Infinite intervals reach the edge of the range.
pub fn interval_range(intervals: impl IntoIterator<Item = [f64; 2]>) -> [f64; 2] {
    let intervals: Vec<[f64; 2]> = intervals.into_iter().collect();
    let ends = intervals.iter().flatten().copied().filter(|end| end.is_finite());
    let [low, high] = ends.fold([0.0f64, 0.0f64], |[low, high], end| [low.min(end), high.max(end)]);
    let room = |is_open: bool| ((high - low) * if is_open { OPEN_ROOM } else { BAR_ROOM }).max(1.0);
    let is_open = |end: usize| intervals.iter().any(|interval| interval[end].is_infinite());
    [low - room(is_open(0)), high + room(is_open(1))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_versions_one_of_them_without_an_upper_end() {
        let point =
            |name: &str, value: f64, interval| IntervalPoint { name: name.to_owned(), value, interval };
        let chart = IntervalChart {
            description: "Strength".to_owned(),
            x_label: "version".to_owned(),
            y_label: "Elo".to_owned(),
            points: vec![
                point("v1", -20.0, [-40.0, 0.0]),
                point("v2", 10.0, [-5.0, 25.0]),
                point("v3", 60.0, [40.0, f64::INFINITY]),
            ],
            colour: 0,
        };
        insta::assert_snapshot!(chart.render().into_string().replace('>', ">\n"));
    }

    #[test]
    fn no_version_is_an_empty_chart_and_an_open_interval_reaches_the_end_of_its_row() {
        let text = IntervalChart::default().render().into_string();
        assert!(!text.contains("NaN") && !text.contains("inf"));
        let range = interval_range([[-20.0, 80.0], [60.0, f64::INFINITY]]);
        assert_eq!(range.map(|end| end.round() as i32), [-24, 100]);
        let bar = IntervalBar { range, value: f64::INFINITY, interval: [60.0, f64::INFINITY], colour: 1 };
        let text = bar.render().into_string();
        assert!(text.contains(r#"x1="1000" x2="1000""#) && !text.contains("inf"), "{text}");
    }
}
