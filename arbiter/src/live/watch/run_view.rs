//! The JSON for the page of a run.

use std::time::Duration;

use serde::Serialize;

use super::live_run::{ListedGame, LiveBoard, LiveRun, MatchScore};
use crate::report::verdict::tested_elo;
use crate::text::number_text::{elo, limits_of_run, llr, minus};
use runner::LiveSide;

const MOST_BOARDS: usize = 12;

/// The maximum number of finished games in the list; older ones are found by their number.
const MOST_FINISHED: usize = 200;

const MOVES_SHOWN: usize = 8;

#[derive(Debug, Serialize)]
pub struct RunView<'a> {
    title: String,
    verdict: String,
    state: String,
    is_running: bool,
    is_live: bool,
    trouble: Option<String>,
    games: u64,
    planned: u64,
    figures: Vec<(String, String)>,
    standings: Vec<Standing>,
    boards: Vec<BoardView>,
    more_boards: usize,
    finished: Vec<&'a ListedGame>,
}

#[derive(Debug, Serialize)]
struct Standing {
    name: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    elo: String,
}

#[derive(Debug, Serialize)]
struct BoardView {
    number: u32,
    fen: String,
    last: Option<String>,
    check: bool,
    moves: String,
    /// When the clock of the side to move started, in milliseconds since 1970.
    since: i64,
    white: LivePlayer,
    black: LivePlayer,
}

#[derive(Debug, Serialize)]
struct LivePlayer {
    name: String,
    left: Option<u64>,
    thought: String,
}

impl RunView<'_> {
    pub fn new<'a>(run: &'a LiveRun, score: &MatchScore) -> RunView<'a> {
        let MatchScore { summary, verdict, state, is_running } = score;
        let name = run.folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let boards = run.boards.values();
        RunView {
            title: name.unwrap_or_else(|| "run".to_owned()),
            verdict: if summary.games > 0 { verdict.clone() } else { pairing(run) },
            state: state.clone(),
            is_running: *is_running,
            is_live: run.is_live,
            trouble: run.trouble.clone(),
            games: summary.games,
            planned: summary.planned,
            figures: figures(run, score),
            standings: summary
                .engines
                .iter()
                .map(|engine| Standing {
                    name: engine.name.clone(),
                    games: engine.games,
                    wins: engine.wdl.wins,
                    draws: engine.wdl.draws,
                    losses: engine.wdl.losses,
                    points: engine.points,
                    elo: if engine.games > 0 { elo(&engine.elo_vs_opponents) } else { String::new() },
                })
                .collect(),
            more_boards: boards.len().saturating_sub(MOST_BOARDS),
            boards: boards.take(MOST_BOARDS).map(|board| BoardView::new(run, board)).collect(),
            finished: run.finished.iter().rev().take(MOST_FINISHED).collect(),
        }
    }
}

fn pairing(run: &LiveRun) -> String {
    let names: Vec<&str> = run.run.config().engines.iter().map(|engine| &engine.name[..]).collect();
    match &names[..] {
        [first, second] => format!("{first} vs {second}"),
        _ => names.join(", "),
    }
}

fn figures(run: &LiveRun, score: &MatchScore) -> Vec<(String, String)> {
    let config = run.run.config();
    let mut figures = Vec::new();
    let summary = &score.summary;
    figures.push(("Games".to_owned(), format!("{} of {}", summary.games, summary.planned)));
    figures.push(("Limits".to_owned(), limits_of_run(config)));
    if let Some(name) = config.variant.in_pgn() {
        figures.push(("Variant".to_owned(), name.to_owned()));
    }
    if let [pairing] = summary.of_two()
        && summary.games > 0
    {
        figures.push(("Elo".to_owned(), tested_elo(pairing)));
        if let Some(test) = &pairing.estimates.sprt {
            figures.push(("LLR".to_owned(), llr(test)));
        }
    }
    figures
}

impl BoardView {
    fn new(run: &LiveRun, board: &LiveBoard) -> BoardView {
        let LiveBoard { position, since } = board;
        let player = |side: &LiveSide| LivePlayer {
            name: run.run.engine_name(side.engine).to_owned(),
            left: side.clock_left.as_ref().map(Duration::as_millis).map(|millis| millis as u64),
            thought: thought(side),
        };
        BoardView {
            number: position.game + 1,
            last: position.last.as_ref().map(ToString::to_string),
            check: position.moves.last().is_some_and(|san| san.ends_with(['+', '#'])),
            moves: last_moves(&position.start, &position.moves),
            fen: position.fen.clone(),
            since: since.as_millisecond(),
            white: player(&position.white),
            black: player(&position.black),
        }
    }
}

fn thought(side: &LiveSide) -> String {
    let score = side.score.map(|score| minus(&score.to_string()));
    let depth = side.depth.map(|depth| format!("d{depth}"));
    score.into_iter().chain(depth).collect::<Vec<_>>().join(" ")
}

fn last_moves(start: &str, moves: &[impl AsRef<str>]) -> String {
    let black_begins = usize::from(start.split(' ').nth(1) == Some("b"));
    let first = start.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1_usize);
    let skipped = moves.len().saturating_sub(MOVES_SHOWN);
    let words = moves.iter().enumerate().skip(skipped).map(|(index, san)| {
        let ply = index + black_begins;
        let number = first + ply / 2;
        let prefix = match (ply % 2, index == skipped) {
            (0, _) => format!("{number}. "),
            (_, true) => format!("{number}... "),
            _ => String::new(),
        };
        prefix + san.as_ref()
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_moves_are_numbered_from_the_first() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(last_moves(start, &["e4", "e5", "Nf3"]), "1. e4 e5 2. Nf3");
        let nine = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O"];
        assert_eq!(last_moves(start, &nine), "1... e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O");
        let late = "4k3/8/8/8/8/8/8/4K3 b - - 0 40";
        assert_eq!(last_moves(late, &["Kd8", "Kd1"]), "40... Kd8 41. Kd1");
        assert_eq!(last_moves(late, &[""; 0]), "");
    }
}
