//! The state of a test on the site, and our estimates from its counts.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::site::Site;
use super::workload::{MachineResult, Workload};
use crate::rating::sprt::{MatchResults, SprtReport};
use crate::report::verdict::match_verdict;
use crate::text::number_text::{
    TOO_FEW, counted, elo_to, llr_bounds, llr_value, plain_minus, ptnml, thousands, wdl,
};
use crate::text::{Document, Fact, Line, Tone, labelled};
use stats::{Observations, Pentanomial, Sprt, SprtModel, Wdl};

/// A test's state and estimates. In JSON, `schema` changes when a field changes its meaning or is removed; `result` is
/// the output of `arbiter sprt --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TestState {
    schema: u32,
    pub(super) test: u64,
    pub(super) url: String,
    pub(super) phase: TestPhase,
    pub(super) author: String,
    commits: [String; 2],
    limits: [String; 2],
    options: [String; 2],
    networks: [String; 2],
    book: String,
    /// Number of games to play, in a test without an SPRT.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_games: Option<u64>,
    crashes: u64,
    time_losses: u64,
    error: bool,
    machines: usize,
    pub(super) result: SprtReport,
}

labelled! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub(super) enum TestPhase {
        Pending = "waiting for approval",
        Running = "running",
        /// The site accepted H1, or all games were played and the new engine is not behind.
        Passed = "passed",
        /// The site accepted H0, or all games were played and the new engine is behind.
        Failed = "failed",
        Stopped = "stopped",
        Deleted = "deleted",
    }
}

impl TestState {
    /// Asks the site for tests. The entry of a test is an error if the site does not know its number, or if the number
    /// belongs to a tune or to data generation.
    pub(super) fn fetch(site: &Site, tests: &[u64]) -> Result<Vec<Result<TestState>>> {
        let paths = |path: fn(u64) -> String| tests.iter().copied().map(path).collect::<Vec<_>>();
        let workloads: Vec<Result<Workload>> = site.fetch_values(&paths(Workload::path), "info")?;
        let results: Vec<Result<Vec<MachineResult>>> =
            site.fetch_values(&paths(Workload::results_path), "results")?;
        let state = |(workload, machines): (Result<Workload>, Result<Vec<MachineResult>>)| {
            TestState::of(site, &workload?, &machines?)
        };
        Ok(workloads.into_iter().zip(results).map(state).collect())
    }

    pub(super) fn of(site: &Site, workload: &Workload, machines: &[MachineResult]) -> Result<TestState> {
        let Workload { id, test_mode, .. } = workload;
        let sprt = match test_mode.as_str() {
            "GAMES" => None,
            // Tests that count single games had bounds in BayesElo.
            "SPRT" if workload.use_tri => None,
            "SPRT" => {
                let Workload { elolower, eloupper, alpha, beta, .. } = *workload;
                let sprt = Sprt::new(elolower, eloupper, alpha, beta, SprtModel::Normalized);
                Some(sprt.with_context(|| format!("test {id} of the site"))?)
            }
            other => bail!("workload {id}: expected a test (SPRT or GAMES), found {other}"),
        };
        let [losses, draws, wins] = workload.tri;
        let wdl = Wdl::new(wins, draws, losses);
        let pairs = Pentanomial::new(workload.penta);
        let [dev, base] = workload.players();
        let results = MatchResults {
            engine: Some(dev),
            opponents: vec![base],
            wdl: Some(wdl),
            unpaired: if workload.use_tri { 0 } else { wdl.games().saturating_sub(2 * pairs.pairs()) },
            ..MatchResults::of_counts(if workload.use_tri {
                Observations::Games(wdl)
            } else {
                Observations::Pairs(pairs)
            })
        };
        let both = |dev: &String, base: &String| [dev.clone(), base.clone()];
        Ok(TestState {
            schema: 1,
            test: *id,
            url: site.test_address(*id),
            phase: TestPhase::of(workload),
            author: workload.author.clone(),
            commits: both(&workload.dev.sha, &workload.base.sha),
            limits: both(&workload.dev_time_control, &workload.base_time_control),
            options: both(&workload.dev_options, &workload.base_options),
            networks: both(&workload.dev_netname, &workload.base_netname),
            book: workload.book_name.clone(),
            max_games: (test_mode == "GAMES").then_some(workload.max_games),
            crashes: machines.iter().map(|machine| machine.crashes).sum(),
            time_losses: machines.iter().map(|machine| machine.time_losses).sum(),
            error: workload.error,
            machines: machines.iter().filter(|machine| machine.active).count(),
            result: SprtReport::new(results, sprt.as_ref(), None),
        })
    }

    pub(super) fn settings(&self) -> String {
        let both = |pair: &[String; 2]| match pair {
            [dev, base] if dev == base => dev.clone(),
            [dev, base] => format!("{dev} vs {base}"),
        };
        let networks = both(&self.networks);
        let parts = [both(&self.limits), both(&self.options), networks, self.book.clone()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// The faults that workers have reported, on one line. The site flags illegal moves as crashes, without a count.
    pub(super) fn faults(&self) -> String {
        let illegal = if self.error && self.crashes == 0 { ", an illegal move" } else { "" };
        format!("time losses {}, crashes and stalls {}{illegal}", self.time_losses, self.crashes)
    }

    pub(super) fn document(&self) -> Document {
        let TestState { test, url, phase, machines, max_games, result, .. } = self;
        let mut rest = String::new();
        if *machines > 0 {
            let _ = write!(rest, " on {}", counted(*machines as u64, "machine"));
        }
        if let Some(games) = max_games {
            let _ = write!(rest, ", {} of {}", thousands(result.games), counted(*games, "game"));
        }
        let mut document = Document::default();
        let head = Line::from(format!("Test {test}: ")).and(phase.to_string(), phase.tone());
        document.line(head.and(format!("{rest}, {url}"), Tone::Plain));
        document.append(result.document());
        document.facts(vec![Fact("Faults", self.faults().into())]);
        document.line(format!("{}, by {}", self.settings(), self.author));
        document
    }
}

impl TestPhase {
    fn of(workload: &Workload) -> TestPhase {
        match workload {
            Workload { deleted: true, .. } => TestPhase::Deleted,
            Workload { passed: true, .. } => TestPhase::Passed,
            Workload { failed: true, .. } => TestPhase::Failed,
            Workload { finished: true, .. } => TestPhase::Stopped,
            Workload { approved: false, .. } => TestPhase::Pending,
            _ => TestPhase::Running,
        }
    }

    pub(super) fn is_over(self) -> bool {
        !matches!(self, TestPhase::Pending | TestPhase::Running)
    }

    fn tone(self) -> Tone {
        match self {
            TestPhase::Passed => Tone::Good,
            TestPhase::Failed => Tone::Bad,
            _ => Tone::Plain,
        }
    }
}

pub(super) fn test_summary(
    test: &TestState,
    workload: &Workload,
    players: [&str; 2],
    games: Option<Wdl>,
) -> String {
    let [dev, base] = workload.players();
    let result = &test.result;
    let lead = result.estimates.after_sprt.as_ref().map_or(&result.estimates.elo, |after| &after.elo);
    let verdict = match_verdict([&dev, &base], result.games, lead, result.estimates.sprt.as_ref());
    let mut text = format!(
        "# {dev} vs {base}\n\n**{verdict}** Test {} {}: <{}>\n\n```\n",
        test.test, test.phase, test.url
    );
    let mut line = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<5} | {}", plain_minus(value));
    };
    let elo = &result.estimates.elo;
    let estimate = elo_to(elo, 2);
    let interval = if estimate == TOO_FEW { "" } else { " (95%)" };
    line("Elo", &format!("{estimate}{interval}"));
    line(if result.estimates.sprt.is_some() { "SPRT" } else { "Conf" }, &test.settings());
    if let Some(sprt) = &result.estimates.sprt {
        let (elo0, elo1) = (sprt.test.elo0(), sprt.test.elo1());
        let (ratio, bounds) = (llr_value(sprt.llr), llr_bounds(sprt));
        line("LLR", &format!("{ratio} {bounds} [{elo0:.2}, {elo1:.2}]"));
    }
    if let Some(Wdl { wins, draws, losses }) = result.results.wdl {
        line("Games", &format!("N: {} W: {wins} L: {losses} D: {draws}", wins + draws + losses));
    }
    if let Observations::Pairs(pairs) = result.results.observations {
        line("Penta", &ptnml(&pairs));
    }
    text += "```\n\n";
    for (role, name, commit) in [("dev", players[0], &workload.dev), ("base", players[1], &workload.base)] {
        let _ = writeln!(text, "- {role}: `{name}` is {} at {}", commit.name, commit.sha);
    }
    if let Some(after) = &result.estimates.after_sprt {
        let _ = writeln!(text, "- Elo after the SPRT (95%): {}, median unbiased", elo_to(&after.elo, 2));
    } else if result.estimates.is_decided() {
        text += "- Elo: exaggerated by the SPRT\n";
    }
    let _ = writeln!(text, "- faults, as workers report them: {}", test.faults());
    let _ = writeln!(text, "- games: {}", games_line(result.results.wdl.unwrap_or_default(), games));
    text
}

/// Compares the number of games in the file with the number that the site has counted.
fn games_line(site: Wdl, games: Option<Wdl>) -> String {
    match games {
        None => "none, because the test was created without an upload of games".to_owned(),
        Some(games) if games == site => {
            format!("{} in games.pgn, as the site counts", thousands(games.games()))
        }
        Some(games) => format!(
            "{} in games.pgn ({}), {} on the site ({}); a share that was not finished is counted and not uploaded, or the other way round",
            thousands(games.games()),
            wdl(games),
            thousands(site.games()),
            wdl(site),
        ),
    }
}
