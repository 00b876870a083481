//! Charts as SVG: small, without script, and coloured by the style sheet of the page.
//!
//! [`LineChart`], [`BarChart`], [`IntervalChart`] and [`Histogram`] are drawn in a [`Frame`] with two axes, as wide as
//! half of a page or a whole phone. [`IntervalBar`] and [`StackedBar`] are a row of a table and stretch with it. A
//! [`Figure`] is a chart with its title. Colours are classes: `s0` to `s7` for series, and `win`, `draw`, `loss` and
//! the like for parts.

mod bar_chart;
mod figure;
mod frame;
mod histogram;
pub mod interval_bar;
mod interval_chart;
mod line_chart;
mod scale;
mod stacked_bar;
mod thinned;
pub mod tick_text;

pub use bar_chart::{BarChart, BarSeries};
pub use figure::{Figure, SeriesClass};
pub use frame::{Axis, Frame};
pub use histogram::{Histogram, HistogramSeries};
pub use interval_bar::{IntervalBar, interval_range};
pub use interval_chart::{IntervalChart, IntervalPoint};
pub use line_chart::{Line, LineChart, Mark, Point};
pub use scale::Scale;
pub use stacked_bar::StackedBar;
pub use thinned::Thinned;
pub use tick_text::{axis_number, signed};
