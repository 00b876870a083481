//! Ratings, with a bar for each interval.

use std::fmt::Write as _;

use super::super::escaped::Escaped;
use super::super::plot::{IntervalBar, Scale, SeriesClass, axis_number, interval_range, signed};
use super::super::rating::{SCALE, ratings};
use super::super::verdict::minus;
use super::{RunReport, Section};
use crate::report::PairingSummary;
use crate::report::number_text::{elo, normalized_elo, percent};

/// About how many ticks stand above the bars.
const TICKS: usize = 5;

/// One row of the table.
struct Row {
    name: String,
    colour: usize,
    value: f64,
    interval: [f64; 2],
    /// The cells between the name and the bar.
    cells: Vec<String>,
}

/// The two measures of a match, or the ratings of a tournament.
pub fn section(report: &RunReport) -> Section {
    let body = match &report.summary.pairings[..] {
        [pairing] => of_match(report, pairing),
        _ => of_tournament(report),
    };
    Section::new("strength", "Strength", &body)
}

fn of_match(report: &RunReport, pairing: &PairingSummary) -> String {
    let [first, second] = [pairing.first, pairing.second].map(|engine| report.name(engine));
    let rows = [
        Row {
            name: "Elo".to_owned(),
            colour: 0,
            value: pairing.elo.elo.value(),
            interval: [pairing.elo.lower.value(), pairing.elo.upper.value()],
            cells: vec![minus(&elo(&pairing.elo))],
        },
        Row {
            name: "Normalized Elo".to_owned(),
            colour: 0,
            value: pairing.normalized_elo.nelo.value(),
            interval: [pairing.normalized_elo.lower.value(), pairing.normalized_elo.upper.value()],
            cells: vec![minus(&normalized_elo(&pairing.normalized_elo))],
        },
    ];
    let note = format!(
        "How much stronger {first} is than {second}, with 95% intervals from the spread of the pairs of games. An \
         interval that contains 0 says that the match cannot tell."
    );
    format!("<p>{}</p>{}", Escaped(&note), table(&["", "Difference"], &rows))
}

fn of_tournament(report: &RunReport) -> String {
    let ratings = ratings(report);
    let rows = ratings.iter().enumerate().map(|(place, rating)| {
        let engine = &report.summary.engines[rating.engine];
        let score = engine.score.map_or("–".to_owned(), percent);
        Row {
            name: format!("{}. {}", place + 1, engine.name),
            colour: rating.engine,
            value: rating.elo.elo.value(),
            interval: [rating.elo.lower.value(), rating.elo.upper.value()],
            cells: vec![
                minus(&elo(&rating.elo)),
                format!("{:.1}", engine.points),
                engine.games.to_string(),
                score,
            ],
        }
    });
    let rows: Vec<Row> = rows.collect();
    format!("<p>{}.</p>{}", Escaped(SCALE), table(&["", "Elo", "Points", "Games", "Score"], &rows))
}

fn table(headings: &[&str], rows: &[Row]) -> String {
    let range = interval_range(rows.iter().map(|row| row.interval));
    let mut html = "<div class=\"scroll\"><table class=\"bars\"><thead><tr>".to_owned();
    for heading in headings {
        let _ = write!(html, "<th>{heading}</th>");
    }
    let _ = writeln!(html, "<th class=\"wide\">{}</th></tr></thead><tbody>", axis(range));
    for row in rows {
        let class = SeriesClass(row.colour);
        let swatch = if rows.len() > 2 { format!("<i class=\"swatch {class}\"></i>") } else { String::new() };
        let _ = write!(html, "<tr><th>{swatch}{}</th>", Escaped(&row.name));
        for cell in &row.cells {
            let _ = write!(html, "<td>{}</td>", Escaped(cell));
        }
        let bar = IntervalBar { range, value: row.value, interval: row.interval, colour: row.colour };
        let _ = writeln!(html, "<td class=\"wide\">{bar}</td></tr>");
    }
    html + "</tbody></table></div>\n"
}

/// The ticks above the bars, as texts that keep their size when the column is stretched.
fn axis(range: [f64; 2]) -> String {
    let scale = Scale::new(range, [0.0, 100.0]);
    let step = scale.step(TICKS);
    let mut html = "<div class=\"axis\">".to_owned();
    for tick in scale.ticks(TICKS).into_iter().filter(|tick| (1.0..=97.0).contains(&scale.at(*tick))) {
        let text = if tick == 0.0 { axis_number(0.0, step) } else { signed(tick, step) };
        let _ = write!(html, "<span style=\"left:{:.1}%\">{text}</span>", scale.at(tick));
    }
    html + "</div>"
}
