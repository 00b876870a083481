//! A match of two engines for a program that wants its games and keeps them itself.

use std::path::PathBuf;

use referee::openings::{Book, BookFormat, BookOptions};
use stats::{Pentanomial, Wdl};

use crate::{
    BookConfig, EngineConfig, Event, FinishReason, GameRecord, Run, RunConfig, RunError, RunPlan, Schedule,
    SearchLimits,
};

/// A match of two engines that stays in memory.
///
/// It has no run folder and writes nothing to disk. If the program ends early, the match is lost. The logs of games with a
/// fault, which a [`Run`] keeps, are never written. Clocks, referee, deadlines and tests are the same as in a run.
///
/// ```no_run
/// let limits = runner::SearchLimits { nodes: Some(5000), ..Default::default() };
/// let setup = runner::Match::new("./new", "./old", limits).openings(std::fs::read_to_string("openings.epd")?);
/// let played = setup.configure(|run| (run.games, run.concurrency) = (100, 2)).play()?;
/// println!("{} of {} points", played.results().points(), played.results().games());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Match {
    config: RunConfig,
    openings: String,
}

/// A match that has ended.
#[derive(Clone, Debug)]
pub struct PlayedMatch {
    /// The games in the order of the schedule.
    pub games: Vec<GameRecord>,
    /// Their counts, and the tests.
    pub schedule: Schedule,
    /// Why the match ended.
    pub reason: FinishReason,
}

impl Match {
    /// Two games of two programs from the start position.
    pub fn new(first: impl Into<PathBuf>, second: impl Into<PathBuf>, limits: SearchLimits) -> Match {
        let engines = [("first", first.into()), ("second", second.into())]
            .map(|(name, program)| EngineConfig { name: name.into(), program, ..EngineConfig::default() });
        let config = RunConfig::of(2, BookConfig::of("openings"), engines.into());
        let openings = uci::StartPosition::Startpos.fen().to_owned();
        Match { config: RunConfig { limits, ..config }, openings }
    }

    /// The start positions, as lines of FEN or EPD in random order. Pairs of games that repeat an earlier pair, move by move,
    /// do not count.
    #[must_use]
    pub fn openings(self, epd: impl Into<String>) -> Match {
        Match { openings: epd.into(), ..self }
    }

    /// Changes anything else: the number of games, the concurrency, the engines and their options, a sequential test.
    #[must_use]
    pub fn configure(mut self, change: impl FnOnce(&mut RunConfig)) -> Match {
        change(&mut self.config);
        self
    }

    /// Plays the match to its end, on other threads, while this one waits.
    ///
    /// # Errors
    /// The openings or the configuration cannot be used, or an engine does not start.
    pub fn play(self) -> Result<PlayedMatch, RunError> {
        let options = BookOptions { variant: self.config.variant, ..BookOptions::default() };
        let book = Book::read("openings", self.openings.as_bytes(), BookFormat::Epd, &options)?;
        let mut plan = RunPlan::new(self.config)?;
        plan.introduce()?;
        let (mut schedule, mut games) = (Schedule::new(plan.config()), Vec::new());
        let reason = Run::of_plan(plan, book, None)?.execute(|event| {
            if let Event::GameFinished(game) = event {
                schedule.add(game);
                games.push(GameRecord::clone(game));
            }
        })?;
        games.sort_by_key(|game| game.game);
        Ok(PlayedMatch { games, schedule, reason })
    }
}

impl PlayedMatch {
    /// The results of the first engine, game by game.
    pub fn results(&self) -> Wdl {
        self.schedule.games_of(0, 1).map_or_else(Wdl::default, |games| *games.scored.games())
    }

    /// The pairs of the first engine, without repeated ones, for estimates and tests.
    pub fn pairs(&self) -> Pentanomial {
        self.schedule.pairs_of(0)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// An engine that knows one move.
    const SCRIPT: &str = "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                          go*) echo bestmove a1a8;; quit) exit;; esac; done";

    #[test]
    fn a_match_in_memory_has_its_games_in_order_or_an_error_says_why_not() {
        let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        let setup = Match::new("/bin/sh", "/bin/sh", limits).configure(|run| {
            (run.games, run.concurrency) = (4, 2);
            run.engines.iter_mut().for_each(|engine| engine.args = vec!["-c".to_owned(), SCRIPT.to_owned()]);
        });
        let mates = setup.clone().openings("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
        let played = mates.clone().play().unwrap();
        assert_eq!(played.reason, FinishReason::AllGamesPlayed);
        let players: Vec<_> = played.games.iter().map(|game| (game.white, game.moves.len())).collect();
        assert_eq!(players, [(0, 1), (1, 1), (0, 1), (1, 1)]);
        assert_eq!(played.results(), Wdl::new(2, 0, 2));
        assert_eq!(played.pairs(), Pentanomial::new([0, 0, 1, 0, 0]), "the second pair repeats the first");

        let error = |setup: Match| setup.play().unwrap_err().to_string();
        assert!(error(setup.openings("8/8 w - -")).starts_with("openings"));
        let missing = mates.configure(|run| run.engines[1].program = "no/such/engine".into());
        assert!(error(missing).starts_with("engine second: cannot start no/such/engine"));
    }
}
