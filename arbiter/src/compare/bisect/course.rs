//! The course of a bisection, from the first test to the report, and its state.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::bisection::{BisectStep, Bisection, CommitMark};
use super::criterion::Criterion;
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines::{self, Commit, Manifest, Repository};
use crate::files::{StateFile, write_whole};
use crate::measure::{Baseline, Judgement};
use crate::options::ConclusionArgs;
use crate::report::verdict::Verdict;
use crate::run::Series;
use crate::text::number_text::counted;
use runner::EngineConfig;

/// `bisect.toml`: the whole bisection, written after every test, so that an interrupted bisection continues without
/// testing a commit again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BisectState {
    pub schema: u32,
    pub command: Vec<String>,
    pub engine: String,
    pub good: Commit,
    pub criterion: Criterion,
    /// The measurements of the good commit, which the others are compared with.
    #[serde(rename = "reference", default)]
    pub baseline: Baseline,
    /// The commits after the good one, up to the bad one.
    #[serde(rename = "commit")]
    pub commits: Vec<Commit>,
    /// The commit before the first of `commits`, if they are a branch that a bad merge brought in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Commit>,
    #[serde(rename = "test", default)]
    pub tests: Vec<TestedCommit>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestedCommit {
    pub commit: String,
    #[serde(rename = "verdict")]
    pub mark: CommitMark,
    pub evidence: String,
    pub at: Timestamp,
}

impl StateFile for BisectState {
    const SCHEMA: u32 = 2;
    const FILE: &str = "bisect.toml";
}

impl BisectState {
    pub fn test_of(&self, commit: &Commit) -> Option<&TestedCommit> {
        self.tests.iter().find(|test| test.commit == commit.hash)
    }

    pub fn bisection(&self) -> Bisection {
        let mut bisection = Bisection::new(self.commits.len());
        for (index, commit) in self.commits.iter().enumerate() {
            if let Some(test) = self.test_of(commit) {
                bisection.record(index, test.mark);
            }
        }
        bisection
    }
}

const REPORT_FILE: &str = "report.txt";

struct BisectRun<'a> {
    folder: &'a Path,
    state: BisectState,
    manifest: Manifest,
    repository: Repository,
    good: EngineConfig,
    series: Series,
}

pub fn run(folder: &Path, state: BisectState) -> CliResult {
    let (manifest, repository) = engines::versioned(&state.engine).usage()?;
    let announce = &mut console::announce_build;
    let good = engines::of_commit(&state.engine, &manifest, &repository, &state.good, announce).usage()?;
    let series = Series::begin(folder, ConclusionArgs::default()).fault()?;
    let mut bisect = BisectRun { folder, state, manifest, repository, good, series };
    if !bisect.check_good_and_bad()? {
        return Ok(bisect.series.interrupted());
    }
    loop {
        match bisect.state.bisection().step() {
            BisectStep::Test(index) => {
                let commit = bisect.state.commits[index].clone();
                if bisect.test(&commit)?.is_none() {
                    return Ok(bisect.series.interrupted());
                }
            }
            BisectStep::OneOf(suspects) => match &suspects[..] {
                [first_bad] => match bisect.enter_merge(*first_bad)? {
                    None => return Ok(bisect.series.interrupted()),
                    Some(true) => {}
                    Some(false) => return bisect.conclude(&suspects),
                },
                _ => return bisect.conclude(&suspects),
            },
        }
    }
}

impl BisectRun<'_> {
    fn check_good_and_bad(&mut self) -> Result<bool, CliError> {
        let (good, bad) = (self.state.good.clone(), self.state.commits[self.state.commits.len() - 1].clone());
        for (commit, expected, option) in
            [(good, CommitMark::Good, "--good"), (bad, CommitMark::Bad, "--bad")]
        {
            let Some(TestedCommit { mark, evidence, .. }) = self.test(&commit)? else { return Ok(false) };
            if mark != expected {
                let found = match mark {
                    CommitMark::Skipped => "cannot be tested".to_owned(),
                    CommitMark::Good | CommitMark::Bad => format!("is {mark}"),
                };
                return Err(CliError::Usage(anyhow!(
                    "{option} {}: expected a {expected} commit, but it {found} by {}: {evidence}",
                    commit.short_hash(),
                    self.state.criterion.name()
                )));
            }
        }
        Ok(true)
    }

    /// Tests a commit, or returns its earlier test. `None` if the user interrupts.
    fn test(&mut self, commit: &Commit) -> Result<Option<TestedCommit>, CliError> {
        if let Some(test) = self.state.test_of(commit) {
            return Ok(Some(test.clone()));
        }
        let announce = &mut console::announce_build;
        let built =
            engines::of_commit(&self.state.engine, &self.manifest, &self.repository, commit, announce);
        let (judgement, measured) = match built {
            Ok(engine) => {
                let good = (&self.good, &self.state.baseline);
                let judged = self.state.criterion.judge(&engine, good, self.folder, &self.series)?;
                let Some(judged) = judged else { return Ok(None) };
                judged
            }
            Err(error) => {
                let failed = format!("the build failed: {error:#}");
                (Judgement::new(Verdict::Skipped, failed), Baseline::default())
            }
        };
        if *commit == self.state.good {
            self.state.baseline = measured;
        }
        self.record(commit, &judgement).map(Some)
    }

    /// Continues in the branch that a bad merge brought in, if the branch starts at a good commit. Returns whether there is
    /// more to test; `None` if the user interrupts.
    fn enter_merge(&mut self, index: usize) -> Result<Option<bool>, CliError> {
        let merge = self.state.commits[index].clone();
        let Some((base, mut branch)) = self.branch_of(&merge).usage()? else { return Ok(Some(false)) };
        // Nothing is left to test in the branch.
        if branch.is_empty()
            || index.checked_sub(1).map(|before| &self.state.commits[before]) == branch.last()
        {
            return Ok(Some(false));
        }
        let Some(test) = self.test(&base)? else { return Ok(None) };
        if test.mark != CommitMark::Good {
            return Ok(Some(false));
        }
        let (name, commits) = (merge.short_hash(), counted(branch.len() as u64, "commit"));
        console::note(&format!(
            "{name} is a merge; going on in its branch: {commits} after {}",
            base.short_hash()
        ));
        branch.push(merge);
        (self.state.commits, self.state.base) = (branch, Some(base));
        self.state.write(self.folder).fault()?;
        Ok(Some(true))
    }

    /// The merge base and the commits of a merged branch; `None` if the commit is no merge or has no merge base.
    fn branch_of(&self, merge: &Commit) -> Result<Option<(Commit, Vec<Commit>)>> {
        if !self.repository.is_merge(merge)? {
            return Ok(None);
        }
        let [first, second] =
            [1, 2].map(|parent| self.repository.commit(&format!("{}^{parent}", merge.hash)));
        let (first, second) = (first?, second?);
        let Some(base) = self.repository.merge_base(&first, &second)? else { return Ok(None) };
        let branch = self.repository.first_parents(&base, &second)?;
        Ok(Some((base, branch)))
    }

    fn record(&mut self, commit: &Commit, judgement: &Judgement) -> Result<TestedCommit, CliError> {
        let (mark, evidence) = (judgement.verdict.into(), judgement.text());
        let test = TestedCommit { commit: commit.hash.clone(), mark, evidence, at: runner::now() };
        self.state.tests.push(test.clone());
        self.state.write(self.folder).fault()?;
        // A closed pipe does not stop the bisection; its state is in the folder.
        let _ = writeln!(
            stdout(),
            "  {}  {:<7} {}\n           {}\n           {} left",
            commit.short_hash(),
            mark.to_string(),
            commit.subject,
            first_line(&test.evidence),
            counted(self.state.bisection().suspects() as u64, "suspect")
        );
        Ok(test)
    }

    fn conclude(&self, suspects: &[usize]) -> CliResult {
        let text = self.report(suspects).usage()?;
        let file = self.folder.join(REPORT_FILE);
        write_whole(&file, &text).fault()?;
        let _ = write!(stdout(), "\n{text}\n  saved in {}\n", self.folder.display());
        Ok(if suspects.len() == 1 { ExitCode::Done } else { ExitCode::Inconclusive })
    }

    fn report(&self, suspects: &[usize]) -> Result<String> {
        let criterion = self.state.criterion.name();
        let (last, untested) = suspects.split_last().unwrap_or((&0, &[]));
        let bad = &self.state.commits[*last];
        let mut paragraphs = vec![if untested.is_empty() {
            format!("  {} is the first bad commit by {criterion}\n", bad.hash)
        } else {
            format!(
                "  the first bad commit by {criterion} is one of these {}; only the last one could be tested\n",
                suspects.len()
            )
        }];
        paragraphs.extend(suspects.iter().map(|index| self.described(&self.state.commits[*index])));
        if let Some((base, branch)) = self.branch_of(bad)? {
            let tip = branch.last().and_then(|tip| self.state.test_of(tip));
            let is_good = tip.is_some_and(|test| test.mark == CommitMark::Good);
            paragraphs.push(if is_good {
                "    This commit is a merge of two lines, each of which is good by itself\n".to_owned()
            } else {
                format!(
                    "    This commit is a merge, tested as one change: its branch began at {}, which is not good by {criterion}\n",
                    base.short_hash()
                )
            });
        }
        let before = suspects.first().and_then(|first| first.checked_sub(1));
        let first = self.state.base.as_ref().unwrap_or(&self.state.good);
        let good = before.map_or(first, |index| &self.state.commits[index]);
        paragraphs.push(format!("\n  the last good commit before it\n{}", self.described(good)));
        let skipped = self.state.tests.iter().filter(|test| test.mark == CommitMark::Skipped).count();
        let tested = counted((self.state.tests.len() - skipped) as u64, "commit");
        let skipped = if skipped > 0 { format!("; {skipped} skipped") } else { String::new() };
        paragraphs.push(format!("\n  {tested} tested{skipped}\n"));
        Ok(paragraphs.concat())
    }

    fn described(&self, commit: &Commit) -> String {
        let date = commit.date.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M");
        let test = self.state.test_of(commit);
        let word = test.map_or_else(|| "not tested".to_owned(), |test| test.mark.to_string());
        let evidence = test.map_or("", |test| first_line(&test.evidence));
        format!(
            "    {}  {}\n             {}, {date}\n             {word}: {evidence}\n",
            commit.short_hash(),
            commit.subject,
            commit.author
        )
    }
}

/// Only the first line; the state file has the whole text, such as the end of a build log.
fn first_line(evidence: &str) -> &str {
    evidence.lines().next().unwrap_or_default()
}
