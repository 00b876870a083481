//! From a tournament of another program to the configuration of a run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use referee::openings::BookFormat;
use runner::{
    Adjudication, BookConfig, BookOrder, EngineConfig, Format, PgnConfig, PgnField, Rounds, RunConfig,
    SearchLimits, Timeouts,
};

use super::tournament::{Openings, Player, Tournament};
use crate::engines::locate;
use crate::files::{recorded_path, sha256};
use crate::matches::machine;

/// The book of games that begin with the usual position.
const NO_BOOK: &str = "startpos.epd";

/// The longest wait for `uciok` or `readyok`.
const READY: Duration = Duration::from_mins(1);

/// The longest search without a clock. fastchess waits for ever; a game of a million nodes a move may be meant.
const STALL: Duration = Duration::from_mins(10);

impl Tournament {
    /// The run that is asked for.
    ///
    /// # Errors
    /// A program or a book is not there, or something cannot be done by a run.
    pub(super) fn run_config(&self) -> Result<RunConfig> {
        self.config(self.out.is_some())
    }

    /// The same with the fingerprints of programs and book, and with the fields of `games.pgn` that any run has.
    ///
    /// # Errors
    /// A program or a book is not there, or something cannot be done by a run.
    pub fn recorded_run_config(&self) -> Result<RunConfig> {
        Ok(RunConfig { pgn: PgnConfig::default(), ..self.config(true)? })
    }

    fn config(&self, is_kept: bool) -> Result<RunConfig> {
        let engines =
            self.engines.iter().map(|player| engine(player, is_kept)).collect::<Result<Vec<_>>>()?;
        if self.sprt.is_some() && self.engines.len() > 2 {
            bail!("-sprt: expected two engines, found {}", self.engines.len());
        }
        // Without a limit on time there is nothing to exceed.
        let timed = self.engines.iter().filter(|player| player.limits.is_timed());
        let mut margins = timed.map(|player| player.time_margin);
        let margin = margins.next().unwrap_or_default();
        if margins.any(|other| other != margin) {
            bail!("timemargin: expected the same for all engines with a limit on time; give it to -each");
        }
        let games = self.rounds.checked_mul(self.games).context("-rounds: too many")?;
        let config = RunConfig {
            format: if self.gauntlet { Format::Gauntlet { challengers: 1 } } else { Format::RoundRobin },
            rounds: Rounds {
                games: self.games,
                noswap: self.noswap,
                in_one_go: self.in_one_go,
                reverse: self.reverse,
            },
            skipped: self.games_played(),
            concurrency: usize::try_from(self.concurrency).unwrap_or(1),
            affinity: self.affinity,
            variant: self.variant,
            time_margin: margin,
            timeouts: Timeouts {
                ready: self.ready.unwrap_or(READY),
                stall: STALL,
                late: Duration::from_secs(10),
            },
            ponder: self.ponder,
            adjudication: Adjudication {
                draw: self.draw,
                resign: self.resign,
                max_moves: self.max_moves,
                syzygy: self.tables.clone(),
                play_out: None,
            },
            pgn: self.pgn_config(),
            sprt: self.sprt,
            trinomial: !self.penta,
            check_mate_pvs: self.check_mate_pvs,
            made: Some(machine::made_now()),
            // An engine that does not start would not start the next time.
            start_attempts: 1,
            ..RunConfig::of(games, self.book(is_kept)?, engines)
        };
        Ok(config)
    }

    /// Games that a state file has.
    pub(super) fn games_played(&self) -> u32 {
        self.played.map_or(0, |score| score.games.games() as u32)
    }

    fn book(&self, is_kept: bool) -> Result<BookConfig> {
        let Some(Openings { file, format, random, plies, start }) = &self.openings else {
            return Ok(BookConfig {
                embedded: true,
                order: BookOrder::Sequential,
                ..BookConfig::of(NO_BOOK)
            });
        };
        if *format == Some(BookFormat::Polyglot) {
            bail!("-openings file={}: expected format=epd or format=pgn", file.display());
        }
        Ok(BookConfig {
            format: *format,
            order: if *random { BookOrder::Fastchess } else { BookOrder::Sequential },
            seed: self.seed,
            per_pairing: true,
            plies: *plies,
            start: start - 1,
            sha256: is_kept.then(|| sha256::of_file(file)).transpose()?,
            ..BookConfig::of(recorded_path::of(file)?)
        })
    }

    fn pgn_config(&self) -> PgnConfig {
        let Some(pgn) = &self.pgn else { return PgnConfig::default() };
        let fields = [
            (true, PgnField::Depth),
            (pgn.seldepth, PgnField::Seldepth),
            (pgn.nodes, PgnField::Nodes),
            (pgn.nps, PgnField::Nps),
            (pgn.hashfull, PgnField::Hashfull),
            (pgn.tbhits, PgnField::Tbhits),
            (true, PgnField::Time),
            (pgn.timeleft, PgnField::Timeleft),
            (pgn.latency, PgnField::Latency),
            (pgn.pv, PgnField::Pv),
            (true, PgnField::Start),
        ];
        let fields = fields.into_iter().filter_map(|(wanted, field)| wanted.then_some(field)).collect();
        PgnConfig { fields: Some(fields), match_lines: pgn.match_lines.clone() }
    }
}

fn engine(player: &Player, is_kept: bool) -> Result<EngineConfig> {
    let program = program(player)?;
    let sha256 = is_kept.then(|| sha256::of_file(&program)).transpose()?;
    let dir = (!player.dir.is_empty()).then(|| recorded_path::of(Path::new(&player.dir))).transpose()?;
    let mut options = player.options.clone();
    // As fastchess does: hash is laid out for the threads.
    options.sort_by_key(|option| option.name != "Threads");
    Ok(EngineConfig {
        name: player.name.clone(),
        program,
        args: player.args.clone(),
        dir,
        restart: player.restart,
        options,
        sha256,
        limits: (player.limits != SearchLimits::default()).then(|| player.limits.clone()),
        ..EngineConfig::default()
    })
}

/// The program file: on the search path, below the folder of the engine, or in the current folder.
fn program(player: &Player) -> Result<PathBuf> {
    let Player { name, cmd, dir, .. } = player;
    let is_bare = Path::new(cmd).components().count() == 1;
    let places = [Path::new(dir).join(cmd), PathBuf::from(cmd)];
    let found = is_bare.then(|| locate::on_search_path(cmd)).flatten();
    let found = found.or_else(|| places.into_iter().find(|place| place.is_file())).with_context(|| {
        let hint = locate::hint(cmd, |program, args| {
            format!("cmd={program} \"args={args}\" (cutechess-cli has arg= for each)")
        });
        format!("-engine name={name} cmd={cmd}: expected a program, found none{hint}")
    })?;
    // The program is started in its folder.
    if dir.is_empty() { Ok(recorded_path::of_program(&found)) } else { Ok(std::path::absolute(found)?) }
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    /// The run of two engines with these settings, and what follows them.
    fn config([first, second]: [&str; 2], rest: &str) -> Result<RunConfig> {
        let program = env::current_exe().unwrap();
        let program = program.display();
        let line = format!(
            "-engine cmd={program} name=a {first} -engine cmd={program} name=b {second} -games 2 {rest}"
        );
        Tournament::of_fastchess(&shlex::split(&line).unwrap()).unwrap().recorded_run_config()
    }

    #[test]
    fn more_games_than_can_be_counted_are_refused() {
        let games = |rounds: u32| config(["tc=1+0"; 2], &format!("-rounds {rounds}"));
        assert_eq!(games(2_147_483_647).unwrap().games, 4_294_967_294);
        assert!(games(2_147_483_648).unwrap_err().to_string().starts_with("-rounds: too many"));
    }

    #[test]
    fn only_engines_with_a_limit_on_time_need_the_same_margin() {
        let margin = |engines: [&str; 2]| config(engines, "").map(|config| config.time_margin);
        let quarter = Duration::from_millis(250);
        assert_eq!(margin(["tc=8+0.08 timemargin=250", "nodes=5000"]).unwrap(), quarter);
        assert_eq!(margin(["depth=9", "st=0.5 timemargin=250"]).unwrap(), quarter);
        let message = margin(["tc=8+0.08 timemargin=250", "st=0.5"]).unwrap_err().to_string();
        assert!(message.starts_with("timemargin: expected the same"), "{message}");
    }
}
