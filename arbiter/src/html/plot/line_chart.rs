//! Lines, with a band of uncertainty around each where there is one.

use std::fmt;

use super::coordinate::Coordinate as At;
use super::frame::{Axis, Frame};
use super::series_class::SeriesClass;
use super::tick_text::signed;
use crate::html::Escaped;

/// A share of the width of the values that is left free above and below.
const ROOM: f64 = 0.06;

/// One part in so many of a line that settles is its beginning.
const UNSETTLED_SHARE: usize = 4;

/// Lines over a common axis.
#[derive(Clone, Debug)]
pub struct LineChart {
    /// What the chart shows, for those who cannot see it.
    pub description: String,
    /// What is measured from left to right.
    pub x_label: String,
    /// What is measured from bottom to top.
    pub y_label: String,
    /// How ticks of the vertical axis are written, given the value and the distance of the ticks.
    pub y_text: fn(f64, f64) -> String,
    /// Whether the lines are estimates that settle as time goes on. Then their first quarter does not decide how far
    /// the chart reaches: few games leave much open, and would press all that comes later flat.
    pub settles: bool,
    /// Values that the vertical axis has to reach.
    pub y_reaches: Vec<f64>,
    /// The lines.
    pub lines: Vec<Line>,
    /// Values that mean something.
    pub marks: Vec<Mark>,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it shows.
    pub name: String,
    /// Its place among the colours.
    pub colour: usize,
    /// From left to right. A value that is not finite leaves a gap.
    pub points: Vec<Point>,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// From left to right.
    pub x: f64,
    /// From bottom to top.
    pub y: f64,
    /// The lower and the upper end of the interval around it; may be infinite.
    pub band: Option<[f64; 2]>,
}

/// A value that is marked across the chart.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The value.
    pub value: f64,
    /// What it means.
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
        // Where nothing is negative, the axis is not either.
        let low = if values[0] >= 0.0 { (values[0] - room).max(0.0) } else { values[0] - room };
        Frame {
            x: Axis::across([from.min(0.0), to], &*self.x_label),
            y: Axis::upward([low, values[1] + room], self.y_text, &*self.y_label),
        }
    }

    /// What the vertical axis has to reach.
    fn settled_values(&self) -> impl Iterator<Item = f64> {
        let unsettled = |line: &Line| if self.settles { line.points.len() / UNSETTLED_SHARE } else { 0 };
        let settled = self.lines.iter().flat_map(move |line| &line.points[unsettled(line)..]);
        let values =
            settled.flat_map(|point| [Some(point.y), point.band.map(|b| b[0]), point.band.map(|b| b[1])]);
        let marks = self.marks.iter().map(|mark| mark.value);
        values.flatten().chain(marks).chain(self.y_reaches.iter().copied()).filter(|value| value.is_finite())
    }

    fn write_band(frame: &Frame, line: &Line, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends: Vec<(f64, [f64; 2])> =
            line.points.iter().filter_map(|point| Some((frame.x.scale.at(point.x), point.band?))).collect();
        if ends.len() < 2 {
            return Ok(());
        }
        write!(f, r#"<polygon class="band {}" points=""#, SeriesClass(line.colour))?;
        for (x, [_, high]) in &ends {
            write!(f, "{},{} ", At(*x), At(frame.y.scale.clamped(*high)))?;
        }
        for (x, [low, _]) in ends.iter().rev() {
            write!(f, "{},{} ", At(*x), At(frame.y.scale.clamped(*low)))?;
        }
        f.write_str(r#""/>"#)
    }

    fn write_line(frame: &Frame, line: &Line, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"<path class="line {}" d=""#, SeriesClass(line.colour))?;
        let mut pen = 'M';
        for point in &line.points {
            if point.y.is_finite() {
                write!(f, "{pen}{} {}", At(frame.x.scale.at(point.x)), At(frame.y.scale.at(point.y)))?;
                pen = 'L';
            } else {
                pen = 'M';
            }
        }
        write!(f, r#""><title>{}</title></path>"#, Escaped(&line.name))?;
        match line.points.iter().rev().find(|point| point.y.is_finite()) {
            Some(last) => {
                let (x, y) = (At(frame.x.scale.at(last.x)), At(frame.y.scale.at(last.y)));
                write!(f, r#"<circle class="{}" cx="{x}" cy="{y}" r="3"/>"#, SeriesClass(line.colour))
            }
            None => Ok(()),
        }
    }

    fn write_mark(frame: &Frame, mark: &Mark, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [left, right] = frame.x.scale.values().map(|value| frame.x.scale.at(value));
        let y = frame.y.scale.at(mark.value);
        let (left, right, label) = (At(left), At(right), Escaped(&mark.label));
        write!(f, r#"<line class="mark" x1="{left}" x2="{right}" y1="{0}" y2="{0}"/>"#, At(y))?;
        write!(
            f,
            r#"<text class="mark" text-anchor="start" x="{}" y="{}">{label}</text>"#,
            At(left.0 + 4.0),
            At(y - 4.0)
        )
    }
}

impl fmt::Display for LineChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = self.frame();
        frame.write(f, &self.description, |f| {
            self.lines.iter().try_for_each(|line| LineChart::write_band(&frame, line, f))?;
            self.marks.iter().try_for_each(|mark| LineChart::write_mark(&frame, mark, f))?;
            self.lines.iter().try_for_each(|line| LineChart::write_line(&frame, line, f))
        })
    }
}

/// The least and the greatest of some finite numbers; `None` without any.
fn extremes(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.fold(None, |extremes, value| match extremes {
        None => Some([value, value]),
        Some([low, high]) => Some([low.min(value), high.max(value)]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64]) -> Line {
        let points = values.iter().enumerate().map(|(x, &y)| Point {
            x: x as f64,
            y,
            band: Some([y - 10.0, y + 10.0]),
        });
        Line { name: "new".to_owned(), colour: 0, points: points.collect() }
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
        insta::assert_snapshot!(chart(&[0.0, 4.0, 2.0, 3.0]).to_string().replace('>', ">\n"));
    }

    #[test]
    fn an_infinite_value_leaves_a_gap_and_no_infinite_coordinate() {
        let text = chart(&[f64::INFINITY, 4.0, f64::NEG_INFINITY, 3.0]).to_string();
        assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
        let path = text.split("d=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(path.matches('M').count(), 2, "{path}");
    }

    #[test]
    fn no_points_are_an_empty_chart() {
        let text = chart(&[]).to_string();
        assert!(text.starts_with("<svg") && !text.contains("NaN"));
    }
}
