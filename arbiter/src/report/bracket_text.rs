//! The rounds of a knockout as aligned text.

use std::fmt::Write as _;

use crate::results::Summary;
use crate::text::Tone;
use crate::text::number_text::counted;
use runner::Tie;

/// Columns of a round's name, and of a score.
const HEADING: usize = 14;
const SCORE: usize = 11;

/// A line per tie, the first round first, and the winner; empty without a bracket.
pub fn bracket_text(summary: &Summary, colour: bool) -> String {
    let ties = summary.bracket.iter().flat_map(|round| {
        let heading = |place| if place == 0 { round_name(round.len()) } else { String::new() };
        round.iter().enumerate().map(move |(place, tie)| (heading(place), tie))
    });
    let mut text: String = ties.map(|(heading, tie)| tie_line(summary, &heading, tie, colour)).collect();
    if let Some([Tie { winner: Some(winner), .. }]) = summary.bracket.last().map(Vec::as_slice) {
        let name = Tone::Good.paint(&summary.engines[*winner].name, colour);
        let _ = writeln!(text, "  {:<HEADING$}  {name}", "Winner");
    }
    text
}

fn tie_line(summary: &Summary, heading: &str, tie: &Tie, colour: bool) -> String {
    let width = summary.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0);
    let name = |engine: usize| {
        let tone = if tie.winner == Some(engine) { Tone::Strong } else { Tone::Plain };
        tone.paint(&format!("{:<width$}", summary.engines[engine].name), colour)
    };
    let first = name(tie.first);
    let second = tie.second.map_or_else(|| Tone::Faint.paint("(bye)", colour), name);
    let line = format!("  {heading:<HEADING$}  {first}  {:^SCORE$}  {second}  {}", score(tie), note(tie));
    line.trim_end().to_owned() + "\n"
}

fn round_name(ties: usize) -> String {
    match ties {
        1 => "Final".to_owned(),
        2 => "Semi-finals".to_owned(),
        4 => "Quarter-finals".to_owned(),
        _ => format!("Round of {}", 2 * ties),
    }
}

/// `2.5 : 1.5`; nothing for a bye and before the first game.
fn score(tie: &Tie) -> String {
    match tie.half_points {
        [0, 0] => String::new(),
        points => points.map(|half_points| format!("{:.1}", f64::from(half_points) / 2.0)).join(" : "),
    }
}

fn note(tie: &Tie) -> String {
    let mut note = match tie.extra_pairs {
        0 => String::new(),
        pairs => format!("after {}", counted(pairs.into(), "extra pair")),
    };
    if tie.was_decided_by_seeding() {
        note += if note.is_empty() { "by seeding" } else { ", by seeding" };
    }
    note
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{config, game};
    use referee::GameResult;
    use runner::{Format, GameRecord};

    /// Three engines, two games a tie: 1 beats 2 after an extra pair, and 0 beats 1 by seeding.
    fn games() -> Vec<GameRecord> {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let games = [
            ((1, 2), WhiteWins),
            ((2, 1), WhiteWins),
            ((1, 2), Draw),
            ((2, 1), BlackWins),
            ((0, 1), Draw),
            ((1, 0), Draw),
            ((0, 1), BlackWins),
            ((1, 0), BlackWins),
        ];
        let record = |(index, (players, result))| game(index as u32, players, Some(result));
        games.into_iter().enumerate().map(record).collect()
    }

    fn text(games: &[GameRecord]) -> String {
        let mut config = config(&["tarrasch", "glaurung", "seed"], false);
        config.games = 2;
        config.format = Format::Knockout { extra_pairs: 1 };
        bracket_text(&Summary::new(&config, games), false)
    }

    #[test]
    fn before_the_first_game() {
        insta::assert_snapshot!(text(&[]));
    }

    #[test]
    fn in_the_middle() {
        insta::assert_snapshot!(text(&games()[..4]));
    }

    #[test]
    fn in_the_end() {
        insta::assert_snapshot!(text(&games()));
    }

    #[test]
    fn other_formats_have_no_bracket() {
        let config = config(&["new", "old"], false);
        assert_eq!(bracket_text(&Summary::new(&config, []), false), "");
    }
}
