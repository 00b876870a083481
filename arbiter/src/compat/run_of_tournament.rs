//! Converts a tournament of another program to the configuration of a run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use referee::openings::BookFormat;
use referee::{Tablebases, Variant};
use runner::{
    Adjudication, Affinity, BookConfig, BookOrder, DrawRule, EngineBook, EngineConfig, Format, JudgedAs,
    PgnConfig, PgnField, ResignRule, Rounds, RunConfig, SearchLimits, SyzygyRule, Timeouts, UciSetting,
};
use stats::{Sprt, SprtModel};

use super::dialect_config::{
    CutechessPlayer, DialectEngine, OpeningOptions, Policy, SwitchesOnly, Test, Tournament, TournamentKind,
};
use crate::engines::locate;
use crate::files::file_record;
use crate::options::{SharedArgs, books, machine};
use runner::process::environment::ALL;

/// The event and the site that the originals write if none was set.
const UNSAID: [&str; 3] = ["Fastchess Tournament", "?", ""];

const READY: Duration = Duration::from_mins(1);

/// The timeout of a search without a clock; enough for a million nodes a move. fastchess waits for ever.
const STALL: Duration = Duration::from_mins(10);

impl Tournament {
    pub(super) fn run_config(&self) -> Result<RunConfig> {
        self.config(self.out().is_some())
    }

    /// The configuration with the hashes of programs and book, and with the PGN tags of any other run.
    pub fn recorded_run_config(&self) -> Result<RunConfig> {
        Ok(RunConfig { pgn: self.pgn_occasion(), ..self.config(true)? })
    }

    fn config(&self, is_kept: bool) -> Result<RunConfig> {
        let engines =
            self.engines.iter().map(|player| engine(player, is_kept)).collect::<Result<Vec<_>>>()?;
        let patience =
            self.engines.iter().filter_map(|player| player.unsaved.patience).fold(1.0, f64::max).min(100.0);
        let games = self.rounds.checked_mul(self.games).context("-rounds: too many")?;
        let earlier = self.played().map(|score| score.observations(self.report_penta));
        let mut run = RunConfig {
            format: match self.kind {
                TournamentKind::Gauntlet => Format::Gauntlet { challengers: self.seeds() },
                TournamentKind::RoundRobin | TournamentKind::Pyramid => Format::RoundRobin,
            },
            encounters: self.encounters(),
            rounds: Rounds {
                games: self.games,
                noswap: self.noswap,
                in_one_go: self.unsaved.in_one_go,
                reverse: self.reverse,
            },
            skipped: self.games_played(),
            earlier: earlier.filter(|_| self.games_played() > 0),
            concurrency: usize::try_from(self.concurrency).unwrap_or(1),
            affinity: match &self.unsaved.cpus {
                Some(cores) => Affinity::Cores(cores.clone()),
                None if self.affinity => Affinity::Pinned(true),
                None => Affinity::Pinned(false),
            },
            variant: self.variant,
            timeouts: Timeouts {
                ready: READY.mul_f64(patience),
                stall: STALL,
                late: Duration::from_secs(10),
            },
            wait: Duration::from_millis(self.wait),
            clock: self.clock,
            ponder: self.unsaved.ponder,
            adjudication: self.adjudication(),
            judged_as: if self.unsaved.is_cutechess { JudgedAs::Cutechess } else { JudgedAs::Fastchess },
            pgn: self.pgn_config(),
            sprt: self.sprt_test()?,
            trinomial: !self.report_penta,
            test_repeats: true,
            check_mate_pvs: self.check_mate_pvs,
            made: Some(machine::made_now()),
            // An engine that fails to start once would fail again.
            start_attempts: 1,
            ..RunConfig::of(games, self.book(is_kept)?, engines)
        };
        SharedArgs::of_words(&self.arbiter)?.set(&mut run);
        Ok(run)
    }

    /// The SPRT; for cutechess-cli, in logistic Elo.
    pub(super) fn sprt_test(&self) -> Result<Option<Sprt>> {
        let Test { alpha, beta, elo0, elo1, model, enabled } = self.sprt;
        let sprt = match self.unsaved.is_cutechess {
            _ if self.is_test_reversed() => Sprt::new(elo1, elo0, beta, alpha, SprtModel::Logistic),
            // Some scripts set equal hypotheses; the LLR then stays 0, and all games are played.
            true if elo0.total_cmp(&elo1).is_eq() => {
                Sprt::new(elo0, elo1.next_up(), alpha, beta, SprtModel::Logistic)
            }
            true => Sprt::new(elo0, elo1, alpha, beta, SprtModel::Logistic),
            false => Sprt::new(elo0, elo1, alpha, beta, model),
        };
        let bayes_elo = |sprt: Sprt| if self.unsaved.is_cutechess { sprt.with_bayes_elo() } else { sprt };
        let sprt = enabled.then_some(sprt.map(bayes_elo)).transpose();
        sprt.map_err(|problem| anyhow!("-sprt: {problem}"))
    }

    /// Whether elo0 and elo1 are swapped: cutechess-cli accepts them in either order.
    pub(super) fn is_test_reversed(&self) -> bool {
        self.unsaved.is_cutechess && self.sprt.elo0 > self.sprt.elo1
    }

    fn adjudication(&self) -> Adjudication {
        let (draw, resign, tables) = (&self.draw, &self.resign, &self.tb_adjudication);
        // Accepts Windows' separator everywhere, as cutechess does.
        let folders = tables.syzygy_dirs.split([';', ':']).filter(|folder| !folder.is_empty());
        let folders: Vec<PathBuf> = folders.map(Into::into).collect();
        Adjudication {
            draw: draw.enabled.then_some(DrawRule {
                from_move: draw.move_number,
                count: draw.move_count,
                score: draw.score,
            }),
            resign: resign.enabled.then_some(ResignRule {
                count: resign.move_count,
                score: resign.score,
                two_sided: resign.twosided,
            }),
            max_moves: self.maxmoves.enabled.then_some(self.maxmoves.move_count),
            syzygy: (tables.enabled && !folders.is_empty()).then_some(SyzygyRule {
                folders,
                pieces: match tables.max_pieces {
                    0 => Tablebases::MOST_PIECES,
                    pieces => pieces,
                },
                ignore_50: tables.ignore_50_move_rule,
                results: self.unsaved.table_results,
                every_move: self.unsaved.is_cutechess,
            }),
            play_out: None,
        }
    }

    pub(super) fn seeds(&self) -> usize {
        self.gauntlet_seeds.clamp(1, self.engines.len().saturating_sub(1))
    }

    /// The order in which the original pairs the engines; empty if our order is the same.
    fn encounters(&self) -> Vec<(usize, usize)> {
        let (engines, seeds) = (self.engines.len(), self.seeds());
        let pairs = |of: usize, with: std::ops::Range<usize>| with.map(move |other| (of, other));
        match (self.unsaved.is_cutechess, self.kind) {
            (_, TournamentKind::Pyramid) => {
                (1..engines).flat_map(|engine| pairs(engine, 0..engine)).collect()
            }
            _ if engines == 2 => Vec::new(),
            (true, TournamentKind::Gauntlet) => {
                (0..seeds).flat_map(|seed| pairs(seed, seeds..engines)).collect()
            }
            // In fastchess the seeds also meet each other.
            (false, TournamentKind::Gauntlet) => {
                (0..seeds).flat_map(|seed| pairs(seed, seed + 1..engines)).collect()
            }
            (true, TournamentKind::RoundRobin) => circle(engines),
            (false, TournamentKind::RoundRobin) => Vec::new(),
        }
    }

    pub(super) fn games_played(&self) -> u32 {
        self.played().map_or(0, |score| score.games.games() as u32)
    }

    fn book(&self, is_kept: bool) -> Result<BookConfig> {
        let OpeningOptions { file, format, order, plies, start } = &self.opening;
        if !self.opening.is_given() {
            let order = match self.variant {
                Variant::Chess960 => BookOrder::Fastchess,
                _ => BookOrder::Sequential,
            };
            let (name, seed) = (books::default_of(self.variant, books::START), self.seed);
            let (per_pairing, wrap) = (true, Some(!self.unsaved.is_cutechess));
            return Ok(BookConfig { embedded: true, order, seed, per_pairing, wrap, ..BookConfig::of(name) });
        }
        let SwitchesOnly { is_cutechess, policy, repeat, .. } = self.unsaved;
        let (engines, seeds) = (self.engines.len() as u32, self.seeds() as u32);
        if !is_cutechess && *format == Some(BookFormat::Polyglot) {
            bail!("-openings file={}: expected format=epd or format=pgn", file.display());
        }
        Ok(BookConfig {
            format: *format,
            order: *order,
            seed: self.seed,
            // With two engines, every encounter of cutechess-cli is a round.
            per_pairing: !is_cutechess || engines > 2,
            wrap: (!is_cutechess || engines > 2).then_some(!is_cutechess),
            turns: match self.kind {
                _ if !is_cutechess || policy != Policy::Round || engines == 2 => Vec::new(),
                TournamentKind::RoundRobin => vec![engines / 2],
                TournamentKind::Gauntlet => vec![seeds * (engines - seeds)],
                TournamentKind::Pyramid => (1..engines).collect(),
            },
            plies: usize::try_from(*plies).ok(),
            start: start.saturating_sub(1),
            repeat,
            sha256: is_kept.then(|| file_record::sha256(file)).transpose()?,
            ..BookConfig::of(file_record::path(file)?)
        })
    }

    fn pgn_config(&self) -> PgnConfig {
        let pgn = &self.pgn;
        if pgn.file.as_os_str().is_empty() {
            return self.pgn_occasion();
        }
        let fields = [
            (true, PgnField::Depth),
            (pgn.track_seldepth, PgnField::Seldepth),
            (pgn.track_nodes, PgnField::Nodes),
            (pgn.track_nps, PgnField::Nps),
            (pgn.track_hashfull, PgnField::Hashfull),
            (pgn.track_tbhits, PgnField::Tbhits),
            (true, PgnField::Time),
            (pgn.track_timeleft, PgnField::Timeleft),
            (pgn.track_latency, PgnField::Latency),
            (pgn.track_pv, PgnField::Pv),
            (true, PgnField::Start),
        ];
        let fields = fields.into_iter().filter_map(|(wanted, field)| wanted.then_some(field)).collect();
        PgnConfig { fields: Some(fields), match_lines: pgn.match_lines.clone(), ..self.pgn_occasion() }
    }

    fn pgn_occasion(&self) -> PgnConfig {
        let given = |text: &String| Some(text.clone()).filter(|text| !UNSAID.contains(&text.as_str()));
        PgnConfig { event: given(&self.pgn.event_name), site: given(&self.pgn.site), ..PgnConfig::default() }
    }
}

/// The encounters of a round robin by the circle method: one engine stays, and the others move on by one seat each turn.
/// With an odd number of engines, the one opposite the empty seat has a bye.
fn circle(engines: usize) -> Vec<(usize, usize)> {
    let seats = engines.next_multiple_of(2);
    let mut circle: Vec<usize> = (0..seats).collect();
    let mut encounters = Vec::new();
    for _ in 1..seats {
        let opposite = (0..seats / 2).map(|seat| (circle[seat], circle[seats - 1 - seat]));
        encounters.extend(opposite.filter(|(one, other)| *one < engines && *other < engines));
        circle[1..].rotate_right(1);
    }
    encounters
}

fn engine(player: &DialectEngine, is_kept: bool) -> Result<EngineConfig> {
    let program = program(player)?;
    let sha256 = is_kept.then(|| file_record::sha256(&program)).transpose()?;
    let dir = (!player.dir.is_empty()).then(|| file_record::path(Path::new(&player.dir))).transpose()?;
    let setting =
        |(name, value): &(String, Option<String>)| UciSetting { name: name.clone(), value: value.clone() };
    let mut options: Vec<UciSetting> = player.options.iter().map(setting).collect();
    // As fastchess does: Threads before Hash, so that the engine allocates the hash table for its threads.
    options.sort_by_key(|option| option.name != "Threads");
    let CutechessPlayer { proto, init, stderr, white_pov, book, book_depth, .. } = &player.unsaved;
    let book = (!book.as_os_str().is_empty()).then(|| file_record::path(book)).transpose()?;
    let limits = player.limit.search_limits();
    let time_margin = Duration::from_millis(player.limit.tc.timemargin);
    Ok(EngineConfig {
        name: player.name.clone(),
        program,
        args: player.args.clone(),
        // These programs pass on their whole environment. Values that look like secrets are still withheld.
        pass_env: vec![ALL.to_owned()],
        dir,
        protocol: *proto,
        init: init.clone(),
        stderr: Some(stderr.clone()).filter(|file| !file.as_os_str().is_empty()),
        white_pov: *white_pov,
        book: book.map(|path| EngineBook { path, moves: *book_depth }),
        restart: player.restart,
        options,
        sha256,
        time_margin: Some(time_margin).filter(|margin| !margin.is_zero()),
        limits: Some(limits).filter(|limits| *limits != SearchLimits::default()),
        ..EngineConfig::default()
    })
}

/// Finds the program file on the search path, below the engine's folder, or in the current folder.
fn program(player: &DialectEngine) -> Result<PathBuf> {
    let DialectEngine { name, cmd, dir, .. } = player;
    let is_bare = Path::new(cmd).components().count() == 1;
    let places = [Path::new(dir).join(cmd), PathBuf::from(cmd)].map(|place| locate::file(&place));
    let found = is_bare.then(|| locate::on_search_path(cmd)).flatten();
    let found = found.or_else(|| places.into_iter().find(|place| place.is_file())).with_context(|| {
        let hint = locate::hint(cmd, |program, args| {
            format!("cmd={program} \"args={args}\" (cutechess-cli has arg= for each)")
        });
        format!("-engine name={name} cmd={cmd}: expected a program, found none{hint}")
    })?;
    // The program is started in its folder, so its path must be absolute.
    if dir.is_empty() { Ok(file_record::program_path(&found)) } else { Ok(std::path::absolute(found)?) }
}
