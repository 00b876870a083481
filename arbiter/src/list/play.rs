//! Plays the games of a list: run after run, until the errors are as small as wanted.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use clap::Args;

use super::list_file::{ListFile, PATIENCE, name_of};
use super::rounds::{self, Round};
use super::standing::{ListedRun, Standing};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console, show};
use crate::files::StateFile;
use crate::options::{ConclusionArgs, machine};
use crate::run::Series;
use crate::run::remote::Host;
use crate::text::number_text::counted;
use runner::{EngineConfig, FinishReason, ListGoal, RunConfig};

/// The most games of a run that ends by its errors.
const MANY_GAMES: u32 = 50_000;

/// A run aims at most at this share of the error that is wanted, when the errors of the list are larger than planned.
const LEAST_AIM: f64 = 0.5;

/// A run has at most this share of the games so far if other processes play the list, too, …
const SHARE_IF_SHARED: f64 = 0.1;

/// … or if errors are near those that are wanted, since only after a run they are known exactly; …
const SHARE_IF_NEAR: f64 = 0.25;

/// … but it has this many for each game that is played at once.
const FEW: usize = 20;

/// Errors are near those that are wanted if they are at most this many times as large.
const NEAR: f64 = 1.5;

/// What is to be played.
#[derive(Debug)]
pub struct Order {
    /// The 95% error that is wanted, in Elo.
    pub within: Option<f64>,
    /// The only engine whose error is wanted.
    pub place: Option<String>,
    pub paced: PacedArgs,
}

#[derive(Debug, Args)]
pub struct PacedArgs {
    /// Stop starting games after this many hours; running games are finished
    #[arg(long, value_name = "N", value_parser = hours)]
    pub hours: Option<Duration>,
    /// Play at most N games, including those that finish an earlier run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub games: Option<u32>,
    /// Games played at the same time [default: as many as fit on the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// Play on these machines over ssh, in rounds: ada,grace:8 plays 8 games at once on grace, and `.` is this machine
    #[arg(long, value_name = "HOST,…", value_delimiter = ',')]
    pub on: Vec<Host>,
    /// Play together with other processes that have this option and the same folder, perhaps on other machines: in short
    /// runs, so that each process soon knows what the others have played
    #[arg(long, conflicts_with = "on")]
    pub shared: bool,
    #[command(flatten)]
    pub conclusion: ConclusionArgs,
}

fn hours(text: &str) -> Result<Duration, String> {
    let time = text.parse::<f64>().ok().and_then(|hours| Duration::try_from_secs_f64(3600.0 * hours).ok());
    let time = time.filter(|time| !time.is_zero());
    time.ok_or_else(|| "expected a number of hours above 0, such as 8".to_owned())
}

/// Plays runs into the list until the errors are as wanted, or the games are played. An unfinished run is finished first.
pub fn play(folder: &Path, order: &Order) -> CliResult {
    let mut held = Held::of(folder, order.paced.shared, PATIENCE)?;
    if !order.paced.on.is_empty() {
        rounds::check(&held.list, order.paced.concurrency).usage()?;
    }
    let command = order.place.as_ref().map_or_else(
        || format!("arbiter list play {}", folder.display()),
        |name| format!("arbiter list place {} {name}", folder.display()),
    );
    let mut series = Series::continued_by(command, order.paced.conclusion).fault()?;
    if let Some(time) = order.paced.hours {
        series.end_after(time, order.paced.on.is_empty()).fault()?;
    }
    let (mut games_left, mut faults_before) = (order.paced.games.unwrap_or(u32::MAX), None);
    let mut pace = None;
    let is_without_limit =
        order.within.is_none() && order.paced.games.is_none() && order.paced.hours.is_none();
    let mut has_finished = false;
    let code = loop {
        let begun = rounds::finish(&series, folder)?;
        has_finished |= matches!(begun, Round::Played(_));
        if held.take_round(&begun)?.is_stopped {
            return Ok(series.interrupted());
        }
        let list = &held.list;
        let standing = Standing::read(folder, list).usage()?;
        faults_before.get_or_insert(standing.other_faults());
        if let Some(run) = standing.runs.iter().find(|run| run.is_in_use && !order.paced.shared) {
            let (run, shown) = (name_of(&run.folder), folder.display());
            return Err(anyhow!(
                "{shown}: another process plays run {run}; to play together, give both --shared"
            ))
            .usage();
        }
        let is_meant = |run: &&ListedRun| {
            run.is_open && !run.is_in_use && (order.paced.hours.is_some() || !run.is_for_a_time())
        };
        let open = standing.runs.iter().find(is_meant).filter(|_| !series.is_time_up());
        if let Some((run, config)) = open.and_then(|run| Some((run, run.config.as_ref()?))) {
            console::note(&format!("finishing run {}", name_of(&run.folder)));
            let played = held.play_run(&series, &config.clone(), &run.folder)?;
            if played.is_stopped && !series.is_time_up() {
                return Ok(series.interrupted());
            }
            games_left = games_left.saturating_sub(played.games.saturating_sub(run.games));
            has_finished = true;
            continue;
        }
        if is_without_limit && has_finished {
            break ExitCode::Done;
        }
        if is_without_limit {
            return Err(anyhow!("expected --until, --games or --hours: the list has no unfinished run"))
                .usage();
        }
        if order.place.as_ref().is_some_and(|name| list.index_of(name).is_err()) {
            break ExitCode::EngineBroke;
        }
        check_engines(folder, list.run.engines.len()).usage()?;
        let wanted = wanted(list, order);
        let error = |name: &String| standing.error(name);
        let largest = wanted.iter().map(error).fold(0.0, f64::max);
        if order.within.is_some_and(|within| largest <= within) {
            break ExitCode::Done;
        }
        if series.is_time_up() {
            console::note("the time is up");
        }
        if games_left < 2 || series.is_time_up() {
            break if order.within.is_some() { ExitCode::Inconclusive } else { ExitCode::Done };
        }
        let in_time =
            pace.zip(series.time_left()).map(|(pace, left): (f64, Duration)| left.as_secs_f64() * pace);
        let most = in_time.map_or(MANY_GAMES, |games| (games as u32).clamp(2, MANY_GAMES));
        let config = config(list, &standing, order, games_left.min(most)).usage()?;
        let path = ListFile::next_folder(folder);
        let began = Instant::now();
        let played = if order.paced.on.is_empty() {
            say_what_is_played(&config, &path, largest);
            held.play_run(&series, &config, &path)?
        } else {
            let round = rounds::play(&series, folder, config, &order.paced.on)?;
            held.take_round(&round)?
        };
        // A round ends before the time is up unless somebody stops it.
        if played.is_stopped && (!order.paced.on.is_empty() || !series.is_time_up()) {
            return Ok(series.interrupted());
        }
        pace = (!order.paced.on.is_empty()).then(|| f64::from(played.games) / began.elapsed().as_secs_f64());
        if series.is_time_up() {
            continue;
        }
        if played.games == 0 {
            console::note("warning: no game is left that would tell anything about these ratings");
            break ExitCode::Inconclusive;
        }
        games_left = games_left.saturating_sub(played.games);
    };
    let standing = Standing::read(folder, &held.list).usage()?;
    show(standing.document(&held.list)).fault()?;
    let has_faults = faults_before.is_some_and(|before| standing.other_faults() > before);
    Ok(if order.paced.conclusion.strict && has_faults { ExitCode::EngineBroke } else { code })
}

fn check_engines(folder: &Path, engines: usize) -> anyhow::Result<()> {
    let shown = folder.display();
    ensure!(
        engines >= 2,
        "{shown}: expected at least two engines that play, found {engines}; add some with: arbiter list add {shown} ENGINE"
    );
    Ok(())
}

/// The engines whose ratings are wanted.
fn wanted(list: &ListFile, order: &Order) -> Vec<String> {
    match &order.place {
        Some(name) => vec![name.clone()],
        None => list.run.engines.iter().map(|engine| engine.name.clone()).collect(),
    }
}

/// A list that this process may change, while it holds the lock.
struct Held<'a> {
    folder: &'a Path,
    list: ListFile,
    lock: Option<File>,
    is_shared: bool,
}

/// What became of a run.
#[derive(Default)]
struct Played {
    is_stopped: bool,
    /// All games that it has now.
    games: u32,
}

impl Held<'_> {
    fn of(folder: &Path, is_shared: bool, patience: Duration) -> Result<Held<'_>, CliError> {
        let (list, lock) = ListFile::hold(folder, patience).usage()?;
        Ok(Held { folder, list, lock: Some(lock), is_shared })
    }

    /// Plays a run, or its missing games, and takes engines out of play that cannot play. Meanwhile others may play a shared
    /// list, and change it.
    fn play_run(&mut self, series: &Series, config: &RunConfig, path: &Path) -> Result<Played, CliError> {
        let lock = self.lock.take_if(|_| self.is_shared);
        let played = series.play_after(config, path, || drop(lock))?;
        if self.is_shared {
            *self = Held::of(self.folder, true, Duration::MAX)?;
        }
        let mut broken = Vec::new();
        if let FinishReason::EngineDoesNotStart { engine, detail } = &played.reason {
            let reason = format!("it did not start in run {}: {detail}", name_of(path));
            broken.push((config.engines[*engine].name.clone(), reason));
        }
        let games = self.retire_failing(path, broken)?;
        Ok(Played { is_stopped: played.is_stopped(), games })
    }

    /// Takes engines out of play that a round set aside.
    fn take_round(&mut self, round: &Round) -> Result<Played, CliError> {
        let games = match round {
            Round::Played(path) => self.retire_failing(path, Vec::new())?,
            Round::Empty | Round::Stopped => 0,
        };
        Ok(Played { is_stopped: *round == Round::Stopped, games })
    }

    /// Takes engines out of play that cannot play: those in `broken`, with the reason, and those that the run set aside.
    /// Returns the number of games of the run.
    fn retire_failing(&mut self, path: &Path, mut broken: Vec<(String, String)>) -> Result<u32, CliError> {
        let name = name_of(path);
        let standing = Standing::read(self.folder, &self.list).usage()?;
        let run = standing.runs.iter().find(|run| run.folder == path);
        broken.extend(run.iter().flat_map(|run| &run.set_aside).map(|engine| {
            (engine.clone(), format!("too many of its games in run {name} ended by its faults"))
        }));
        for (name, reason) in broken {
            if let Ok(engine) = self.list.index_of(&name) {
                console::note(&format!("warning: {name} is set aside: {reason}"));
                self.list.retire(engine, reason);
                self.list.write(self.folder).fault()?;
            }
        }
        Ok(run.map_or(0, |run| run.games))
    }
}

fn say_what_is_played(config: &RunConfig, path: &Path, largest: f64) {
    let aim = config.list.as_ref().and_then(|goal| Some((goal.within?, goal.place)));
    let now = if largest.is_finite() { format!("±{largest:.1}") } else { "unknown".to_owned() };
    let is_for_a_time = config.list.as_ref().is_some_and(|goal| goal.ends_when_stopped);
    let aim = match aim {
        None if is_for_a_time => "until the time is up".to_owned(),
        None => counted(config.games.into(), "game"),
        Some((within, None)) => format!("until every error is ±{within:.1}; the largest is {now}"),
        Some((within, Some(engine))) => {
            format!("until {} is known within ±{within:.1}; now {now}", config.engines[engine].name)
        }
    };
    console::note(&format!("run {}: {aim}", name_of(path)));
}

/// The next run of a list.
fn config(list: &ListFile, standing: &Standing, order: &Order, games: u32) -> anyhow::Result<RunConfig> {
    let made = machine::made_now();
    let begun = list.run.made.as_ref().map_or(&made.cpu, |made| &made.cpu);
    ensure!(
        !list.run.depends_on_speed() || *begun == made.cpu,
        "processor: {begun} in the list, {} here; time controls are not the same games on another processor, so begin \
         another list here, or one with --nodes or --scale-to",
        made.cpu
    );
    let place = order.place.as_ref().map(|name| list.index_of(name)).transpose()?;
    let room = || machine::games_at_once(&list.run.engines, list.run.ponder);
    let concurrency = order.paced.concurrency.map_or_else(room, usize::from);
    let aim = order.within.map(|within| aim(list, standing, order, within));
    let share = match aim {
        _ if order.paced.shared => Some(SHARE_IF_SHARED),
        Some(..1.0) => Some(SHARE_IF_NEAR),
        _ => None,
    };
    let few = (FEW * concurrency) as f64;
    let most = share.map_or(u32::MAX, |share| (share * standing.games() as f64).max(few) as u32);
    let config = RunConfig {
        games: games.min(most) / 2 * 2,
        concurrency,
        list: Some(ListGoal {
            within: order.within.zip(aim).map(|(within, aim)| within * aim),
            place,
            ends_when_stopped: order.paced.hours.is_some() && order.paced.on.is_empty(),
            in_advance: !order.paced.on.is_empty(),
            most_faults: ListGoal::most_faults(),
            anchors: standing.reference.clone(),
            versions: standing.versions.clone(),
            known: standing.known.values().cloned().collect(),
        }),
        made: Some(made),
        ..list.run.clone()
    };
    config.validate().context("the next run")?;
    Ok(config)
}

/// The share of the wanted error at which the next run aims. A run ends by the errors that its plan predicts. Where the
/// errors of the list, which include the scatter of each engine, are close to what is wanted but larger than predicted, the
/// share is below 1.
fn aim(list: &ListFile, standing: &Standing, order: &Order, within: f64) -> f64 {
    let (margins, names) = (standing.plan().margins(), wanted(list, order));
    let is_wanted = |engine: &EngineConfig| names.contains(&engine.name);
    let engines = list.run.engines.iter().zip(&margins).filter(|(engine, _)| is_wanted(engine));
    let is_near = |name: &str| standing.error(name) < NEAR * within;
    let shares = engines
        .filter(|(engine, _)| is_near(&engine.name))
        .map(|(engine, planned)| planned / standing.error(&engine.name));
    let least = shares.filter(|share| *share > 0.0).fold(1.0, f64::min);
    least.max(LEAST_AIM)
}
