//! The frame of a chart: two axes with ticks, labels and a grid.

use maud::{Markup, Render, html};

use super::scale::{Coordinate as At, Scale, axis_number};

/// The size of every chart: about the natural size on a phone, and half the width of a wide page.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 34.0;

const TICKS_ACROSS: usize = 5;
const TICKS_UP: usize = 4;

#[derive(Clone, Debug)]
pub struct Axis {
    pub scale: Scale,
    ticks: Vec<(f64, String)>,
    label: String,
}

#[derive(Clone, Debug)]
pub struct Frame {
    pub x: Axis,
    pub y: Axis,
}

impl Axis {
    /// A horizontal number axis from exactly the first value to the last.
    pub fn across(values: [f64; 2], label: impl Into<String>) -> Axis {
        Axis::numbers(Scale::new(values, [LEFT, WIDTH - RIGHT]), TICKS_ACROSS, axis_number, label)
    }

    pub fn across_with_ticks(end: f64, ticks: Vec<(f64, String)>, label: impl Into<String>) -> Axis {
        Axis { scale: Scale::new([0.0, end], [LEFT, WIDTH - RIGHT]), ticks, label: label.into() }
    }

    /// A vertical number axis that starts and ends at a tick.
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
    pub fn chart(&self, description: &str, marks: &Markup) -> Markup {
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        html! {
            svg.chart viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(description) {
                (self.grid())
                // An inner SVG clips the marks at the axes.
                svg x=(LEFT) y=(TOP) width=(width) height=(height)
                    viewBox={ (LEFT) " " (TOP) " " (width) " " (height) } { (marks) }
            }
        }
    }

    fn grid(&self) -> Markup {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        html! {
            g.grid {
                @for (value, _) in &self.y.ticks {
                    @let y = At(self.y.scale.at(*value));
                    line class=[(*value == 0.0).then_some("zero")] x1=(LEFT) x2=(right) y1=(y) y2=(y) {}
                }
                line.zero x1=(LEFT) x2=(right) y1=(bottom) y2=(bottom) {}
            }
            g.ticks {
                @for (value, tick) in &self.y.ticks {
                    (text("end", LEFT - 6.0, self.y.scale.at(*value) + 4.0, tick))
                }
                @for (value, tick) in &self.x.ticks {
                    (text("middle", self.x.scale.at(*value), bottom + 15.0, tick))
                }
            }
            g.labels {
                (text("start", 0.0, 11.0, &self.y.label))
                (text("end", right, HEIGHT - 4.0, &self.x.label))
            }
        }
    }
}

fn text(anchor: &str, x: f64, y: f64, text: &str) -> Markup {
    html! { text text-anchor=(anchor) x=(At(x)) y=(At(y)) { (text) } }
}

/// A chart on a page. The legend is HTML, so that it can break into lines on a narrow screen.
pub struct Figure<'a> {
    pub title: &'a str,
    pub note: &'a str,
    pub legend: &'a [(String, SeriesClass)],
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, derive_more::Display)]
#[display("s{} dash{}", _0 % COLOURS, _0 / COLOURS % DASHES)]
pub struct SeriesClass(pub usize);
