//! Histograms.

use maud::{Markup, Render, html};

use super::figure::SeriesClass;
use super::frame::{Axis, Frame};
use super::scale::Coordinate as At;
use super::tick_text::axis_number;

/// Shares of bins as steps: filled for one series, outlined too if several overlap.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// The description of the chart for screen readers.
    pub description: String,
    /// Texts at the borders of bins: the first bin is from 0 to 1.
    pub ticks: Vec<(f64, String)>,
    /// What is measured.
    pub x_label: String,
    /// The label of the shares.
    pub y_label: String,
    /// The series; all have the same number of bins.
    pub series: Vec<HistogramSeries>,
}

/// The counts of one series.
#[derive(Clone, Debug)]
pub struct HistogramSeries {
    /// What it shows.
    pub name: String,
    /// The index of its colour.
    pub colour: usize,
    /// The count of each bin.
    pub counts: Vec<u64>,
}

impl HistogramSeries {
    /// The share of each bin in percent; all zero without counts.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
