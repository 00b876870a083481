//! The comment behind a move in `games.pgn`.

use std::time::Duration;

use crate::runner::{MoveRecord, PgnConfig, PgnField};

/// The words about a move, in the form that the field's tools write and read (fastchess' `pgn_builder.cpp`):
/// `+0.35/12 0.520s, tl=7.560s, latency=0.002s, n=416000, sd=20, nps=803000, hashfull=12, tbhits=0`. The score is seen
/// by the side that moved. What the engine did not tell is left out, and so are fields that were not asked for; `None`
/// when nothing is left.
pub(super) fn move_comment(played: &MoveRecord, config: &PgnConfig, is_timed: bool) -> Option<String> {
    let has = |field| config.has(field, is_timed);
    let depth = played.depth.filter(|_| has(PgnField::Depth));
    let verdict = match (played.score, depth) {
        (Some(score), Some(depth)) => Some(format!("{score}/{depth}")),
        (Some(score), None) => Some(score.to_string()),
        (None, _) => None,
    };
    let time = has(PgnField::Time).then(|| seconds(played.time));
    let first: Vec<String> = verdict.into_iter().chain(time).collect();
    let latency = played.latency().map(|latency| format!("{:.3}s", latency.as_secs_f64()));
    let others = [
        (PgnField::Timeleft, "tl", played.clock_left.map(seconds)),
        (PgnField::Latency, "latency", latency),
        (PgnField::Nodes, "n", text(played.nodes)),
        (PgnField::Seldepth, "sd", text(played.seldepth)),
        (PgnField::Nps, "nps", text(played.nps)),
        (PgnField::Hashfull, "hashfull", text(played.hashfull)),
        (PgnField::Tbhits, "tbhits", text(played.tbhits)),
    ];
    let others = others.into_iter().filter(|(field, ..)| has(*field));
    let others = others.filter_map(|(_, key, value)| Some(format!("{key}={}", value?)));
    let first = (!first.is_empty()).then(|| first.join(" "));
    let parts: Vec<String> = first.into_iter().chain(others).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn seconds(time: Duration) -> String {
    format!("{:.3}s", time.as_secs_f64())
}

fn text(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::GameResult;
    use crate::report::made_up_games::game;

    fn comment(fields: &str, change: impl Fn(&mut MoveRecord)) -> Option<String> {
        let mut played = game(0, (0, 1), Some(GameResult::Draw)).moves.remove(0);
        change(&mut played);
        move_comment(&played, &PgnConfig { fields: Some(fields.parse().unwrap()) }, true)
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
