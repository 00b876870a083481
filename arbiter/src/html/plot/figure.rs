//! A chart with its title and legend.

use std::fmt;

use maud::{Markup, Render, html};

/// A chart on a page. The legend is HTML, so that it can break into lines on a narrow screen.
pub struct Figure<'a> {
    /// What the chart shows.
    pub title: &'a str,
    /// A note below the title; may be empty.
    pub note: &'a str,
    /// Names with their colour classes; empty for a single series.
    pub legend: &'a [(String, SeriesClass)],
    /// The chart.
    pub chart: &'a dyn Render,
}

impl Render for Figure<'_> {
    fn render(&self) -> Markup {
        html! {
            figure {
                figcaption {
                    h3 { (self.title) }
                    @if !self.note.is_empty() { p { (self.note) } }
                }
                @if !self.legend.is_empty() {
                    ul.legend {
                        @for (name, class) in self.legend {
                            li { i.swatch.(class) {} (name) }
                        }
                    }
                }
                (self.chart)
            }
        }
    }
}

/// The number of colours in the style sheet; later series repeat them with another dash.
const COLOURS: usize = 8;
const DASHES: usize = 3;

/// The classes of the series with this index: `s2 dash0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesClass(pub usize);

impl fmt::Display for SeriesClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{} dash{}", self.0 % COLOURS, self.0 / COLOURS % DASHES)
    }
}
