//! A tournament in fastchess's terms: what both command lines are parsed into, and what `config.json` keeps for
//! resuming (`types/tournament.hpp`, `types/engine_config.hpp`, `scoreboard.hpp`). No file has been looked up yet.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use referee::Variant;
use referee::openings::BookFormat;
use runner::process::ClockKind;
use runner::{BookOrder, Numbers, ProtocolName, SyzygyResults};
use serde::{Deserialize, Serialize};
use stats::SprtModel;

use super::scores::{EngineScore, Scores};
use super::state_file_text::{Stats, arguments, choice};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the command line")]
pub struct Tournament {
    pub(super) resign: Resign,
    pub(super) draw: Draw,
    pub(super) maxmoves: MaxMoves,
    pub(super) tb_adjudication: TablebaseOptions,
    pub(super) opening: OpeningOptions,
    pub(super) pgn: PgnOut,
    pub(super) epd: FileOut,
    pub(super) sprt: Test,
    pub(super) config_name: String,
    #[serde(with = "choice")]
    pub(super) output: Form,
    pub(super) seed: u64,
    #[serde(with = "choice")]
    pub(super) variant: Variant,
    #[serde(rename = "type", with = "choice")]
    pub(super) kind: TournamentKind,
    pub(super) gauntlet_seeds: usize,
    /// The pairs, or games, between two prints of the results; [`NEVER`] prints them only at the end.
    pub(super) ratinginterval: u32,
    /// The games between two prints of the score in fastchess's cutechess format; in cutechess-cli itself, between two
    /// prints of how each engine's games ended.
    pub(super) scoreinterval: u32,
    /// Milliseconds between two games of a worker.
    pub(super) wait: u64,
    /// Games between two saves of the state file; 0 for none.
    pub(super) autosaveinterval: u32,
    /// Wall-clock or CPU time. The originals have no such field; fastchess ignores it.
    #[serde(default, skip_serializing_if = "runner::is_default")]
    pub(super) clock: ClockKind,
    /// The words of options that are ours alone, or that fastchess does not save.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) arbiter: Vec<String>,
    pub(super) games: u32,
    pub(super) rounds: u32,
    /// Games played at the same time; 0 or less leaves that many cores free.
    pub(super) concurrency: i64,
    pub(super) force_concurrency: bool,
    pub(super) recover: bool,
    pub(super) noswap: bool,
    pub(super) reverse: bool,
    pub(super) report_penta: bool,
    pub(super) affinity: bool,
    pub(super) check_mate_pvs: bool,
    pub(super) show_latency: bool,
    pub(super) log: LogOut,
    pub(super) engines: Vec<DialectEngine>,
    #[serde(default)]
    stats: Option<BTreeMap<String, Stats>>,
    #[serde(skip)]
    pub(super) unsaved: SwitchesOnly,
}

const DEFAULTS: &str = include_str!("fastchess_defaults.json");

/// The value with which fastchess writes an interval that is switched off.
pub(super) const NEVER: u32 = i32::MAX as u32;

/// Settings that `config.json` does not keep: they are for a single start of fastchess, or only cutechess-cli has them.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the command line")]
pub(super) struct SwitchesOnly {
    /// Whether this is a tournament of cutechess-cli, which has no state file and writes final positions as FEN.
    pub(super) is_cutechess: bool,
    /// The engines without a name on the command line, named after their files.
    pub(super) unnamed: Vec<usize>,
    pub(super) strict: bool,
    /// Whether OpenBench or fishtest reads the output: warnings take one line, and no state file is written.
    pub(super) test_env: bool,
    pub(super) debug: bool,
    pub(super) table_results: SyzygyResults,
    pub(super) cpus: Option<Numbers>,
    pub(super) out: PathBuf,
    /// The number of rounds that two engines play before the next two meet; `None` for one.
    pub(super) in_one_go: Option<u32>,
    /// The number of consecutive rounds with the same opening, if more than one.
    pub(super) repeat: Option<NonZeroU32>,
    pub(super) policy: Policy,
    pub(super) ponder: bool,
    pub(super) result_format: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Resign {
    pub(super) move_count: u32,
    pub(super) score: u32,
    pub(super) twosided: bool,
    pub(super) enabled: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Draw {
    pub(super) move_number: u32,
    pub(super) move_count: u32,
    pub(super) score: u32,
    pub(super) enabled: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct MaxMoves {
    pub(super) move_count: u32,
    pub(super) enabled: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TablebaseOptions {
    pub(super) syzygy_dirs: String,
    /// 0 for as many as the tables have.
    pub(super) max_pieces: usize,
    pub(super) ignore_50_move_rule: bool,
    pub(super) enabled: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OpeningOptions {
    pub(super) file: PathBuf,
    #[serde(with = "choice")]
    pub(super) format: Option<BookFormat>,
    #[serde(with = "choice")]
    pub(super) order: BookOrder,
    /// The maximum number of plies of an opening; below 0 for all.
    pub(super) plies: i64,
    /// The number of the first opening, from 1.
    pub(super) start: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the command line")]
pub(super) struct PgnOut {
    #[serde(rename = "additional_lines_rgx")]
    pub(super) match_lines: Vec<String>,
    pub(super) event_name: String,
    pub(super) site: String,
    pub(super) file: PathBuf,
    #[serde(with = "choice")]
    pub(super) notation: PgnNotation,
    pub(super) append_file: bool,
    pub(super) track_nodes: bool,
    pub(super) track_seldepth: bool,
    pub(super) track_nps: bool,
    pub(super) track_hashfull: bool,
    pub(super) track_tbhits: bool,
    pub(super) track_timeleft: bool,
    pub(super) track_latency: bool,
    pub(super) track_pv: bool,
    pub(super) min: bool,
    pub(super) crc: bool,
}

/// A file to write; none if its name is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileOut {
    pub(super) file: PathBuf,
    pub(super) append_file: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Test {
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) model: SprtModel,
    pub(super) enabled: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the command line")]
pub(super) struct LogOut {
    pub(super) file: PathBuf,
    #[serde(with = "choice")]
    pub(super) level: LogLevel,
    pub(super) append_file: bool,
    pub(super) compress: bool,
    pub(super) realtime: bool,
    pub(super) engine_coms: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct DialectEngine {
    pub(super) name: String,
    pub(super) dir: String,
    pub(super) cmd: String,
    #[serde(with = "arguments")]
    pub(super) args: Vec<String>,
    pub(super) restart: bool,
    /// UCI options; `None` as the value of a button.
    pub(super) options: Vec<(String, Option<String>)>,
    pub(super) limit: DialectLimits,
    #[serde(with = "choice")]
    pub(super) variant: Variant,
    #[serde(skip)]
    pub(super) unsaved: CutechessPlayer,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CutechessPlayer {
    pub(super) proto: Option<ProtocolName>,
    pub(super) ponder: bool,
    /// Lines to send before `uci`.
    pub(super) init: Vec<String>,
    /// A file for the engine's error output; empty for none.
    pub(super) stderr: PathBuf,
    pub(super) white_pov: bool,
    /// A Polyglot book (empty for none), and the number of full moves to play from it.
    pub(super) book: PathBuf,
    pub(super) book_depth: Option<usize>,
    pub(super) patience: Option<f64>,
}

/// The search limits of an engine; 0 is no limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct DialectLimits {
    pub(super) tc: DialectClock,
    pub(super) nodes: u64,
    pub(super) plies: u32,
}

/// Times in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct DialectClock {
    pub(super) increment: u64,
    pub(super) fixed_time: u64,
    pub(super) time: u64,
    pub(super) moves: u32,
    pub(super) timemargin: u64,
    /// Whether cutechess-cli sets no time limit, so the engine ends its searches itself.
    #[serde(skip)]
    pub(super) infinite: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Fastchess,
    Cutechess,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TournamentKind {
    RoundRobin,
    Gauntlet,
    /// Each engine plays those before it, in cutechess-cli's order.
    Pyramid,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Policy {
    #[default]
    Repetitions,
    Encounter,
    Round,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PgnNotation {
    San,
    Lan,
    Uci,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LogLevel {
    All,
    Trace,
    Info,
    Warn,
    Err,
    Fatal,
}

impl Tournament {
    pub(super) fn fastchess() -> Tournament {
        let defaults: Tournament =
            serde_json::from_str(DEFAULTS).expect("the defaults are a whole state file");
        Tournament { seed: rand::random(), ..defaults }
    }

    pub(super) fn cutechess() -> Tournament {
        let defaults = Tournament::fastchess();
        Tournament {
            output: Form::Cutechess,
            rounds: 1,
            games: 1,
            report_penta: false,
            ratinginterval: 0,
            scoreinterval: 0,
            pgn: PgnOut { event_name: "?".to_owned(), ..defaults.pgn },
            unsaved: SwitchesOnly { is_cutechess: true, ..SwitchesOnly::default() },
            ..defaults
        }
    }

    pub(super) fn of_file(file: &Path) -> Result<Tournament> {
        let place = || format!("-config file={}", file.display());
        let text = fs::read_to_string(file).with_context(place)?;
        serde_json::from_str(&text).with_context(place)
    }

    /// The text of the state file for these scores; each is from the point of view of the first of its two engines.
    pub(super) fn text(&self, scores: &Scores) -> String {
        let name = |engine: usize| &self.engines[engine].name;
        let stats = scores.iter().map(|(&(first, second), score)| {
            (format!("{} vs {}", name(first), name(second)), Stats::of(score, self.report_penta))
        });
        let state = Tournament { stats: Some(stats.collect()), ..self.clone() };
        let mut text = Vec::new();
        let style = serde_json::ser::PrettyFormatter::with_indent(b"    ");
        // Writing plain values to memory cannot fail.
        let _ = state.serialize(&mut serde_json::Serializer::with_formatter(&mut text, style));
        String::from_utf8_lossy(&text).into_owned() + "\n"
    }

    /// The character after `Warning`.
    pub(super) fn mark(&self) -> char {
        if self.unsaved.is_cutechess { ':' } else { ';' }
    }

    pub(super) fn played(&self) -> Option<EngineScore> {
        let [first, second, ..] = &self.engines[..] else { return None };
        self.stats.as_ref()?.get(&format!("{} vs {}", first.name, second.name)).map(Stats::score)
    }

    pub(super) fn drop_results(&mut self) -> bool {
        self.stats.take().is_some_and(|stats| !stats.is_empty())
    }

    /// The file from which to resume. With OpenBench and fishtest none is written, since several runners share a folder
    /// there.
    pub(super) fn state_file(&self) -> Option<&Path> {
        let is_written = !self.unsaved.is_cutechess && !self.unsaved.test_env;
        is_written.then_some(self.config_name.as_ref())
    }

    pub(super) fn out(&self) -> Option<&Path> {
        Some(&*self.unsaved.out).filter(|out| !out.as_os_str().is_empty())
    }
}

impl FileOut {
    pub(super) fn is_written(&self) -> bool {
        !self.file.as_os_str().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state file that fastchess alpha 1.8.2 (74deac23) wrote after four games.
    const WRITTEN_BY_FASTCHESS: &str = include_str!("fastchess_config.json");

    #[test]
    fn what_is_written_is_what_fastchess_writes() {
        let tournament: Tournament = serde_json::from_str(WRITTEN_BY_FASTCHESS).unwrap();
        let played = tournament.played().unwrap();
        assert_eq!((tournament.engines.len(), played.games.games(), played.pairs.pairs()), (2, 4, 2));
        assert_eq!(tournament.text(&Scores::from([((0, 1), played)])), WRITTEN_BY_FASTCHESS);
    }

    #[test]
    fn every_setting_comes_back() {
        let line = "-engine cmd=./tarrasch name=A option.Hash=1 args='-x \"a b\"' restart=on -engine cmd=./tarrasch name=B \
                    -each tc=40/1:00+0.08 option.Threads=1 -rounds 4 -srand 18446744073709551615 -noswap -report penta=false \
                    -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=logistic -resign movecount=3 score=600 twosided=true \
                    -maxmoves 99 -tb a:b -tbpieces 5 -epdout file=b.epd -crc32 pgn=true -event E -check-mate-pvs -startup-ms 70000 -position fen";
        let tournament = Tournament::of_fastchess(&shlex::split(line).unwrap()).unwrap();
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("config.json");
        fs::write(&file, tournament.text(&Scores::new())).unwrap();
        let args = ["-config".to_owned(), format!("file={}", file.display())];
        let again = Tournament::of_fastchess(&args).unwrap();
        assert_eq!(again, Tournament { stats: Some(BTreeMap::new()), ..tournament });
    }
}
