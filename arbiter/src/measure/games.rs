//! A match against the other build: a step of `ci` and a suggestion of `init`.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::cli::{OrExitCode, console};
use crate::engines::{EngineSpec, shortest_clock};
use crate::measure::check::same_trees;
use crate::measure::game_faults::FaultJudge;
use crate::measure::measurement::{Measurement, Table, Tested, check_above_zero};
use crate::measure::{Baseline, Judgement, MeasureError, TriedEngine};
use crate::options::books::{self, AskedBy, Changed};
use crate::options::machine;
use crate::report::verdict::Verdict;
use crate::run::playing;
use referee::Variant;
use referee::openings::Book;
use runner::process::ClockKind;
use runner::{Adjudication, Affinity, BookConfig, GameLogs, RunConfig, RunPlan, SearchLimits, Termination};
use stats::{Sprt, SprtModel, SprtTest};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatchTable {
    pub limits: SearchLimits,
    /// Wall-clock or CPU time. The default is CPU time if it works for both builds, since CI machines are shared.
    pub clock: Option<ClockKind>,
    pub sprt: [f64; 2],
    pub alpha: f64,
    pub beta: f64,
    pub model: SprtModel,
    pub games: u32,
    /// Games played at the same time; by default as many as the cores allow.
    pub concurrency: Option<u16>,
    pub openings: Option<PathBuf>,
    pub seed: u64,
    pub adjudication: Adjudication,
    pub affinity: Affinity,
    pub logs: GameLogs,
    /// Known faults that do not fail the step, such as `stall`.
    pub may_fail: Vec<Termination>,
}

impl Default for MatchTable {
    fn default() -> MatchTable {
        MatchTable {
            limits: SearchLimits::default(),
            clock: None,
            sprt: [-5.0, 0.0],
            alpha: Sprt::DEFAULT_ALPHA,
            beta: Sprt::DEFAULT_BETA,
            model: SprtModel::Normalized,
            games: 20_000,
            concurrency: None,
            openings: None,
            seed: 1,
            adjudication: Adjudication::default(),
            affinity: Affinity::default(),
            logs: GameLogs::default(),
            may_fail: Vec::new(),
        }
    }
}

impl MatchTable {
    pub fn test(&self) -> Result<Sprt> {
        let [elo0, elo1] = self.sprt;
        let test = Sprt::new(elo0, elo1, self.alpha, self.beta, self.model).context("match, sprt")?;
        Ok(test.with_test(SprtTest::Curved))
    }
}

impl Table for MatchTable {
    type Record = ();

    const CHECK: &str = "no regression";
    const PLAYS_GAMES: bool = true;

    fn plan(self, _: &EngineSpec, _: bool) -> Result<Box<dyn Measurement>> {
        let (sprt, games) = (Some(self.test()?), self.games);
        self.limits.validate().context("match, limits")?;
        if let Some(problem) = RunConfig::problem_of_pairs(games) {
            bail!("match, {problem}");
        }
        check_above_zero("match, concurrency", self.concurrency)?;
        if let Some(kind) = self.may_fail.iter().find(|kind| !kind.is_fault()) {
            let faults: Vec<String> =
                Termination::all().filter(|kind| kind.is_fault()).map(|kind| kind.to_string()).collect();
            bail!(
                "match, may_fail: expected faults of an engine, found `{kind}`; they are {}",
                faults.join(", ")
            );
        }
        let (book, openings) = read_book("match", self.openings.clone(), self.seed)?;
        let run = RunConfig {
            clock: self.clock.unwrap_or_default(),
            limits: self.limits.clone(),
            adjudication: self.adjudication.clone(),
            affinity: self.affinity.clone(),
            logs: self.logs.clone(),
            sprt,
            made: Some(machine::made_now()),
            ..RunConfig::of(games, book, Vec::new())
        };
        Ok(Box::new(MatchPlan { table: self, run, openings }))
    }

    fn suggest(TriedEngine { can, has_repository, .. }: &TriedEngine<'_>) -> String {
        let limit = match can.nodes_of_a_move() {
            Some(nodes) => format!("{{ nodes = {nodes} }}  # the same games on every machine"),
            None if can.clock.is_none() && can.depth.is_some() => {
                "{ depth = 8 }  # it answers at once, whatever its clock says".to_owned()
            }
            None => {
                let clock = can.clock.filter(|clock| !shortest_clock::SHORT_ENOUGH.contains(clock));
                format!("{{ clock = \"{}\" }}", clock.unwrap_or("1+0.01"))
            }
        };
        let table = format!(
            "[match]\nlimits = {limit}\nsprt   = [-60, 0]\ngames  = 600\nadjudication = {{ draw = \"move=40,count=8,score=10\", resign = \"count=3,score=800\" }}\n"
        );
        if *has_repository {
            return format!(
                "# Against the commit of the baseline. The bounds are wide: they catch large losses in a few minutes. For small\n\
                 # losses, use [-5, 0] and more games.\n{table}"
            );
        }
        let table: Vec<String> = table.lines().map(|line| format!("# {line}\n")).collect();
        format!(
            "# No [match]: without a commit there is no older build. Put `against = \"ENGINE\"` at the top to use this:\n{}",
            table.concat()
        )
    }
}

pub fn read_book(step: &str, openings: Option<PathBuf>, seed: u64) -> Result<(BookConfig, Book)> {
    let path = openings.unwrap_or_else(|| PathBuf::from(books::DEFAULT));
    let book = BookConfig { seed, ..BookConfig::of(path) };
    let book = books::settle(book, Changed::Accepted).with_context(|| format!("{step}, openings"))?;
    let openings = books::load(&book, Variant::Standard, AskedBy::File)?;
    Ok((book, openings))
}

#[derive(Debug)]
struct MatchPlan {
    table: MatchTable,
    /// The configuration without engines.
    run: RunConfig,
    openings: Book,
}

impl Measurement for MatchPlan {
    fn compares_builds(&self) -> bool {
        true
    }

    fn judge(&mut self, tested: &Tested<'_>, measured: &mut Baseline) -> Result<Judgement, MeasureError> {
        let Some(other) = tested.other else {
            let same = "skipped, because both builds are the same program";
            return Ok(Judgement::new(Verdict::Same, same));
        };
        let engines = vec![tested.engine.clone(), other.clone()];
        let default = machine::games_at_once(&engines, false);
        let concurrency = self.table.concurrency.map_or(default, usize::from);
        let mut config = RunConfig { concurrency, engines, ..self.run.clone() };
        if self.table.clock.is_none() {
            playing::prefer_processor_time(&mut config);
        }
        for (engine, clock) in config.engines.iter().zip(config.limits.clock.iter().cycle()) {
            // Other problems with an engine show when it plays.
            if let Ok(Some(longer)) = shortest_clock::longer_clock(engine, clock) {
                let name = &engine.name;
                let sentence =
                    format!("{name} hardly thinks at {clock}: use {longer} or a longer time control");
                return Ok(Judgement::new(Verdict::CannotTell, sentence));
            }
        }
        let mut plan = RunPlan::new(config).usage()?;
        let introductions = plan.introduce().usage()?;
        // The build under test was introduced before the first step, so only its opponent's options are checked here.
        console::warn_of_options_of(plan.config(), 1, &introductions[1]);
        let folder = tested.games("match");
        let played = playing::play_into(plan, self.openings.clone(), &folder)?;
        let mut judgement =
            Judgement::of_match(&played).or_else(|error| error.judgement(MatchTable::CHECK))?;
        if judgement.verdict == Verdict::CannotTell && played.summary.plays_alike() {
            let benches = measured.bench.zip(tested.known.and_then(|known| known.bench));
            let alike = if benches.is_some_and(|(now, before)| now == before) {
                Some("the same bench".to_owned())
            } else {
                let same = same_trees(tested.engine, other);
                same.or_else(|error| error.engine_fault().map(|_| None))?
            };
            if let Some(alike) = alike {
                judgement.verdict = Verdict::Skipped;
                judgement.sentence =
                    format!("both builds play the same moves and have {alike}: nothing to compare");
            }
        }
        FaultJudge { run: &folder, other, may_fail: &self.table.may_fail }
            .judge(&mut judgement, &played.summary)
            .fault()?;
        if !judgement.verdict.passes() {
            console::note(&format!("games in {}", folder.display()));
        }
        Ok(judgement)
    }
}
