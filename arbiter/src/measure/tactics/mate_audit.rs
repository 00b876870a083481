//! The mate audit: compares the mates that an engine claims with the shortest known mates and with the engine's own PVs.
//!
//! It counts as `matecheck.py` of vondele/matetrack does: each mate score with its PV counts once per position, a bound does
//! not count, and a mate counts as found if the last score of the search is one.

use std::collections::BTreeMap;

use serde::Serialize;

use super::tactics_suite::TacticsPosition;
use crate::text::labelled;
use crate::text::number_text::{counted, thousands};
use referee::{GameEnd, Referee, Variant};
use uci::{Bound, Info, ScoreValue, UciMove};

/// A mate that an engine claims, and the fault of its PV, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MateClaim {
    mate: i32,
    line: Option<MateFault>,
}

labelled! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "snake_case")]
    enum MateFault {
        WrongSide = "a mate for the wrong side",
        BetterThanKnown = "a shorter mate than known",
        /// The line has the right length but does not end in mate.
        NoMate = "a line without mate at its end",
        TooShort = "a line shorter than its mate",
        TooLong = "a line longer than its mate",
        /// On the way, the losing side could claim a draw by repetition or the fifty-move rule.
        Draw = "a line with a draw to claim on the way",
        IllegalMove = "a line with an illegal move",
    }
}

impl MateFault {
    fn of_line(fen: &str, variant: Variant, mate: i32, line: &[impl AsRef<str>]) -> Option<MateFault> {
        let mut referee = Referee::from_fen(fen, variant).ok()?;
        for (ply, text) in line.iter().enumerate() {
            if (ply % 2 == 0) == (mate < 0) && could_claim_draw(&referee) {
                return Some(MateFault::Draw);
            }
            if referee.play(text.as_ref()).is_err() {
                return Some(MateFault::IllegalMove);
            }
        }
        let plies = 2 * mate.unsigned_abs() as usize - usize::from(mate > 0);
        match referee.outcome() {
            _ if line.len() < plies => Some(MateFault::TooShort),
            _ if line.len() > plies => Some(MateFault::TooLong),
            Some(GameEnd::Checkmate { .. }) => None,
            _ => Some(MateFault::NoMate),
        }
    }
}

/// The minimum halfmove clock at which a third repetition can be claimed.
const LEAST_PLIES: u32 = 7;

/// Whether the side to move can claim a draw by repetition or fifty moves, now or with its next move.
fn could_claim_draw(referee: &Referee) -> bool {
    let is_draw = |referee: &Referee| {
        matches!(referee.outcome(), Some(GameEnd::ThreefoldRepetition | GameEnd::FiftyMoves))
    };
    let draws_by = |m: &String| {
        let mut after = referee.clone();
        after.play(m).is_ok() && is_draw(&after)
    };
    referee.halfmove_clock() >= LEAST_PLIES
        && (is_draw(referee) || referee.legal_moves().iter().any(draws_by))
}

/// The mate that a line of output claims; a bound claims none.
pub fn claimed(info: &Info) -> Option<i32> {
    let score = info.score.filter(|score| score.bound == Bound::Exact)?;
    match score.value {
        ScoreValue::Mate(moves) => Some(moves),
        ScoreValue::Centipawns(_) => None,
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MateClaims {
    /// The mate of the last score.
    pub last: Option<i32>,
    /// All claims; equal claims with the same line count once.
    all: Vec<MateClaim>,
}

impl MateClaims {
    pub fn of(position: &TacticsPosition, lines: &[Info]) -> MateClaims {
        let mut seen = Vec::new();
        let all = lines.iter().filter_map(|info| {
            let mate = claimed(info).filter(|mate| *mate != 0)?;
            let claim = (mate, &info.pv);
            if seen.contains(&claim) {
                return None;
            }
            seen.push(claim);
            let line: Vec<&str> = info.pv.iter().map(UciMove::as_str).collect();
            Some(MateClaim { mate, line: MateFault::of_line(&position.fen, position.variant, mate, &line) })
        });
        let last = lines.iter().rfind(|line| line.score.is_some()).and_then(claimed);
        MateClaims { last, all: all.collect() }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MateAudit {
    positions: usize,
    /// Positions in which the last score is a mate for the right side.
    found: usize,
    /// Positions in which that mate is the shortest known one.
    best: usize,
    /// The number of output lines with each fault.
    faults: BTreeMap<MateFault, u64>,
    /// Positions with any fault.
    faulty: usize,
}

impl MateAudit {
    /// The audit of some positions; `None` if none has a known mate.
    pub fn of<'a>(
        claims: impl Iterator<Item = (&'a TacticsPosition, Option<&'a MateClaims>)>,
    ) -> Option<MateAudit> {
        let mut audit = MateAudit::default();
        for (position, claims) in claims {
            let Some(known) = position.mate else { continue };
            audit.positions += 1;
            let Some(MateClaims { last, all }) = claims else { continue };
            let is_right = |mate: i32| mate.signum() == known.signum();
            audit.found += usize::from(last.is_some_and(is_right));
            audit.best += usize::from(*last == Some(known));
            let faults = all.iter().flat_map(|&MateClaim { mate, line }| {
                let is_better = mate.unsigned_abs() < known.unsigned_abs();
                let better = is_better.then_some(MateFault::BetterThanKnown);
                if is_right(mate) { [better, line] } else { [Some(MateFault::WrongSide), None] }
            });
            let faults: Vec<MateFault> = faults.flatten().collect();
            audit.faulty += usize::from(!faults.is_empty());
            for fault in faults {
                *audit.faults.entry(fault).or_default() += 1;
            }
        }
        (audit.positions > 0).then_some(audit)
    }

    /// A line about mates, then one for each kind of fault.
    pub fn lines(&self) -> Vec<String> {
        let [found, best] = [self.found, self.best].map(|count| thousands(count as u64));
        let [positions, faulty] =
            [self.positions, self.faulty].map(|count| counted(count as u64, "position"));
        let mates = format!("  mates: {found} found in {positions} of known mate, {best} as short as known");
        let head = (self.faulty > 0).then(|| format!("  wrong claims in {faulty}:"));
        let faults =
            self.faults.iter().map(|(fault, lines)| format!("    {fault}: {}", counted(*lines, "line")));
        [mates].into_iter().chain(head).chain(faults).collect()
    }
}
