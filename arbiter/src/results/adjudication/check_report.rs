//! The report of `arbiter adjudication` as JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::adjudication_check::AdjudicationCheck;
use super::rule_tally::{ChangedResults, RuleTally};
use runner::{Adjudication, DrawRule, ResignRule, Termination, micros};
use stats::Proportion;

/// What rules would have done in the games of runs. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// The version of this format.
    pub schema: u32,
    /// The run folders.
    pub runs: Vec<String>,
    /// All games with a result.
    pub games: u64,
    /// Games that did not end on the board or by tablebases, by how they ended. They tell nothing.
    pub not_played_out: BTreeMap<Termination, u64>,
    /// Games of a run with `--play-out` that ended on the board without having been chosen for it. They tell nothing.
    pub not_chosen: u64,
    /// Each rule.
    pub rules: Vec<RuleReport>,
}

/// What a rule, or a rule for draws and one for resignations together, would have done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleReport {
    /// The rule for draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The rule for resignations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Games that tell about it.
    pub games: u64,
    /// Those that it would have ended before their last move.
    pub ended: u64,
    /// Those of them with another result in the end.
    pub changed: ChangedResults,
    /// Changed results among the games that it would have ended; `None` without any.
    pub error_rate: Option<ShareEstimate>,
    /// Changed results among all games that tell about it; `None` without any.
    pub changed_share: Option<ShareEstimate>,
    /// Moves of the engines in these games.
    pub plies: u64,
    /// Those that it would have saved.
    pub plies_saved: u64,
    /// Time of the engines in these games.
    #[serde(rename = "time_us", with = "micros")]
    pub time: Duration,
    /// That which it would have saved.
    #[serde(rename = "time_saved_us", with = "micros")]
    pub time_saved: Duration,
}

/// A share with its 95% interval, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShareEstimate {
    /// The share.
    pub share: f64,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl CheckReport {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The report of a check of the games in these folders.
    pub fn new(runs: Vec<String>, check: &AdjudicationCheck) -> CheckReport {
        CheckReport {
            schema: CheckReport::SCHEMA,
            runs,
            games: check.games(),
            not_played_out: check.not_played_out().clone(),
            not_chosen: check.not_chosen(),
            rules: check.rules().map(|(rules, tally)| RuleReport::new(rules, tally)).collect(),
        }
    }
}

impl RuleReport {
    fn new(rules: &Adjudication, tally: &RuleTally) -> RuleReport {
        RuleReport {
            draw: rules.draw,
            resign: rules.resign,
            games: tally.games,
            ended: tally.ended,
            changed: tally.changed,
            error_rate: ShareEstimate::of(tally.error_rate()),
            changed_share: ShareEstimate::of(tally.changed_share()),
            plies: tally.plies,
            plies_saved: tally.plies_saved,
            time: tally.time,
            time_saved: tally.time_saved,
        }
    }
}

impl ShareEstimate {
    fn of(proportion: Proportion) -> Option<ShareEstimate> {
        let (lower, upper) = proportion.interval();
        Some(ShareEstimate { share: proportion.share()?, lower, upper })
    }
}
