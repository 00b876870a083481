//! Perft of a build.

use anyhow::{Error, anyhow};

use super::measure_error::{MeasureError, start};
use crate::measure::perft::{
    CountError, EngineCounter, MoveCounter, PerftCheck, PerftDifference, PerftPosition, PerftSuite,
};
use runner::EngineConfig;

/// A position with its counts.
#[derive(Debug)]
pub struct CountedPosition<'a> {
    pub suite: &'a PerftSuite,
    pub position: &'a PerftPosition,
    /// The counts, or the error with its place.
    pub check: Result<PerftCheck, MeasureError>,
}

impl CountedPosition<'_> {
    /// `FILE:LINE`.
    pub fn place(&self) -> String {
        place(self.suite, self.position)
    }
}

/// Starts a build for perft.
pub fn counter(engine: &EngineConfig) -> Result<EngineCounter, MeasureError> {
    Ok(EngineCounter::new(engine.name.clone(), start(engine)?))
}

/// Counts the positions of a suite lazily, one after the other, to `max_depth` plies at most. After an engine fault the
/// other positions fail, too.
pub fn counts<'a>(
    counter: &mut impl MoveCounter,
    suite: &'a PerftSuite,
    max_depth: u32,
) -> impl Iterator<Item = CountedPosition<'a>> {
    suite.positions.iter().map(move |position| {
        let check = PerftCheck::run(counter, position, max_depth);
        let check = check.map_err(|error| measure_error(&place(suite, position), error));
        CountedPosition { suite, position, check }
    })
}

fn place(suite: &PerftSuite, position: &PerftPosition) -> String {
    format!("{}:{}", suite.name, position.line)
}

fn measure_error(place: &str, error: CountError) -> MeasureError {
    if error.is_engine_fault() {
        MeasureError::EngineFault(anyhow!("{place}: {error}"))
    } else {
        MeasureError::Usage(Error::new(error).context(format!("perft, {place}")))
    }
}

/// `; missing: e1g1; illegal: a2a5 h7h8; listed twice: e5f6`: the moves that a build generates wrongly.
pub fn wrong_moves(difference: &PerftDifference) -> String {
    let listed = |word: &str, moves: &[String]| {
        if moves.is_empty() { String::new() } else { format!("; {word}: {}", moves.join(" ")) }
    };
    let PerftDifference { missing, extra, repeated, .. } = difference;
    [("missing", missing), ("illegal", extra), ("listed twice", repeated)]
        .map(|(word, moves)| listed(word, moves))
        .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::perft::OwnCore;

    #[test]
    fn a_wrong_count_has_its_place_and_comes_before_the_next_position() {
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
    fn missing_illegal_and_repeated_moves_are_listed() {
        let moves = |moves: &[&str]| moves.iter().map(|m| (*m).to_owned()).collect();
        let difference = PerftDifference {
            fen: String::new(),
            path: Vec::new(),
            missing: moves(&["e1g1", "e1c1"]),
            extra: Vec::new(),
            repeated: Vec::new(),
            by_moves_only: false,
        };
        assert_eq!(wrong_moves(&difference), "; missing: e1g1 e1c1");
        let both = PerftDifference { extra: moves(&["a2a5"]), repeated: moves(&["e5f6"]), ..difference };
        assert_eq!(wrong_moves(&both), "; missing: e1g1 e1c1; illegal: a2a5; listed twice: e5f6");
    }
}
