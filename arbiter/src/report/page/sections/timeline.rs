//! The estimates after each game, and the course of a tuning run.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::scale::axis_number;
use crate::html::plot::{Curve, Figure, LineChart, Mark, Point};
use crate::report::result;
use crate::results::facts::{TimelinePoint, TuningPoint};
use crate::results::{PairingSummary, SprtSummary, TunedSummary};
use crate::text::number_text::elo_unit;
use stats::{Elo, Llr};

/// The timelines of Elo and of a sequential test; `None` before the second moment.
pub fn section(run: &ShownRun) -> Option<Section> {
    let moments = run.facts.timeline.points();
    if moments.len() < 2 {
        return None;
    }
    let html = html! {
        div.plots {
            @match run.summary.of_two() {
                [pairing] => {
                    (elo_of_match(run, pairing, &moments))
                    @if let Some(test) = pairing.estimates.sprt { (llr(&test, &moments)) }
                }
                _ => { (elo_of_tournament(run, &moments)) }
            }
        }
    };
    Some(Section::new("timeline", "Timeline", "Timeline", &html))
}

fn elo_of_match(run: &ShownRun, pairing: &PairingSummary, moments: &[TimelinePoint]) -> Markup {
    let [first, second] = [pairing.first, pairing.second].map(|engine| run.name(engine));
    let points = moments.iter().filter_map(|moment| {
        let band = moment.interval.map(|ends| ends.map(Elo::value));
        Some(Point { x: moment.games as f64, y: moment.elo.first()?.value(), band })
    });
    let chart = LineChart {
        description: format!("Elo of {first} vs {second} after each game, with its 95% interval"),
        x_label: "games".to_owned(),
        y_label: "Elo".to_owned(),
        y_reaches: vec![0.0],
        lines: vec![Curve { name: first.to_owned(), colour: 0, points: points.collect() }],
        ..LineChart::default()
    };
    let ends =
        if pairing.tested.is_some() { ". The last point includes the games of all shards" } else { "" };
    let note = format!("{first} vs {second}; the band is the 95% interval{ends}.");
    Figure { title: "Elo", note: &note, legend: &[], chart: &chart }.render()
}

/// An engine that won or lost all games has an infinite value, which leaves a gap in the line.
fn tournament_lines(run: &ShownRun, moments: &[TimelinePoint]) -> Vec<Curve> {
    let lines = run.charted().into_iter().map(|(engine, summary)| {
        let known = moments.iter().filter_map(|moment| Some((moment.games, moment.elo.get(engine)?)));
        let points = known.map(|(games, elo)| Point { x: games as f64, y: elo.value(), band: None });
        Curve { name: summary.name.clone(), colour: engine, points: points.collect() }
    });
    lines.collect()
}

fn elo_of_tournament(run: &ShownRun, moments: &[TimelinePoint]) -> Markup {
    let chart = LineChart {
        description: "Elo of each engine vs. its opponents".to_owned(),
        x_label: "games".to_owned(),
        y_label: "Elo".to_owned(),
        y_reaches: vec![0.0],
        lines: tournament_lines(run, moments),
        ..LineChart::default()
    };
    let note = "Each engine vs. the average of its opponents so far. There is no line while an engine has won or lost \
                every game.";
    Figure { title: "Elo", note, legend: &run.legend(), chart: &chart }.render()
}

fn llr(test: &SprtSummary, moments: &[TimelinePoint]) -> Markup {
    let line = |name: &str, colour, of: fn(&SprtSummary) -> Llr| {
        let points = moments.iter().filter_map(|moment| {
            Some(Point { x: moment.games as f64, y: of(moment.sprt.as_ref()?).value(), band: None })
        });
        Curve { name: name.to_owned(), colour, points: points.collect() }
    };
    let mut lines = vec![line("LLR", 0, |sprt| sprt.llr)];
    if test.test.is_curved() {
        lines.extend([line("H1", 1, |sprt| sprt.upper), line("H0", 1, |sprt| sprt.lower)]);
    }
    let unit = elo_unit(test.test.model());
    let (elo0, elo1) = (test.test.elo0(), test.test.elo1());
    let mark = |value: f64, text: String| Mark { value, label: text };
    let chart = LineChart {
        description: format!("LLR after each game, between {} and {}", test.lower, test.upper),
        x_label: "games".to_owned(),
        y_label: "LLR".to_owned(),
        y_text: axis_number,
        settles: false,
        y_reaches: vec![0.0, test.upper.value() * 1.25],
        lines,
        marks: vec![
            mark(test.upper.value(), format!("H1: at least {elo1} {unit}")),
            mark(test.lower.value(), format!("H0: at most {elo0} {unit}")),
        ],
        ..LineChart::default()
    };
    let note =
        format!("The test stops at either bound; alpha {}, beta {}.", test.test.alpha(), test.test.beta());
    Figure { title: "SPRT", note: &note, legend: &[], chart: &chart }.render()
}

/// A table of the parameters and a plot of each; `None` if the run is no tuning run.
pub fn tuning_section(run: &ShownRun) -> Option<Section> {
    let (tuned, moments) = (&run.summary.tuned, run.facts.tuning.items());
    if tuned.is_empty() {
        return None;
    }
    let html = html! {
        p {
            @if tuned.iter().any(|parameter| parameter.learned.is_some()) {
                "A model of how each parameter changes the strength learns from the games. With a probability of 95%, it has \
                 the best value in the band of the plot. What is gained, only a test can say."
            } @else {
                "A parameter without effect ends this close to its start value in 95% of runs: the last column, and the band \
                 of the plot."
            }
        }
        (result::tuned(&run.summary))
        @if moments.len() > 1 {
            div.plots {
                @for (index, parameter) in tuned.iter().enumerate() { (course(parameter, index, moments)) }
            }
        }
    };
    Some(Section::new("tuning", "Tuning", "Tuning", &html))
}

/// The value over the games, drawn on the band of random changes, or of what has been learned about the best value.
fn course(parameter: &TunedSummary, index: usize, moments: &[TuningPoint]) -> Markup {
    let (from, is_learned) = (parameter.from, parameter.learned.is_some());
    let (mut by_chance, mut value) = (Vec::new(), Vec::new());
    for moment in moments {
        let (x, tuned) = (f64::from(moment.games), &moment.parameters[index]);
        let free = [from - tuned.by_chance, from + tuned.by_chance];
        let band = tuned.learned.map_or_else(|| parameter.within_bounds(free), |learned| learned.likely);
        by_chance.push(Point { x, y: from, band: Some(band) });
        value.push(Point { x, y: tuned.value, band: None });
    }
    let chart = LineChart {
        description: format!("{} over the games", parameter.name),
        x_label: "games".to_owned(),
        y_label: "value".to_owned(),
        y_text: axis_number,
        settles: false,
        lines: vec![
            Curve {
                name: if is_learned { "start" } else { "by chance" }.to_owned(),
                colour: 1,
                points: by_chance,
            },
            Curve { name: parameter.name.clone(), colour: 0, points: value },
        ],
        ..LineChart::default()
    };
    Figure { title: &parameter.name, note: "", legend: &[], chart: &chart }.render()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{config, game, recorded};
    use referee::GameResult::{BlackWins, WhiteWins};

    #[test]
    fn an_engine_that_won_or_lost_everything_has_no_line_instead_of_an_end_of_its_interval() {
        let games = [((0, 1), WhiteWins), ((1, 2), WhiteWins), ((2, 0), BlackWins), ((2, 1), WhiteWins)];
        let games = games.into_iter().enumerate();
        let games = games.map(|(index, (players, result))| game(index as u32, players, Some(result)));
        let run = ShownRun::of(recorded(&config(&["all", "some", "few"], false), games.collect()));
        let moments = run.facts.timeline.points();
        let lines = tournament_lines(&run, &moments);
        assert!(lines[0].points.iter().all(|point| !point.y.is_finite()), "{:?}", lines[0]);
        assert!(lines[1].points.iter().any(|point| point.y.is_finite()), "{:?}", lines[1]);
    }
}
