//! Warnings about an answer that came in time: illegal PV moves, and mate scores that the PV contradicts.
//!
//! Such an engine has a bug, but its opponent loses nothing by it, so the engine is warned and never punished. If a
//! stopped search, a bound, or a shortened PV explains what was seen, there is no warning.

use crate::WarningKind;
use crate::process::Answer;
use referee::{BrokenLine, LineEnd, Referee, Variant};
use uci::{Bound, Info, ScoreValue, UciMove};

/// The number of PV moves that are checked. Longer PVs are rare and their ends are guesses; the limit keeps the check to
/// some microseconds a move, while no clock runs.
const LINE_CAP: usize = 40;

/// The longest PV that is followed to the mate at its end, in plies.
const MATING_LINE_CAP: usize = 250;

pub(super) struct MoveWarning {
    pub(super) kind: WarningKind,
    pub(super) text: String,
    pub(super) culprit: Option<String>,
}

impl MoveWarning {
    fn of(kind: WarningKind, text: String) -> MoveWarning {
        MoveWarning { kind, text, culprit: None }
    }
}

/// All warnings about an answer to the position on the board. `check_mate_pvs` asks for a warning about a PV that is not
/// as long as the mate that its score announces, or does not end in it.
pub(super) fn move_warnings(referee: &Referee, answer: &Answer, check_mate_pvs: bool) -> Vec<MoveWarning> {
    // This allocates nothing if there is no warning.
    let mut found = Vec::new();
    if answer.unasked > 0 {
        let times = if answer.unasked == 1 { "once".to_owned() } else { format!("{} times", answer.unasked) };
        found.push(MoveWarning::of(
            WarningKind::UnaskedMove,
            format!("sent an unexpected `bestmove` {times} before its turn; ignored"),
        ));
    }
    if let Some((count, first)) = &answer.unknown {
        let more = if *count == 1 { String::new() } else { format!(" and {} more", count - 1) };
        let text = format!("said `{first}`{more} during a search, which the protocol does not have; ignored");
        found.push(MoveWarning::of(WarningKind::UnknownLine, text));
    }
    let Some(info) = answer.info.as_deref() else { return found };
    if let Some(problem) = &info.unread {
        found.push(MoveWarning::of(WarningKind::UnreadInfo, format!("in `info`, {problem}; left out")));
    }
    let Some(first) = info.pv.first() else { return found };
    if *first != answer.best && answer.later_move != Some(answer.best) {
        let text = format!("played {}, but its last PV begins with {first}", answer.best);
        let culprit = Some(answer.best.to_string());
        found.push(MoveWarning { culprit, ..MoveWarning::of(WarningKind::OtherMove, text) });
    }
    found.extend(pv_warning(referee, info, check_mate_pvs));
    found
}

/// The warning about the reported PV: an illegal move, or an end that contradicts the announced mate.
fn pv_warning(referee: &Referee, info: &Info, check_mate_pvs: bool) -> Option<MoveWarning> {
    // In antichess the side to move wins, so that lines end a ply later.
    let is_mate = info.pv.len() <= MATING_LINE_CAP && referee.variant() != Variant::Antichess;
    let mate = announced_mate(info).filter(|_| is_mate);
    let Some(moves) = mate else {
        let checked = referee.check_line(&info.pv[..info.pv.len().min(LINE_CAP)]);
        return checked.err().map(|broken| illegal_line(referee, info, &broken));
    };
    let (length, expected) = (info.pv.len() as u64, plies_to_mate(moves));
    let told = |kind, end: &str| {
        Some(MoveWarning::of(kind, format!("reported mate {moves}, but its PV {end}{}", in_full(&info.pv))))
    };
    match referee.line_end(&info.pv) {
        Err(broken) => Some(illegal_line(referee, info, &broken)),
        Ok(LineEnd::Checkmate) if length < expected => {
            told(WarningKind::MateTooShort, &format!("mates at ply {length}"))
        }
        Ok(LineEnd::Checkmate) if length > expected => {
            told(WarningKind::MateTooLong, &format!("mates at ply {length}"))
        }
        Ok(LineEnd::Stalemate) => told(WarningKind::NoMateAtEnd, "ends in stalemate"),
        // A PV that ends before the mate was cut short; that is common and says little.
        Ok(LineEnd::Open) if check_mate_pvs && length < expected => {
            told(WarningKind::MateTooShort, &format!("has {length} plies of {expected}"))
        }
        Ok(LineEnd::Open) if check_mate_pvs && length > expected => {
            told(WarningKind::MateTooLong, &format!("has {length} plies for {expected}"))
        }
        Ok(LineEnd::Open) if check_mate_pvs => told(WarningKind::NoMateAtEnd, "does not end in mate"),
        Ok(LineEnd::Checkmate | LineEnd::Open) => None,
    }
}

fn illegal_line(referee: &Referee, info: &Info, broken: &BrokenLine) -> MoveWarning {
    let kind = match referee.line_end(&info.pv[..broken.legal]) {
        Ok(LineEnd::Checkmate) => WarningKind::LineAfterCheckmate,
        Ok(LineEnd::Stalemate) => WarningKind::LineAfterStalemate,
        _ => WarningKind::IllegalLine,
    };
    let culprit = Some(broken.cause.text.clone());
    MoveWarning { culprit, ..MoveWarning::of(kind, format!("illegal PV: {broken}")) }
}

/// The number of full moves of a mate that an exact score announces, if any. `mate 0`, being mated now, is ignored.
fn announced_mate(info: &Info) -> Option<i32> {
    match info.score?.value {
        ScoreValue::Mate(moves) if info.score?.bound == Bound::Exact && moves != 0 => Some(moves),
        _ => None,
    }
}

/// The number of plies until checkmate: the mating side moves first and last, the mated side only first.
fn plies_to_mate(moves: i32) -> u64 {
    let full = u64::from(moves.unsigned_abs());
    if moves > 0 { 2 * full - 1 } else { 2 * full }
}

fn in_full(line: &[UciMove]) -> String {
    line.iter().fold(" (".to_owned(), |text, played| text + played.as_str() + " ").trim_end().to_owned() + ")"
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use uci::Message;

    /// Black to move mates with d8h4.
    const FOOLS_MATE: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";

    fn answer(info: &str, best: &str) -> Answer {
        let info = match info.parse() {
            Ok(Message::Info(info)) => Some(info),
            other => panic!("{other:?}"),
        };
        let (elapsed, silence) = (Duration::ZERO, Duration::ZERO);
        let best = best.parse().unwrap();
        let (written, ponder, later_move, unknown, unasked) = (None, None, None, None, 0);
        let lines = Vec::new();
        Answer { best, written, ponder, info, later_move, lines, unasked, unknown, elapsed, silence }
    }

    fn kinds(fen: &str, answer: &Answer, check_mate_pvs: bool) -> Vec<WarningKind> {
        let referee = Referee::from_fen(fen, Variant::Standard).unwrap();
        move_warnings(&referee, answer, check_mate_pvs).into_iter().map(|warning| warning.kind).collect()
    }

    #[test]
    fn a_line_is_checked_to_its_end_and_one_without_its_mate_is_told_to_those_who_ask() {
        use WarningKind::{IllegalLine, LineAfterCheckmate, MateTooLong, MateTooShort, NoMateAtEnd};
        // What is told in any case, and what to those who ask for it.
        for (info, always, asked) in [
            ("depth 3 score cp 10 pv b8c6 e2e4", None, None),
            ("depth 3 score mate 1 pv d8h4", None, None),
            ("depth 3 score mate 9 pv b8c6 b1c3", None, Some(MateTooShort)),
            ("depth 3 score mate -4 pv b8c6", None, Some(MateTooShort)),
            ("depth 3 score mate 3 lowerbound pv d8h4", None, None),
            ("depth 3 score cp 9000 pv d8h4", None, None),
            ("score cp 1 pv b8c6 e2e5", Some(IllegalLine), None),
            // Nobody moves after mate.
            ("score mate 1 pv d8h4 a2a3", Some(LineAfterCheckmate), None),
            ("score mate 2 pv d8h4", Some(MateTooShort), None),
            ("score mate 3 pv d8h4", Some(MateTooShort), None),
            ("score mate -1 pv d8h4", Some(MateTooShort), None),
            ("score mate 2147483647 pv d8h4", Some(MateTooShort), None),
            ("score mate -2147483648 pv d8h4", Some(MateTooShort), None),
            ("score mate 2 pv b8c6", None, Some(MateTooShort)),
            ("score mate 1 pv b8c6 b1c3", None, Some(MateTooLong)),
            ("score mate -1 pv b8c6 b1c3", None, Some(NoMateAtEnd)),
        ] {
            let best = info.split(" pv ").nth(1).and_then(|line| line.split(' ').next()).unwrap();
            let answer = answer(&format!("info {info}"), best);
            assert_eq!(kinds(FOOLS_MATE, &answer, false), Vec::from_iter(always), "{info}");
            assert_eq!(kinds(FOOLS_MATE, &answer, true), Vec::from_iter(always.or(asked)), "{info}");
        }
        assert_eq!(kinds(FOOLS_MATE, &answer("info depth 3 nodes 12", "a7a6"), false), []);
        let stalemate = answer("info score mate 1 pv c1c7", "c1c7");
        assert_eq!(kinds("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", &stalemate, false), [NoMateAtEnd]);
    }

    #[test]
    fn another_move_than_the_reported_one_is_told_unless_a_later_bound_explains_it() {
        let answer = answer("info score cp 1 pv b8c6", "a7a6");
        assert_eq!(kinds(FOOLS_MATE, &answer, false), [WarningKind::OtherMove]);
        let answer = Answer { later_move: Some(answer.best), unasked: 2, ..answer };
        assert_eq!(kinds(FOOLS_MATE, &answer, false), [WarningKind::UnaskedMove]);
    }

    #[test]
    fn mates_count_full_moves() {
        assert_eq!([1, 2, 5, -1, -3].map(plies_to_mate), [1, 3, 9, 2, 6]);
    }
}
