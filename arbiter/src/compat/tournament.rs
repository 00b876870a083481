//! What a command line of another program asks for.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use referee::Variant;
use referee::openings::BookFormat;
use runner::process::ClockKind;
use runner::{DrawRule, ResignRule, SearchLimits, SyzygyRule, UciSetting};
use serde::{Deserialize, Serialize};
use stats::Sprt;

use super::scoreboard::Score;

/// A tournament in the terms of fastchess, whose defaults these are. Nothing has been looked up.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the command line")]
pub struct Tournament {
    /// Whether it is one of cutechess-cli, which has no state file and writes final positions as FEN.
    pub(super) is_cutechess: bool,
    pub(super) engines: Vec<Player>,
    /// The engines whose names are only those of their files.
    pub(super) unnamed: Vec<usize>,
    pub(super) output: Form,
    /// The concurrency; 0 or less leaves that number of cores free.
    pub(super) concurrency: i64,
    pub(super) force_concurrency: bool,
    pub(super) affinity: bool,
    pub(super) rounds: u32,
    pub(super) games: u32,
    /// How many openings two engines play before the next two meet, where that is not one.
    pub(super) in_one_go: Option<u32>,
    pub(super) noswap: bool,
    pub(super) reverse: bool,
    pub(super) gauntlet: bool,
    /// Whether each engine plays those before it, in cutechess-cli's order.
    pub(super) pyramid: bool,
    /// How many of the first engines play the gauntlet.
    pub(super) seeds: usize,
    /// Between two games of a worker.
    pub(super) wait: Duration,
    /// Which time counts; neither of the originals has a choice.
    pub(super) clock: ClockKind,
    pub(super) variant: Variant,
    pub(super) openings: Option<Openings>,
    pub(super) seed: u64,
    pub(super) sprt: Option<Sprt>,
    /// Whether results are counted by pairs.
    pub(super) penta: bool,
    pub(super) draw: Option<DrawRule>,
    pub(super) resign: Option<ResignRule>,
    pub(super) max_moves: Option<u32>,
    pub(super) tables: Option<SyzygyRule>,
    pub(super) ponder: bool,
    pub(super) recover: bool,
    pub(super) strict: bool,
    pub(super) check_mate_pvs: bool,
    pub(super) show_latency: bool,
    /// Whether every line to and from engines is printed.
    pub(super) debug: bool,
    /// Whether OpenBench or fishtest reads what is printed: warnings are one line then, and no state file is written.
    pub(super) test_env: bool,
    /// The pairs, or games, after which results are printed each time; 0 prints them at the end only.
    pub(super) rating_interval: u32,
    /// The games after which the score is printed each time, in fastchess's form of cutechess; 0 for never. In that of
    /// cutechess-cli itself, those after which the endings of each engine's games are.
    pub(super) score_interval: u32,
    /// The columns of cutechess-cli's ranking.
    pub(super) result_format: String,
    pub(super) pgn: PgnOut,
    pub(super) epd: Option<FileOut>,
    pub(super) log: Option<LogOut>,
    pub(super) config_name: String,
    /// Games between two writings of the state file; 0 for none.
    pub(super) autosave: u32,
    /// The results of a state file, for the first engine.
    pub(super) played: Option<Score>,
    /// The longest wait for `uciok`, or for `readyok`, where one is set.
    pub(super) ready: Option<Duration>,
    /// Where the run folder is kept.
    pub(super) out: Option<PathBuf>,
}

/// In which form things are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Fastchess,
    Cutechess,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Player {
    pub(super) name: String,
    pub(super) cmd: String,
    pub(super) dir: String,
    pub(super) args: Vec<String>,
    pub(super) restart: bool,
    pub(super) ponder: bool,
    pub(super) options: Vec<UciSetting>,
    pub(super) limits: SearchLimits,
    pub(super) time_margin: Duration,
    /// Lines for it before `uci`.
    pub(super) init: Vec<String>,
    /// Where its error output goes, too.
    pub(super) stderr: Option<PathBuf>,
    pub(super) white_pov: bool,
    /// A Polyglot book, and how many full moves are played from it.
    pub(super) book: Option<PathBuf>,
    pub(super) book_depth: Option<usize>,
    /// By how much it may be slower to get ready than others.
    pub(super) patience: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Openings {
    pub(super) file: PathBuf,
    pub(super) format: Option<BookFormat>,
    pub(super) random: bool,
    pub(super) plies: Option<usize>,
    /// From 1.
    pub(super) start: usize,
    /// Whether all pairings of a round play the same opening.
    pub(super) by_round: bool,
    /// How many rounds in a row play an opening, where that is not one.
    pub(super) repeat: Option<NonZeroU32>,
}

/// A file that games are written to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileOut {
    pub(super) file: PathBuf,
    #[serde(rename = "append_file")]
    pub(super) append: bool,
}

/// The PGN file, as the state file has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the command line")]
pub(super) struct PgnOut {
    #[serde(rename = "additional_lines_rgx")]
    pub(super) match_lines: Vec<String>,
    #[serde(rename = "event_name")]
    pub(super) event: String,
    pub(super) site: String,
    /// Empty where none is written.
    pub(super) file: PathBuf,
    pub(super) notation: u8,
    #[serde(rename = "append_file")]
    pub(super) append: bool,
    #[serde(rename = "track_nodes")]
    pub(super) nodes: bool,
    #[serde(rename = "track_seldepth")]
    pub(super) seldepth: bool,
    #[serde(rename = "track_nps")]
    pub(super) nps: bool,
    #[serde(rename = "track_hashfull")]
    pub(super) hashfull: bool,
    #[serde(rename = "track_tbhits")]
    pub(super) tbhits: bool,
    #[serde(rename = "track_timeleft")]
    pub(super) timeleft: bool,
    #[serde(rename = "track_latency")]
    pub(super) latency: bool,
    #[serde(rename = "track_pv")]
    pub(super) pv: bool,
    pub(super) min: bool,
    #[serde(rename = "crc")]
    pub(super) crc32: bool,
}

/// Moves in standard algebraic notation, and in that of UCI.
pub(super) const SAN: u8 = 0;
pub(super) const UCI: u8 = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogOut {
    pub(super) to: FileOut,
    pub(super) level: LogLevel,
    /// Whether what engines say is logged.
    pub(super) engine: bool,
}

/// From which level on something is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LogLevel {
    Trace,
    Info,
    Warn,
    Err,
    Fatal,
}

impl Tournament {
    /// What fastchess does where nothing is said.
    pub(super) fn fastchess() -> Tournament {
        Tournament {
            is_cutechess: false,
            engines: Vec::new(),
            unnamed: Vec::new(),
            output: Form::Fastchess,
            concurrency: 1,
            force_concurrency: false,
            affinity: false,
            rounds: 2,
            games: 2,
            in_one_go: None,
            noswap: false,
            reverse: false,
            gauntlet: false,
            pyramid: false,
            seeds: 1,
            wait: Duration::ZERO,
            clock: ClockKind::Wall,
            variant: Variant::Standard,
            openings: None,
            seed: rand::random(),
            sprt: None,
            penta: true,
            draw: None,
            resign: None,
            max_moves: None,
            tables: None,
            ponder: false,
            recover: false,
            strict: false,
            check_mate_pvs: false,
            show_latency: false,
            debug: false,
            test_env: false,
            rating_interval: 10,
            score_interval: 1,
            result_format: String::new(),
            pgn: PgnOut::to(PathBuf::new()),
            epd: None,
            log: None,
            config_name: "config.json".to_owned(),
            autosave: 20,
            played: None,
            ready: None,
            out: None,
        }
    }

    /// What cutechess-cli does where nothing is said.
    pub(super) fn cutechess() -> Tournament {
        Tournament {
            is_cutechess: true,
            output: Form::Cutechess,
            rounds: 1,
            games: 1,
            penta: false,
            rating_interval: 0,
            score_interval: 0,
            pgn: PgnOut { event: "?".to_owned(), ..PgnOut::to(PathBuf::new()) },
            ..Tournament::fastchess()
        }
    }

    /// The file to go on from, where one is written: not beside OpenBench and fishtest, since several runners share a
    /// folder there.
    pub(super) fn state_file(&self) -> Option<&Path> {
        (!self.is_cutechess && !self.test_env).then_some(self.config_name.as_ref())
    }
}

impl PgnOut {
    /// Nothing but score, depth and time with each move, appended to a file.
    pub(super) fn to(file: PathBuf) -> PgnOut {
        PgnOut {
            match_lines: Vec::new(),
            event: "Fastchess Tournament".to_owned(),
            site: "?".to_owned(),
            file,
            notation: SAN,
            append: true,
            nodes: false,
            seldepth: false,
            nps: false,
            hashfull: false,
            tbhits: false,
            timeleft: false,
            latency: false,
            pv: false,
            min: false,
            crc32: false,
        }
    }

    /// The file, if one is written.
    pub(super) fn target(&self) -> Option<FileOut> {
        let out = FileOut { file: self.file.clone(), append: self.append };
        Some(out).filter(|out| !out.file.as_os_str().is_empty())
    }
}
