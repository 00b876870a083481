//! The comment behind a move in `games.pgn`.

use std::fmt::{self, Write as _};
use std::time::Duration;

use runner::{MoveRecord, PgnConfig, PgnField};

/// The words about a move, in the form that the field's tools write and read (fastchess' `pgn_builder.cpp`):
/// `+0.35/12 0.520s, tl=7.560s, latency=0.002s, n=416000, sd=20, nps=803000, hashfull=12, tbhits=0`. The score is seen
/// by the side that moved. What the engine did not tell is left out, and so are fields that were not asked for; `None`
/// when nothing is left.
pub fn move_comment(played: &MoveRecord, config: &PgnConfig, is_timed: bool) -> Option<String> {
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

/// Seconds to the millisecond, rounded, without going through floating-point numbers: there are many of them.
fn seconds(time: Duration) -> impl fmt::Display {
    let millis = (time.as_micros() + 500) / 1000;
    fmt::from_fn(move |f| write!(f, "{}.{:03}s", millis / 1000, millis % 1000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::game;
    use referee::GameResult;

    fn comment(fields: &str, change: impl Fn(&mut MoveRecord)) -> Option<String> {
        let mut played = game(0, (0, 1), Some(GameResult::Draw)).moves.remove(0);
        change(&mut played);
        move_comment(
            &played,
            &PgnConfig { fields: Some(fields.parse().unwrap()), ..PgnConfig::default() },
            true,
        )
    }

    #[test]
    fn every_field_has_its_place() {
        let all = "start,latency,timeleft,time,tbhits,hashfull,nps,nodes,seldepth,depth";
        let everything = comment(all, |played| {
            played.hashfull = Some(12);
            played.tbhits = Some(0);
        });
        let expected =
            "+0.31/12 0.520s, tl=7.560s, latency=0.002s, n=416000, sd=20, nps=803000, hashfull=12, tbhits=0";
        assert_eq!(everything.as_deref(), Some(expected));
        assert_eq!(comment("depth,nodes", |_| ()).as_deref(), Some("+0.31/12, n=416000"));
        assert_eq!(comment("time", |_| ()).as_deref(), Some("+0.31 0.520s"));
        assert_eq!(comment("hashfull", |_| ()).as_deref(), Some("+0.31"));
    }

    #[test]
    fn where_nothing_is_known_there_is_no_comment() {
        assert_eq!(comment("none", |played| played.score = None), None);
        assert_eq!(comment("nodes", |played| played.score = None).as_deref(), Some("n=416000"));
    }
}
