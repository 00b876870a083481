//! The report of `arbiter sprt adjudication` as JSON.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::adjudication_check::{AdjudicationCheck, RuleTally};
use runner::{Adjudication, DrawRule, ResignRule, Termination};
use stats::Proportion;

/// What rules would have done in the games of runs. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct AdjudicationReport {
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
    /// Each rule; with both draw and resign, the two together.
    pub rules: Vec<RuleReport>,
}

/// What a rule, or a rule for draws and one for resignations together, would have done.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct RuleReport {
    /// The rule for draws, such as `move=40,count=8,score=10`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The rule for resignations, such as `count=3,score=600`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    #[serde(flatten)]
    pub tally: RuleTally,
    /// Changed results among the games that it would have ended; `None` without any.
    pub error_rate: Option<ShareEstimate>,
    /// Changed results among all games that tell about it; `None` without any.
    pub changed_share: Option<ShareEstimate>,
}

#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ShareEstimate {
    /// From 0 to 1.
    pub share: f64,
    /// The lower end of the 95% interval.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl AdjudicationReport {
    pub const SCHEMA: u32 = 1;

    pub fn new(runs: Vec<String>, check: &AdjudicationCheck) -> AdjudicationReport {
        AdjudicationReport {
            schema: AdjudicationReport::SCHEMA,
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
            tally: *tally,
            error_rate: ShareEstimate::of(tally.error_rate()),
            changed_share: ShareEstimate::of(tally.changed_share()),
        }
    }
}

impl ShareEstimate {
    fn of(proportion: Proportion) -> Option<ShareEstimate> {
        let (lower, upper) = proportion.interval();
        Some(ShareEstimate { share: proportion.share()?, lower, upper })
    }
}
