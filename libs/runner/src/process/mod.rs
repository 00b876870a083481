//! An engine as a child process: started, talked to with deadlines, and killed with all that it started.
//!
//! Nothing that an engine does can block this process or fill its memory: every wait has an absolute deadline, and
//! every line and stream that is kept has a limit. The words and their meaning are left to the protocol.

mod batch_scheduling;
mod cpu_snapshot;
mod engine_clock;
mod engine_command;
mod engine_error;
mod engine_process;
pub mod environment;
mod file_limit;
mod hardware_counters;
mod info_digest;
#[cfg(windows)]
mod job;
mod line_reader;
mod process_reaper;
mod protocol_log;
mod search;
mod stderr_tail;

pub use batch_scheduling::schedule_as_batch;
pub use cpu_snapshot::{CpuUse, EngineUse};
pub(crate) use cpu_snapshot::{cpu_time_with_children, time_of_ticks};
pub use engine_error::{EngineError, ProcessEnd};
pub use engine_process::{ClockProbe, EngineProcess, GAMES_BEFORE, SET_BEFORE};
pub use file_limit::new_runtime;
#[cfg(unix)]
pub use file_limit::raise_file_limit;
pub use hardware_counters::HardwareCounts;
#[cfg(windows)]
pub use job::{TO_LIVE_ON, is_gone};
#[cfg(windows)]
pub(crate) use job::{allowed_cores, bind_children};
pub(crate) use process_reaper::GuardedChild;
pub use process_reaper::{ProcessReaper, run_guarded, shell};
pub use protocol_log::{WireLine, WireTap};
pub(crate) use search::Millis;
pub use search::{Answer, SearchEvidence, SearchFailure};

pub use crate::config::ClockKind;
pub use crate::protocol::{EngineInfo, Expected, SettingError, nearest_name};
