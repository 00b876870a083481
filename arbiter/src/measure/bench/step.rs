//! The bench as a step of `ci`, a criterion of `bisect` and a suggestion of `init`.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;

use super::{
    BASELINE, BenchRecord, COMMIT_MESSAGE, GOOD_COMMIT, NumberPattern, PROGRAM, by_argument, by_shell,
    by_uci, quoted,
};
use crate::cli::CliError;
use crate::engines::{EngineSpec, output_of_git};
use crate::measure::check::{CheckVerdict, check_same_twice};
use crate::measure::engine_features::Bench;
use crate::measure::measurement::{BaselineChange, Measurement, Parsed, Table, Tested};
use crate::measure::{Baseline, Judgement, MeasureError, TriedEngine};
use crate::report::verdict::Verdict;
use crate::text::number_text::thousands;
use crate::text::{one_line, toml_text};
use runner::duration_text;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchTable {
    /// A shell command that runs the bench; `{engine}` stands for the program.
    pub command: Option<String>,
    /// Instead of a command, a line that is sent to the engine over UCI.
    pub uci: Option<String>,
    pub nodes: Parsed<NumberPattern>,
    /// A regular expression for the bench in a commit message.
    pub commit_pattern: Option<Parsed<NumberPattern>>,
    #[serde(default = "ten_minutes", with = "duration_text")]
    pub timeout: Duration,
}

fn ten_minutes() -> Duration {
    Duration::from_mins(10)
}

impl Table for BenchTable {
    type Record = Option<BenchRecord>;

    const CHECK: &str = "bench nodes";

    fn plan(self, _: &EngineSpec, is_other: bool) -> Result<Box<dyn Measurement>> {
        match (&self.command, &self.uci) {
            (Some(_), Some(_)) => bail!("bench: expected either `command` or `uci`, found both"),
            (None, None) => bail!("bench: expected `command` or `uci`, which runs the bench"),
            (Some(command), None) if is_other && !command.contains(PROGRAM) => bail!(
                "bench, command: expected `{PROGRAM}` in the command, because --engine names another program"
            ),
            _ => Ok(Box::new(BenchStep(Some(self)))),
        }
    }

    fn suggest(tried: &TriedEngine<'_>) -> String {
        let Bench { key, value, nodes, measured, stated } = match &tried.can.bench {
            Ok(bench) => bench,
            Err(why) => {
                let why = one_line(why);
                return format!("# No [bench]: {why}. A bench shows every change of the search at once.\n");
            }
        };
        let (value, nodes) = (toml_text(value), toml_text(nodes));
        let mut text = format!("[bench]\n{key:<7} = {value}\nnodes   = {nodes}\n");
        if let Some((pattern, number)) = stated {
            let mark = if number == measured {
                text += "# The newest commit message that states a bench has the same number.\n";
                ""
            } else {
                let (number, measured) = (thousands(*number), thousands(*measured));
                let _ = writeln!(
                    text,
                    "# The newest commit message that states a bench has {number}, this build {measured}. If they should agree:"
                );
                "# "
            };
            let _ = writeln!(text, "{mark}commit_pattern = {}", toml_text(pattern));
        }
        text
    }

    fn changes(before: &Option<BenchRecord>, now: &Option<BenchRecord>) -> Vec<BaselineChange> {
        let nodes = |record: &BenchRecord| thousands(record.nodes);
        let change = BaselineChange::new("bench nodes", before.as_ref().map(nodes), now.as_ref().map(nodes));
        change.into_iter().collect()
    }
}

/// The bench of the table, or `PROGRAM bench` without one.
#[derive(Debug)]
pub struct BenchStep(pub Option<BenchTable>);

impl BenchStep {
    fn measure(&self, Tested { engine, folder, .. }: &Tested<'_>) -> Result<BenchRecord, MeasureError> {
        let timeout = self.0.as_ref().map_or_else(ten_minutes, |table| table.timeout);
        let nodes = match &self.0 {
            None => by_argument(engine, &folder.join("bench.log"), timeout),
            Some(BenchTable { command: Some(command), nodes, .. }) => {
                let program = std::path::absolute(&engine.program);
                let program = program.with_context(|| engine.program.display().to_string())?;
                let command = command.replace(PROGRAM, &quoted(&program.to_string_lossy()));
                by_shell(&command, &nodes.0, timeout)
            }
            Some(BenchTable { uci, nodes, .. }) => {
                by_uci(engine, uci.as_deref().unwrap_or_default(), &nodes.0, timeout)
            }
        };
        nodes.map(|nodes| BenchRecord { nodes })
    }

    /// Measures once more. Returns a warning if the result differs: such a bench is no signature of the search.
    fn differs_again(&self, tested: &Tested<'_>, first: BenchRecord) -> Result<Option<String>, MeasureError> {
        let second = self.measure(tested)?;
        if first == second {
            return Ok(None);
        }
        let difference = check_same_twice(tested.engine).ok();
        let difference = difference.filter(|outcome| outcome.verdict == CheckVerdict::Warn);
        let cause = difference.map(|outcome| format!("; {}", outcome.text())).unwrap_or_default();
        Ok(Some(format!("two runs of this build have {} and {}{cause}", first.text(), second.text())))
    }

    /// The bench of the newest commit message that states one.
    fn stated(&self, tested: &Tested<'_>) -> Option<u64> {
        let pattern = self.0.as_ref()?.commit_pattern.as_ref()?;
        pattern.0.first_in(&output_of_git(tested.repository?, &["log", "--format=%B"])?)
    }
}

impl Measurement for BenchStep {
    /// Compares the nodes with the newest commit message that states a bench, or with what is known if none does. The bench
    /// of a bisection's good commit is run twice.
    fn judge(&mut self, tested: &Tested<'_>, measured: &mut Baseline) -> Result<Judgement, MeasureError> {
        let is_bisected = tested.bisection.is_some();
        let record = self.measure(tested)?;
        measured.bench = Some(record);
        let known = tested.known.and_then(|known| known.bench).map(|bench| bench.nodes);
        let source = if is_bisected { GOOD_COMMIT } else { BASELINE };
        let stated = self.stated(tested).map(|nodes| (nodes, COMMIT_MESSAGE));
        let mut judgement = record.judge(stated.or_else(|| Some((known?, source))));
        let is_doubtful = if is_bisected { known.is_none() } else { judgement.verdict == Verdict::Worse };
        if is_doubtful && let Some(difference) = self.differs_again(tested, record)? {
            if is_bisected {
                return Err(CliError::Usage(anyhow!(
                    "--by bench: expected the same bench in two runs of the good build, but {difference}"
                ))
                .into());
            }
            judgement.details = vec![difference];
        }
        Ok(judgement)
    }
}
