//! The report of `arbiter sprt`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::rating::forecast::SprtForecasts;
use crate::report::result::Figures;
use crate::report::verdict::Verdict;
use crate::results::{Estimates, SprtSummary, is_most, is_unfounded, of_pairs};
use crate::text::Document;
use crate::text::number_text::{counted, found_pairs, repeated_games, unclear_rounds, wdl};
use stats::{Observations, PairedBy, Sprt, UnclearRounds, Wdl};

/// The results of one engine against one or several opponents: the input of all estimates.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct MatchResults {
    /// The engine that the results are for, if the source has names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The opponents, in order of appearance; only if the source has names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<String>,
    /// The pairs or single games from which all numbers are computed.
    pub observations: Observations,
    /// Single games, unpaired games included; absent if only the pairs are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<Wdl>,
    /// The single games in this folder; absent unless the test also counts the games of other shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub here: Option<Wdl>,
    /// The number of pairs of PGN files, by how they were found.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub paired_by: BTreeMap<PairedBy, u64>,
    /// The games of PGN files whose round does not identify their pair.
    pub rounds: UnclearRounds,
    /// Unpaired games, which are in `wdl` but not in `observations`.
    pub unpaired: u64,
    /// Games that repeat the players, moves and result of an earlier one; `observations` counts them once.
    #[serde(default)]
    pub repeated: u64,
    /// Pairs in which both engines played the same moves, which show no difference.
    #[serde(default, skip_serializing_if = "runner::is_default")]
    pub mirrored_pairs: u64,
    /// Whether an engine hardly searched: its mean depth is below 3, although its limits allowed more.
    #[serde(default, skip_serializing_if = "runner::is_default")]
    pub is_shallow: bool,
    /// Games that finished after the SPRT had stopped; they count nowhere else.
    pub after_decision: Wdl,
    /// Games that are not counted, by reason.
    pub excluded: UncountedGames,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct UncountedGames {
    /// Games without a result.
    pub without_result: u64,
    /// Games without the name of a player.
    pub without_players: u64,
    /// Games between other players.
    pub other_players: u64,
    /// Games that appear a second time, in this file or another one.
    #[serde(default)]
    pub duplicates: u64,
}

impl MatchResults {
    pub fn of_counts(observations: Observations) -> MatchResults {
        MatchResults {
            engine: None,
            opponents: Vec::new(),
            wdl: match observations {
                Observations::Pairs(_) => None,
                Observations::Games(games) => Some(games),
            },
            here: None,
            observations,
            paired_by: BTreeMap::new(),
            rounds: UnclearRounds::default(),
            unpaired: 0,
            repeated: 0,
            mirrored_pairs: 0,
            is_shallow: false,
            after_decision: Wdl::default(),
            excluded: UncountedGames::default(),
        }
    }
}

/// Results, the estimates from them, and the state of the SPRT. In JSON, `schema` changes whenever a field
/// changes its meaning or goes away; infinite numbers are `"inf"` and `"-inf"`.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct SprtReport {
    /// The version of this format.
    pub schema: u32,
    #[serde(flatten)]
    pub results: MatchResults,
    /// The number of games behind all numbers, two per pair.
    pub games: u64,
    /// Points: 1 for a win, 1/2 for a draw.
    pub points: f64,
    /// Points per game, from 0 to 1; `None` if there are no games.
    pub score: Option<f64>,
    #[serde(flatten)]
    pub estimates: Estimates,
    /// The forecasts; only with `--expect`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forecast: Option<SprtForecasts>,
}

impl SprtReport {
    pub const SCHEMA: u32 = 2;

    pub fn new(results: MatchResults, test: Option<&Sprt>, forecast: Option<SprtForecasts>) -> SprtReport {
        let observations = results.observations;
        let (games, score) = (observations.games(), observations.score());
        let sprt = test.map(|test| SprtSummary::new(test, &observations));
        let after_sprt = test.and_then(|test| test.estimate(&observations, None));
        let estimates = Estimates { after_sprt, ..Estimates::new(&observations, sprt) };
        SprtReport {
            schema: SprtReport::SCHEMA,
            results,
            games,
            points: observations.points(),
            score: (games > 0).then_some(score.mean()),
            estimates,
            forecast,
        }
    }

    pub fn document(&self) -> Document {
        let mut document = Document::default();
        let has_results = self.games > 0 || self.forecast.is_none();
        if has_results {
            if let Some(engine) = &self.results.engine {
                document.heading(format!("{engine} vs {}", self.results.opponents.join(", ")));
            }
            document.facts(self.figures().facts());
            document.lines(self.excluded());
        }
        if let Some(forecast) = &self.forecast {
            if has_results {
                document.gap();
            }
            document.append(forecast.document());
        }
        document
    }

    fn figures(&self) -> Figures {
        Figures {
            wdl: self.results.wdl,
            here: self.results.here,
            observations: self.results.observations,
            estimates: self.estimates,
            bias: if self.estimates.is_decided() { ", exaggerated if an SPRT stopped the match" } else { "" },
            unbiased: ", median unbiased if this SPRT ended the match",
            counts_less: self.results.repeated > 0 || self.results.unpaired > 0,
            digits: 2,
        }
    }

    fn excluded(&self) -> Vec<String> {
        let by = self.results.paired_by.iter().map(|(&by, &pairs)| found_pairs(pairs, by));
        let MatchResults { unpaired, excluded, after_decision, .. } = self.results;
        let unpaired =
            (unpaired > 0).then(|| format!("{}: counted in Games only", counted(unpaired, "unpaired game")));
        let late = format!("finished after the SPRT had stopped ({})", wdl(after_decision));
        let reasons = [
            (excluded.without_result, "no result"),
            (excluded.without_players, "a player has no name"),
            (excluded.other_players, "between other players"),
            (excluded.duplicates, "counted already"),
            (after_decision.games(), &late),
        ];
        let MatchResults { mirrored_pairs, is_shallow, .. } = self.results;
        let pairs = of_pairs(mirrored_pairs, self.games / 2);
        let mirrored = self.has_same_moves().then(|| format!("In {pairs} both played the same moves"));
        let shallow = is_shallow.then(|| "An engine hardly searched: its mean depth is below 3".to_owned());
        let untold = self
            .is_unfounded()
            .then(|| "These games cannot tell the engines apart: use other limits or openings".to_owned());
        let excluded = reasons.into_iter().filter(|(games, _)| *games > 0);
        let excluded = excluded.map(|(games, why)| format!("{} excluded: {why}", counted(games, "game")));
        let repeated = repeated_games(self.results.repeated);
        by.chain(unclear_rounds(self.results.rounds))
            .chain(unpaired)
            .chain(repeated)
            .chain(excluded)
            .chain(mirrored)
            .chain(shallow)
            .chain(untold)
            .collect()
    }

    fn has_same_moves(&self) -> bool {
        is_most(self.results.mirrored_pairs, self.games / 2)
    }

    fn is_unfounded(&self) -> bool {
        let test = self.estimates.sprt.as_ref();
        test.is_some_and(|test| is_unfounded(test, self.has_same_moves(), self.results.is_shallow))
    }

    /// The decision of the test; `CannotTell` if the games prove nothing, `Same` if there is no test.
    pub fn judged(&self) -> Verdict {
        match self.estimates.sprt {
            Some(_) if self.is_unfounded() => Verdict::CannotTell,
            Some(test) => test.status.into(),
            None => Verdict::Same,
        }
    }
}
