//! Where two move counters part: the smallest position whose legal moves they disagree on.

use std::collections::BTreeMap;

use super::{CountError, MoveCounter, Oracle};
use crate::referee::{Referee, Variant};

/// A position whose legal moves a counter gets wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftDifference {
    /// The position.
    pub fen: String,
    /// The moves that lead to it from where the search began.
    pub path: Vec<String>,
    /// Legal moves that the counter does not have.
    pub missing: Vec<String>,
    /// Moves of the counter that are not legal.
    pub extra: Vec<String>,
}

/// Descends from a position to one whose legal moves the counter gets wrong, by the shortest way.
///
/// `None` when the two agree on every depth up to `depth`. When the counts differ but the moves never do (a counter
/// that adds up wrongly), the last position is returned with no move missing or extra.
///
/// # Errors
/// Either of them cannot count.
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
        let fen = referee.fen();
        let expected = Oracle.divide(&fen, variant, depth)?;
        let found = counter.divide(&fen, variant, depth)?;
        let missing = keys_only_in(&expected, &found);
        let extra = keys_only_in(&found, &expected);
        let wrong = expected.iter().find(|(m, count)| found.get(*m) != Some(*count));
        match wrong {
            Some((m, _)) if missing.is_empty() && extra.is_empty() && depth > 1 => {
                // A move of the oracle's own list is legal.
                let Ok(_) = referee.play(m) else { break Ok(None) };
                path.push(m.clone());
                depth -= 1;
            }
            _ => break Ok(Some(PerftDifference { fen, path, missing, extra })),
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
        if counter.count(fen, variant, depth)? != Oracle.count(fen, variant, depth)? {
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

    /// A move generator that forgets one move of one position, however it is reached.
    struct Forgetful;

    const FORGOTTEN_AT: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    const FORGOTTEN: &str = "g1f3";

    impl MoveCounter for Forgetful {
        fn name(&self) -> &'static str {
            "forgetful"
        }

        fn divide(
            &mut self,
            fen: &str,
            variant: Variant,
            depth: u32,
        ) -> Result<BTreeMap<String, u64>, CountError> {
            let mut parts = BTreeMap::new();
            if depth == 0 {
                return Ok(parts);
            }
            let referee = Referee::from_fen(fen, variant)?;
            for m in referee.legal_moves() {
                if fen == FORGOTTEN_AT && m == FORGOTTEN {
                    continue;
                }
                let mut child = referee.clone();
                child.play(&m).expect("a legal move");
                let count = if depth == 1 {
                    1
                } else {
                    self.divide(&child.fen(), variant, depth - 1)?.values().sum()
                };
                parts.insert(m, count);
            }
            Ok(parts)
        }
    }

    #[test]
    fn the_position_with_the_forgotten_move_is_found_by_the_shortest_way() {
        let difference = smallest_difference(&mut Forgetful, START, Variant::Standard, 4).unwrap().unwrap();
        assert_eq!(difference.path, ["e2e4", "e7e5"]);
        assert_eq!(difference.fen, FORGOTTEN_AT);
        assert_eq!(difference.missing, [FORGOTTEN]);
        assert_eq!(difference.extra, Vec::<String>::new());
    }

    #[test]
    fn a_depth_too_small_to_reach_it_shows_no_difference() {
        assert_eq!(smallest_difference(&mut Forgetful, START, Variant::Standard, 2).unwrap(), None);
    }
}
