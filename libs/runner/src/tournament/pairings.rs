//! The games of each pairing of a run, each counted once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{GameRecord, Pairing, RunConfig};
use referee::{GameResult, Side};
use stats::{KnownMoves, Observations, PairCounter, Pentanomial, Wdl};

/// The games of two engines, from the point of view of the one that the configuration lists first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairingGames {
    /// The games that count.
    pub scored: PairCounter,
    /// The games that ended after the decision of a test.
    pub after_decision: Wdl,
    /// The number of games that are not played any more, since the test of the two, one of several, has ended.
    pub(super) dropped: u32,
}

/// The games of every two engines of a run that met or have a test, by the indices of the two, the lower first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Pairings {
    #[serde(with = "as_list")]
    pub(super) games: BTreeMap<(usize, usize), PairingGames>,
    /// The pairs of each engine, from its point of view, without repeated ones.
    pub(super) of_engine: Vec<Pentanomial>,
    /// The games after a decision, from the point of view of the first of their two engines.
    pub(super) after_decision: Wdl,
    /// The number of games that repeat an earlier one.
    pub(super) repeated: u64,
    known: KnownMoves,
}

/// A map as a list, since JSON keys are strings.
pub(super) mod as_list {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(
        map: &BTreeMap<impl Serialize, impl Serialize>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub fn deserialize<'a, D: Deserializer<'a>, K: Deserialize<'a> + Ord, V: Deserialize<'a>>(
        deserializer: D,
    ) -> Result<BTreeMap<K, V>, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}

impl Pairings {
    /// No games of this many engines; `expected` are the pairings that are shown without games, too.
    pub(super) fn of_engines(engines: usize, expected: impl Iterator<Item = (usize, usize)>) -> Pairings {
        Pairings {
            games: expected.map(|pairing| (pairing, PairingGames::default())).collect(),
            of_engine: vec![Pentanomial::default(); engines],
            ..Pairings::default()
        }
    }

    /// Counts a game. Returns the games of its engines, unless it is none of two of them.
    pub(super) fn add(&mut self, record: &GameRecord) -> Option<&mut PairingGames> {
        let pairing = ordered(record.white, record.black);
        let outcome = record.outcome(pairing.0).filter(|_| pairing.1 < self.of_engine.len())?;
        let games = self.games.entry(pairing).or_default();
        if record.after_decision {
            games.after_decision.record(outcome);
            self.after_decision.record(outcome);
            return Some(games);
        }
        let (new, repeated) = (games.scored.new_pairs(), games.scored.repeats().games.games());
        let key = KnownMoves::key([record.white, record.black], record.moves_hash());
        games.scored.record(record.pair, outcome, key, &mut self.known);
        self.repeated += games.scored.repeats().games.games() - repeated;
        let added = games.scored.new_pairs() - new;
        self.of_engine[pairing.0] += added;
        self.of_engine[pairing.1] += added.reversed();
        Some(games)
    }
}

/// What the tests count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TestInput {
    /// Whether single games are counted.
    pub(super) trinomial: bool,
    /// Whether repeated games are counted.
    pub(super) repeats: bool,
    /// The results of games that were played elsewhere, which are counted first.
    pub(super) earlier: Option<Observations>,
    /// The results of all shards, if they have a pool; they are counted instead of the games played here.
    pub(super) pooled: Option<Observations>,
}

impl TestInput {
    /// What the games that are played here add to a test.
    pub(super) fn here(config: &RunConfig) -> TestInput {
        TestInput { trinomial: config.trinomial, repeats: config.test_repeats, earlier: None, pooled: None }
    }

    pub(super) fn observations(&self, scored: &PairCounter) -> Observations {
        if let Some(pooled) = self.pooled {
            return self.earlier.map_or(pooled, |earlier| earlier + pooled);
        }
        let (games, pairs) = (*scored.games(), *scored.pairs());
        let all = match self.earlier {
            Some(Observations::Pairs(earlier)) => Observations::Pairs(earlier + pairs),
            Some(Observations::Games(earlier)) => Observations::Games(earlier + games),
            None if self.trinomial => Observations::Games(games),
            None => Observations::Pairs(pairs),
        };
        if self.repeats { all } else { scored.repeats().left_out_of(all) }
    }
}

/// The pairs among the games of a stage: the two engines, the lower index first, and the pair counted for that one.
pub(super) fn pairs_of_stage(
    games: &[(Pairing, GameResult)],
) -> impl Iterator<Item = ((usize, usize), Pentanomial)> {
    games.chunks(2).map(|pair| {
        let engines = ordered(pair[0].0.white, pair[0].0.black);
        let half_points = pair.iter().map(|(pairing, result)| {
            let side = if pairing.white == engines.0 { Side::White } else { Side::Black };
            usize::from(result.half_points(side))
        });
        let mut counts = [0; 5];
        counts[half_points.sum::<usize>()] = 1;
        (engines, Pentanomial::new(counts))
    })
}

pub(super) fn ordered(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}
