//! The last relevant reports of a search, kept as text and parsed only once, at the end.

use std::time::Instant;

use crate::protocol::{LineKind, Protocol};
use uci::{Info, Message, UciMove};

/// The last reports of a search. An engine may send thousands for one move, so each is only scanned and copied; the few
/// that matter are parsed when the move has come.
#[derive(Debug, Default)]
pub(super) struct InfoDigest {
    /// The last line of the best variation with an exact score.
    exact: Vec<u8>,
    /// The last line of the best variation whose score is only a bound, if it came after the last exact one.
    bound: Vec<u8>,
    /// The last line without a score that came after these, with counters such as nodes.
    latest: Vec<u8>,
    /// When the engine last reported how long it has been searching.
    pub(super) timed: Option<Instant>,
    /// The number of lines that are not part of the protocol.
    unknown: u32,
    first_unknown: Vec<u8>,
}

impl InfoDigest {
    pub(super) fn clear(&mut self) {
        self.exact.clear();
        self.bound.clear();
        self.latest.clear();
        self.timed = None;
        self.unknown = 0;
    }

    /// Keeps a line of a search, which was read at this moment, if it matters.
    pub(super) fn observe(&mut self, line: &[u8], (kind, has_time): (LineKind, bool), at: Instant) {
        if has_time {
            self.timed = Some(at);
        }
        if matches!(kind, LineKind::Exact | LineKind::Bound) {
            self.latest.clear();
        }
        if kind == LineKind::Exact {
            self.bound.clear();
        }
        let kept = match kind {
            LineKind::Exact => &mut self.exact,
            LineKind::Bound => &mut self.bound,
            LineKind::Other => &mut self.latest,
            LineKind::Ready | LineKind::Answer | LineKind::Idle => return,
            LineKind::Unknown => {
                self.unknown += 1;
                if self.unknown > 1 {
                    return;
                }
                &mut self.first_unknown
            }
        };
        kept.clear();
        kept.extend_from_slice(line);
    }

    /// The number of lines that are not part of the protocol, and the first of them; `None` if there was none.
    pub(super) fn unknown(&self) -> Option<(u32, String)> {
        (self.unknown > 0).then(|| (self.unknown, String::from_utf8_lossy(&self.first_unknown).into_owned()))
    }

    /// The last state of the search: score, depth and PV of the last exact report, or of the last bound if there was no exact
    /// one, as in fastchess; the counters of the last report of any kind. The second value is the first move of a later PV.
    pub(super) fn info(&self, protocol: &dyn Protocol) -> (Option<Box<Info>>, Option<UciMove>) {
        let parse = |line: &[u8]| match protocol.read(&String::from_utf8_lossy(line)) {
            Some(Message::Info(info)) => Some(info),
            _ => None,
        };
        let bound = parse(&self.bound);
        let latest = parse(&self.latest);
        let first_move = |info: &Option<Box<Info>>| info.as_ref().and_then(|info| info.pv.first().copied());
        let later_move = first_move(&latest).or(first_move(&bound));
        let mut info = match (parse(&self.exact), bound) {
            (Some(mut exact), Some(bound)) => {
                update_counters(&mut exact, &bound);
                exact
            }
            (Some(info), None) | (None, Some(info)) => info,
            (None, None) => return (latest, None),
        };
        if let Some(latest) = latest {
            update_counters(&mut info, &latest);
        }
        (Some(info), later_move)
    }
}

/// Updates the counters, which only ever grow during a search. The depth stays that of the score.
fn update_counters(info: &mut Info, newer: &Info) {
    let newest = |old: &mut Option<u64>, new: Option<u64>| *old = (*old).max(new);
    newest(&mut info.nodes, newer.nodes);
    newest(&mut info.tbhits, newer.tbhits);
    info.time = info.time.max(newer.time);
    info.nps = newer.nps.or(info.nps);
    info.hashfull = newer.hashfull.or(info.hashfull);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::protocol::Uci;
    use uci::{Bound, Score};

    fn digest_with_later_move(lines: &[&str]) -> (Option<Box<Info>>, Option<UciMove>) {
        let mut digest = InfoDigest::default();
        for line in lines {
            digest.observe(line.as_bytes(), Uci::default().classify(line.as_bytes()), Instant::now());
        }
        digest.info(&Uci::default())
    }

    fn digest(lines: &[&str]) -> Option<Box<Info>> {
        digest_with_later_move(lines).0
    }

    #[test]
    fn an_exact_score_outlives_later_bounds_but_the_counters_go_on() {
        let info = digest(&[
            "info depth 9 score cp 20 nodes 100 time 5 pv e2e4 e7e5",
            "info depth 10 score cp 80 lowerbound nodes 200 time 9 pv d2d4",
            "info nodes 250 time 11 nps 20000",
            "info depth 10 currmove a2a3 currmovenumber 4",
            "info string done",
        ])
        .unwrap();
        assert_eq!(info.score, Some(Score::centipawns(20)));
        assert_eq!(info.pv.len(), 2);
        assert_eq!((info.nodes, info.time), (Some(250), Some(Duration::from_millis(11))));
        assert_eq!(info.depth, Some(9));
    }

    #[test]
    fn the_last_line_with_a_time_is_known() {
        let mut digest = InfoDigest::default();
        let begin = Instant::now();
        let lines = [
            ("info depth 1 nodes 5", None),
            ("info depth 2 score cp 1 time 7 pv e2e4", Some(1)),
            ("info depth 3 currmove a2a3 time 9", Some(1)),
            ("info multipv 2 score cp 1 time 7", Some(1)),
            ("info nodes 9 time 12", Some(4)),
        ];
        for (second, (line, timed)) in (0..).zip(lines) {
            digest.observe(
                line.as_bytes(),
                Uci::default().classify(line.as_bytes()),
                begin + Duration::from_secs(second),
            );
            assert_eq!(digest.timed, timed.map(|second| begin + Duration::from_secs(second)), "{line}");
        }
    }

    #[test]
    fn the_best_variation_counts_and_a_bound_is_better_than_nothing() {
        let info = digest(&[
            "info depth 5 multipv 1 score cp 30 pv e2e4",
            "info depth 5 multipv 2 score cp 10 pv d2d4",
        ]);
        assert_eq!(info.unwrap().score, Some(Score::centipawns(30)));
        let info = digest(&["info depth 3 score mate 2 upperbound nodes 7"]).unwrap();
        assert_eq!(info.score.unwrap().bound, Bound::Upper);
        assert_eq!(digest(&["info string hello"]), None);
    }

    #[test]
    fn a_move_without_an_exact_score_counts_until_the_next_one() {
        let lines = [
            "info depth 9 score cp 20 pv e2e4",
            "info depth 10 score cp 80 lowerbound pv d2d4",
            "info depth 10 score cp 60 pv d2d4",
        ];
        assert_eq!(digest_with_later_move(&lines[..1]).1, None);
        assert_eq!(digest_with_later_move(&lines[..2]).1, "d2d4".parse().ok());
        assert_eq!(digest_with_later_move(&lines).1, None);
        let without_score = ["info depth 9 score cp 20 pv e2e4", "info depth 10 pv d2d4"];
        assert_eq!(digest_with_later_move(&without_score).1, "d2d4".parse().ok());
    }
}
