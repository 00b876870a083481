//! The standings of a tournament: the crosstable, and the bracket of a knockout.

use crate::results::{EngineSummary, Summary};
use crate::text::number_text::{counted, elo};
use crate::text::{Document, Line, Table, Tone};
use runner::{Format, Tie};

/// Opponents in one block of the crosstable.
const OPPONENTS_ABREAST: usize = 7;

/// Every engine's total score, the best first, followed by its scores vs. each opponent.
pub fn crosstable(summary: &Summary, document: &mut Document) {
    let (order, columns) = table_order(summary);
    let place = |place: usize, engine: usize| format!("{}. {}", place + 1, summary.engine_name(engine));
    let mut table = Table::new(["", "Points", "Games", "W", "D", "L", "Elo vs. opponents"]);
    for (row, &engine) in order.iter().enumerate() {
        let EngineSummary { points, games, wdl, elo_vs_opponents, .. } = &summary.engines[engine];
        let counts = [*games, wdl.wins, wdl.draws, wdl.losses].map(|count| count.to_string());
        let cells = [place(row, engine), format!("{points:.1}")].into_iter().chain(counts);
        table.plain(cells.chain([elo(elo_vs_opponents)]));
    }
    document.table(table);
    if columns.len() > Summary::MOST_WITH_ALL_PAIRINGS {
        document.line("The scores of each two engines: summary.json, or `arbiter report --csv`");
        return;
    }
    for (block, columns) in columns.chunks(OPPONENTS_ABREAST).enumerate() {
        let first = block * OPPONENTS_ABREAST + 1;
        let places = (first..first + columns.len()).map(|place| format!("vs {place}"));
        let mut table = Table::new([String::new()].into_iter().chain(places));
        for (row, &engine) in order.iter().enumerate() {
            let scores = columns.iter().map(|&other| score_between(summary, engine, other));
            table.plain([place(row, engine)].into_iter().chain(scores));
        }
        document.gap();
        document.table(table);
    }
}

/// The engines of the rows, best first, and the engines of the columns. In a gauntlet the challengers come first and only
/// they have columns, because their opponents do not play each other.
fn table_order(summary: &Summary) -> (Vec<usize>, Vec<usize>) {
    let mut order = summary.by_score();
    let columns = match summary.format {
        Format::Gauntlet { challengers } => {
            order.sort_by_key(|&engine| engine >= challengers);
            order.iter().copied().filter(|&engine| engine < challengers).collect()
        }
        Format::RoundRobin | Format::Knockout { .. } => order.clone(),
    };
    (order, columns)
}

/// `1.5/2`; a dash on the diagonal, empty if they have not met.
fn score_between(summary: &Summary, engine: usize, other: usize) -> String {
    let Some(pairing) = summary.pairing(engine, other) else {
        return if engine == other { "-".to_owned() } else { String::new() };
    };
    let wdl = if pairing.first == engine { pairing.wdl } else { pairing.wdl.reversed() };
    if wdl.games() == 0 { String::new() } else { format!("{}/{}", wdl.points(), wdl.games()) }
}

/// Width in columns of a round's name, and of a score.
const ROUND: usize = 14;
const SCORE: usize = 11;

/// The rounds of a knockout: a line for each tie, the first round first, and the winner. Empty without a bracket.
pub fn bracket(summary: &Summary) -> Vec<Line> {
    let ties = summary.bracket.iter().flat_map(|round| {
        let heading = |place| if place == 0 { round_name(round.len()) } else { String::new() };
        round.iter().enumerate().map(move |(place, tie)| (heading(place), tie))
    });
    let mut lines: Vec<Line> = ties.map(|(heading, tie)| tie_line(summary, &heading, tie)).collect();
    if let Some([Tie { winner: Some(winner), .. }]) = summary.bracket.last().map(Vec::as_slice) {
        lines.push(
            Line::from(format!("{:<ROUND$}  ", "Winner")).and(summary.engine_name(*winner), Tone::Good),
        );
    }
    lines
}

fn tie_line(summary: &Summary, heading: &str, tie: &Tie) -> Line {
    let width = summary.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0);
    let name = |engine: usize| {
        let tone = if tie.winner == Some(engine) { Tone::Strong } else { Tone::Plain };
        (format!("{:<width$}", summary.engine_name(engine)), tone)
    };
    let ((first, first_tone), (second, second_tone)) =
        (name(tie.first), tie.second.map_or_else(|| ("(bye)".to_owned(), Tone::Faint), name));
    let score = match tie.half_points {
        [0, 0] => String::new(),
        points => points.map(|half_points| format!("{:.1}", f64::from(half_points) / 2.0)).join(" : "),
    };
    let after =
        (tie.extra_pairs > 0).then(|| format!("after {}", counted(tie.extra_pairs.into(), "extra pair")));
    let notes = after.into_iter().chain(tie.was_decided_by_seeding().then(|| "by seeding".to_owned()));
    Line::from(format!("{heading:<ROUND$}  "))
        .and(first, first_tone)
        .and(format!("  {score:^SCORE$}  "), Tone::Plain)
        .and(second, second_tone)
        .and(format!("  {}", notes.collect::<Vec<_>>().join(", ")), Tone::Plain)
}

fn round_name(ties: usize) -> String {
    match ties {
        1 => "Final".to_owned(),
        2 => "Semi-finals".to_owned(),
        4 => "Quarter-finals".to_owned(),
        _ => format!("Round of {}", 2 * ties),
    }
}
