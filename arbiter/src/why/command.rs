//! `arbiter why RUN`: explains why the first engine lost.

use std::collections::HashSet;
use std::fs;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Parser};
use runner::untrusted_files::refuse_link;
use runner::{EngineConfig, RunConfig};

use super::explanation::{Explanation, RefereeFacts};
use super::match_games::{self, MatchGame, MatchGames};
use super::points::Points;
use super::positions::{PositionSearch, epd};
use super::referee_answers::{Budget, RefereeAnswers};
use super::{page, report};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, answer, console};
use crate::engines::{self, EngineSpec, locate, session};
use crate::files::write_whole;
use crate::games::finished_games;
use crate::options::{PlayingArgs, RunProgramsArgs};
use crate::report::page::RunReport;
use crate::run::{Series, playing};

const REFEREE: &str = "stockfish";

const NODES: u64 = 4_000;

/// How many times longer the most telling positions are searched.
const DEEPER: u64 = 50;

/// A move that costs or gains at least this many points gets a longer search.
const TELLING: f64 = 0.1;

const NOTES: &str = "\
The referee judges every position of the games. Its answers are kept in the folder of the report, so that a second call continues \
where the first one stopped. The folder has the report as why.html and why.json, and the positions as why.epd, a suite for \
`arbiter tactics`, `arbiter bisect --by tactics` and `arbiter ci`.";

/// The number of games in a match played to be explained, and its nodes per move if no limit is given.
const GAMES: u32 = 400;
const NODES_OF_MATCH: &str = "--nodes=2000";
const LIMITS: [&str; 4] = ["--nodes", "--depth", "--movetime", "--tc"];

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct WhyArgs {
    /// A run folder, PGN files, or two engines, which first play a match
    #[arg(required = true, value_name = "DIR|PGN|ENGINE")]
    sources: Vec<PathBuf>,

    /// Options of `arbiter match` for the match of two engines [default: --games 400 --nodes 2000]
    #[arg(last = true, value_name = "MATCH OPTIONS")]
    match_options: Vec<String>,

    /// The player whose losses are explained [default: the first]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,

    /// Its opponent, if there are several
    #[arg(long, value_name = "NAME")]
    against: Option<String>,

    /// The engine that judges, a strong one: NAME, NAME@REV or a path, with :Option=value,… [default: stockfish; if it is not
    /// installed, with --run-programs, the opponent at fifty times the nodes of the match]
    #[arg(long, value_name = "ENGINE")]
    referee: Option<EngineSpec>,

    #[command(flatten)]
    programs: RunProgramsArgs,

    /// Nodes of the referee for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    referee_nodes: Option<u64>,

    /// Search the N most telling positions with fifty times the nodes
    #[arg(long, value_name = "N", default_value_t = 400)]
    deep: usize,

    /// Stop the referee after N nodes in total; pairs are taken in a pseudorandom order
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Stop the referee after H hours
    #[arg(long, value_name = "H")]
    hours: Option<f64>,

    /// Find N positions that show the weakness (run folders only, and with --run-programs)
    #[arg(long, value_name = "N", default_value_t = 8)]
    positions: usize,

    /// Show at which node counts the error in each position appears and disappears, and without which techniques
    #[arg(long)]
    reproduce: bool,

    /// The techniques, as for `arbiter ablate`: NAME, or NAME=OFF,ON; may be repeated [default: all options of type check]
    #[arg(long, value_name = "OPTION", requires = "reproduce")]
    toggle: Vec<String>,

    /// Processes of the referee [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,

    /// The folder for the report, the referee's answers and the match [default: `why` in the run folder, or else why-NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl WhyArgs {
    pub fn run(mut self) -> CliResult {
        let folder = self.folder();
        let named = self.engines().usage()?;
        // Programs named on the command line may be started.
        let are_ours = named.is_some();
        if let Some(specs) = named {
            let run = folder.join("match");
            if self.play(&specs, &run)?.is_break() {
                return Ok(ExitCode::Inconclusive);
            }
            self.sources = vec![run];
        } else if !self.match_options.is_empty() {
            return Err(anyhow!("options after --: expected two engines, found played games")).usage();
        }
        let started = Instant::now();
        let mut matched =
            match_games::read(&self.sources, self.engine.as_deref(), self.against.as_deref()).usage()?;
        let (engine, nodes) = self.judge(&matched, are_ours).usage()?;
        let budget = self.budget(nodes, started).usage()?;
        if self.out.is_none() {
            refuse_link(&folder).with_context(|| folder.display().to_string()).usage()?;
        }
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string()).of_path()?;
        let mut answers = RefereeAnswers::open(&folder, &engine, &matched.games, budget).usage()?;
        let session = session::introduce(&engine).usage()?;
        let name = session.introduction().name.clone().unwrap_or_else(|| engine.name.clone());
        session.quit();
        answers.scan(&engine, &matched.games).usage()?;
        let all = matched.games.len();
        let partly: HashSet<usize> =
            matched.games.iter().filter(|game| !answers.is_scanned(game)).map(|game| game.pair).collect();
        matched.keep_pairs(|pair| !partly.contains(&pair));
        if matched.games.is_empty() {
            return Err(anyhow!("the budget is too small for the positions of one pair of games")).usage();
        }
        let telling = telling(&matched, &Points::new(&matched, &answers, false).usage()?);
        let telling: Vec<(&MatchGame, usize)> =
            telling.into_iter().map(|(game, ply)| (&matched.games[game], ply)).collect();
        answers.deepen(&engine, &telling).usage()?;
        let points = Points::new(&matched, &answers, true).usage()?;
        let mut explanation = Explanation::new(&matched, &points);
        let asked = matched.engines.as_ref().filter(|_| self.positions > 0);
        if let Some(builds) = asked.filter(|builds| are_ours || self.may_start(builds)) {
            let weaknesses: Vec<_> = explanation.weaknesses();
            let search = PositionSearch::new(&matched, builds, &engine, budget.deep_nodes, points.worth);
            explanation.positions = match search {
                Ok(mut search) => {
                    if self.reproduce {
                        search.switch(&builds[0], &self.toggle).usage()?;
                    }
                    search.find(&points, &weaknesses, self.positions, self.reproduce).usage()?
                }
                Err(error) => {
                    console::note(&format!("no positions: the builds cannot be asked: {error:#}"));
                    Vec::new()
                }
            };
        }
        explanation.referee = RefereeFacts {
            name,
            nodes,
            deep_nodes: budget.deep_nodes,
            games: [matched.games.len() as u64, all as u64],
            deep: telling.iter().filter(|(game, ply)| answers.nodes_of(game, *ply) > 0).count() as u64,
            seconds: started.elapsed().as_secs_f64(),
        };
        self.write(&folder, &explanation)?;
        answer(&explanation, self.json, |explanation| report::document(explanation, false))?;
        if !self.json {
            console::note(&format!("report: {}", folder.join("why.html").display()));
        }
        Ok(ExitCode::Done)
    }

    /// The two engines, if two sources are given that are neither folders nor files of games.
    fn engines(&self) -> Result<Option<Vec<EngineSpec>>> {
        let endings = ["pgn", "gz", "zst", "bz2", "zip", "tar"];
        let is_read = |source: &PathBuf| {
            let is_of_games = |ending| endings.iter().any(|known| ending == *known);
            source.is_dir() || source.extension().is_some_and(is_of_games)
        };
        if self.sources.len() != 2 || self.sources.iter().any(is_read) {
            return Ok(None);
        }
        let specs = self.sources.iter().map(|source| source.to_string_lossy().parse());
        specs.collect::<Result<_>>().map(Some)
    }

    /// Plays the engines' match into a folder, or the games still missing there. Breaks if the match was stopped.
    fn play(&self, specs: &[EngineSpec], folder: &Path) -> Result<ControlFlow<()>, CliError> {
        let given = &self.match_options;
        let is_limit = |word: &String| LIMITS.contains(&word.split('=').next().unwrap_or_default());
        let usual = (!given.iter().any(is_limit)).then(|| NODES_OF_MATCH.to_owned());
        let MatchOptions { playing } = MatchOptions::try_parse_from(usual.iter().chain(given))
            .map_err(|error| anyhow!("{error}"))
            .usage()?;
        let pacing = &playing.pacing;
        if pacing.out().is_some() {
            return Err(anyhow!("--out: put it before the --, not among the options of the match")).usage();
        }
        let config = playing.run_config(GAMES).usage()?;
        let engines = engines::resolve_all(specs, &mut console::announce_build).usage()?;
        let concurrency = pacing.concurrency(&engines, &playing.limits).usage()?;
        let config = RunConfig { concurrency, engines, ..config };
        if folder.is_dir() {
            let there = playing::read_config(folder).usage()?;
            let facts = |config: &RunConfig| {
                let engine = |engine: &EngineConfig| {
                    let EngineConfig { name, program, args, env, dir, .. } = engine.clone();
                    let EngineConfig { sha256, options, limits, .. } = engine.clone();
                    ((name, program, args, env, dir), (sha256, options, limits))
                };
                (config.engines.iter().map(engine).collect::<Vec<_>>(), config.limits.clone(), config.games)
            };
            if facts(&there) != facts(&config) {
                let folder = folder.display();
                return Err(anyhow!(
                    "{folder}: expected this match, found another one; name a folder by --out"
                ))
                .usage();
            }
        }
        let again = format!("the same command; the games are in {}", folder.display());
        let played = Series::continued_by(again, pacing.conclusion).fault()?;
        let played = played.play(&config, folder)?;
        Ok(if played.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// The referee and its nodes per position.
    fn judge(&self, matched: &MatchGames, are_ours: bool) -> Result<(EngineConfig, u64)> {
        let resolve = |spec: &EngineSpec| engines::resolve(spec, &mut console::announce_build);
        if let Some(spec) = &self.referee {
            return Ok((resolve(spec)?, self.referee_nodes.unwrap_or(NODES)));
        }
        if locate::program(REFEREE).is_some() {
            return Ok((resolve(&EngineSpec::of_name(REFEREE))?, self.referee_nodes.unwrap_or(NODES)));
        }
        let Some([_, old]) = &matched.engines else {
            bail!("expected a referee: install stockfish, or name another strong engine by --referee");
        };
        if !are_ours {
            let instead = format!("; or install {REFEREE}, or name another strong engine by --referee");
            self.programs.check(&self.place(), std::slice::from_ref(old), &instead)?;
        }
        console::note(&format!("{REFEREE} not found: the referee is {}, with more nodes", old.name));
        let nodes = matched.limits.nodes.unwrap_or(NODES);
        let old = EngineConfig { limits: None, ..old.clone() };
        Ok((old, self.referee_nodes.unwrap_or(nodes * DEEPER)))
    }

    fn place(&self) -> String {
        self.sources[0].display().to_string()
    }

    /// Whether the builds of a run may be started; if not, prints what permission is missing.
    fn may_start(&self, builds: &[EngineConfig; 2]) -> bool {
        let checked = self.programs.check(&self.place(), builds, "");
        checked.inspect_err(|error| console::note(&format!("no positions: {error:#}"))).is_ok()
    }

    fn budget(&self, nodes: u64, started: Instant) -> Result<Budget> {
        let until = match self.hours {
            None => None,
            Some(hours) if hours > 0.0 && hours < 1e6 => {
                Some(started + Duration::from_secs_f64(hours * 3600.0))
            }
            Some(hours) => bail!("--hours {hours}: expected a number of hours above 0"),
        };
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let concurrency = self.concurrency.map_or(cores, usize::from);
        Ok(Budget {
            nodes,
            deep_nodes: nodes * DEEPER,
            deep: self.deep,
            total: self.nodes,
            until,
            concurrency,
        })
    }

    fn folder(&self) -> PathBuf {
        let default = || match &self.sources[..] {
            [source] if source.is_dir() => source.join("why"),
            sources => {
                let names: Vec<String> = match self.engines() {
                    Ok(Some(_)) => sources.iter().map(|source| source.display().to_string()).collect(),
                    _ => vec![finished_games::name_of(&sources[0])],
                };
                PathBuf::from(format!("why-{}", playing::file_name(&names.join("-"))))
            }
        };
        self.out.clone().unwrap_or_else(default)
    }

    fn write(&self, folder: &Path, explanation: &Explanation) -> Result<(), CliError> {
        let run = &self.sources[0];
        let games = fs::canonicalize(run.join(RunReport::FILE)).ok();
        let link = games.map(|file| match folder.parent() {
            Some(parent) if parent == run => format!("../{}", RunReport::FILE),
            _ if run.parent() == Some(folder) => format!("match/{}", RunReport::FILE),
            _ => format!("file://{}", file.display()),
        });
        let json = serde_json::to_string_pretty(explanation).fault()?;
        let suite = epd(&explanation.positions, &explanation.names, "why");
        let files =
            [("why.html", page::html(explanation, link.as_deref())), ("why.json", json), ("why.epd", suite)];
        for (name, text) in files {
            let file = folder.join(name);
            write_whole(&file, text).with_context(|| file.display().to_string()).of_path()?;
        }
        Ok(())
    }
}

/// The arguments after `--`.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct MatchOptions {
    #[command(flatten)]
    playing: PlayingArgs,
}

/// The positions before and after the moves that cost or gained the most, as game index and ply.
fn telling(matched: &MatchGames, points: &Points) -> Vec<(usize, usize)> {
    let mut moves: Vec<_> = points.moves.iter().filter(|played| played.cost.abs() >= TELLING).collect();
    moves.sort_by(|one, other| other.cost.abs().total_cmp(&one.cost.abs()));
    let mut seen = HashSet::new();
    let ends =
        moves.into_iter().flat_map(|played| [(played.game, played.ply), (played.game, played.ply + 1)]);
    ends.filter(|&(game, ply)| ply < matched.games[game].moves.len() && seen.insert((game, ply))).collect()
}
