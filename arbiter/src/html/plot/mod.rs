//! Charts as SVG: small, without script, and coloured by the style sheet of the page.
//!
//! [`LineChart`], [`BarChart`], [`IntervalChart`] and [`Histogram`] are drawn in a [`Frame`] with two axes, as wide as
//! half of a page or a whole phone. [`IntervalBar`] and [`StackedBar`] are a row of a table and stretch with it. A
//! [`Figure`] is a chart with its title. Colours are classes: `s0` to `s7` for series, and `win`, `draw`, `loss` and
//! the like for parts.

mod bar_chart;
mod frame;
pub mod interval_chart;
mod line_chart;
pub mod scale;

pub use bar_chart::{BarChart, BarSeries, Histogram, HistogramSeries, StackedBar};
pub use frame::{Axis, Figure, Frame, SeriesClass};
pub use interval_chart::{IntervalBar, IntervalChart, IntervalPoint, interval_range};
pub use line_chart::{Line, LineChart, Mark, Point};
pub use scale::{Scale, Thinned, axis_number, signed};
