//! The first position where two move counters disagree on the legal moves.
//!
//! The search for it plays moves and never sets up a position in between: a generator that keeps a castling right after
//! the rook is gone, or an en passant square for too long, is wrong after the moves only.

use std::collections::BTreeMap;

use super::move_counter::{CountError, MoveCounter, Oracle};
use super::perft_check::Divide;
use referee::{Referee, Variant};

/// A position whose legal moves a counter gets wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftDifference {
    pub fen: String,
    /// The moves that lead to it from the position of the suite.
    pub path: Vec<String>,
    /// Legal moves that the counter does not have.
    pub missing: Vec<String>,
    /// Moves of the counter that are not legal.
    pub extra: Vec<String>,
    /// Moves that the counter lists more than once.
    pub repeated: Vec<String>,
    /// Whether the counter is right when the position is set up by its FEN, and wrong only after the moves.
    pub by_moves_only: bool,
}

impl PerftDifference {
    /// Whether only the counts are wrong.
    pub fn has_right_moves(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty() && self.repeated.is_empty()
    }
}

/// Finds the nearest position below `fen` whose legal moves the counter gets wrong.
///
/// `None` when counter and oracle agree at every depth up to `depth`. When only the counts differ and never the moves (a
/// counter that adds up wrongly), the result is the last position, without missing, extra or repeated moves.
pub fn smallest_difference(
    counter: &mut (impl MoveCounter + ?Sized),
    fen: &str,
    variant: Variant,
    depth: u32,
) -> Result<Option<PerftDifference>, CountError> {
    let mut referee = Referee::from_fen(fen, variant)?;
    let Some(mut depth) = first_differing_depth(counter, fen, variant, depth)? else { return Ok(None) };
    let mut path = Vec::new();
    loop {
        let expected: Divide = referee.divide(depth).into_iter().collect();
        let found = counter.divide_after(fen, variant, &path, depth)?;
        let missing = keys_only_in(&expected.parts, &found.parts);
        let extra = keys_only_in(&found.parts, &expected.parts);
        let repeated = found.repeated;
        let wrong = expected.parts.iter().find(|(m, count)| found.parts.get(*m) != Some(*count));
        let has_right_moves = missing.is_empty() && extra.is_empty() && repeated.is_empty();
        match wrong {
            Some((m, _)) if has_right_moves && depth > 1 => {
                referee.play(m)?;
                path.push(m.clone());
                depth -= 1;
            }
            _ => {
                let fen = referee.fen_with_attacked_ep_square();
                let is_right_from_fen = counter.divide(&fen, variant, depth)? == expected;
                let by_moves_only = !path.is_empty() && is_right_from_fen;
                break Ok(Some(PerftDifference { fen, path, missing, extra, repeated, by_moves_only }));
            }
        }
    }
}

fn first_differing_depth(
    counter: &mut (impl MoveCounter + ?Sized),
    fen: &str,
    variant: Variant,
    depth: u32,
) -> Result<Option<u32>, CountError> {
    for depth in 1..=depth {
        if counter.divide(fen, variant, depth)? != Oracle.divide(fen, variant, depth)? {
            return Ok(Some(depth));
        }
    }
    Ok(None)
}

fn keys_only_in(one: &BTreeMap<String, u64>, other: &BTreeMap<String, u64>) -> Vec<String> {
    one.keys().filter(|key| !other.contains_key(*key)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// A move generator that forgets one move.
    enum Forgetful {
        /// In one position, however it is reached.
        ThePosition,
        /// After these moves, but not when the same position is set up.
        TheMoves,
    }

    const FORGOTTEN_AT: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    const FORGOTTEN: &str = "g1f3";

    impl MoveCounter for Forgetful {
        fn name(&self) -> &'static str {
            "forgetful"
        }

        fn divide_after(
            &mut self,
            fen: &str,
            variant: Variant,
            moves: &[String],
            depth: u32,
        ) -> Result<Divide, CountError> {
            if depth == 0 {
                return Ok(Divide::default());
            }
            let mut parts = Vec::new();
            let mut referee = Referee::from_fen(fen, variant)?;
            for m in moves {
                referee.play(m)?;
            }
            for m in referee.legal_moves() {
                if self.forgets(&referee, moves) && m == FORGOTTEN {
                    continue;
                }
                let next = [moves, std::slice::from_ref(&m)].concat();
                let below = self.divide_after(fen, variant, &next, depth - 1)?.total;
                parts.push((m, if depth == 1 { 1 } else { below }));
            }
            Ok(parts.into_iter().collect())
        }
    }

    impl Forgetful {
        fn forgets(&self, referee: &Referee, moves: &[String]) -> bool {
            match self {
                Forgetful::ThePosition => referee.fen() == FORGOTTEN_AT,
                Forgetful::TheMoves => moves == ["e2e4", "e7e5"],
            }
        }
    }

    #[test]
    fn the_position_with_the_forgotten_move_is_found_by_the_shortest_way() {
        let difference =
            smallest_difference(&mut Forgetful::ThePosition, START, Variant::Standard, 4).unwrap().unwrap();
        assert_eq!(difference.path, ["e2e4", "e7e5"]);
        assert_eq!(difference.fen, FORGOTTEN_AT);
        assert_eq!(difference.missing, [FORGOTTEN]);
        assert_eq!(difference.extra, Vec::<String>::new());
        assert!(!difference.by_moves_only);
    }

    #[test]
    fn a_fault_after_moves_is_distinguished_from_one_of_the_position() {
        let difference =
            smallest_difference(&mut Forgetful::TheMoves, START, Variant::Standard, 4).unwrap().unwrap();
        assert_eq!(difference.path, ["e2e4", "e7e5"]);
        assert_eq!(difference.missing, [FORGOTTEN]);
        assert!(difference.by_moves_only);
    }

    #[test]
    fn a_depth_too_small_to_reach_it_shows_no_difference() {
        assert_eq!(
            smallest_difference(&mut Forgetful::ThePosition, START, Variant::Standard, 2).unwrap(),
            None
        );
    }
}
