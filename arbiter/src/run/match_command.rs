//! `arbiter match ENGINE ENGINE…`: engines play each other.

use std::io::Write;

use anyhow::{anyhow, bail, ensure};
use clap::Args;

use super::ladder::{self, LadderRun};
use super::playing;
use super::remote::{self, Host};
use super::sanitized::{self, BuildEvery};
use crate::cli::{CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines::{self, EngineSettings, EngineSource, EngineSpec};
use crate::files::StateFile;
use crate::options::books;
use crate::options::{ADJUDICATION_OF_SPRT, PlayedTestArgs, PlayingArgs, Rungs, ShardArgs};
use crate::results::RunResults;
use crate::text::number_text::counted;
use runner::{Adjudication, EngineConfig, Format, Numbers, RunConfig, RunPlan};
use stats::BestRule;

#[derive(Debug, Args)]
pub struct MatchArgs {
    /// The engines: NAME, NAME@REV or a path, each with :Option=value,…
    ///
    /// In lower case, tc=, movetime=, nodes= and depth= are limits of this engine alone, which replace those of the match:
    /// tarrasch:Hash=64,tc=5+0.05; `start_timeout=2m` is how long it may take to start
    ///
    /// NAME is a manifest, engines/NAME/engine.toml, or a program on the search path. NAME@REV builds a git revision
    /// of the manifest's repository. Results are given for the first engine. More than two engines play a round robin,
    /// or another --format.
    #[arg(required_unless_present = "in_words", value_name = "ENGINE")]
    engines: Vec<EngineSpec>,

    /// One more engine, in words, which can say more: "cmd=./engine args='--uci -v' name=dev option.Hash=64"; also dir=,
    /// restart=on, timemargin=, `start_timeout=` and the limits. A text of this kind may stand for any ENGINE
    #[arg(id = "in_words", long = "engine", value_name = "WORDS")]
    in_words: Vec<EngineSpec>,

    /// Settings of all engines, as behind the colon of one: Hash=64,Threads=2; what an engine says itself goes before
    #[arg(long, value_name = "SETTINGS")]
    each: Vec<EngineSettings>,

    /// Start the engines anew for every game
    #[arg(long, help_heading = "Run")]
    restart: bool,

    #[command(flatten)]
    tournament: TournamentArgs,

    #[command(flatten)]
    playing: PlayingArgs,

    #[command(flatten)]
    test: PlayedTestArgs,

    /// Try the patch at short time controls first, from short to long: 0.2+0.002,1+0.01,8+0.08
    ///
    /// The last one is that of the match, and alone decides; those before it only stop what has no chance there. One such
    /// ladder in ten is played to the end all the same. `arbiter sprt plan --ladder` says what it saves and what it misses.
    #[arg(long, value_name = "TC,TC,…", help_heading = "SPRT", requires = "sprt",
        conflicts_with_all = ["tc", "movetime", "shard", "on", "format", "base"])]
    ladder: Option<Rungs>,

    #[command(flatten)]
    shards: ShardArgs,

    /// After the match, play one game for every N of it with another build, `[builds.NAME]` of a manifest: sanitize:20
    ///
    /// They are in a run folder of their own, below that of the match, and count for nothing: what is looked for are faults and
    /// reports on the error output. They have the same limits, and a minute more for each move, so that none is lost for slowness.
    #[arg(long, value_name = "NAME:N", help_heading = "Run", conflicts_with_all = ["ladder", "on"])]
    build_every: Option<BuildEvery>,

    /// Play on these machines, as ssh knows them, each with a shard and all with one pool: ada,grace:8 with 8 games at once
    /// there, `.` for this machine. Programs, networks and the book are brought to a cache there
    #[arg(long, value_name = "HOST,…", value_delimiter = ',', help_heading = "Shards",
        conflicts_with_all = ["shard", "pool", "pool_by"])]
    on: Vec<Host>,
}

impl MatchArgs {
    pub fn run(self) -> CliResult {
        let typed = self.engines.iter().chain(&self.in_words).chain(&self.tournament.base);
        let mut specs: Vec<EngineSpec> = typed.cloned().collect();
        for spec in &mut specs {
            // The last that is said of all goes before.
            self.each.iter().rev().for_each(|common| spec.settings.add_common(common));
        }
        for spec in &specs {
            if let EngineSource::Name(name) = &spec.source
                && name.parse::<Numbers>().is_ok()
                && name.contains(['-', ','])
            {
                return Err(anyhow!(
                    "engine `{name}`: expected an engine; a list of cores is --affinity={name}"
                ))
                .usage();
            }
        }
        if specs.len() < 2 {
            return Err(anyhow!("ENGINE: expected at least two engines, found one")).usage();
        }
        if self.ladder.is_some() && specs.len() > 2 {
            return Err(anyhow!("--ladder: expected two engines, found {}", specs.len())).usage();
        }
        let sprt = self.test.sprt().usage()?;
        let format = self.tournament.format(specs.len(), sprt.is_some()).usage()?;
        let PlayingArgs { limits, pacing, .. } = &self.playing;
        LadderRun::check_out(pacing.out()).usage()?;
        let best = self.tournament.best_rule().usage()?;
        let (usual_book, usual_rules) = match sprt {
            _ if best.is_some() => (books::DEFAULT_OF_SPRT, &ADJUDICATION_OF_SPRT),
            Some(_) => (books::DEFAULT_OF_SPRT, &ADJUDICATION_OF_SPRT),
            None => (books::DEFAULT, &Adjudication::default()),
        };
        let games = match best {
            Some(_) => PlayedTestArgs::GAMES_UNTIL_A_VERDICT,
            None => self.shards.default_games(sprt.as_ref(), !self.on.is_empty()),
        };
        let (config, opened, tables) = self.playing.open(games, usual_book, usual_rules).usage()?;
        let mut config = self.shards.part_of(self.test.ending(config, sprt)).usage()?;
        self.shards.check_seed(&config, self.playing.openings.is_seeded()).usage()?;
        config.limits.clock = self.ladder.as_ref().map(|rungs| rungs.last().clone()).or(config.limits.clock);
        let mut engines = engines::resolve_all(&specs, &mut console::announce_build).usage()?;
        for engine in &mut engines {
            engine.restart |= self.restart;
        }
        if let (Some(_), Some(EngineConfig { name, .. })) =
            (&self.ladder, engines.iter().find(|engine| engine.limits.is_some()))
        {
            return Err(anyhow!(
                "engine `{name}`: expected no limits of its own with --ladder, which has those of both engines"
            ))
            .usage();
        }
        let concurrency = pacing.concurrency(&engines, limits).usage()?;
        let stop_at_first = self.tournament.stop_at_first;
        let config = RunConfig { format, stop_at_first, best, concurrency, engines, ..config };
        let mut plan = RunPlan::new(config).usage()?.with_tables(tables);
        playing::introduce(&mut plan).usage()?;
        if let Some(rungs) = &self.ladder {
            let config = RunConfig::clone(plan.config());
            drop((plan, opened));
            return ladder::start(rungs, config, pacing.out(), pacing.conclusion);
        }
        if !self.on.is_empty() {
            return remote::play(plan.config(), &self.on, pacing.out());
        }
        let Some(other) = &self.build_every else {
            return playing::start(plan, opened, pacing.out(), pacing.conclusion);
        };
        let others = other_builds(&specs, &other.build).usage()?;
        let path = playing::folder_of(plan.config(), pacing.out());
        let conditions = RunConfig::clone(plan.config());
        let book = opened.clone();
        let code = playing::start(plan, opened, Some(&path), pacing.conclusion)?;
        let played = RunResults::read(&path).fault()?.summary.games;
        let games = (played / u64::from(other.every.get())).div_ceil(2) as u32 * 2;
        if games == 0 {
            return Ok(code);
        }
        let found = sanitized::play(others, &conditions, games, book, &path.join(&other.build))?;
        let problems = found.problems();
        let verdict = if problems.is_empty() { "no error report".to_owned() } else { problems.join("; ") };
        let games = counted(found.games, "game");
        writeln!(stdout(), "{games} of the build {}, not counted: {verdict}", other.build).fault()?;
        Ok(if problems.is_empty() { code } else { ExitCode::EngineBroke })
    }
}

/// The engines in another build, those that have it; one alone plays itself.
fn other_builds(specs: &[EngineSpec], build: &str) -> anyhow::Result<Vec<EngineConfig>> {
    let of = |spec: &EngineSpec| {
        let settings = EngineSettings { build: Some(build.to_owned()), ..spec.settings.clone() };
        engines::resolve(&EngineSpec { settings, ..spec.clone() }, &mut console::announce_build)
    };
    let known = specs.iter().filter(|spec| engines::has_build(spec, build));
    let mut found = known.map(of).collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(
        !found.is_empty(),
        "--build-every {build}: expected [builds.{build}] in the manifest of an engine, found none"
    );
    if let [engine] = &found[..] {
        found.push(engine.clone());
    }
    Ok(found)
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Tournament")]
struct TournamentArgs {
    /// Tournament format: round-robin, gauntlet[,challengers=N] or knockout[,extra-pairs=N]
    ///
    /// Gauntlet: the first N engines (default 1) play all others. Knockout: engines are seeded in the order given,
    /// --games counts for each tie, a level tie gets up to N extra pairs (default 3), then the better seed advances.
    #[arg(long, value_name = "FORMAT", default_value_t)]
    format: Format,

    /// The engine that all others play, but not each other; with --sprt each of them has a test against it
    ///
    /// The same as `--format gauntlet,challengers=N` with this engine named last. The tests share --alpha: it is the
    /// probability that any engine is accepted that is no better. An engine with a verdict plays no more.
    #[arg(long, value_name = "ENGINE", conflicts_with = "format")]
    base: Option<EngineSpec>,

    /// With several tests: stop when one accepts H1
    #[arg(long, requires = "sprt")]
    stop_at_first: bool,

    /// Look for the best engine: pairs go to those that may be it, and the run stops when it is known
    ///
    /// Each plays --base. Exit code 0 when the best is known, 3 when the games ran out: --games, by default 100,000, are for
    /// each engine on average.
    #[arg(long, requires = "base", conflicts_with_all = ["format", "sprt", "shard", "on", "pool", "pool_by"])]
    best: bool,

    /// With --best: by how many nElo the best may be worse than another one
    #[arg(long, value_name = "NELO", default_value_t = 3.0, requires = "best",
        conflicts_with_all = ["format", "sprt", "shard", "on", "pool", "pool_by"])]
    within: f64,

    /// With --best: how probable it must be that no other is better by more
    #[arg(long, value_name = "P", default_value_t = 0.9, requires = "best",
        conflicts_with_all = ["format", "sprt", "shard", "on", "pool", "pool_by"])]
    sure: f64,
}

impl TournamentArgs {
    fn best_rule(&self) -> anyhow::Result<Option<BestRule>> {
        let rule = BestRule { within: self.within, sure: self.sure };
        ensure!(
            rule.is_valid(),
            "--within, --sure: expected nElo above 0 and a probability between 0 and 1; found {} and {}",
            self.within,
            self.sure
        );
        Ok(self.best.then_some(rule))
    }

    fn format(&self, engines: usize, has_test: bool) -> anyhow::Result<Format> {
        if self.base.is_some() {
            return Ok(Format::Gauntlet { challengers: engines - 1 });
        }
        match self.format {
            Format::RoundRobin if has_test && engines > 2 => bail!(
                "--sprt: expected two engines, or more and --base ENGINE to test them against; found {engines}"
            ),
            Format::Gauntlet { challengers } if challengers >= engines => {
                bail!("--format {}: expected more than {challengers} engines, found {engines}", self.format)
            }
            Format::Knockout { .. } if has_test => {
                bail!("--format {}: --sprt needs a match of two engines or a gauntlet", self.format)
            }
            format => Ok(format),
        }
    }
}
