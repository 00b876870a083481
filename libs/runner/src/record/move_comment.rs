//! The information in the comments after the moves of a PGN file, in the formats of the programs that play games.
//!
//! In memory a score is from the mover's point of view and belongs to the position before the move, which was searched. The
//! format determines whose score the text has, and of which position:
//!
//! | form | written by | score |
//! |---|---|---|
//! | `+0.31/15 0.53s`, with `, tl=7.5s, n=416000 …` | cutechess, fastchess, Arbiter | mover's, mates in plies |
//! | `35/12 520ms`, `M3/20 12ms` | c-chess-cli | mover's, in centipawns |
//! | `+0.57 17/28 583 363004` | OpenBench's worker: depth, ms, nodes | mover's, mates in plies |
//! | `+0.4/12 1.3`, `+0.10/9 2:05` | Banksia, `WinBoard` | mover's; a `+` in the game tells them from the next |
//! | `+0.18/18 2.1 591321`, `M+3/45 1.0 836605; mate soon` | `BanksiaGUI`: seconds, or ms without a point, nodes, WDL | mover's |
//! | `0.18/23 239`, tag `Annotator "0.44;0.18"` | Fritz | White's |
//! | `d=28, mt=53082, tl=1749918, wv=0.43, …` | TCEC | `wv`, or `ev` without it: White's, mates in plies |
//! | `[%eval 17,20] [%emt 0:00:05]`: centipawns without a point | `ChessBase`, Fritz | White's |
//! | `[%eval 0.17,20] [%clk 0:01:00]`, `[%eval #-3]` | lichess, python-chess | White's, of the position **behind** the move |
//!
//! Sources: `chessgame.cpp` and `uciengine.cpp` of cutechess, `pgn_builder.cpp` of fastchess, `game.c` of c-chess-cli,
//! `scoreWDLstat.cpp` of Stockfish's `WDL_model`, `chess.cpp` of Banksia, a game in `Game.swift` of `banksiagui-ios` and its
//! `Hist.swift`, `chesstypes.cpp` of `ocgdb` by the same author, the supplement to the PGN standard (2001); for TCEC and Fritz
//! the archive of TCEC, in which the scores of neighbouring moves have the same sign.

use std::time::Duration;

use referee::openings::RecordedGame;
use referee::{Side, is_book_comment};

use super::{MoveRecord, MoveScore};
use crate::TimeControl;

impl MoveRecord {
    /// Reads the comments of a game: one record for each move, without its notations, and whether any comment has a time, which
    /// may be zero. A comment in no known format gives an empty record; an unknown time is zero.
    ///
    /// If the comments only have clocks, times are the differences of clock values, corrected by the increment of the tag
    /// `TimeControl`; they are unknown for the first moves and with a time control of several stages.
    pub fn told_by(game: &RecordedGame) -> (Vec<MoveRecord>, bool) {
        let first = game.start_fen.as_deref().and_then(|fen| fen.split(' ').nth(1));
        let white_first = first != Some("b");
        let mut told: Vec<Told> = game.comments.iter().map(|text| Told::read(text)).collect();
        // Fritz's tag `Annotator` has the last score of each player; Fritz writes no plus sign.
        let is_fritz = game.annotator.as_deref().is_some_and(|names| {
            names
                .split_once(';')
                .is_some_and(|pair| [pair.0, pair.1].iter().all(|name| decimal(name).is_some()))
        });
        let has_plus = told.iter().any(|told| told.view == View::Unmarked && told.has_plus);
        for (told, ply) in told.iter_mut().zip(0..) {
            let is_white = white_first == (ply % 2 == 0);
            told.score = match told.view {
                View::Mover => told.score,
                View::White => told.score.map(|score| score.seen_by(is_white)),
                View::Unmarked if is_fritz => told.score.map(|score| score.seen_by(is_white)),
                View::Unmarked => told.score.filter(|_| has_plus),
            };
        }
        // A score of the position after a move is the score of the position before the next one.
        for ply in (1..told.len()).rev() {
            if let (Some(score), depth) = told[ply - 1].behind
                && told[ply].score.is_none()
            {
                let is_white = white_first == (ply % 2 == 0);
                (told[ply].score, told[ply].facts.depth) = (Some(score.seen_by(is_white)), depth);
            }
        }
        // A mate for the mover is an odd number of plies away. Arbiter counts moves in the same format.
        let counts_moves = told.iter().any(|told| {
            matches!(told.score, Some(Written::Plies(plies)) if plies != 0 && (plies > 0) == (plies % 2 == 0))
        });
        let in_moves = |told: &Told| MoveRecord {
            score: told.score.map(|score| match score {
                Written::Cp(cp) => MoveScore::Cp(cp),
                Written::Plies(plies) if !counts_moves => {
                    MoveScore::Mate(i32::midpoint(plies, plies.signum().max(0)))
                }
                Written::Plies(moves) | Written::Moves(moves) => MoveScore::Mate(moves),
            }),
            time: told.time.unwrap_or_default(),
            ..told.facts.clone()
        };
        let mut read: Vec<MoveRecord> = told.iter().map(in_moves).collect();
        for ply in 2..read.len() {
            let side = if white_first == (ply % 2 == 0) { Side::White } else { Side::Black };
            if let (None, Some(left)) = (told[ply].time, read[ply].clock_left)
                && let Some(before) = read[ply - 2].clock_left
                && let Some(increment) = increment(game, side)
            {
                told[ply].time = (before + increment).checked_sub(left);
                read[ply].time = told[ply].time.unwrap_or_default();
            }
        }
        (read, told.iter().any(|told| told.time.is_some()))
    }
}

/// The increment that a side gets with every move; `None` if the time control has several stages or is unknown.
fn increment(game: &RecordedGame, side: Side) -> Option<Duration> {
    let control = game.time_controls[usize::from(side == Side::Black)].as_ref()?;
    match control.parse::<TimeControl>().ok()?.stages() {
        [stage] if stage.moves.is_none() => Some(stage.increment),
        _ => None,
    }
}

/// A comment as it is written.
#[derive(Default)]
struct Told {
    facts: MoveRecord,
    time: Option<Duration>,
    score: Option<Written>,
    /// White's score of the position after the move, and its depth.
    behind: (Option<Written>, Option<u32>),
    view: View,
    has_plus: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum View {
    Mover,
    White,
    /// The other comments and tags decide whose score it is.
    #[default]
    Unmarked,
}

#[derive(Clone, Copy)]
enum Written {
    Cp(i32),
    Plies(i32),
    Moves(i32),
}

impl Written {
    /// The score from the point of view of the side that moved, if this is White's score.
    const fn seen_by(self, white: bool) -> Written {
        match self {
            Written::Cp(cp) if !white => Written::Cp(-cp),
            Written::Plies(plies) if !white => Written::Plies(-plies),
            Written::Moves(moves) if !white => Written::Moves(-moves),
            score => score,
        }
    }

    /// Reads `+0.31`, `-M5`, `#-3`; a whole number is not a score here.
    fn read(text: &str) -> Option<Written> {
        let Some((before, behind)) = text.split_once(['M', '#']) else {
            return decimal(text).map(|pawns| Written::Cp((100.0 * pawns).round() as i32));
        };
        let distance: i32 = [before, behind].concat().parse().ok().filter(|far: &i32| far.abs() < 10_000)?;
        Some(if text.contains('M') { Written::Plies(distance) } else { Written::Moves(distance) })
    }

    const fn in_moves(self) -> Written {
        match self {
            Written::Plies(moves) => Written::Moves(moves),
            score => score,
        }
    }
}

/// A number with a decimal point.
fn decimal(text: &str) -> Option<f64> {
    let is_decimal =
        text.contains('.') && !text.contains(|letter| !matches!(letter, '0'..='9' | '.' | '+' | '-'));
    text.parse().ok().filter(|number: &f64| is_decimal && number.abs() < 1e6)
}

/// Reads `1.234s`, `12ms`, `1:02:03.5`, or a number without a unit, where 1 stands for `unit` milliseconds.
fn duration(text: &str, unit: f64) -> Option<Duration> {
    let number = |text: &str| text.parse().ok().filter(|number: &f64| (0.0..1e9).contains(number));
    let millis = if let Some(number_text) = text.strip_suffix("ms") {
        number(number_text)?
    } else if let Some(number_text) = text.strip_suffix('s') {
        1000.0 * number(number_text)?
    } else if text.contains(':') {
        1000.0 * text.split(':').try_fold(0.0, |time, part| Some(60.0 * time + number(part)?))?
    } else {
        unit * number(text)?
    };
    Some(Duration::from_micros((1000.0 * millis).round() as u64))
}

impl Told {
    fn read(text: &str) -> Told {
        let told = Told::read_one_line(text);
        // A program that breaks lines within words leaves a space before the other breaks.
        told.or_else(|| text.contains('\n').then(|| Told::read_one_line(&text.replace('\n', "")))?)
            .unwrap_or_default()
    }

    fn read_one_line(text: &str) -> Option<Told> {
        if is_book_comment(text.as_bytes()) {
            return Some(Told {
                facts: MoveRecord { from_book: true, ..MoveRecord::default() },
                ..Told::default()
            });
        }
        if text.contains("[%") {
            return Some(Told::with_commands(text));
        }
        let (head, fields) = text.trim().split_once(',').unwrap_or((text.trim(), ""));
        if head.contains('=') { Told::of_tcec(text) } else { Told::with_score_first(head, fields) }
    }

    fn with_commands(text: &str) -> Told {
        let mut told = Told { view: View::White, ..Told::default() };
        for command in text.split("[%").skip(1) {
            let command = command.split(']').next().unwrap_or_default();
            let Some((name, value)) = command.trim().split_once(' ') else { continue };
            let (value, depth) = value.trim().split_once(',').unwrap_or((value.trim(), ""));
            match name {
                "eval" => {
                    let depth = depth.trim().parse().ok();
                    if let Some(score) = Written::read(value) {
                        told.behind = (Some(score), depth);
                    } else {
                        (told.score, told.facts.depth) = (value.parse().ok().map(Written::Cp), depth);
                    }
                }
                "clk" => told.facts.clock_left = duration(value, 1000.0),
                "emt" => told.time = duration(value, 1000.0),
                _ => (),
            }
        }
        told
    }

    fn of_tcec(text: &str) -> Option<Told> {
        let mut told = Told { view: View::White, ..Told::default() };
        let (mut score, mut for_white) = (None, None);
        for field in text.split(',') {
            let Some((key, value)) = field.trim().split_once('=') else { continue };
            let facts = &mut told.facts;
            match key {
                "d" => facts.depth = value.parse().ok(),
                "sd" => facts.seldepth = value.parse().ok(),
                "mt" => told.time = duration(value, 1.0),
                "tl" => facts.clock_left = duration(value, 1.0),
                "n" => facts.nodes = value.parse().ok(),
                "s" => {
                    let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
                    let times = if unit == "kN/s" { 1000 } else { 1 };
                    facts.nps = number.parse().ok().and_then(|nps: u64| nps.checked_mul(times));
                }
                "tb" => facts.tbhits = value.parse().ok(),
                "h" => facts.hashfull = decimal(value).map(|percent| (10.0 * percent).round() as u32),
                "ev" => score = Written::read(value).or_else(|| value.parse().ok().map(Written::Cp)),
                "wv" => for_white = Written::read(value),
                _ => (),
            }
        }
        told.score = for_white.or(score);
        told.facts.depth.is_some().then_some(told)
    }

    fn with_score_first(head: &str, fields: &str) -> Option<Told> {
        // BanksiaGUI's numbers may be followed by words.
        let words: Vec<&str> = head.split(';').next()?.split_whitespace().collect();
        let (first, behind) = words.split_first()?;
        let (score, depth) =
            first.split_once('/').map_or((*first, None), |(score, depth)| (score, Some(depth)));
        let mut told = Told { has_plus: first.starts_with('+'), ..Told::default() };
        told.facts.depth = depth.map(str::parse).transpose().ok()?;
        let time = |unit| behind.first().map(|time| duration(time, unit).ok_or(())).transpose().ok();
        (told.view, told.score, told.time) = match *behind {
            [] if depth.is_none() => (View::Mover, None, Some(duration(first.strip_suffix('s')?, 1000.0)?)),
            [last] if score.is_empty() && last.ends_with('s') => (View::Mover, None, time(0.0)?),
            [last] if depth.is_some() && last.ends_with("ms") => {
                let in_cp = || score.parse().ok().map(Written::Cp);
                (View::Mover, Some(Written::read(score).map(Written::in_moves).or_else(in_cp)?), time(0.0)?)
            }
            [last] if last.ends_with('s') => (View::Mover, Some(Written::read(score)?), time(0.0)?),
            [depths, _, nodes] if depth.is_none() => {
                let (depth, seldepth) = depths.split_once('/')?;
                told.facts.depth = Some(depth.parse().ok()?);
                told.facts.seldepth = Some(seldepth.parse().ok()?);
                told.facts.nodes = Some(nodes.parse().ok()?);
                (View::Mover, Some(Written::read(score)?), Some(duration(behind[1], 1.0)?))
            }
            [time, nodes, ref wdl @ ..]
                if depth.is_some()
                    && wdl.iter().all(|word| word.split('/').count() == 3)
                    && nodes.parse::<u64>().is_ok() =>
            {
                told.facts.nodes = nodes.parse().ok();
                let unit = if time.contains('.') { 1000.0 } else { 1.0 };
                (View::Mover, Some(Written::read(score)?.in_moves()), Some(duration(time, unit)?))
            }
            // Only the expected reply can follow the time.
            _ if depth.is_some() && behind.iter().skip(1).all(|word| word.starts_with('(')) => {
                (View::Unmarked, Some(Written::read(score)?.in_moves()), time(1000.0)?)
            }
            _ => return None,
        };
        for field in fields.split(',') {
            let Some((key, value)) = field.trim().split_once('=') else { continue };
            let facts = &mut told.facts;
            match key {
                "tl" => facts.clock_left = duration(value, 1000.0),
                "n" => facts.nodes = value.parse().ok(),
                "sd" => facts.seldepth = value.parse().ok(),
                "nps" => facts.nps = value.parse().ok(),
                "hashfull" => facts.hashfull = value.parse().ok(),
                "tbhits" => facts.tbhits = value.parse().ok(),
                // Lines of the engine, which may contain anything.
                "pv" | "line" => break,
                _ => (),
            }
        }
        Some(told)
    }
}

#[cfg(test)]
mod tests;
