//! What a run asks: the games of a fixed schedule, a knockout, sequential tests, the best of several, a tuning.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{PairingGames, Stage};
use crate::{FinishReason, Format, GameRecord, Pairing, RunConfig, UciSetting};
use referee::GameResult;
use stats::Observations;

/// The rule by which a run answers its question: who plays next, what is known, what may still come, and when and why the
/// run is over. The schedule knows nothing else of it.
///
/// The answers depend on the results and not on the order in which they come in.
pub(super) trait Rule {
    /// The question before the first game, if a configuration asks it.
    fn of_run(config: &RunConfig) -> Option<Self>
    where
        Self: Sized;

    /// The problems with the keys that belong to it.
    fn problems(_config: &RunConfig) -> Vec<String>
    where
        Self: Sized,
    {
        Vec::new()
    }

    /// The first stage; by default all games of the pairings that the configuration lists or its format has.
    fn first_stage(&mut self, config: &RunConfig) -> Stage {
        Stage::of_run(config)
    }

    /// The stage behind `last`, if it is known. `all_taken` is whether the question has the results of all stages.
    fn next_stage(&mut self, _last: &Stage, _all_taken: bool) -> Option<Stage> {
        None
    }

    /// Takes the results of the first stage that it does not have yet.
    fn take_stage(&mut self, _games: &[(Pairing, GameResult)]) {}

    /// Takes a game that is already counted for its two engines. Returns whether the remaining games of the two are
    /// dropped.
    fn take_game(&mut self, _record: &GameRecord, _games: &PairingGames) -> bool {
        false
    }

    /// Takes the results of all shards of a pool, which count instead of the games played here. Returns the verdict, if
    /// there is one with them. With a verdict that was `told`, which is final, it takes only results that bear it out.
    fn take_pool(&mut self, _counts: Observations, _told: Option<&FinishReason>) -> Option<FinishReason> {
        None
    }

    /// The games of those `known` before the first one that are to be played.
    fn open(&self, _config: &RunConfig, known: Range<u32>) -> Range<u32> {
        known
    }

    /// The values of the tuned options of each engine in a pair of games; `None` while they depend on unfinished games.
    fn settings(&self, _pair: u32) -> Option<[Vec<UciSetting>; 2]> {
        Some([Vec::new(), Vec::new()])
    }

    /// The tests of pairings, by the indices of their engines, the lower first.
    fn tests(&self) -> &BTreeMap<(usize, usize), PairingTest> {
        static NONE: BTreeMap<(usize, usize), PairingTest> = BTreeMap::new();
        &NONE
    }

    /// An estimate of the number of games that are not known yet; `None` if the results can add no more.
    fn to_come(&self) -> Option<u32> {
        None
    }

    /// Whether an engine may have to play again.
    fn may_need(&self, _engine: usize) -> bool {
        true
    }

    /// Why no more games are played. Later games do not change it.
    fn verdict(&self) -> Option<&FinishReason> {
        None
    }
}

/// A question as the configuration asks it.
struct Asked {
    /// What asks it, in words.
    name: &'static str,
    /// Its keys, apart from the keys that every question has; the first one asks it.
    keys: &'static [&'static str],
    of_run: fn(&RunConfig) -> Option<Question>,
    problems: fn(&RunConfig) -> Vec<String>,
}

/// The keys that are set, apart from the keys that every question has.
fn set_keys(config: &RunConfig) -> impl Iterator<Item = &'static str> {
    let keys = [
        ("spsa", config.spsa.is_some()),
        ("values_test", config.values_test.is_some()),
        ("best", config.best.is_some()),
        ("from_batch", config.engines.iter().any(|engine| engine.from_batch > 0)),
        ("list", config.list.is_some()),
        ("format = knockout", matches!(config.format, Format::Knockout { .. })),
        ("sprt", config.sprt.is_some()),
        ("give_up", config.give_up.is_some()),
        ("stop_at_first", config.stop_at_first),
        ("encounters", !config.encounters.is_empty()),
        ("rounds.games = 1", config.rounds.games == 1),
        ("rounds.in_one_go", config.rounds.in_one_go.is_some()),
        ("shard", config.shard.is_some()),
        ("pool", config.pool.is_some()),
        ("skipped", config.skipped > 0),
        ("earlier", config.earlier.is_some()),
    ];
    keys.into_iter().filter(|(_, is_set)| *is_set).map(|(key, _)| key)
}

impl Question {
    pub(super) fn of_run(config: &RunConfig) -> Question {
        QUESTIONS.iter().find_map(|asked| (asked.of_run)(config)).unwrap_or(Question::Results(Results))
    }

    /// The problems of a configuration's question: keys of other questions, and wrong values of its own keys.
    pub(crate) fn problems(config: &RunConfig) -> Vec<String> {
        let is_asked = |asked: &&Asked| set_keys(config).any(|key| key == asked.keys[0]);
        let asked = QUESTIONS.iter().find(is_asked).unwrap_or(&QUESTIONS[QUESTIONS.len() - 1]);
        let misplaced = set_keys(config).filter(|key| !asked.keys.contains(key)).map(|key| {
            let others = QUESTIONS.iter().filter(|other| other.keys.contains(&key)).map(|other| other.name);
            format!("{key}: expected {}, found {}", others.collect::<Vec<_>>().join(" or "), asked.name)
        });
        misplaced.chain((asked.problems)(config)).collect()
    }
}

/// Declares the questions: each has a file, a name in messages, and keys.
macro_rules! questions {
    ($($file:ident::$kind:ident: $name:literal, $keys:expr;)+) => {
        $(mod $file; pub use $file::$kind;)+

        /// The question of a run.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum Question {
            $(#[doc = concat!("That of ", $name, ".")] $kind($kind)),+
        }

        const QUESTIONS: &[Asked] = &[$(Asked {
            name: $name,
            keys: &$keys,
            of_run: |config| $kind::of_run(config).map(Question::$kind),
            problems: $kind::problems,
        }),+];

        impl Question {
            pub(super) fn rule(&self) -> &dyn Rule {
                match self { $(Question::$kind(question) => question),+ }
            }

            pub(super) fn rule_mut(&mut self) -> &mut dyn Rule {
                match self { $(Question::$kind(question) => question),+ }
            }
        }
    };
}

questions! {
    tuning::Tuning: "a tuning", ["spsa", "values_test", "shard", "pool"];
    best_of_several::BestOfSeveral: "a search for the best", ["best", "from_batch"];
    list_ratings::ListRatings: "the games of a rating list", ["list", "shard", "pool"];
    knockout::Knockout: "a knockout", ["format = knockout"];
    sequential_tests::SequentialTests: "an SPRT of two engines or a gauntlet", [
        "sprt", "give_up", "stop_at_first", "encounters", "rounds.games = 1", "rounds.in_one_go", "shard", "pool",
        "skipped", "earlier"
    ];
    results::Results: "a round robin or a gauntlet without a test", [
        "encounters", "rounds.games = 1", "rounds.in_one_go", "shard", "pool", "skipped", "earlier"
    ];
}
pub use knockout::Tie;
pub use sequential_tests::{PairingTest, SprtSummary};

#[cfg(test)]
mod tests {
    use super::*;

    const SPRT: &str = "sprt = { elo0 = 0.0, elo1 = 5.0, alpha = 0.05, beta = 0.05, model = 'logistic' }";
    const BEST: &str = "best = { within = 30.0, sure = 0.9 }";
    const CANDIDATES: &str = "gauntlet,challengers=3";

    #[test]
    fn a_run_asks_one_question_with_the_keys_that_belong_to_it() {
        let problems = |format: &str, lines: &[&str]| {
            let lines = format!("games = 400\nbook.path = 'x'\nformat = '{format}'\n{}", lines.join("\n"));
            Question::problems(&RunConfig::made_up(&["a", "b", "c", "d"], &lines)).join("\n")
        };
        for lines in [&[][..], &["skipped = 2", "shard = '1/2'"], &[SPRT, "give_up = 0.1"], &[BEST]] {
            assert_eq!(problems(CANDIDATES, lines), "");
        }
        for (format, lines, problem) in [
            (
                "knockout",
                &[SPRT][..],
                "sprt: expected an SPRT of two engines or a gauntlet, found a knockout",
            ),
            ("knockout", &["rounds = { games = 1 }"], "rounds.games = 1: expected an SPRT"),
            ("knockout", &["encounters = [[0, 1]]"], "without a test, found a knockout"),
            ("knockout", &[BEST], "format = knockout: expected a knockout, found a search for the best"),
            ("round-robin", &[BEST], "best: expected `within`"),
            ("round-robin", &[SPRT], "found a round robin"),
            ("gauntlet", &[BEST], "two or more candidates"),
            ("gauntlet", &["stop_at_first = true"], "found a round robin or a gauntlet without a test"),
            (
                CANDIDATES,
                &[BEST, SPRT],
                "sprt: expected an SPRT of two engines or a gauntlet, found a search",
            ),
            (
                CANDIDATES,
                &[BEST, "shard = '1/2'"],
                "shard: expected a tuning or the games of a rating list or an SPRT of two engines or a gauntlet",
            ),
            (CANDIDATES, &[BEST, "rounds = { in_one_go = 2 }"], "rounds.in_one_go: expected"),
            (CANDIDATES, &["best = { within = 30.0, sure = 1.0 }"], "`sure` between 0 and 1"),
            (CANDIDATES, &[SPRT, "skipped = 2"], "skipped: expected an SPRT of two engines"),
            ("gauntlet,challengers=1", &[SPRT, "shard = '1/2'"], "shard, skipped: expected an SPRT of two"),
        ] {
            let found = problems(format, lines);
            assert!(found.contains(problem), "{format} {lines:?}: {found}");
        }
    }
}
