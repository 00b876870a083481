//! The protocol as a step of `ci`, a criterion of `bisect` and a suggestion of `init`.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use serde::Deserialize;

use super::finding::Finding;
use super::{OTHERS, check_names, check_repeatedly, judge};
use crate::cli::OrExitCode;
use crate::engines::EngineSpec;
use crate::measure::measurement::{Measurement, Table, Tested};
use crate::measure::{Baseline, Judgement, MeasureError, TriedEngine};
use crate::text::junit::CaseOutcome;
use crate::text::{one_line, toml_text};

/// Checks that depend on the machine: they may pass here and fail in CI.
const OF_THE_MACHINE: [&str; 3] = ["go movetime", "go wtime btime", "go ponder"];

/// The findings that stand for the checks that are skipped.
const HOPELESS: [&str; 2] = ["handshake", OTHERS];

const MAY_FAIL: &str = "may_fail = [";

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProtocolTable {
    pub may_fail: Vec<String>,
}

impl Table for ProtocolTable {
    /// The checks that a bisection's good commit fails.
    type Record = Vec<String>;

    const CHECK: &str = "protocol";

    fn plan(self, _: &EngineSpec, _: bool) -> Result<Box<dyn Measurement>> {
        let names = check_names();
        match self.may_fail.iter().find(|name| !names.contains(&name.as_str())) {
            Some(name) => bail!(
                "protocol, may_fail: expected names of checks, found `{name}`; the checks are {}",
                names.join(", ")
            ),
            None => Ok(Box::new(self)),
        }
    }

    fn suggest(tried: &TriedEngine<'_>) -> String {
        let failed: Vec<&Finding> = tried.can.findings.iter().filter(|finding| finding.fails()).collect();
        if let Some(finding) = failed.iter().find(|finding| HOPELESS.contains(&finding.check)) {
            let why = one_line(&finding.outcome.sentence);
            return format!("# No [protocol]: {why}; see `arbiter check`.\n");
        }
        let mut text = format!("[protocol]\n# The last three depend on the machine.\n{MAY_FAIL}\n");
        for finding in failed.iter().filter(|finding| !OF_THE_MACHINE.contains(&finding.check)) {
            let why = one_line(&finding.outcome.sentence);
            let _ = writeln!(text, "    {}, # {why}", toml_text(finding.check));
        }
        for name in OF_THE_MACHINE {
            let _ = writeln!(text, "    {},", toml_text(name));
        }
        text + "]\n"
    }

    fn excused(table: &[String], failed: &Judgement) -> Option<Vec<String>> {
        let mut lines = table.to_vec();
        let at = 1 + lines.iter().position(|line| line == MAY_FAIL)?;
        let known = failed.checks.iter().filter_map(|check| match &check.outcome {
            CaseOutcome::Failed(reason) => Some(format!("    {:?}, # {}", check.name, one_line(reason))),
            _ => None,
        });
        lines.splice(at..at, known);
        Some(lines)
    }
}

impl Measurement for ProtocolTable {
    /// In a bisection, checks may fail that the good commit fails.
    fn judge(&mut self, tested: &Tested<'_>, measured: &mut Baseline) -> Result<Judgement, MeasureError> {
        if tested.bisection.is_some() {
            self.may_fail = tested.known.map(|known| known.protocol.clone()).unwrap_or_default();
        }
        let findings = check_repeatedly(tested.engine, &self.may_fail).fault()?;
        if tested.bisection.is_some() && tested.known.is_none() {
            let failed = findings.iter().filter(|finding| finding.fails());
            self.may_fail = failed.map(|finding| finding.check.to_owned()).collect();
            measured.protocol.clone_from(&self.may_fail);
        }
        let why =
            if tested.bisection.is_some() { "as for the good commit" } else { "but allowed by may_fail" };
        Ok(judge(&findings, &self.may_fail, why))
    }
}
