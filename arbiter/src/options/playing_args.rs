//! Options for how games are played: limits, numbers, and which records are kept.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{bail, ensure};
use clap::Args;

use super::{AdjudicationArgs, OpeningArgs, SharedArgs, books, one_of};
use crate::cli::console;
use crate::options::machine;
use referee::openings::Book;
use runner::process::ClockKind;
use runner::{
    Adjudication, Affinity, CorePlan, EngineConfig, GameLogs, InvalidInput, Numbers, PgnConfig, PgnFields,
    Rounds, RunConfig, SearchLimits, TablebaseAdjudicator, TimeControl, TimeScale, cores_per_game,
};

/// The options that every command has that plays runs.
#[derive(Debug, Args)]
pub struct PlayingArgs {
    #[command(flatten)]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub pacing: PacingArgs,

    #[command(flatten)]
    pub openings: OpeningArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,

    #[command(flatten)]
    pgn: PgnArgs,
}

impl PlayingArgs {
    /// The configuration of a run, with `games` games unless `--games` is given, no engines yet, and a concurrency of 1.
    pub fn run_config(&self, games: u32) -> anyhow::Result<RunConfig> {
        Ok(self.open(games, books::DEFAULT, &Adjudication::default())?.0)
    }

    /// The configuration with the opened book, and the Syzygy tablebases if they adjudicate. The book and the score rules
    /// default to `usual_book` and `usual`.
    pub fn open(
        &self,
        games: u32,
        usual_book: &str,
        usual: &Adjudication,
    ) -> anyhow::Result<(RunConfig, Book, Option<TablebaseAdjudicator>)> {
        let (book, openings) = self.openings.open(usual_book)?;
        let (adjudication, tables) = self.adjudication.with_tables(usual, self.openings.variant)?;
        let mut config = RunConfig {
            affinity: self.pacing.affinity(),
            rounds: Rounds { games: self.pacing.games_per_opening, ..Rounds::default() },
            logs: self.pacing.logs(),
            variant: self.openings.variant,
            time_margin: Duration::from_millis(self.limits.time_margin),
            clock: self.limits.clock,
            limits: self.limits.search_limits()?,
            scale: self.limits.scale_to.clone(),
            ponder: self.limits.ponder,
            adjudication,
            pgn: PgnConfig {
                fields: self.pgn.pgn_fields.clone(),
                match_lines: self.pgn.pgn_match_line.clone(),
                event: self.pgn.event.clone(),
                site: self.pgn.site.clone(),
            },
            made: Some(machine::made_now()),
            ..RunConfig::of(self.pacing.games(games)?, book, Vec::new())
        };
        self.pacing.shared.set(&mut config);
        Ok((config, openings, tables))
    }
}

/// The values of `--clock`.
pub const CLOCKS: [(&str, &str, ClockKind); 2] = [
    ("wall", "Wall-clock time", ClockKind::Wall),
    ("cpu", "CPU time of the engine, which other load hardly affects", ClockKind::Cpu),
];

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Time control: seconds+increment, moves/seconds+increment or minutes:seconds+increment [default: 10+0.1]
    #[arg(long, value_name = "TC", conflicts_with = "movetime", allow_hyphen_values = true)]
    tc: Option<TimeControl>,

    #[command(flatten)]
    pub per_move: MoveLimitArgs,

    /// Scale the time limits to this machine: they are meant for one on which the engine, by default the last one, searches
    /// this many nodes per second, such as 1.2Mnps or 900knps,NAME
    #[arg(long, value_name = "NPS[,NAME]")]
    scale_to: Option<TimeScale>,

    /// How the engines' time is measured; `cpu` needs Linux
    #[arg(long, default_value = "wall", value_parser = one_of(CLOCKS))]
    clock: ClockKind,

    /// Milliseconds by which an engine may exceed its time before it loses
    #[arg(long = "timemargin", value_name = "MS", default_value_t = 0)]
    time_margin: u64,

    /// Let engines think on the opponent's time
    #[arg(long)]
    ponder: bool,
}

impl LimitArgs {
    /// Fails if limits are given that no engine would play by.
    pub fn check_against(&self, engines: &[EngineConfig]) -> anyhow::Result<()> {
        let is_given = self.tc.is_some() || self.per_move.limits() != SearchLimits::default();
        ensure!(
            !is_given || engines.iter().any(|engine| engine.limits.is_none()),
            "--tc, --movetime, --nodes, --depth: they limit no engine, because each has limits of its own (--each or \
             ENGINE:nodes=N, which replace them); give all limits of an engine in one place, as in --each tc=1+0.1,nodes=1000"
        );
        Ok(())
    }

    pub fn search_limits(&self) -> anyhow::Result<SearchLimits> {
        let mut limits = SearchLimits { clock: self.tc.clone(), ..self.per_move.limits() };
        if limits == SearchLimits::default() {
            limits.clock = Some("10+0.1".parse()?);
        }
        limits.validate()?;
        Ok(limits)
    }
}

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct MoveLimitArgs {
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,

    /// Nodes for each move; may be combined with --tc
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Depth of each search, in plies; may be combined with --tc
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

impl MoveLimitArgs {
    pub fn limits(&self) -> SearchLimits {
        SearchLimits {
            movetime: self.movetime.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            ..SearchLimits::default()
        }
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub struct PacingArgs {
    /// Games per pairing, an even number [default: 100, or until --sprt or --best decides]
    ///
    /// With --sprt or --best, this is the maximum, by default 100,000.
    #[arg(long, value_name = "N")]
    games: Option<u32>,

    /// Games per opening: 2, with colours reversed, or 1, with alternating colours; with 1, an SPRT counts games, not pairs
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=2))]
    games_per_opening: u32,

    /// Games played at the same time [default: as many as fit on the cores]
    ///
    /// The default is the number of hardware threads divided by the largest Threads of an engine, and half of it with --ponder.
    /// It is lower if the engines' hash tables would not fit into memory.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,

    /// Pin each game to its own cores (Linux, Windows), chosen from the list if given: --affinity=0-3,8
    #[arg(long, value_name = "CORES", num_args = 0..=1, require_equals = true, default_missing_value = ALL_CORES,
        value_parser = parse_affinity)]
    affinity: Option<Affinity>,

    /// Keep the engine log of every game, compressed, in `logs`; those of games with a fault are always kept, in `bad`
    #[arg(long, conflicts_with = "log_game")]
    log: bool,

    /// Keep the engine logs of these games, such as 7 or 7,20-29
    #[arg(long, value_name = "N,…")]
    log_game: Option<Numbers>,

    #[command(flatten)]
    shared: SharedArgs,

    /// New run folder [default: results/<date>-<engines>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    pub conclusion: ConclusionArgs,
}

impl PacingArgs {
    pub fn games(&self, default: u32) -> anyhow::Result<u32> {
        match self.games {
            None => Ok(default),
            Some(games) if games > 0 && self.games_per_opening == 1 => Ok(games),
            Some(games) => even_games("--games", games),
        }
    }

    fn affinity(&self) -> Affinity {
        self.affinity.clone().unwrap_or_default()
    }

    fn logs(&self) -> GameLogs {
        match &self.log_game {
            Some(games) => GameLogs::Games(games.clone()),
            None if self.log => GameLogs::All,
            None => GameLogs::Faults,
        }
    }

    /// The number of concurrent games; by default, as many as the cores have room for searches.
    pub fn concurrency(&self, engines: &[EngineConfig], limits: &LimitArgs) -> anyhow::Result<usize> {
        let per_game = cores_per_game(engines, limits.ponder);
        let wish = self.wish();
        if let Some(memory) =
            machine::games_in_memory(engines).filter(|memory| memory.games < wish.unwrap_or(1))
        {
            let gibibytes = |bytes: u64| bytes as f64 / f64::from(1 << 30);
            console::note(&format!(
                "warning: the hash tables of a game take {:.1} GiB, and {:.1} GiB of memory are available; games that do \
                 not fit wait for others",
                gibibytes(memory.per_game),
                gibibytes(memory.available)
            ));
        }
        if let Some(plan) = CorePlan::with(&self.affinity(), per_game)? {
            let games = wish.unwrap_or_else(|| plan.games().max(1));
            plan.check(games)?;
            return Ok(games);
        }
        let room = machine::games_at_once(engines, limits.ponder).min(most_at_once(engines));
        if let Some(games) = wish.filter(|games| *games > room && limits.clock == ClockKind::Wall) {
            console::note(&format!(
                "warning: {games} concurrent games keep {} threads busy, but there are {} cores; expect time losses at \
                 short time controls",
                games * per_game,
                machine::cores()
            ));
        }
        Ok(wish.unwrap_or(room))
    }

    pub fn wish(&self) -> Option<usize> {
        self.concurrency.map(usize::from)
    }

    pub fn out(&self) -> Option<&Path> {
        self.out.as_deref()
    }
}

/// The options about the end of a run, the same for every command that plays one.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ConclusionArgs {
    /// Exit with code 4 at the end if a game was lost by a fault other than a time loss
    #[arg(long)]
    pub strict: bool,

    /// Do not write report.html; `arbiter report DIR` writes it later
    #[arg(long)]
    no_report: bool,
}

impl ConclusionArgs {
    pub fn report(self) -> bool {
        !self.no_report
    }
}

/// How many games can run at once if some engines need a resource that only one process may use.
fn most_at_once(engines: &[EngineConfig]) -> usize {
    let mut needed: Vec<&String> = engines.iter().filter_map(|engine| engine.exclusive.as_ref()).collect();
    if engines.len() > needed.len() + 1 {
        return usize::MAX;
    }
    needed.sort_unstable();
    needed.dedup();
    needed.len().max(1)
}

const ALL_CORES: &str = "all";

fn parse_affinity(text: &str) -> Result<Affinity, InvalidInput> {
    if text == ALL_CORES { Ok(Affinity::Pinned(true)) } else { text.parse().map(Affinity::Cores) }
}

pub(super) fn even_games(option: &str, games: u32) -> anyhow::Result<u32> {
    if games == 0 || !games.is_multiple_of(2) {
        bail!(
            "{option} {games}: expected an even number above 0, because each opening is played twice with colours reversed"
        );
    }
    Ok(games)
}

#[derive(Debug, Args)]
#[command(next_help_heading = "PGN")]
struct PgnArgs {
    /// Fields in games.pgn besides moves and scores: depth, seldepth, nodes, nps, hashfull, tbhits, time, timeleft,
    /// latency, pv, start, or none [default: depth; with a clock also time and start]
    ///
    /// `time` is measured by Arbiter, `latency` is `time` minus the time that the engine reports, and `start` is a tag that
    /// says when the game began.
    #[arg(long, value_name = "FIELD,…")]
    pgn_fields: Option<PgnFields>,

    /// After each move, write the engine's last output line that matches this regular expression; may be repeated
    #[arg(long, value_name = "REGEX")]
    pgn_match_line: Vec<String>,

    /// The Event tag of games.pgn [default: the names of the engines]
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,

    /// The Site tag of games.pgn [default: the processor]
    #[arg(long, value_name = "TEXT")]
    site: Option<String>,
}
