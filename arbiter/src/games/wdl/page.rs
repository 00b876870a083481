//! The page of a model: its numbers, its curves beside the results, and its calibration.

use maud::{Render, html};

use super::report::{GameStage, WdlReport};
use crate::html::plot::{Curve, Figure, LineChart, Point, SeriesClass, axis_number};
use crate::html::{Page, Section};
use crate::text::number_text::{counted, percent};
use crate::text::{Document, Line};

const OUTCOMES: [&str; 3] = ["Win", "Draw", "Loss"];

/// How to write ticks, and the limits of the axis.
type YAxis = (fn(f64, f64) -> String, [f64; 2]);

const SHARES: YAxis = (|value, _| percent(value), [0.0, 1.0]);
const PLAIN: YAxis = (axis_number, [f64::NEG_INFINITY, f64::INFINITY]);

impl WdlReport {
    pub fn page(&self) -> String {
        let title = format!("Win, draw and loss by score: {}", self.engines.join(", "));
        let header = html! {
            p.over { "Fitted to " (counted(self.games, "game")) }
            h1 { (title) }
            @if let Some(doubt) = self.doubt() { p.state { (doubt) "." } }
        };
        let mut code = Document::default();
        code.verbatim(self.code().into_iter().map(Line::from).collect());
        let curves =
            html! { div.plots { (self.shares_chart()) (self.parameters_chart()) (self.points_chart()) } };
        let sections = vec![
            Section::new("model", "Model", "The model", &self.facts().render()),
            Section::new("curves", "Curves", "Curves", &curves),
            Section::new("calibration", "Calibration", "Games held out", &self.calibration().render()),
            Section::new("code", "Code", "Coefficients", &code.render()),
        ];
        Page { title: &title, header, sections }.html()
    }

    fn shares_chart(&self) -> maud::Markup {
        let target = self.model.target;
        let ends = self.near_target.first().zip(self.near_target.last());
        let [from, to] = ends.map_or([-400, 400], |(first, last)| [first.score, last.score]);
        let point = |x: f64, y: f64| Point { x, y, band: None };
        let model = OUTCOMES.iter().enumerate().map(|(outcome, name)| {
            let at = |score: i16| point(score.into(), self.model.shares(score.into(), target)[outcome]);
            (format!("{name}, model"), outcome, (from..=to).step_by(10).map(at).collect())
        });
        let games = OUTCOMES.iter().enumerate().map(|(outcome, name)| {
            let points = self.near_target.iter().map(|near| point(near.score.into(), near.shares[outcome]));
            (format!("{name}, games"), outcome + 3, points.collect())
        });
        let note = format!("At {} {target}; games within 4 of it.", self.by);
        chart("Shares by score", &note, ["Score (cp)", "Share"], SHARES, model.chain(games))
    }

    fn parameters_chart(&self) -> maud::Markup {
        let [least, most] = self.stages;
        let line = |(name, place): (&str, usize)| {
            let points = (least..=most).map(|stage| Point {
                x: stage.into(),
                y: self.model.parameters(stage)[place],
                band: None,
            });
            (name.to_owned(), place, points.collect())
        };
        let lines = [("a: wins half", 0), ("b: spread", 1)].into_iter().map(line);
        let note = "The score with which half of the games are won, and how fast the chances change with it.";
        let labels = [if self.by == GameStage::Move { "Move" } else { "Material" }, "Centipawns"];
        chart("a and b", note, labels, PLAIN, lines)
    }

    fn points_chart(&self) -> maud::Markup {
        let worth = |shares: [f64; 3]| shares[0] + shares[1] / 2.0;
        let happened = self.calibration.bins.iter().map(|bin| {
            let (y, reach) = (worth(bin.observed), worth(bin.margins));
            Point { x: worth(bin.expected), y, band: Some([y - reach, y + reach]) }
        });
        let diagonal = [0.0, 1.0].map(|at| Point { x: at, y: at, band: None });
        let lines = [
            ("as expected".to_owned(), 1, diagonal.to_vec()),
            ("happened".to_owned(), 0, happened.collect()),
        ];
        let note = "Games that the model was not fitted to, with 95% intervals.";
        chart(
            "Expected points and points",
            note,
            ["Expected", "Points"],
            (axis_number, SHARES.1),
            lines.into_iter(),
        )
    }
}

/// A line chart; each line has a name and a colour.
fn chart(
    title: &str,
    note: &str,
    [x_label, y_label]: [&str; 2],
    (y_text, y_limits): YAxis,
    lines: impl Iterator<Item = (String, usize, Vec<Point>)>,
) -> maud::Markup {
    let lines: Vec<Curve> = lines.map(|(name, colour, points)| Curve { name, colour, points }).collect();
    let legend: Vec<_> = lines.iter().map(|line| (line.name.clone(), SeriesClass(line.colour))).collect();
    let chart = LineChart {
        description: title.to_owned(),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        y_text,
        y_limits,
        settles: false,
        lines,
        ..LineChart::default()
    };
    Figure { title, note, legend: &legend, chart: &chart }.render()
}
