//! `games.pgn`: the games, with what the engines reported for every move.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use super::report_error::ReportError;
use crate::results::ending::{ending, pgn_termination};
use referee::{AFTER_DECISION, GameIdentity, PgnGame, ReadGame, Referee, Side};
use runner::{Format, GameRecord, MoveRecord, PgnConfig, PgnField, RunConfig, SearchLimits, TimeStage};

const NO_DATE: &str = "????.??.??";

/// Turns records of games into PGN.
///
/// The comment after a move is `{+0.35/12 0.520s}`, or the fields that [`PgnConfig`] asks for, and `{book}` after opening
/// moves. The comment after the last move also says how the game ended.
///
/// By default, a game played without clocks has no dates and no times, so that the same configuration always yields the
/// same bytes, even if the run was interrupted. The times of such a game are in the journal and in `games.csv`.
#[derive(Clone, Debug)]
pub struct GamesPgn {
    pub(super) config: Arc<RunConfig>,
}

impl GamesPgn {
    pub fn new(config: impl Into<Arc<RunConfig>>) -> GamesPgn {
        GamesPgn { config: config.into() }
    }

    pub fn game(&self, record: &GameRecord) -> Result<PgnGame, ReportError> {
        let referee = Referee::from_fen(&record.opening.fen, self.config.variant)
            .map_err(|source| ReportError::OpeningFen { game: record.game, source })?;
        let mut pgn = PgnGame::starting_like(&referee);
        self.set_tags(&mut pgn, record);
        push_moves(&mut pgn, record, &self.config.pgn, self.is_timed(record));
        Ok(pgn)
    }

    /// What distinguishes the game from others in a PGN file; `None` if the file would not contain it.
    pub fn identity(&self, record: &GameRecord) -> Option<GameIdentity> {
        ReadGame::of(&self.game(record).ok()?).identity()
    }

    fn set_tags(&self, pgn: &mut PgnGame, record: &GameRecord) {
        let name = |side| self.config.engines[record.engine(side)].name.as_str();
        pgn.set_tag("Event", &format!("{} - {}", self.name(0), self.name(1)));
        if self.config.engines.len() > 2 {
            let format = match self.config.format {
                Format::RoundRobin => "Round robin",
                Format::Gauntlet { .. } => "Gauntlet",
                Format::Knockout { .. } => "Knockout",
            };
            pgn.set_tag("Event", &format!("{format} of {}", self.config.engines.len()));
        }
        if let Some(event) = &self.config.pgn.event {
            pgn.set_tag("Event", event);
        }
        let machine = self.config.made.as_ref().map_or("?", |made| &made.cpu);
        pgn.set_tag("Site", self.config.pgn.site.as_deref().unwrap_or(machine));
        let has_start = self.config.pgn.has(PgnField::Start, self.is_timed(record));
        let date =
            if has_start { record.started.strftime("%Y.%m.%d").to_string() } else { NO_DATE.to_owned() };
        pgn.set_tag("Date", &date);
        pgn.set_tag("Round", &format!("{}.{}", record.pair + 1, record.game + 1));
        pgn.set_tag("White", name(Side::White));
        pgn.set_tag("Black", name(Side::Black));
        pgn.set_result(record.result);
        if has_start {
            pgn.set_tag("UTCDate", &date);
            pgn.set_tag("UTCTime", &record.started.strftime("%H:%M:%S").to_string());
        }
        if let Some(name) = record.opening_name(self.config.variant) {
            pgn.set_tag("ECO", name.eco);
            pgn.set_tag("Opening", name.opening);
            if let Some(variation) = name.variation {
                pgn.set_tag("Variation", variation);
            }
        }
        pgn.set_tag("PlyCount", &(record.opening.moves.len() + record.moves.len()).to_string());
        let [white, black] = [Side::White, Side::Black]
            .map(|side| pgn_time_control(self.config.limits_of(record.engine(side))));
        if white == black {
            pgn.set_tag("TimeControl", &white);
        } else {
            pgn.set_tag("WhiteTimeControl", &white);
            pgn.set_tag("BlackTimeControl", &black);
        }
        pgn.set_tag("Termination", pgn_termination(record.termination));
        if record.after_decision {
            pgn.set_tag(AFTER_DECISION, "1");
        }
    }

    fn is_timed(&self, record: &GameRecord) -> bool {
        [record.white, record.black].into_iter().any(|engine| self.config.limits_of(engine).is_timed())
    }

    fn name(&self, engine: usize) -> &str {
        self.config.engines.get(engine).map_or("?", |engine| &engine.name)
    }
}

/// Writes the moves with their comments; the last comment also says how the game ended.
fn push_moves(pgn: &mut PgnGame, record: &GameRecord, config: &PgnConfig, is_timed: bool) {
    let book = record.opening.moves.iter().map(|played| (played.san.as_str(), Some("book".to_owned())));
    let engines =
        record.moves.iter().map(|played| (played.san.as_str(), move_comment(played, config, is_timed)));
    let mut moves = book.chain(engines).peekable();
    if moves.peek().is_none() {
        pgn.push("", Some(&ending(record)));
    }
    while let Some((san, mut comment)) = moves.next() {
        if moves.peek().is_none() {
            let parts: Vec<String> = comment.into_iter().chain([ending(record)]).collect();
            comment = Some(parts.join(", "));
        }
        pgn.push(san, comment.as_deref());
    }
}

/// The comment on a move, in the format that other tools write and read (fastchess's `pgn_builder.cpp`):
/// `+0.35/12 0.520s, tl=7.560s, latency=0.002s, n=416000, sd=20, nps=803000, hashfull=12, tbhits=0`. The score is from
/// the mover's point of view. Fields that the engine did not report or that were not asked for are left out; `None` if
/// no field is left.
fn move_comment(played: &MoveRecord, config: &PgnConfig, is_timed: bool) -> Option<String> {
    if played.from_book {
        return Some("book".to_owned());
    }
    let has = |field| config.has(field, is_timed);
    let mut text = String::new();
    if let Some(score) = played.score {
        // Writing to a string cannot fail.
        let _ = write!(text, "{score}");
        if let Some(depth) = played.depth.filter(|_| has(PgnField::Depth)) {
            let _ = write!(text, "/{depth}");
        }
    }
    if has(PgnField::Time) {
        let _ = write!(text, "{}{}", if text.is_empty() { "" } else { " " }, seconds(played.time));
    }
    let mut add = |key: &str, value: fmt::Arguments<'_>| {
        let _ = write!(text, "{}{key}={value}", if text.is_empty() { "" } else { ", " });
    };
    if let Some(left) = played.clock_left.filter(|_| has(PgnField::Timeleft)) {
        add("tl", format_args!("{}", seconds(left)));
    }
    if let Some(latency) = played.latency().filter(|_| has(PgnField::Latency)) {
        add("latency", format_args!("{:.3}s", latency.as_secs_f64()));
    }
    let numbers = [
        (PgnField::Nodes, "n", played.nodes),
        (PgnField::Seldepth, "sd", played.seldepth.map(u64::from)),
        (PgnField::Nps, "nps", played.nps),
        (PgnField::Hashfull, "hashfull", played.hashfull.map(u64::from)),
        (PgnField::Tbhits, "tbhits", played.tbhits),
    ];
    for (field, key, value) in numbers {
        if let Some(value) = value.filter(|_| has(field)) {
            add(key, format_args!("{value}"));
        }
    }
    if let Some(pv) = played.pv.as_ref().filter(|_| has(PgnField::Pv)) {
        add("pv", format_args!("\"{pv}\""));
    }
    for line in &played.lines {
        add("line", format_args!("\"{line}\""));
    }
    (!text.is_empty()).then_some(text)
}

/// Seconds, rounded to milliseconds. Floating point is avoided, because games have many such numbers.
fn seconds(time: Duration) -> impl fmt::Display {
    let millis = (time.as_micros() + 500) / 1000;
    fmt::from_fn(move |f| write!(f, "{}.{:03}s", millis / 1000, millis % 1000))
}

/// The `TimeControl` tag as in section 9.6.1 of the PGN standard (Edwards 1994): `40/60`, `8+0.08`, stages joined by colons,
/// `-` without a clock. Unlike in the standard, seconds may have fractions, and a fixed time per move is written as
/// `1/SECONDS`.
pub fn pgn_time_control(limits: &SearchLimits) -> String {
    if let Some(time) = limits.movetime {
        return format!("1/{}", time.as_secs_f64());
    }
    match &limits.clock {
        Some(clock) => clock.stages().iter().map(stage).collect::<Vec<_>>().join(":"),
        None => "-".to_owned(),
    }
}

fn stage(stage: &TimeStage) -> String {
    let mut text = stage.moves.map_or_else(String::new, |moves| format!("{moves}/"));
    text += &stage.time.as_secs_f64().to_string();
    if !stage.increment.is_zero() {
        write!(text, "+{}", stage.increment.as_secs_f64()).expect("a String takes every text");
    }
    text
}

#[cfg(test)]
mod tests;
