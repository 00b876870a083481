//! How a build counts moves.

use anyhow::{Error, anyhow};

use super::unanswered::{Unanswered, start};
use crate::perft::{
    CountError, EngineCounter, MoveCounter, PerftCheck, PerftDifference, PerftPosition, PerftSuite,
};
use runner::EngineConfig;
use runner::process::EngineError;

/// A position and what a build made of it.
#[derive(Debug)]
pub struct CountedPosition<'a> {
    /// The suite that it is from.
    pub suite: &'a PerftSuite,
    /// The position.
    pub position: &'a PerftPosition,
    /// The counts, or why there are none: the place is told with it.
    pub check: Result<PerftCheck, Unanswered>,
}

impl CountedPosition<'_> {
    /// `FILE:LINE`.
    pub fn place(&self) -> String {
        place(self.suite, self.position)
    }
}

/// Starts a build that is to count moves.
///
/// # Errors
/// It does not start.
pub fn counter(engine: &EngineConfig) -> Result<EngineCounter, Unanswered> {
    Ok(EngineCounter::new(engine.name.clone(), start(engine)?))
}

/// Counts the positions of a suite one after the other, no deeper than so many plies: each when it is asked for, so
/// that whoever has seen enough stops there. After a counter broke the others cannot be counted either.
pub fn counts<'a>(
    counter: &mut impl MoveCounter,
    suite: &'a PerftSuite,
    max_depth: u32,
) -> impl Iterator<Item = CountedPosition<'a>> {
    suite.positions.iter().map(move |position| {
        let check = PerftCheck::run(counter, position, max_depth);
        let check = check.map_err(|error| unanswered(&place(suite, position), error));
        CountedPosition { suite, position, check }
    })
}

fn place(suite: &PerftSuite, position: &PerftPosition) -> String {
    format!("{}:{}", suite.name, position.line)
}

fn unanswered(place: &str, error: CountError) -> Unanswered {
    match error {
        CountError::Engine(error @ (EngineError::Silent { .. } | EngineError::Ended { .. })) => {
            Unanswered::Broke(anyhow!("{place}: {error}"))
        }
        error => Unanswered::CannotBeAsked(Error::new(error).context(format!("perft, {place}"))),
    }
}

/// `; missing: e1g1; illegal: a2a5 h7h8`: the moves that a build gets wrong.
pub fn wrong_moves(difference: &PerftDifference) -> String {
    let listed = |word: &str, moves: &[String]| {
        if moves.is_empty() { String::new() } else { format!("; {word}: {}", moves.join(" ")) }
    };
    format!("{}{}", listed("missing", &difference.missing), listed("illegal", &difference.extra))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft::OwnCore;

    #[test]
    fn a_wrong_count_is_told_with_its_place_before_the_next_position_is_counted() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let text = format!("{start} ;D1 20\n{start} ;D1 21\n{start} ;D1 20 ;D9 1\n");
        let suite = PerftSuite::parse("a.epd", &text).unwrap();
        let mut core = OwnCore;
        let mut counted = counts(&mut core, &suite, u32::MAX);
        assert_eq!(counted.next().unwrap().check.unwrap().mismatch, None);
        let wrong = counted.next().unwrap();
        assert_eq!(wrong.place(), "a.epd:2");
        assert_eq!(wrong.check.unwrap().mismatch.unwrap().found, 20);
    }

    #[test]
    fn missing_and_illegal_moves_are_told_where_there_are_any() {
        let moves = |moves: &[&str]| moves.iter().map(|m| (*m).to_owned()).collect();
        let difference = PerftDifference {
            fen: String::new(),
            path: Vec::new(),
            missing: moves(&["e1g1", "e1c1"]),
            extra: Vec::new(),
            by_moves_only: false,
        };
        assert_eq!(wrong_moves(&difference), "; missing: e1g1 e1c1");
        let both = PerftDifference { extra: moves(&["a2a5"]), ..difference };
        assert_eq!(wrong_moves(&both), "; missing: e1g1 e1c1; illegal: a2a5");
    }
}
