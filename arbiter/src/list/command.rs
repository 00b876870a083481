//! `arbiter list`: keep a rating list.

use std::fs;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};

use super::list_file::{GAMES, ListFile, PATIENCE, RetiredEngine, name_of};
use super::page::write_site;
use super::pgn_by_engine;
use super::play::{Order, PacedArgs, play};
use super::standing::Standing;
use crate::cli::{CliResult, ExitCode, OrExitCode, answer, console, say, show};
use crate::engines::{self, EngineSettings, EngineSpec};
use crate::files::{StateFile, file_record};
use crate::options::{PlayingArgs, books};
use crate::rating::rate::AnchorArg;
use crate::rating::{RatedGames, RepeatedGames};
use crate::results::RatingList;
use crate::run::playing;
use crate::text::number_text::{counted, limits_of_run};
use referee::Variant;
use referee::openings::read_unpacked;
use runner::{Adjudication, BookOrder, EngineConfig, Rounds, RunConfig};

#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a process has one of it")]
pub enum ListPart {
    /// Create a list: its time control, openings and rules.
    New(Box<NewArgs>),
    /// Add engines or versions to a list.
    Add(AddArgs),
    /// Take an engine out of play; its games and its rating stay.
    Retire {
        /// The folder of the list
        list: PathBuf,
        /// The name of the engine in the list
        name: String,
        /// Why, for the list and its page
        #[arg(long, value_name = "TEXT", default_value = "retired")]
        because: String,
    },
    /// Rename an engine; earlier runs keep its old name.
    Rename {
        /// The folder of the list
        list: PathBuf,
        /// The name of the engine in the list
        old: String,
        /// Its new name
        new: String,
    },
    /// Leave a run out of the ratings.
    Exclude {
        /// The folder of the list
        list: PathBuf,
        /// The name of the folder in LIST/runs, such as 0003
        run: String,
        /// Why, for the list and its page
        #[arg(long, value_name = "TEXT")]
        because: String,
    },
    /// Add games that were played elsewhere under the conditions of the list.
    Import(ImportArgs),
    /// Play until every error is small enough, or for a time, or a number of games; without a limit, finish the last run.
    Play {
        /// The folder of the list
        list: PathBuf,
        /// Play until the 95% error of every rating is at most this many Elo
        #[arg(long, value_name = "ELO", value_parser = error_in_elo)]
        until: Option<f64>,
        #[command(flatten)]
        paced: PacedArgs,
    },
    /// Play only games of one engine, until its error is small enough.
    Place {
        /// The folder of the list
        list: PathBuf,
        /// An engine of the list by its name, or an engine to add, as for `arbiter list add`
        engine: EngineSpec,
        /// Play until its 95% error is at most this many Elo
        #[arg(long, value_name = "ELO", default_value = "10", value_parser = error_in_elo)]
        within: f64,
        #[command(flatten)]
        paced: PacedArgs,
    },
    /// Show the ratings, and who would play next.
    Status {
        /// The folder of the list
        list: PathBuf,
        /// Print the ratings as JSON, as `arbiter rate --json` does
        #[arg(long)]
        json: bool,
    },
    /// Write the list as a static site.
    Page {
        /// The folder of the list
        list: PathBuf,
        /// The folder of the site; files in it are replaced
        #[arg(long, value_name = "DIR", default_value = "site")]
        out: PathBuf,
        /// The title of the page [default: the name of the folder of the list]
        #[arg(long, value_name = "TEXT")]
        title: Option<String>,
        /// Also write the games of each engine into a PGN file
        #[arg(long)]
        pgn_by_engine: bool,
    },
}

#[derive(Debug, Args)]
#[command(mut_arg("games", |arg| arg.hide(true)), mut_arg("out", |arg| arg.hide(true)),
    mut_arg("strict", |arg| arg.hide(true)), mut_arg("no_report", |arg| arg.hide(true)))]
pub struct NewArgs {
    /// The folder of the list, which must not exist
    list: PathBuf,
    /// Settings for all engines, such as Hash=64,Threads=1
    #[arg(long, value_name = "SETTINGS")]
    each: Vec<String>,
    #[command(flatten)]
    playing: PlayingArgs,
}

#[derive(Debug, Args)]
pub struct AddArgs {
    /// The folder of the list
    list: PathBuf,
    /// Paths, names or NAME@REVISION, with settings after a colon (./new:Hash=64), or settings in quotes: "cmd=./engine
    /// name=engine-2 args=-x"
    #[arg(required_unless_present_any = ["in_words", "anchors"], value_name = "ENGINE")]
    engines: Vec<EngineSpec>,
    /// An engine by its settings, as in quotes above
    #[arg(id = "in_words", long = "engine", value_name = "WORDS")]
    in_words: Vec<EngineSpec>,
    /// Fix the rating of an engine; with ERROR, a standard error, games still move it. Other ratings are relative to the anchors
    #[arg(long = "anchor", value_name = "NAME=ELO[,ERROR]")]
    anchors: Vec<AnchorArg>,
}

#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The folder of the list
    list: PathBuf,
    /// A PGN file
    games: PathBuf,
    /// Describe the games, and so confirm that they match the conditions of the list; shown on the page
    #[arg(long, value_name = "TEXT")]
    same_conditions: String,
    /// Treat the player THEIRS of the file as the engine OURS of the list; may be repeated
    #[arg(long = "name", value_name = "THEIRS=OURS", value_parser = names)]
    names: Vec<(String, String)>,
    /// Add the other players of the file as retired engines
    #[arg(long)]
    add_players: bool,
}

fn error_in_elo(text: &str) -> Result<f64, String> {
    let elo = text.parse::<f64>().ok().filter(|elo| elo.is_finite() && *elo > 0.0);
    elo.ok_or_else(|| "expected a number of Elo above 0, such as 10".to_owned())
}

fn names(text: &str) -> Result<(String, String), String> {
    let names =
        text.rsplit_once('=').map(|(theirs, ours)| (theirs.trim().to_owned(), ours.trim().to_owned()));
    names.ok_or_else(|| "expected THEIRS=OURS, such as \"Tarrasch 1.0=tarrasch\"".to_owned())
}

impl ListPart {
    pub fn run(self) -> CliResult {
        match self {
            ListPart::New(args) => begin(*args).usage()?,
            ListPart::Add(args) => {
                change(&args.list, |list| add_all(list, &args)).usage()?;
            }
            ListPart::Retire { list, name, because } => {
                let retire = |list: &mut ListFile| {
                    list.retire(list.index_of(&name)?, because);
                    Ok(())
                };
                change(&list, retire).usage()?;
            }
            ListPart::Rename { list, old, new } => change(&list, |list| list.rename(&old, &new)).usage()?,
            ListPart::Exclude { list: folder, run, because } => {
                let exclude = |list: &mut ListFile| {
                    let runs = list.run_folders(&folder)?;
                    let names: Vec<String> = runs.iter().map(|run| name_of(run)).collect();
                    ensure!(names.contains(&run), "{run}: expected a run of the list: {}", names.join(", "));
                    list.excluded.insert(run, because);
                    Ok(())
                };
                change(&folder, exclude).usage()?;
            }
            ListPart::Import(args) => change(&args.list, |list| import(list, &args)).usage()?,
            ListPart::Play { list, until, paced } => {
                return play(&list, &Order { within: until, place: None, paced });
            }
            ListPart::Place { list, engine, within, paced } => {
                let name = change(&list, |list| placed(list, &engine)).usage()?;
                return play(&list, &Order { within: Some(within), place: Some(name), paced });
            }
            ListPart::Status { list, json } => {
                let (list, standing) = read(&list).usage()?;
                if !json {
                    show(standing.document(&list)).fault()?;
                    return Ok(ExitCode::Done);
                }
                answer(standing.ratings().usage()?, true, RatingList::document)?;
            }
            ListPart::Page { list, out, title, pgn_by_engine } => {
                let title = title.map_or_else(|| absolute(&list).map(|list| name_of(&list)), Ok).fault()?;
                let (list, standing) = read(&list).usage()?;
                write_site(&title, &list, &standing, &out).usage()?;
                if pgn_by_engine {
                    pgn_by_engine::write(&list, &standing, &out).usage()?;
                }
                say(false, [format!("written: {}", out.join("index.html").display())])?;
            }
        }
        Ok(ExitCode::Done)
    }
}

fn read(folder: &Path) -> Result<(ListFile, Standing)> {
    let list = ListFile::of_folder(folder)?;
    let standing = Standing::read(folder, &list)?;
    Ok((list, standing))
}

/// Changes a list, and says which engines play and which do not.
fn change<T>(folder: &Path, change: impl FnOnce(&mut ListFile) -> Result<T>) -> Result<T> {
    let (mut list, _lock) = ListFile::hold(folder, PATIENCE)?;
    let before = list.clone();
    let changed = change(&mut list)?;
    if list != before {
        list.write(folder)?;
        let names = |engines: Vec<&EngineConfig>| {
            engines.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let retired: Vec<&EngineConfig> = list.retired.iter().map(|it| &it.engine).collect();
        let others =
            if retired.is_empty() { String::new() } else { format!("; retired: {}", names(retired)) };
        console::note(&format!("{}: {}{others}", folder.display(), names(list.run.engines.iter().collect())));
    }
    Ok(changed)
}

fn begin(args: NewArgs) -> Result<()> {
    let NewArgs { list: folder, each, playing } = args;
    settings(&each)?;
    let pacing = &playing.pacing;
    let (asks, conclusion) = (pacing.out().is_some() || pacing.games(0)? > 0, pacing.conclusion);
    ensure!(
        !asks && !conclusion.strict && conclusion.report(),
        "--games, --out, --strict, --no-report: expected with `arbiter list play`"
    );
    let (mut run, ..) = playing.open(2, books::DEFAULT, &Adjudication::default())?;
    ensure!(
        run.rounds == Rounds::default(),
        "--games-per-opening, --no-swap: a list plays pairs with colours reversed"
    );
    ensure!(
        run.scale.as_ref().is_none_or(|scale| scale.engine.is_some()),
        "--scale-to: expected NPS,NAME with an engine of the list, since the last engine changes"
    );
    if run.book.order == BookOrder::Random {
        // This order begins again after the last opening, so a pairing has the whole book before it has an opening twice.
        run.book.order = BookOrder::Fastchess;
    }
    if !run.book.embedded {
        run.book.path = absolute(&run.book.path)?;
    }
    let (shown, conditions) = (folder.display(), limits_of_run(&run));
    ensure!(
        !folder.exists(),
        "{shown}: expected a new folder, found one that exists; add engines to a list with: arbiter list add {shown} ENGINE"
    );
    console::note(&format!(
        "{shown}: a list of games with {conditions}, openings {}; add engines with: arbiter list add {shown} ENGINE…",
        run.book.path.display()
    ));
    ListFile::of(each, run).create(Some(&folder), "")?;
    Ok(())
}

fn settings(texts: &[String]) -> Result<Vec<EngineSettings>> {
    texts.iter().map(|text| text.parse().with_context(|| format!("--each {text}"))).collect()
}

fn add_all(list: &mut ListFile, args: &AddArgs) -> Result<()> {
    for spec in args.engines.iter().chain(&args.in_words) {
        let engine = found(list, spec)?;
        list.add(engine)?;
    }
    for AnchorArg { name, rating, error } in &args.anchors {
        list.check_player(name).context("--anchor")?;
        list.anchors.insert(name.clone(), *rating);
        list.anchor_errors.remove(name);
        if *error > 0.0 {
            list.anchor_errors.insert(name.clone(), *error);
        }
    }
    Ok(())
}

/// Finds or builds an engine, and checks that it starts.
fn found(list: &ListFile, spec: &EngineSpec) -> Result<EngineConfig> {
    let mut spec = spec.clone();
    settings(&list.each)?.iter().rev().for_each(|common| spec.settings.add_common(common));
    let mut engine = engines::resolve(&spec, &mut console::announce_build)?;
    engine.program = absolute(&engine.program)?;
    engine.dir = engine.dir.map(absolute).transpose()?;
    engine.sha256 = Some(file_record::sha256(&engine.program)?);
    playing::check_alone(&RunConfig { engines: Vec::new(), ..list.run.clone() }, &engine)?;
    Ok(engine)
}

/// Copies a PGN file into the list as a run.
fn import(list: &mut ListFile, args: &ImportArgs) -> Result<()> {
    let (folder, file) = (&args.list, args.games.display());
    for (theirs, ours) in &args.names {
        list.check_player(ours).context("--name")?;
        list.names.insert(theirs.clone(), ours.clone());
    }
    let mut games = RatedGames::of(1, RepeatedGames::Drop);
    games.names.clone_from(&list.names);
    games.read_pgn_once(&args.games)?;
    let rules = list.run.variant;
    let is_other =
        |variant: &&Variant| **variant != rules && !(rules == Variant::Chess960 && variant.is_chess());
    if let Some(other) = games.variants.iter().find(is_other) {
        bail!("{file}: expected games of {rules}, as in the list, found games of {other}");
    }
    let players: Vec<&str> = games.players().collect();
    let others: Vec<&str> = players.iter().copied().filter(|player| !list.is_player(player)).collect();
    ensure!(
        others.is_empty() || args.add_players,
        "{file}: players that are not in the list: {}; map a player with --name \"{}=ENGINE\", or add these players as retired \
         engines with --add-players",
        others.join(", "),
        others.first().unwrap_or(&"")
    );
    let added = others.iter().map(|name| RetiredEngine {
        reason: args.same_conditions.clone(),
        engine: EngineConfig { name: (*name).to_owned(), ..EngineConfig::default() },
    });
    list.retired.extend(added);
    let before = Standing::read(folder, list)?.games();
    let path = ListFile::next_folder(folder);
    let copy = path.join(GAMES);
    fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
    fs::write(&copy, read_unpacked(&args.games)?).with_context(|| copy.display().to_string())?;
    list.imported.insert(name_of(&path), args.same_conditions.clone());
    let standing = Standing::read(folder, list)?;
    let new = standing.games() - before;
    if new == 0 {
        fs::remove_dir_all(&path)?;
        bail!("{file}: expected games with a result, but every game is in the list already, or has none");
    }
    let (run, found) = (name_of(&path), counted(new, "game"));
    console::note(&format!("run {run}: {found} of {}", players.join(", ")));
    standing.ratings()?.excluded.in_words().iter().for_each(|words| console::note(words));
    Ok(())
}

/// The name of the engine in the list, to which it is added if it is not there.
fn placed(list: &mut ListFile, spec: &EngineSpec) -> Result<String> {
    if let engines::EngineSource::Name(name) = &spec.source
        && *spec == EngineSpec::of_name(name)
        && list.index_of(name).is_ok()
    {
        return Ok(name.clone());
    }
    let engine = found(list, spec)?;
    let known = list.run.engines.iter().find(|known| known.is_same_player(&engine));
    let name = known.map_or(&engine.name, |known| &known.name).clone();
    if known.is_none() {
        list.add(engine)?;
    }
    Ok(name)
}
