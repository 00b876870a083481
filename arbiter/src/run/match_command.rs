//! `arbiter match ENGINE ENGINE…`: engines play each other.

use std::io::Write;
use std::path::Path;

use anyhow::{anyhow, bail, ensure};
use clap::Args;

use super::ladder::{self, LadderRun};
use super::playing;
use super::remote::{self, Host};
use super::sanitized::{self, BuildEvery};
use crate::cli::{CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines::{self, EngineSettings, EngineSource, EngineSpec};
use crate::files::StateFile;
use crate::live::control::CurrentRun;
use crate::options::books;
use crate::options::{ADJUDICATION_OF_SPRT, PlayedTestArgs, PlayingArgs, Rungs, ShardArgs};
use crate::results::RunResults;
use crate::text::number_text::counted;
use runner::{Adjudication, EngineConfig, Format, Numbers, RunConfig, RunPlan};
use stats::BestRule;

const NOTES: &str = "Exit codes: 0 done (with an SPRT: H1 accepted), 1 H0 accepted, 2 wrong usage, 3 undecided or \
    stopped (`arbiter resume` continues the run), 4 an engine broke (with --strict or --build-every), 5 internal error. Scripts \
    find the result in summary.json in the run folder.";

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct MatchArgs {
    /// Paths, names or NAME@REVISION; options follow a colon: ./new:Hash=64,Threads=2
    ///
    /// A name is looked up as a manifest, engines/NAME/engine.toml, then as a program in `PATH`. NAME@REVISION builds a git
    /// revision of the manifest's repository.
    ///
    /// Limits for this engine alone may follow there, too: tc=, movetime=, nodes= and depth= (in lower case; Nodes= would
    /// be a UCI option), as in tarrasch:Hash=64,tc=5+0.05. `start_timeout=2m` allows two minutes for its start.
    ///
    /// Scores and Elo are from the first engine's point of view. More than two engines play a round robin, unless --format says otherwise.
    #[arg(required_unless_present = "in_words", value_name = "ENGINE")]
    engines: Vec<EngineSpec>,

    /// Add an engine that needs arguments: "cmd=./engine args='--uci -v'"
    ///
    /// Other words are name=, option.Hash=64 (its value may have commas), proto=xboard, dir= (where it runs), build=
    /// (a `[builds.NAME]` of its manifest), restart=on (for every game), timemargin=, `start_timeout=`, `pass_env=` (a variable
    /// to pass on) and limits. Such words, in quotes, may also stand in place of an ENGINE.
    #[arg(id = "in_words", long = "engine", value_name = "WORDS")]
    in_words: Vec<EngineSpec>,

    /// Settings for all engines, such as Hash=64,Threads=2
    ///
    /// Takes everything that may follow an engine's colon, except name=. An engine's own settings take precedence.
    #[arg(long, value_name = "SETTINGS")]
    each: Vec<EngineSettings>,

    #[command(flatten)]
    test: PlayedTestArgs,

    /// Try the patch at shorter time controls first: 0.2+0.002,1+0.01,8+0.08
    ///
    /// Only the last time control can accept the patch; the shorter ones only stop patches that have no chance at the last. One
    /// ladder in ten plays all of them whatever the shorter ones decide, to show how often they are wrong; see `arbiter sprt plan --ladder`.
    #[arg(long, value_name = "TC,TC,…", help_heading = "SPRT", requires = "sprt",
        conflicts_with_all = ["tc", "movetime", "shard", "on", "format", "base"])]
    ladder: Option<Rungs>,

    #[command(flatten)]
    playing: PlayingArgs,

    #[command(flatten)]
    tournament: TournamentArgs,

    /// Restart the engines for every game
    #[arg(long, help_heading = "Run")]
    restart: bool,

    /// After the match, play extra games with another build, one for every N games: sanitize:20
    ///
    /// The build is `[builds.NAME]` in a manifest. The extra games look for faults and sanitizer reports, and do not count. Their
    /// run folder is NAME in the match's folder. Each move gets an extra minute, since such a build is slow.
    #[arg(long, value_name = "NAME:N", help_heading = "Run", conflicts_with_all = ["ladder", "on"])]
    build_every: Option<BuildEvery>,

    #[command(flatten)]
    shards: ShardArgs,

    /// Play on these machines over ssh: ada,grace:8 plays 8 games at once on grace
    ///
    /// Each is a host name, or a name from ~/.ssh/config; `.` is this machine, which plays only if it is listed. Without a number, a
    /// machine plays as many games at once as fit on its cores. Engines, their NNUE files and the book are copied to the machines.
    /// None of the options above is needed.
    #[arg(long, value_name = "HOST,…", value_delimiter = ',', help_heading = "Several machines",
        conflicts_with_all = ["shard", "pool", "pool_by"])]
    on: Vec<Host>,
}

impl MatchArgs {
    /// The engines as typed, with the settings for all of them.
    fn specs(&self) -> anyhow::Result<Vec<EngineSpec>> {
        let typed = self.engines.iter().chain(&self.in_words).chain(&self.tournament.base);
        let mut specs: Vec<EngineSpec> = typed.cloned().collect();
        for spec in &mut specs {
            // If several --each set the same option, the last one wins.
            self.each.iter().rev().for_each(|common| spec.settings.add_common(common));
        }
        for spec in &specs {
            if let EngineSource::Name(name) = &spec.source
                && name.parse::<Numbers>().is_ok()
                && name.contains(['-', ','])
            {
                bail!("engine `{name}`: expected an engine; a list of cores is --affinity={name}");
            }
        }
        if specs.len() < 2 {
            let file = specs.first().and_then(|spec| match &spec.source {
                EngineSource::Name(name) => Some(Path::new(name)),
                EngineSource::Path(path) => Some(path.as_path()),
                EngineSource::Revision { .. } => None,
            });
            let file = file.filter(|file| file.extension().is_some_and(|ending| ending == "toml"));
            let advice = file.map(|file| format!("; a run file is played by arbiter run {}", file.display()));
            bail!("ENGINE: expected at least two engines, found one{}", advice.unwrap_or_default());
        }
        let is_possible = self.ladder.is_none() || specs.len() == 2;
        ensure!(is_possible, "--ladder: expected two engines, found {}", specs.len());
        Ok(specs)
    }

    pub fn run(self) -> CliResult {
        let specs = self.specs().usage()?;
        let sprt = self.test.sprt().usage()?;
        let PlayingArgs { limits, pacing, .. } = &self.playing;
        LadderRun::check_out(pacing.out()).usage()?;
        let (usual_book, usual_rules) = match sprt {
            None if !self.tournament.best => (books::DEFAULT, &Adjudication::default()),
            _ => (books::DEFAULT_OF_SPRT, &ADJUDICATION_OF_SPRT),
        };
        let games = match sprt {
            None if self.tournament.best => PlayedTestArgs::GAMES_UNTIL_A_VERDICT,
            _ => self.shards.default_games(sprt.as_ref(), !self.on.is_empty()),
        };
        let (config, opened, tables) = self.playing.open(games, usual_book, usual_rules).usage()?;
        let config = self.shards.part_of(self.test.ending(config, sprt)).usage()?;
        let mut config = self.tournament.asking(config, specs.len()).usage()?;
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
                "engine `{name}`: expected no limits of its own with --ladder, which sets the limits of both"
            ))
            .usage();
        }
        limits.check_against(&engines).usage()?;
        let concurrency = pacing.concurrency(&engines, limits).usage()?;
        let config = RunConfig { concurrency, engines, ..config };
        let mut plan = RunPlan::new(config).usage()?.with_tables(tables);
        playing::introduce(&mut plan).usage()?;
        if let Some(rungs) = &self.ladder {
            let config = RunConfig::clone(plan.config());
            drop((plan, opened));
            return ladder::start(rungs, config, pacing.out(), pacing.conclusion);
        }
        if !self.on.is_empty() {
            let signals = CurrentRun::listening(None).fault()?;
            return remote::play(plan.config(), &self.on, pacing.out(), &signals);
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
        let found = sanitized::play(others, &conditions, games, book, &path.join(&other.build), None)?;
        let problems = found.problems();
        let verdict = if problems.is_empty() { "no error report".to_owned() } else { problems.join("; ") };
        let games = counted(found.games, "game");
        writeln!(stdout(), "{games} of the build {}, not counted: {verdict}", other.build).fault()?;
        Ok(if problems.is_empty() { code } else { ExitCode::EngineBroke })
    }
}

/// The engines that have this build. If only one has it, it plays itself.
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
    /// round-robin, gauntlet[,challengers=N] or knockout[,extra-pairs=N]
    ///
    /// Gauntlet: each of the first N engines (default 1) plays every engine after them; the first N do not play each other.
    /// Knockout: engines are seeded in the order given. Two engines play --games games; if they are level, up to N extra
    /// pairs (default 3) follow; if they are still level, the better seed advances.
    #[arg(long, value_name = "FORMAT", default_value_t)]
    format: Format,

    /// Play all other engines against this one; with --sprt each has its own test
    ///
    /// The other engines do not play each other; +10 Elo means better than the base. --alpha is for all tests together: the
    /// probability of accepting at least one engine for which H0 is true. An engine stops playing when its test is decided.
    #[arg(long, value_name = "ENGINE", conflicts_with = "format")]
    base: Option<EngineSpec>,

    /// With several tests, stop as soon as one accepts H1
    #[arg(long, requires = "sprt")]
    stop_at_first: bool,

    /// Find the best engine; those that cannot be the best stop playing
    ///
    /// All play against --base. The run ends with exit code 0 when the best is certain enough, and with 3 when the games run
    /// out or the base is too weak or too strong to tell the candidates apart. N candidates together play at most N times --games (default
    /// 100,000).
    #[arg(long, requires = "base", conflicts_with_all = ["format", "on"])]
    best: bool,

    /// With --best: accept an engine at most this many nElo worse than the true best
    #[arg(long, value_name = "NELO", default_value_t = 3.0, requires = "best", conflicts_with_all = ["format", "on"])]
    within: f64,

    /// With --best: the required probability that no other engine is better by more than --within
    #[arg(long, value_name = "P", default_value_t = 0.9, requires = "best", conflicts_with_all = ["format", "on"])]
    sure: f64,
}

impl TournamentArgs {
    /// The run with the question of these options, if this number of engines can answer it.
    fn asking(&self, run: RunConfig, engines: usize) -> anyhow::Result<RunConfig> {
        let format = match &self.base {
            Some(_) => Format::Gauntlet { challengers: engines - 1 },
            None if run.sprt.is_some() && engines > 2 && self.format == Format::RoundRobin => bail!(
                "--sprt: expected two engines, or --base ENGINE to test several against; found {engines}"
            ),
            None => self.format,
        };
        let best = self.best.then_some(BestRule { within: self.within, sure: self.sure });
        let run = RunConfig { format, stop_at_first: self.stop_at_first, best, ..run };
        run.validate_question(engines)?;
        Ok(run)
    }
}
