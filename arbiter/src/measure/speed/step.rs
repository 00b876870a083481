//! Speed as a step of `ci`, a criterion of `bisect` and a suggestion of `init`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::comparison::SpeedRecord;
use super::measurement::measure;
use super::speed_plan::SpeedPlan;
use crate::engines::EngineSpec;
use crate::measure::measurement::{BaselineChange, Measurement, Table, Tested};
use crate::measure::{Baseline, Judgement, MeasureError, TriedEngine};
use crate::options::machine;
use crate::report::verdict::Verdict;
use crate::text::number_text::thousands;
use crate::text::one_line;
use runner::{SearchLimits, duration_text};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SpeedTable {
    /// The suites; by default all that ship.
    pub suites: Vec<PathBuf>,
    #[serde(with = "duration_text")]
    pub duration: Duration,
    /// The slowdown that is accepted, in percent.
    pub tolerance: f64,
}

impl Default for SpeedTable {
    fn default() -> SpeedTable {
        SpeedTable { suites: Vec::new(), duration: Duration::from_secs(30), tolerance: 1.0 }
    }
}

impl Table for SpeedTable {
    type Record = Option<SpeedRecord>;

    const CHECK: &str = "NPS";

    fn plan(self, _: &EngineSpec, _: bool) -> Result<Box<dyn Measurement>> {
        let SpeedTable { suites, duration, tolerance } = self;
        if !(0.0..100.0).contains(&tolerance) {
            bail!("speed, tolerance: expected a percentage from 0 to 100, found {tolerance}");
        }
        if duration < Duration::from_secs(1) {
            bail!("speed, duration: expected at least 1s, found {duration:?}");
        }
        let plan = SpeedPlan::read(&suites, false, &SearchLimits::default(), 1).context("speed, suites")?;
        Ok(Box::new(SpeedStep::new(SpeedPlan { duration, ..plan }, tolerance)))
    }

    fn suggest(tried: &TriedEngine<'_>) -> String {
        match &tried.can.speed {
            Ok(nps) => format!(
                "# {} nodes per second on this machine.\n[speed]\nduration  = \"10s\"\ntolerance = 3  # percent; raise it, or the duration, on a noisy machine\n",
                thousands(*nps)
            ),
            Err(why) => format!("# No [speed]: {}.\n", one_line(why)),
        }
    }

    fn changes(before: &Option<SpeedRecord>, now: &Option<SpeedRecord>) -> Vec<BaselineChange> {
        let nodes = |record: &SpeedRecord| thousands(record.nodes_per_second);
        let is_here = |known: &SpeedRecord| now.as_ref().is_some_and(|now| now.machine == known.machine);
        let known = |known| if is_here(known) { nodes(known) } else { "another machine".to_owned() };
        let before = before.as_ref().map(known);
        BaselineChange::new("NPS", before, now.as_ref().map(nodes)).into_iter().collect()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedCriterion {
    pub suites: Vec<PathBuf>,
    pub rounds: u32,
    pub max_slowdown: f64,
    pub limits: SearchLimits,
}

impl SpeedCriterion {
    pub fn read(&self) -> Result<SpeedStep> {
        let plan = SpeedPlan::read(&self.suites, false, &self.limits, self.rounds)?;
        Ok(SpeedStep::new(plan, self.max_slowdown))
    }
}

#[derive(Clone, Debug)]
pub struct SpeedStep {
    plan: SpeedPlan,
    /// The loss that is accepted, as a share.
    tolerance: f64,
}

impl SpeedStep {
    fn new(plan: SpeedPlan, percent: f64) -> SpeedStep {
        let tolerance = percent / 100.0;
        SpeedStep { plan: SpeedPlan { decides: Some(tolerance), ..plan }, tolerance }
    }
}

impl Measurement for SpeedStep {
    fn compares_builds(&self) -> bool {
        true
    }

    /// Measures the speed, side by side with the other build if there is one. Only a clear loss in a side-by-side
    /// comparison can fail. The baseline's speed was measured at another time, so the difference is only shown, and it is
    /// not compared if the baseline comes from another machine.
    fn judge(&mut self, tested: &Tested<'_>, measured: &mut Baseline) -> Result<Judgement, MeasureError> {
        let SpeedStep { plan, tolerance } = self;
        let report = measure([Some(tested.engine), tested.other].into_iter().flatten(), plan, |_, _| {})?;
        let record = SpeedRecord::of(&report, &machine::model());
        let name = tested.other.filter(|_| tested.bisection.is_none()).map(|other| &*other.name);
        let mut judgement =
            match (report.judge(*tolerance, name.unwrap_or(tested.reference())), tested.bisection) {
                (Some(judgement), _) => judgement,
                (None, Some(_)) => Judgement::new(Verdict::Skipped, "too few positions for a comparison"),
                (None, None) => {
                    let known = tested.known.and_then(|known| known.speed.as_ref());
                    Judgement::new(Verdict::Same, record.text(known))
                }
            };
        if judgement.verdict == Verdict::CannotTell {
            let rounds = report.times_as_long(*tolerance).map(|times| times * f64::from(report.rounds));
            let advice = match (rounds, tested.bisection) {
                (Some(rounds), Some(_)) => format!("--rounds {}", rounds.ceil()),
                (None, Some(_)) => "another --max-slowdown".to_owned(),
                (Some(rounds), None) => {
                    let seconds = (plan.duration.as_secs_f64() * rounds).ceil();
                    format!("duration = \"{seconds}s\" in [speed]")
                }
                (None, None) => "another tolerance in [speed]".to_owned(),
            };
            judgement.details.push(format!("{advice} would tell"));
        }
        measured.speed = Some(record);
        if plan.go.is_none() && !report.limit.starts_with("go nodes") {
            judgement.details.push(format!("searches by `{}`", report.limit));
        }
        judgement.details.extend(report.warnings().iter().map(|doubt| format!("warning: {doubt}")));
        Ok(judgement)
    }
}
