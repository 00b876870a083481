//! The frame of a chart: two axes with ticks and a grid, and what they measure.

use std::fmt::{self, Display};

use super::coordinate::Coordinate as At;
use super::scale::Scale;
use super::tick_text::axis_number;
use crate::html::Escaped;

/// The size of every chart. On a phone it fills the width about one to one, on a wide page half of it.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 220.0;
/// What lies outside of the axes, on each side.
const LEFT: f64 = 44.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 34.0;

/// About how many ticks an axis has.
const TICKS_ACROSS: usize = 5;
const TICKS_UP: usize = 4;

/// One axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// From values to coordinates.
    pub scale: Scale,
    ticks: Vec<(f64, String)>,
    label: String,
}

/// Where a chart is drawn.
#[derive(Clone, Debug)]
pub struct Frame {
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
}

impl Axis {
    /// A horizontal axis of numbers that begins and ends with the values.
    pub fn across(values: [f64; 2], label: impl Into<String>) -> Axis {
        Axis::numbers(Scale::new(values, [LEFT, WIDTH - RIGHT]), TICKS_ACROSS, axis_number, label)
    }

    /// A horizontal axis from 0 to `end` with ticks of one's own.
    pub fn across_with_ticks(end: f64, ticks: Vec<(f64, String)>, label: impl Into<String>) -> Axis {
        Axis { scale: Scale::new([0.0, end], [LEFT, WIDTH - RIGHT]), ticks, label: label.into() }
    }

    /// A vertical axis of numbers that begins and ends with a tick.
    pub fn upward(values: [f64; 2], text: fn(f64, f64) -> String, label: impl Into<String>) -> Axis {
        let scale = Scale::new(values, [HEIGHT - BOTTOM, TOP]).rounded(TICKS_UP);
        Axis::numbers(scale, TICKS_UP, text, label)
    }

    fn numbers(scale: Scale, about: usize, text: fn(f64, f64) -> String, label: impl Into<String>) -> Axis {
        let step = scale.step(about);
        let ticks = scale.ticks(about).into_iter().map(|value| (value, text(value, step))).collect();
        Axis { scale, ticks, label: label.into() }
    }
}

impl Frame {
    /// Writes the frame with what `marks` draws in it; `description` is read to those who cannot see it.
    pub fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        description: &str,
        marks: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> fmt::Result {
        let description = Escaped(description);
        write!(
            f,
            r#"<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{description}">"#
        )?;
        self.write_grid(f)?;
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        // An inner picture cuts off what lies beyond the axes.
        write!(
            f,
            r#"<svg x="{LEFT}" y="{TOP}" width="{width}" height="{height}" viewBox="{LEFT} {TOP} {width} {height}">"#
        )?;
        marks(f)?;
        f.write_str("</svg></svg>")
    }

    fn write_grid(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        f.write_str(r#"<g class="grid">"#)?;
        for (value, _) in &self.y.ticks {
            let y = At(self.y.scale.at(*value));
            let class = if *value == 0.0 { r#" class="zero""# } else { "" };
            write!(f, r#"<line{class} x1="{LEFT}" x2="{right}" y1="{y}" y2="{y}"/>"#)?;
        }
        write!(f, r#"<line class="zero" x1="{LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}"/></g>"#)?;
        f.write_str(r#"<g class="ticks">"#)?;
        for (value, text) in &self.y.ticks {
            let y = At(self.y.scale.at(*value) + 4.0);
            write_text(f, "end", At(LEFT - 6.0), y, text)?;
        }
        for (value, text) in &self.x.ticks {
            write_text(f, "middle", At(self.x.scale.at(*value)), At(bottom + 15.0), text)?;
        }
        f.write_str(r#"</g><g class="labels">"#)?;
        write_text(f, "start", At(0.0), At(11.0), &self.y.label)?;
        write_text(f, "end", At(right), At(HEIGHT - 4.0), &self.x.label)?;
        f.write_str("</g>")
    }
}

fn write_text(
    f: &mut fmt::Formatter<'_>,
    anchor: &str,
    x: impl Display,
    y: impl Display,
    text: &str,
) -> fmt::Result {
    write!(f, r#"<text text-anchor="{anchor}" x="{x}" y="{y}">{}</text>"#, Escaped(text))
}
