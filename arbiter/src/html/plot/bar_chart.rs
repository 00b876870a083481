//! Columns in groups.

use maud::{Markup, Render, html};

use super::frame::{Axis, Frame};
use super::scale::Coordinate as At;
use super::tick_text::axis_number;

/// The share of a group's width that its columns take.
const FILLED: f64 = 0.72;
/// The widest column.
const WIDEST: f64 = 44.0;

/// For each category a group of columns, one per series.
#[derive(Clone, Debug, Default)]
pub struct BarChart {
    /// The description of the chart for screen readers.
    pub description: String,
    /// The names of the groups.
    pub categories: Vec<String>,
    /// The label of the categories.
    pub x_label: String,
    /// What is measured from bottom to top.
    pub y_label: String,
    /// The columns.
    pub series: Vec<BarSeries>,
}

/// The columns of one series.
#[derive(Clone, Debug)]
pub struct BarSeries {
    /// What it shows.
    pub name: String,
    /// The classes that colour the columns, one for each category.
    pub classes: Vec<String>,
    /// One for each category, at least 0; `None` if unknown.
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
    fn nothing_to_show_is_an_empty_chart() {
        assert!(!BarChart::default().render().into_string().contains("NaN"));
    }
}
