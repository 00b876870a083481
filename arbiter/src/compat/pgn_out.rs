//! Games in PGN as fastchess writes them (`pgn_builder.cpp`, `pgn_gen.hpp`), in the order in which they end.

use std::fmt::Write as _;
use std::time::Duration;

use jiff::tz::TimeZone;
use referee::{AFTER_DECISION, PgnGame, Side};
use runner::process::EngineInfo;
use runner::{Format, GameRecord, MoveRecord, MoveScore, RunConfig, SearchLimits, Termination};

use super::dialect_config::{PgnNotation, PgnOut};
use super::reason::{cutechess_reason, reason, termination_tag};
use super::scores::general;

#[derive(Debug)]
pub(super) struct PgnText<'a> {
    pub(super) config: &'a RunConfig,
    pub(super) introductions: &'a [EngineInfo],
    pub(super) out: &'a PgnOut,
    /// Whether OpenBench's worker reads the PGN; it takes a comment without a move for moves.
    pub(super) for_worker: bool,
    /// Whether to write as cutechess-cli does (`pgngame.cpp`, `chessgame.cpp`).
    pub(super) is_cutechess: bool,
}

impl PgnText<'_> {
    pub(super) fn game(&self, game: &GameRecord) -> String {
        let mut pgn = PgnGame::from_fen(&game.opening.fen);
        self.set_tags(&mut pgn, game);
        pgn.set_result(game.result);
        self.push_moves(&mut pgn, game);
        pgn.with_whole_moves()
    }

    fn set_tags(&self, pgn: &mut PgnGame, game: &GameRecord) {
        let mut tag = |name: &'static str, value: &str| {
            if !value.is_empty() {
                pgn.set_tag(name, value);
            }
        };
        let zone = TimeZone::system();
        let (started, ended) = (game.started.to_zoned(zone.clone()), game.ended().to_zoned(zone));
        tag("Event", &self.out.event_name);
        tag("Site", &self.out.site);
        tag("Date", &started.strftime("%Y.%m.%d").to_string());
        tag("Round", &self.round(game).to_string());
        for (name, side) in [("White", Side::White), ("Black", Side::Black)] {
            tag(name, &self.config.engines[game.engine(side)].name);
        }
        tag("Result", "*");
        if !self.out.min && !self.is_cutechess {
            for (side, name, author) in [
                (Side::White, "EngineWhiteName", "EngineWhiteAuthor"),
                (Side::Black, "EngineBlackName", "EngineBlackAuthor"),
            ] {
                let introduction = &self.introductions[game.engine(side)];
                tag(name, introduction.name.as_deref().unwrap_or_default());
                tag(author, introduction.author.as_deref().unwrap_or_default());
            }
        }
        let variant = self.config.variant;
        if !variant.starts_without_tag(&game.opening.fen) {
            tag("SetUp", "1");
            tag("FEN", &game.opening.fen);
        }
        if let Some(name) = variant.in_pgn() {
            tag("Variant", if self.is_cutechess { variant.in_cutechess() } else { name });
        }
        if game.after_decision {
            tag(AFTER_DECISION, "1");
        }
        if !self.out.min {
            tag("GameDuration", &clock_text(game.duration));
            let form = if self.is_cutechess { "%Y-%m-%dT%H:%M:%S%.3f %Z" } else { "%Y-%m-%dT%H:%M:%S %z" };
            tag("GameStartTime", &started.strftime(form).to_string());
            tag("GameEndTime", &ended.strftime(form).to_string());
            // cutechess-cli does not count a move that is not legal.
            let illegal = usize::from(game.illegal_move.is_some() && !self.is_cutechess);
            let plies = game.opening.moves.len() + game.moves.len() + illegal;
            tag("PlyCount", &plies.to_string());
            let termination = match (self.is_cutechess, game.termination) {
                (true, Termination::Stall) => "stalled connection",
                (_, other) => termination_tag(other),
            };
            tag("Termination", if self.is_cutechess && termination == "normal" { "" } else { termination });
            let none = if self.is_cutechess { "inf" } else { "-" };
            let [white, black] = [Side::White, Side::Black]
                .map(|side| time_control(self.config.limits_of(game.engine(side)), none));
            if white == black {
                tag("TimeControl", &white);
            } else {
                tag("WhiteTimeControl", &white);
                tag("BlackTimeControl", &black);
            }
        }
        if !self.out.min
            && let Some(name) = game.opening_name(self.config.variant)
        {
            tag("ECO", name.eco);
            tag("Opening", &if self.is_cutechess { name.opening.to_owned() } else { name.whole() });
            tag("Variation", name.variation.filter(|_| self.is_cutechess).unwrap_or_default());
        }
        if self.is_cutechess {
            pgn.sort_tags();
        }
    }

    /// fastchess counts openings; cutechess-cli counts how often each engine has met another one.
    fn round(&self, game: &GameRecord) -> u32 {
        let RunConfig { rounds, format, engines, .. } = self.config;
        let encounters = match (self.is_cutechess, *format) {
            (false, _) => return game.pair + 1,
            (true, Format::Gauntlet { challengers }) => challengers * (engines.len() - challengers),
            (true, _) => engines.len() / 2,
        };
        game.game / (rounds.games * rounds.in_one_go.unwrap_or(1) * encounters as u32) + 1
    }

    fn push_moves(&self, pgn: &mut PgnGame, game: &GameRecord) {
        let end = match &game.illegal_move {
            _ if self.is_cutechess => cutechess_reason(game),
            Some(illegal) => format!("{}: {illegal}", reason(game)),
            None => reason(game),
        };
        let opening = game.opening.moves.iter().map(|played| (&*played.san, &*played.uci, None));
        let engines = game.moves.iter().map(|played| (&*played.san, &*played.uci, Some(played)));
        let total = opening.len() + engines.len();
        if total == 0 && game.illegal_move.is_some() && !self.out.min && !self.for_worker {
            pgn.push("", Some(&end));
        }
        for (number, (san, uci, played)) in (1..).zip(opening.chain(engines)) {
            let written = match self.out.notation {
                PgnNotation::San => san,
                PgnNotation::Lan => &lan(san, uci),
                PgnNotation::Uci => uci,
            };
            let comment = played.map_or_else(
                || "book".to_owned(),
                |played| self.comment(played, (number == total).then_some(&end[..])),
            );
            pgn.push(written, Some(&*comment).filter(|_| !self.out.min));
        }
    }

    fn comment(&self, played: &MoveRecord, end: Option<&str>) -> String {
        let out = self.out;
        let score = played.score.map(score_text).unwrap_or_default();
        let depth = played.depth.unwrap_or(0);
        let mut parts = vec![match (self.is_cutechess, depth) {
            _ if played.from_book => "book".to_owned(),
            (false, _) => format!("{score}/{depth} {}", seconds(played.time)),
            (true, 0) => short_seconds(played.time),
            (true, _) => format!("{score}/{depth} {}", short_seconds(played.time)),
        }];
        let mut add = |wanted: bool, part: &dyn Fn() -> String| {
            if wanted {
                parts.push(part());
            }
        };
        add(out.track_timeleft, &|| format!("tl={}", seconds(played.clock_left.unwrap_or_default())));
        add(out.track_latency, &|| {
            let latency = played.unreported_time().unwrap_or_default().as_secs_f64();
            format!("latency={latency:.3}s")
        });
        add(out.track_nodes, &|| format!("n={}", played.nodes.unwrap_or(0)));
        add(out.track_seldepth, &|| format!("sd={}", played.seldepth.unwrap_or(0)));
        add(out.track_nps, &|| format!("nps={}", played.nps.unwrap_or(0)));
        add(out.track_hashfull, &|| format!("hashfull={}", played.hashfull.unwrap_or(0)));
        add(out.track_tbhits, &|| format!("tbhits={}", played.tbhits.unwrap_or(0)));
        add(out.track_pv, &|| format!("pv=\"{}\"", played.pv.as_deref().unwrap_or_default()));
        parts.extend(played.lines.iter().map(|line| format!("line=\"{line}\"")));
        parts.extend(end.map(str::to_owned));
        parts.join(", ")
    }
}

/// A move in long algebraic notation, `Ng1f3`, `e4xd5`.
fn lan(san: &str, uci: &str) -> String {
    if san.starts_with('O') {
        return san.to_owned();
    }
    let piece: String = san.chars().take_while(char::is_ascii_uppercase).collect();
    let capture = if san.contains('x') { "x" } else { "" };
    let tail = san.find(['=', '+', '#']).map_or("", |at| &san[at..]);
    format!("{piece}{}{capture}{}{tail}", &uci[..2], &uci[2..4])
}

/// A score such as `+0.12`, `0.00` or `-M4`; mates are counted in plies.
fn score_text(score: MoveScore) -> String {
    match score {
        MoveScore::Cp(0) => "0.00".to_owned(),
        MoveScore::Cp(value) => format!("{:+.2}", f64::from(value) / 100.0),
        MoveScore::Mate(moves) if moves > 0 => format!("+M{}", 2 * i64::from(moves) - 1),
        MoveScore::Mate(moves) => format!("-M{}", -2 * i64::from(moves)),
    }
}

/// Seconds, rounded down to milliseconds.
fn seconds(time: Duration) -> String {
    format!("{}.{:03}s", time.as_secs(), time.subsec_millis())
}

/// Seconds as cutechess-cli writes them: the shorter the time, the more decimals.
fn short_seconds(time: Duration) -> String {
    let millis = time.as_millis();
    let decimals = match millis {
        0 => return "0s".to_owned(),
        1..100 => 3,
        100..1000 => 2,
        1000..10_000 => 1,
        _ => 0,
    };
    format!("{:.decimals$}s", millis as f64 / 1000.0)
}

/// A time such as `01:02:03`.
pub(super) fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

pub(super) fn time_control(limits: &SearchLimits, none: &str) -> String {
    if let Some(time) = limits.movetime {
        return format!("{}/move", general(time.as_secs_f64(), 8));
    }
    let Some(clock) = &limits.clock else { return none.to_owned() };
    let stage = clock.stages()[0];
    let mut text = stage.moves.map_or_else(String::new, |moves| format!("{moves}/"));
    text += &general(stage.time.as_secs_f64(), 6);
    if !stage.increment.is_zero() {
        let _ = write!(text, "+{}", general(stage.increment.as_secs_f64(), 6));
    }
    text
}

pub(super) fn epd_line(game: &GameRecord) -> String {
    let fields: Vec<&str> = game.final_fen.split(' ').collect();
    match fields[..] {
        [board, side, castling, passant, halfmoves, fullmoves] => {
            format!("{board} {side} {castling} {passant} hmvc {halfmoves}; fmvn {fullmoves};\n")
        }
        _ => format!("{}\n", game.final_fen),
    }
}

/// Whether a game is written; abandoned games are not.
pub(super) fn is_written(game: &GameRecord) -> bool {
    game.result.is_some() && game.termination != Termination::Abandoned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_minutes_and_seconds_have_two_digits() {
        assert_eq!(clock_text(Duration::from_secs(3723)), "01:02:03");
    }
}
