//! Line charts; a band around a line shows an interval.

use maud::{Markup, Render, html};

use super::frame::{Axis, Frame, SeriesClass};
use super::scale::{Coordinate as At, signed};

/// The room above and below, as a share of the range of the values.
const ROOM: f64 = 0.06;

/// The beginning of a converging line is one part in this many.
const UNSETTLED_SHARE: usize = 4;

#[derive(Clone, Debug)]
pub struct LineChart {
    pub description: String,
    pub x_label: String,
    pub y_label: String,
    /// Formats a tick of the vertical axis, given the value and the distance of the ticks.
    pub y_text: fn(f64, f64) -> String,
    /// Whether the lines are estimates that converge. Then their first quarter does not determine the range of the
    /// chart, because the wide intervals of the first games would flatten the rest.
    pub settles: bool,
    pub y_reaches: Vec<f64>,
    /// The outer limits of the vertical axis, such as 0 and 1 for shares.
    pub y_limits: [f64; 2],
    pub lines: Vec<Curve>,
    pub marks: Vec<Mark>,
}

#[derive(Clone, Debug)]
pub struct Curve {
    pub name: String,
    pub colour: usize,
    /// The points from left to right. A value that is not finite leaves a gap.
    pub points: Vec<Point>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    /// The lower and the upper end of the interval around `y`; may be infinite.
    pub band: Option<[f64; 2]>,
}

#[derive(Clone, Debug)]
pub struct Mark {
    pub value: f64,
    pub label: String,
}

impl Default for LineChart {
    fn default() -> LineChart {
        LineChart {
            description: String::new(),
            x_label: String::new(),
            y_label: String::new(),
            y_text: signed,
            settles: true,
            y_reaches: Vec::new(),
            y_limits: [f64::NEG_INFINITY, f64::INFINITY],
            lines: Vec::new(),
            marks: Vec::new(),
        }
    }
}

impl LineChart {
    fn frame(&self) -> Frame {
        let points = self.lines.iter().flat_map(|line| &line.points);
        let [from, to] = extremes(points.map(|point| point.x)).unwrap_or([0.0, 1.0]);
        let values = extremes(self.settled_values()).unwrap_or([0.0, 1.0]);
        let room = (values[1] - values[0]) * ROOM;
        // Without negative values the axis begins at 0 or above.
        let low = if values[0] >= 0.0 { (values[0] - room).max(0.0) } else { values[0] - room };
        let [least, most] = self.y_limits;
        Frame {
            x: Axis::across([from.min(0.0), to], &*self.x_label),
            y: Axis::upward([low.max(least), (values[1] + room).min(most)], self.y_text, &*self.y_label),
        }
    }

    fn settled_values(&self) -> impl Iterator<Item = f64> {
        let unsettled = |line: &Curve| if self.settles { line.points.len() / UNSETTLED_SHARE } else { 0 };
        let settled = self.lines.iter().flat_map(move |line| &line.points[unsettled(line)..]);
        let values =
            settled.flat_map(|point| [Some(point.y), point.band.map(|b| b[0]), point.band.map(|b| b[1])]);
        let marks = self.marks.iter().map(|mark| mark.value);
        values.flatten().chain(marks).chain(self.y_reaches.iter().copied()).filter(|value| value.is_finite())
    }
}

impl Render for LineChart {
    fn render(&self) -> Markup {
        let frame = self.frame();
        let marks = html! {
            @for line in &self.lines { (band(&frame, line)) }
            @for mark in &self.marks { (mark_across(&frame, mark)) }
            @for line in &self.lines { (path(&frame, line)) }
        };
        frame.chart(&self.description, &marks)
    }
}

/// The band around a line; nothing if fewer than two of its points have one.
fn band(frame: &Frame, line: &Curve) -> Markup {
    let ends: Vec<(At, [At; 2])> = line
        .points
        .iter()
        .filter_map(|point| {
            Some((At(frame.x.scale.at(point.x)), point.band?.map(|end| At(frame.y.scale.clamped(end)))))
        })
        .collect();
    html! {
        @if ends.len() > 1 {
            polygon.band.(SeriesClass(line.colour)) points={
                @for (x, [_, high]) in &ends { (x) "," (high) " " }
                @for (x, [low, _]) in ends.iter().rev() { (x) "," (low) " " }
            } {}
        }
    }
}

fn path(frame: &Frame, line: &Curve) -> Markup {
    let class = SeriesClass(line.colour);
    let is_drawn = |at: usize| line.points[at].y.is_finite();
    let place = |at: usize| {
        let Point { x, y, .. } = line.points[at];
        (At(frame.x.scale.at(x)), At(frame.y.scale.at(y)))
    };
    let drawn = || (0..line.points.len()).filter(|&at| is_drawn(at));
    html! {
        path.line.(class) d={
            @for at in drawn() {
                @let (x, y) = place(at);
                (if at > 0 && is_drawn(at - 1) { "L" } else { "M" }) (x) " " (y)
            }
        } {
            title { (line.name) }
        }
        @if let Some((x, y)) = drawn().next_back().map(place) {
            circle.(class) cx=(x) cy=(y) r="3" {}
        }
    }
}

fn mark_across(frame: &Frame, mark: &Mark) -> Markup {
    let [left, right] = frame.x.scale.values().map(|value| frame.x.scale.at(value));
    let y = frame.y.scale.at(mark.value);
    html! {
        line.mark x1=(At(left)) x2=(At(right)) y1=(At(y)) y2=(At(y)) {}
        text.mark text-anchor="start" x=(At(left + 4.0)) y=(At(y - 4.0)) { (mark.label) }
    }
}

pub(super) fn extremes(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.fold(None, |extremes, value| match extremes {
        None => Some([value, value]),
        Some([low, high]) => Some([low.min(value), high.max(value)]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64]) -> Curve {
        let points = values.iter().enumerate().map(|(x, &y)| Point {
            x: x as f64,
            y,
            band: Some([y - 10.0, y + 10.0]),
        });
        Curve { name: "new".to_owned(), colour: 0, points: points.collect() }
    }

    fn chart(values: &[f64]) -> LineChart {
        LineChart {
            description: "Elo".to_owned(),
            x_label: "games".to_owned(),
            lines: vec![line(values)],
            marks: vec![Mark { value: 2.94, label: "H1".to_owned() }],
            ..LineChart::default()
        }
    }

    #[test]
    fn a_line_with_a_band_and_a_mark() {
        insta::assert_snapshot!(chart(&[0.0, 4.0, 2.0, 3.0]).render().into_string().replace('>', ">\n"));
    }

    #[test]
    fn an_infinite_value_leaves_a_gap_and_no_infinite_coordinate() {
        let text = chart(&[f64::INFINITY, 4.0, f64::NEG_INFINITY, 3.0]).render().into_string();
        assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
        let path = text.split("d=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(path.matches('M').count(), 2, "{path}");
    }

    #[test]
    fn an_axis_of_shares_ends_at_its_limits_and_no_points_are_an_empty_chart() {
        let shares = LineChart { y_limits: [0.0, 1.0], settles: false, ..chart(&[-0.1, 1.1]) };
        assert_eq!(shares.frame().y.scale.values().map(|end| end.to_string()), ["0", "1"]);
        let text = chart(&[]).render().into_string();
        assert!(text.starts_with("<svg") && !text.contains("NaN"));
    }
}
