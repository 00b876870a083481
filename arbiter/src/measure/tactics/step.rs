//! Tactics as a step of `ci`, a criterion of `bisect` and a suggestion of `init`.

use std::fs::File;

use anyhow::{Context, Result, anyhow, bail};

use super::command::TacticsRow;
use super::measurement::{TacticsRecord, TacticsSettings, TacticsTest};
use crate::cli::OrExitCode;
use crate::engines::EngineSpec;
use crate::measure::measurement::{
    BaselineChange, Measurement, Table, Tested, check_above_zero, check_suites,
};
use crate::measure::{Baseline, Judgement, MeasureError, TriedEngine};
use crate::text::CsvRows;

impl Table for TacticsSettings {
    type Record = Vec<TacticsRecord>;

    const CHECK: &str = "searches";

    fn plan(self, _: &EngineSpec, _: bool) -> Result<Box<dyn Measurement>> {
        check_above_zero("tactics, concurrency", self.concurrency)?;
        self.limits().validate().context("tactics")?;
        Ok(Box::new(self.read().context("tactics, suites")?))
    }

    fn suggest(TriedEngine { can, .. }: &TriedEngine<'_>) -> String {
        let limit = match (can.nodes_in_a_part(5), can.depth) {
            (Some(nodes), _) => format!("nodes  = {nodes}"),
            (None, Some(depth)) => format!("depth  = {depth}  # it does not keep `go nodes`"),
            (None, None) if !can.keeps_time => {
                return "# No [tactics]: it keeps none of `go nodes`, `go depth` and `go movetime`.\n"
                    .to_owned();
            }
            (None, None) => {
                "movetime = \"200ms\"  # it does not keep `go nodes`, so the result depends on the machine"
                    .to_owned()
            }
        };
        format!(
            "# 86 positions. What the baseline solves should stay solved.\n[tactics]\nsuites = [\"classics.epd\"]\n{limit}\n"
        )
    }

    fn changes(before: &Vec<TacticsRecord>, now: &Vec<TacticsRecord>) -> Vec<BaselineChange> {
        let name = |record: &TacticsRecord| format!("tactics {}", record.suite);
        let text = |record: &TacticsRecord| format!("{}/{} solved", record.solved.len(), record.positions);
        BaselineChange::of_suites([before, now], name, text, |known, now| {
            let differences = if known.limit != now.limit {
                format!(": with `{}` instead of `{}`, not compared", now.limit, known.limit)
            } else if known.sha256 != now.sha256 {
                ": of another suite, not compared".to_owned()
            } else if known.solved == now.solved {
                return None;
            } else {
                differences(known, now)
            };
            Some(text(now) + &differences)
        })
    }
}

impl Measurement for TacticsTest {
    fn suites(&self) -> Vec<[&str; 2]> {
        self.suites.iter().map(|suite| [&*suite.name, &*suite.sha256]).collect()
    }

    fn check_known(&self, known: &Baseline) -> Result<()> {
        let suites = known.tactics.iter().map(|record| [&record.suite, &record.sha256]);
        check_suites("tactics", &self.suites(), suites)?;
        let limit = self.go.to_string();
        let is_tested = |record: &&TacticsRecord| self.suites.iter().any(|suite| suite.name == record.suite);
        if let Some(TacticsRecord { suite, limit: expected, .. }) =
            known.tactics.iter().filter(is_tested).find(|record| record.limit != limit)
        {
            bail!(
                "tactics, suite {suite}: expected the limit `{expected}`, found `{limit}`; the limit has changed since the \
                 baseline: write a new baseline with `arbiter ci --update-baseline`, or use the old limit"
            );
        }
        Ok(())
    }

    /// In `ci`, a position that the engine does not answer is a fault, and the results go to `tactics.csv`.
    fn judge(&mut self, tested: &Tested<'_>, measured: &mut Baseline) -> Result<Judgement, MeasureError> {
        let (mut fault, mut written, mut csv) = (None, Ok(()), None);
        if tested.bisection.is_none() {
            let file = tested.folder.join("tactics.csv");
            let file = File::create(&file).with_context(|| file.display().to_string());
            csv = Some(CsvRows::new(file.fault()?));
        }
        let mut solved = self.measure(tested.engine, |suite, position, result| {
            let Some(csv) = &mut csv else { return };
            if let Err(error) = result {
                // Only the first fault is reported.
                fault.get_or_insert_with(|| {
                    anyhow!("{} ({}:{}): {error}", position.id, suite.name, position.line)
                });
            }
            if written.is_ok() {
                let found = (&*suite.name, position, result.as_ref().ok());
                written = csv.write(TacticsRow::new(&tested.engine.name, found));
            }
        })?;
        written.fault()?;
        measured.tactics = solved.records();
        fault.map_or(Ok(()), |fault| Err(MeasureError::EngineFault(fault)))?;
        let known = solved.marks_of(tested.known.map_or(&[], |known| &known.tactics));
        solved.search_again(tested.engine, &known)?;
        Ok(solved.judge(&known, tested.reference()))
    }
}

/// The positions lost and gained, such as `: lost a; gained 2`.
fn differences(before: &TacticsRecord, now: &TacticsRecord) -> String {
    let only = |one: &TacticsRecord, other: &TacticsRecord| -> Vec<String> {
        one.solved.iter().filter(|id| !other.solved.contains(id)).cloned().collect()
    };
    // The table has no room for several names; the step lists them.
    let named = |word: &str, names: &[String]| match names {
        [] => None,
        [name] => Some(format!("{word} {name}")),
        names => Some(format!("{word} {}", names.len())),
    };
    let both = [named("lost", &only(before, now)), named("gained", &only(now, before))];
    let both: Vec<String> = both.into_iter().flatten().collect();
    if both.is_empty() { String::new() } else { format!(": {}", both.join("; ")) }
}
