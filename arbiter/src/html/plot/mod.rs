//! Charts as SVG: small, without script, and coloured by the style sheet of the page.
//!
//! [`LineChart`], [`BarChart`], [`IntervalChart`] and [`Histogram`] are drawn in a [`Frame`] with two axes; they are
//! as wide as a phone, or half as wide as a page. [`IntervalBar`] and [`StackedBar`] are drawn in a row of a table and
//! stretch with it. A [`Figure`] is a chart with a title. Colours are CSS classes: `s0` to `s7` for series, and `win`,
//! `draw`, `loss` and so on for parts.

mod bar_chart;
mod frame;
pub mod interval_chart;
mod line_chart;
pub mod scale;

pub use bar_chart::{BarChart, BarSeries, Histogram, HistogramSeries, StackedBar};
pub use frame::{Axis, Figure, Frame, SeriesClass};
pub use interval_chart::{IntervalBar, IntervalChart, IntervalPoint, interval_range};
pub use line_chart::{Curve, LineChart, Mark, Point};
pub use scale::{Scale, Thinned, axis_number, signed};
