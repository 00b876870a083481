//! A run of the bisection, from its first test to its report.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::bisect_state::{BisectState, TestedCommit};
use super::bisection::{Step, Verdict};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stdout};
use crate::engines;
use crate::engines::{Commit, Manifest, Repository};
use crate::files::write_whole;
use crate::judge::bisect::criterion::{Reference, TestResult, TestedBuild};
use crate::options::ConclusionArgs;
use crate::run::Series;
use crate::text::number_text::counted;
use runner::EngineConfig;

/// The file of the report, in the folder of the bisection.
const REPORT_FILE: &str = "report.txt";

struct BisectRun<'a> {
    folder: &'a Path,
    state: BisectState,
    manifest: Manifest,
    repository: Repository,
    good: EngineConfig,
    series: Series,
}

/// Continues the bisection from `state`, and writes the state to `folder` after every test.
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
            Step::Test(index) => {
                let commit = bisect.state.commits[index].clone();
                if bisect.test(&commit)?.is_none() {
                    return Ok(bisect.series.interrupted());
                }
            }
            Step::FirstBad(index) => return bisect.conclude(&[index]),
            Step::OneOf(suspects) => return bisect.conclude(&suspects),
        }
    }
}

impl BisectRun<'_> {
    /// Tests the commits of --good and --bad. Returns `false` if the user interrupts.
    fn check_good_and_bad(&mut self) -> Result<bool, CliError> {
        let (good, bad) = (self.state.good.clone(), self.state.commits[self.state.commits.len() - 1].clone());
        for (commit, expected, option) in [(good, Verdict::Good, "--good"), (bad, Verdict::Bad, "--bad")] {
            let Some(TestedCommit { verdict, evidence, .. }) = self.test(&commit)? else { return Ok(false) };
            if verdict != expected {
                let found = match verdict {
                    Verdict::Good => "is good",
                    Verdict::Bad => "is bad",
                    Verdict::Skipped => "cannot be tested",
                };
                return Err(CliError::Usage(anyhow!(
                    "{option} {}: expected a {} commit, but it {} by {}: {evidence}",
                    commit.short_hash(),
                    word(expected),
                    found,
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
        let result = match built {
            Ok(engine) => {
                let build = TestedBuild {
                    engine: &engine,
                    good: &self.good,
                    reference: &self.state.reference,
                    folder: self.folder,
                };
                let Some(result) = self.state.criterion.judge(&build, &self.series)? else {
                    return Ok(None);
                };
                result
            }
            Err(error) => TestResult {
                verdict: Verdict::Skipped,
                evidence: format!("the build failed: {error:#}"),
                measured: Reference::default(),
            },
        };
        self.record(commit, result).map(Some)
    }

    fn record(&mut self, commit: &Commit, result: TestResult) -> Result<TestedCommit, CliError> {
        let TestResult { verdict, evidence, measured } = result;
        if *commit == self.state.good {
            self.state.reference = measured;
        }
        let test = TestedCommit { commit: commit.hash.clone(), verdict, evidence, at: Timestamp::now() };
        self.state.tests.push(test.clone());
        self.state.write(self.folder).fault()?;
        // A closed pipe does not stop the bisection; everything is in the folder.
        let _ = writeln!(
            stdout(),
            "  {}  {:<7} {}\n           {}\n           {} left",
            commit.short_hash(),
            word(verdict),
            commit.subject,
            first_line(&test.evidence),
            counted(self.state.bisection().suspects() as u64, "suspect")
        );
        Ok(test)
    }

    /// Writes the report: the first bad commit, or the commits of which one is the first bad one.
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
        if self.repository.is_merge(bad)? {
            paragraphs.push(format!(
                "    This commit is a merge, which was tested as one change; to bisect the merged branch, use --bad {}^2\n",
                bad.short_hash()
            ));
        }
        let before = suspects.first().and_then(|first| first.checked_sub(1));
        let good = before.map_or(&self.state.good, |index| &self.state.commits[index]);
        paragraphs.push(format!("\n  the last good commit before it\n{}", self.described(good)));
        let skipped = self.state.tests.iter().filter(|test| test.verdict == Verdict::Skipped).count();
        let (tested, total) = (self.state.tests.len() - skipped, self.state.commits.len() + 1);
        let skipped = if skipped > 0 { format!("; {skipped} skipped") } else { String::new() };
        paragraphs.push(format!("\n  {tested} of {total} commits tested (first parents only){skipped}\n"));
        Ok(paragraphs.concat())
    }

    /// A commit with its author, its date and its verdict.
    fn described(&self, commit: &Commit) -> String {
        let date = commit.date.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M");
        let test = self.state.test_of(commit);
        let (word, evidence) =
            test.map_or(("not tested", ""), |test| (word(test.verdict), first_line(&test.evidence)));
        format!(
            "    {}  {}\n             {}, {date}\n             {word}: {evidence}\n",
            commit.short_hash(),
            commit.subject,
            commit.author
        )
    }
}

const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Good => "good",
        Verdict::Bad => "bad",
        Verdict::Skipped => "skipped",
    }
}

/// The first line only: the state has the whole text, such as the end of a build log.
fn first_line(evidence: &str) -> &str {
    evidence.lines().next().unwrap_or_default()
}
