//! Perft as a step of `ci`, a criterion of `bisect` and a suggestion of `init`.

use std::fmt::Write as _;

use anyhow::{Context, Result, anyhow, bail};

use super::engine_counter::EngineCounter;
use super::measurement::{PerftRecord, PerftSettings, PerftTest, judge};
use super::move_counter::MoveCounter;
use crate::cli::CliError;
use crate::engines::EngineSpec;
use crate::measure::measurement::{
    BaselineChange, Measurement, Table, Tested, check_above_zero, check_suites,
};
use crate::measure::{Baseline, Judgement, MeasureError, TriedEngine};
use crate::text::junit::CaseOutcome;
use crate::text::number_text::thousands;
use crate::text::one_line;
use referee::Variant;
use runner::EngineConfig;

impl Table for PerftSettings {
    type Record = Vec<PerftRecord>;

    const CHECK: &str = "counts";

    fn plan(self, _: &EngineSpec, _: bool) -> Result<Box<dyn Measurement>> {
        check_above_zero("perft, depth", self.depth)?;
        Ok(Box::new(self.read().context("perft")?))
    }

    fn suggest(tried: &TriedEngine<'_>) -> String {
        /// The nodes that the suites count to all depths, and to depth 4.
        const ALL: f64 = 460e6;
        const SOME: f64 = 30e6;
        const SECONDS: f64 = 30.0;
        let perft = match &tried.can.perft {
            Ok(perft) => perft,
            Err(why) => return format!("# No [perft]: {}.\n", one_line(why)),
        };
        let mut text = String::new();
        if !perft.is_right {
            text += "# Some counts are wrong; `arbiter perft` shows where.\n";
        }
        if !tried.can.has_chess960 {
            text += "# The Chess960 suites are skipped, because the engine has no option UCI_Chess960.\n";
        }
        let less = match perft.nodes_per_second * SECONDS {
            ALL.. => "",
            SOME.. => "depth = 4\n",
            1e6.. => "suites = [\"smirf.epd\"]\ndepth = 3\n",
            _ => "suites = [\"smirf.epd\"]\ndepth = 2\n",
        };
        if !less.is_empty() {
            let speed = thousands(perft.nodes_per_second as u64);
            let _ = writeln!(
                text,
                "# At {speed} nodes per second, all suites to all depths would take too long."
            );
        }
        format!("{text}[perft]\n{less}")
    }

    /// Leaves out the suites that failed, unless all did.
    fn excused(table: &[String], failed: &Judgement) -> Option<Vec<String>> {
        let passed = failed.checks.iter().filter(|check| check.outcome == CaseOutcome::Passed);
        let passed: Vec<String> = passed.map(|check| format!("{:?}", check.name)).collect();
        let (title, others) = table.split_first().filter(|_| !passed.is_empty())?;
        let new = [
            format!("# Suites with wrong counts are left out: {}", failed.reason()),
            title.clone(),
            format!("suites = [{}]", passed.join(", ")),
        ];
        let kept = others.iter().filter(|line| !line.starts_with("suites = "));
        Some(new.into_iter().chain(kept.cloned()).collect())
    }

    fn changes(before: &Vec<PerftRecord>, now: &Vec<PerftRecord>) -> Vec<BaselineChange> {
        let text = |record: &PerftRecord| format!("{} nodes", thousands(record.nodes));
        let name = |record: &PerftRecord| format!("perft {}", record.suite);
        BaselineChange::of_suites([before, now], name, text, |_, now| Some(text(now)))
    }
}

impl Measurement for PerftTest {
    fn suites(&self) -> Vec<[&str; 2]> {
        self.suites.iter().map(|suite| [&*suite.name, &*suite.sha256]).collect()
    }

    fn check_known(&self, known: &Baseline) -> Result<()> {
        let known = known.perft.iter().map(|record| [&record.suite, &record.sha256]);
        check_suites("perft", &self.suites(), known)
    }

    /// An engine without Chess960 skips Chess960 suites; it is an error to name one.
    fn check_engine(&mut self, engine: &EngineConfig, advice: &str) -> Result<()> {
        let mut counter = EngineCounter::start(engine, self.form.clone())?;
        counter.probe().map_err(|error| anyhow!("perft: {error}{advice}"))?;
        *self = self.clone().without_what_is_skipped(&counter);
        if !counter.plays(Variant::Chess960)
            && let Some(suite) = self.suites.iter().find(|suite| suite.has_chess960())
        {
            let (suite, engine) = (&suite.name, &engine.name);
            bail!("perft, suites: {suite} is of Chess960; engine {engine} has no option UCI_Chess960");
        }
        Ok(())
    }

    /// Counts every position of the suites and records the suites without errors. A bisection ends at the first error.
    fn judge(&mut self, tested: &Tested<'_>, measured: &mut Baseline) -> Result<Judgement, MeasureError> {
        let is_bisected = tested.bisection.is_some();
        let mut counter = EngineCounter::start(tested.engine, self.form.clone())?;
        let counts = match self.measure(&mut counter, is_bisected) {
            Err(error @ MeasureError::EngineFault(_)) => return Ok(error.judgement(PerftSettings::CHECK)?),
            counts => counts?,
        };
        let mut wrong = counts.iter().flat_map(|suite| &suite.wrong);
        let of_suite = wrong.find(|wrong| is_bisected && wrong.mismatch.difference.is_none());
        if let Some(of_suite) = of_suite {
            return Err(CliError::Usage(anyhow!(of_suite.text())).into());
        }
        let correct = counts.iter().filter(|suite| suite.wrong.is_empty());
        measured.perft.extend(correct.map(|suite| suite.record.clone()));
        let mut judgement = judge(&counts);
        if is_bisected {
            judgement.details.extend(self.skipped());
        } else {
            self.note_skipped(&tested.engine.name);
        }
        Ok(judgement)
    }
}
