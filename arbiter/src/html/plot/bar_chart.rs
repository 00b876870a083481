//! Bar charts in groups, histograms, and stacked bars.

use maud::{Markup, Render, html};

use super::frame::{Axis, Frame, SeriesClass};
use super::scale::{Coordinate as At, axis_number};

const FILLED: f64 = 0.72;
const WIDEST: f64 = 44.0;

/// A group of bars for each category, with one bar per series.
#[derive(Clone, Debug, Default)]
pub struct BarChart {
    pub description: String,
    pub categories: Vec<String>,
    pub x_label: String,
    pub y_label: String,
    pub series: Vec<BarSeries>,
}

#[derive(Clone, Debug)]
pub struct BarSeries {
    pub name: String,
    pub classes: Vec<String>,
    /// A value for each category, at least 0; `None` if it is unknown.
    pub values: Vec<Option<f64>>,
}

impl BarChart {
    fn frame(&self) -> Frame {
        let values = self.series.iter().flat_map(|series| series.values.iter().flatten());
        let highest = values.copied().fold(0.0, f64::max);
        let names = self.categories.iter().enumerate();
        let ticks = names.map(|(index, name)| (index as f64 + 0.5, name.clone())).collect();
        Frame {
            x: Axis::across_with_ticks(self.categories.len().max(1) as f64, ticks, &*self.x_label),
            y: Axis::upward([0.0, if highest > 0.0 { highest } else { 1.0 }], axis_number, &*self.y_label),
        }
    }
}

impl Render for BarChart {
    fn render(&self) -> Markup {
        let frame = self.frame();
        let place = frame.x.scale.at(1.0) - frame.x.scale.at(0.0);
        let count = self.series.len().max(1) as f64;
        let width = (place * FILLED / count).min(WIDEST);
        let gap = if width > 6.0 { 1.0 } else { 0.0 };
        let floor = frame.y.scale.at(0.0);
        let columns = html! {
            @for (category, name) in self.categories.iter().enumerate() {
                @let left = frame.x.scale.at(category as f64 + 0.5) - width * count / 2.0;
                @for (index, series) in self.series.iter().enumerate() {
                    @if let Some(value) = series.values.get(category).copied().flatten() {
                        @let top = frame.y.scale.at(value);
                        rect class=(series.classes.get(category).map_or("", String::as_str))
                            x=(At(left + width * index as f64 + gap / 2.0)) y=(At(top))
                            width=(At(width - gap)) height=(At(floor - top))
                        {
                            title { (series.name) ", " (name) ": " (axis_number(value, value.abs().max(1e-6) / 100.0)) }
                        }
                    }
                }
            }
        };
        frame.chart(&self.description, &columns)
    }
}

/// The shares of bins as steps, each series filled and outlined.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    pub description: String,
    /// Labels at the borders of bins: the first bin is from 0 to 1.
    pub ticks: Vec<(f64, String)>,
    pub x_label: String,
    pub y_label: String,
    pub series: Vec<HistogramSeries>,
}

#[derive(Clone, Debug)]
pub struct HistogramSeries {
    pub name: String,
    pub colour: usize,
    pub counts: Vec<u64>,
}

impl HistogramSeries {
    /// The share of each bin in percent; all are zero if nothing was counted.
    fn shares(&self) -> impl Iterator<Item = f64> {
        let total = self.counts.iter().sum::<u64>().max(1) as f64;
        self.counts.iter().map(move |&count| 100.0 * count as f64 / total)
    }
}

impl Render for Histogram {
    fn render(&self) -> Markup {
        let bins = self.series.iter().map(|series| series.counts.len()).max().unwrap_or(0).max(1);
        let highest = self.series.iter().flat_map(HistogramSeries::shares).fold(0.0, f64::max);
        let percent = |value, step| axis_number(value, step) + "%";
        let frame = Frame {
            x: Axis::across_with_ticks(bins as f64, self.ticks.clone(), &*self.x_label),
            y: Axis::upward([0.0, if highest > 0.0 { highest } else { 1.0 }], percent, &*self.y_label),
        };
        let x = |bin: usize| At(frame.x.scale.at(bin as f64));
        let y = |share: f64| At(frame.y.scale.at(share));
        let stairs = html! {
            @for series in &self.series {
                path.stairs.(SeriesClass(series.colour)) d={
                    "M" (x(0)) " " (y(0.0))
                    @for (bin, share) in series.shares().enumerate() { "V" (y(share)) "H" (x(bin + 1)) }
                    "V" (y(0.0))
                } {
                    title { (series.name) }
                }
            }
        };
        frame.chart(&self.description, &stairs)
    }
}

/// The width of a row in units; it is stretched to the width of its column.
const WIDTH: f64 = 1000.0;

/// Adjacent parts that fill the row: the count and the colour class of each.
#[derive(Clone, Copy, Debug)]
pub struct StackedBar<'a> {
    pub parts: &'a [(u64, &'a str)],
}

impl Render for StackedBar<'_> {
    fn render(&self) -> Markup {
        let total = self.parts.iter().map(|(count, _)| count).sum::<u64>().max(1) as f64;
        let width = |count: u64| WIDTH * count as f64 / total;
        let mut left = 0.0;
        let placed = self.parts.iter().filter(|(count, _)| *count > 0).map(|&(count, class)| {
            let from = left;
            left += width(count);
            (At(from), At(width(count)), class)
        });
        html! {
            svg.row viewBox={ "0 0 " (WIDTH) " 20" } preserveAspectRatio="none" aria-hidden="true" {
                @for (x, width, class) in placed {
                    rect.part.(class) x=(x) y="3" width=(width) height="14" {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_series_in_three_categories() {
        let series = |name: &str, class: &str, values: [Option<f64>; 3]| BarSeries {
            name: name.to_owned(),
            classes: vec![class.to_owned(); 3],
            values: values.to_vec(),
        };
        let chart = BarChart {
            description: "Depth".to_owned(),
            categories: ["opening", "middlegame", "endgame"].map(str::to_owned).to_vec(),
            x_label: "phase".to_owned(),
            y_label: "plies".to_owned(),
            series: vec![
                series("a", "s0 dash0", [Some(10.0), Some(12.0), Some(18.0)]),
                series("b", "s1 dash0", [Some(9.0), None, Some(20.0)]),
            ],
        };
        insta::assert_snapshot!(chart.render().into_string().replace('>', ">\n"));
    }

    #[test]
    fn two_series_over_each_other() {
        let series = |name: &str, colour, counts: [u64; 4]| HistogramSeries {
            name: name.to_owned(),
            colour,
            counts: counts.to_vec(),
        };
        let chart = Histogram {
            description: "Lengths".to_owned(),
            ticks: vec![(0.0, "0".to_owned()), (4.0, "80".to_owned())],
            x_label: "moves".to_owned(),
            y_label: "games".to_owned(),
            series: vec![series("a", 0, [1, 5, 3, 1]), series("b", 1, [0, 0, 0, 0])],
        };
        insta::assert_snapshot!(chart.render().into_string().replace('>', ">\n"));
    }

    #[test]
    fn parts_fill_the_row_and_those_that_never_happened_are_left_out() {
        let text = StackedBar { parts: &[(1, "loss"), (0, "draw"), (3, "win")] }.render().into_string();
        assert!(text.contains(r#"class="part loss" x="0" y="3" width="250""#), "{text}");
        assert!(text.contains(r#"class="part win" x="250" y="3" width="750""#), "{text}");
        assert!(!text.contains("draw"));
    }
}
