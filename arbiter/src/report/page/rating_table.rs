//! Tables whose last column draws bars, such as ratings with their intervals.

use maud::{Markup, Render, html};

use crate::html::plot::interval_chart::interval_range;
use crate::html::plot::scale::{axis_number, signed};
use crate::html::plot::{IntervalBar, Scale, SeriesClass};
use crate::text::number_text::{Estimate, elo};

const TICKS: usize = 5;

#[derive(Clone, Debug)]
pub struct RatingTable {
    /// The column headings between the names and the bars.
    pub headings: Vec<&'static str>,
    pub rows: Vec<RatingRow>,
    /// Whether rows show the colours that other charts of the page use.
    pub has_swatches: bool,
}

#[derive(Clone, Debug)]
pub struct RatingRow {
    pub name: String,
    pub colour: usize,
    pub value: Option<f64>,
    pub interval: [f64; 2],
    pub cells: Vec<String>,
}

impl RatingRow {
    /// A row whose first cell is the rating, followed by `cells`.
    pub fn new<E: Estimate>(name: String, colour: usize, rating: Option<E>, cells: Vec<String>) -> RatingRow {
        let text = rating.as_ref().map_or("–".to_owned(), elo);
        let [value, lower, upper] = rating.as_ref().map_or([0.0; 3], Estimate::with_ends);
        let cells = [vec![text], cells].concat();
        RatingRow { name, colour, value: rating.map(|_| value), interval: [lower, upper], cells }
    }
}

impl Render for RatingTable {
    fn render(&self) -> Markup {
        let range = interval_range(self.rows.iter().map(|row| row.interval));
        let rows = self.rows.iter().map(|row| {
            let RatingRow { name, colour, value, interval, cells } = row;
            let head = html! {
                @if self.has_swatches { i.swatch.(SeriesClass(*colour)) {} }
                (name)
            };
            let bar = value.map(|value| IntervalBar { range, value, interval: *interval, colour: *colour });
            (head, cells.clone(), html! { @if let Some(bar) = bar { (bar) } })
        });
        bar_table("", &self.headings, &axis(range), rows)
    }
}

/// The ticks above the bars, as text that keeps its size when the column is stretched.
fn axis(range: [f64; 2]) -> Markup {
    let scale = Scale::new(range, [0.0, 100.0]);
    let step = scale.step(TICKS);
    // A label centred on its tick needs some room on either side.
    let ticks = scale.ticks(TICKS).into_iter().filter(|tick| (3.0..=95.0).contains(&scale.at(*tick)));
    // Every second tick is hidden on a narrow screen.
    let is_between = |tick: f64| (tick / step).round() % 2.0 != 0.0;
    html! {
        div.axis {
            @for tick in ticks {
                span class=[is_between(tick).then_some("between")] style={ "left:" (format!("{:.1}", scale.at(tick))) "%" } {
                    (if tick == 0.0 { axis_number(0.0, step) } else { signed(tick, step) })
                }
            }
        }
    }
}

/// The heading, the cells and the bar of a row.
pub type BarRow = (Markup, Vec<String>, Markup);

/// A table of rows, with headings for the names (`first`), the cells and the bars.
pub fn bar_table(
    first: &str,
    cells: &[&str],
    bars: &Markup,
    rows: impl IntoIterator<Item = BarRow>,
) -> Markup {
    html! {
        div.scroll {
            table.bars {
                thead {
                    tr {
                        th { (first) }
                        @for heading in cells { th { (heading) } }
                        th.wide { (bars) }
                    }
                }
                tbody {
                    @for (head, cells, bar) in rows {
                        tr {
                            th { (head) }
                            @for cell in cells { td { (cell) } }
                            td.wide { (bar) }
                        }
                    }
                }
            }
        }
    }
}
