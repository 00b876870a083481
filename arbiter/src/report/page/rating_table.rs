//! A table of values with their intervals, each as a number and as a bar on a common scale.

use std::fmt;

use super::verdict::minus;
use crate::html::Escaped;
use crate::html::plot::interval_bar::interval_range;
use crate::html::plot::tick_text::{axis_number, signed};
use crate::html::plot::{IntervalBar, Scale, SeriesClass};
use crate::text::number_text::elo;
use stats::EloEstimate;

/// About how many ticks stand above the bars.
const TICKS: usize = 5;

/// The table; `Display` writes it as HTML.
#[derive(Clone, Debug)]
pub struct RatingTable {
    /// What the columns between the names and the bars hold.
    pub headings: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<RatingRow>,
    /// Whether colours tell the rows apart elsewhere on the page.
    pub has_swatches: bool,
}

/// One row.
#[derive(Clone, Debug)]
pub struct RatingRow {
    /// What is rated.
    pub name: String,
    /// Its place among the colours.
    pub colour: usize,
    /// The value; `None` where there is nothing to draw.
    pub value: Option<f64>,
    /// The lower and the upper end; may be infinite.
    pub interval: [f64; 2],
    /// The cells between the name and the bar.
    pub cells: Vec<String>,
}

impl RatingRow {
    /// A row for a rating, which is the first of its cells.
    pub fn new(name: String, colour: usize, rating: Option<EloEstimate>, cells: Vec<String>) -> RatingRow {
        let text = rating.as_ref().map_or("–".to_owned(), |rating| minus(&elo(rating)));
        let interval = rating.map_or([0.0, 0.0], |rating| [rating.lower.value(), rating.upper.value()]);
        let value = rating.map(|rating| rating.elo.value());
        RatingRow { name, colour, value, interval, cells: [vec![text], cells].concat() }
    }
}

impl fmt::Display for RatingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = interval_range(self.rows.iter().map(|row| row.interval));
        f.write_str("<div class=\"scroll\"><table class=\"bars\"><thead><tr><th></th>")?;
        for heading in &self.headings {
            write!(f, "<th>{heading}</th>")?;
        }
        f.write_str("<th class=\"wide\">")?;
        write_axis(range, f)?;
        f.write_str("</th></tr></thead><tbody>\n")?;
        for row in &self.rows {
            let colour = row.colour;
            f.write_str("<tr><th>")?;
            if self.has_swatches {
                write!(f, "<i class=\"swatch {}\"></i>", SeriesClass(colour))?;
            }
            write!(f, "{}</th>", Escaped(&row.name))?;
            for cell in &row.cells {
                write!(f, "<td>{}</td>", Escaped(cell))?;
            }
            f.write_str("<td class=\"wide\">")?;
            if let Some(value) = row.value {
                write!(f, "{}", IntervalBar { range, value, interval: row.interval, colour })?;
            }
            f.write_str("</td></tr>\n")?;
        }
        f.write_str("</tbody></table></div>\n")
    }
}

/// The ticks above the bars, as texts that keep their size when the column is stretched.
fn write_axis(range: [f64; 2], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let scale = Scale::new(range, [0.0, 100.0]);
    let step = scale.step(TICKS);
    f.write_str("<div class=\"axis\">")?;
    // A text in the middle of a tick needs some room on either side.
    for tick in scale.ticks(TICKS).into_iter().filter(|tick| (3.0..=95.0).contains(&scale.at(*tick))) {
        let text = if tick == 0.0 { axis_number(0.0, step) } else { signed(tick, step) };
        // On a narrow screen every second one is left out.
        let class = if (tick / step).round() % 2.0 == 0.0 { "" } else { " class=\"between\"" };
        write!(f, "<span{class} style=\"left:{:.1}%\">{text}</span>", scale.at(tick))?;
    }
    f.write_str("</div>")
}
