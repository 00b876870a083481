//! Turns the records of a run into what people read: the files of the run folder, the progress, the summary.
//!
//! The way through the module: finished games are counted in a [`Tally`], from which a [`Summary`] can be taken at any
//! moment. [`RunFolder`] writes the files (`run.toml`, `games.csv`, `games.pgn`, `final.epd`, `summary.json`);
//! [`Terminal`] shows the [`Progress`] while the games go on, and [`SummaryText`] is the table at the end. Those that
//! follow a run as it happens are [`Reporter`]s: they are handed one event after the other.
//!
//! [`RunReport`] is the run as an HTML page, and [`HistoryReport`] several runs taken together.
//!
//! The journal is the only source. Everything here can be made again from its games, in whatever order they ended.

mod ablation_csv;
mod ablation_text;
mod baseline_changes;
mod bracket_text;
mod encounter_table;
mod ending;
mod engine_summary;
mod engine_tally;
mod final_epd;
mod game_averages;
mod games_csv;
mod games_csv_check;
mod games_pgn;
mod gate_junit;
mod gate_markdown;
mod gate_text;
mod html;
mod in_order;
mod journal_digest;
mod junit;
mod latency_histogram;
mod markdown;
mod match_results;
mod mined_epd;
mod move_comment;
mod noise_log;
pub(crate) mod number_text;
mod pairing_summary;
mod pairing_tally;
mod paragraph;
mod perft_csv;
mod pgn_time_control;
mod progress;
mod progress_text;
mod protocol_text;
mod rating_report;
mod rating_text;
mod report_error;
mod reporter;
mod results_csv;
mod results_json;
mod run_folder;
mod run_outcome;
mod run_status;
mod speaker;
mod speed_text;
mod sprt_outlook;
mod sprt_report;
mod sprt_text;
mod status_text;
mod summary;
mod summary_text;
mod table;
mod tactics_csv;
mod tactics_text;
mod tally;
mod terminal;
mod time_left;
mod tone;
mod verdict;
mod versions_text;
mod wrapped;

#[cfg(test)]
mod made_up_games;
#[cfg(test)]
mod made_up_gate;

pub use ablation_csv::ablation_csv;
pub use ablation_text::AblationText;
pub use baseline_changes::{BaselineChange, baseline_changes};
pub use encounter_table::{EncounterTable, SkippedGames};
pub use ending::ending;
pub use engine_summary::{EngineSummary, Latency};
pub use final_epd::FinalEpd;
pub use games_csv::GamesCsv;
pub use games_pgn::GamesPgn;
pub use gate_junit::gate_junit;
pub use gate_markdown::gate_markdown;
pub use gate_text::GateText;
pub use html::{GameViewer, HistoryReport, PAGE_STYLES, PIECE_DRAWINGS, RunReport};
pub use journal_digest::JournalDigest;
pub use junit::junit;
pub use markdown::markdown;
pub use match_results::{LeftOut, MatchResults};
pub use mined_epd::MinedEpd;
pub use noise_log::NoiseLog;
pub use pairing_summary::{PairingSummary, SprtSummary};
pub use perft_csv::PerftCsv;
pub use progress::{PresentGame, Progress};
pub use progress_text::ProgressText;
pub use protocol_text::ProtocolText;
pub use rating_report::{RatingReport, ReportedGroup, ReportedPlayer};
pub use rating_text::RatingText;
pub use report_error::ReportError;
pub use reporter::Reporter;
pub use results_csv::results_csv;
pub use results_json::{ResultsJson, RunJson};
pub use run_folder::RunFolder;
pub use run_outcome::{OddGame, RunOutcome};
pub use run_status::{GameInProgress, RunState, RunStatus};
pub use speaker::Speaker;
pub use speed_text::SpeedText;
pub use sprt_outlook::{OutlookBasis, SprtOutlook};
pub use sprt_report::SprtReport;
pub use sprt_text::SprtText;
pub use status_text::StatusText;
pub use summary::Summary;
pub use summary_text::SummaryText;
pub use tactics_csv::TacticsCsv;
pub use tactics_text::{TacticsColumn, TacticsText};
pub use tally::Tally;
pub use terminal::Terminal;
pub use time_left::TimeLeft;
pub use verdict::verdict;
pub use versions_text::{RatedVersion, VersionsText};
