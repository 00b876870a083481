//! An engine as a child process: started, spoken to in UCI with deadlines, and killed with everything it started.
//!
//! Nothing an engine does can hang or bloat us: every wait has an absolute deadline, every line and every stream that
//! is kept has a cap. What the moves mean is not this module's business.

mod batch_scheduling;
mod core_binding;
mod cpu_clock;
mod cpu_snapshot;
mod engine_command;
mod engine_error;
mod engine_process;
mod excerpt;
mod guarded;
mod hardware_counters;
mod info_digest;
mod introduction;
mod line_matches;
mod line_reader;
mod nearest_name;
mod process_end;
mod process_reaper;
mod protocol_log;
mod search;
mod search_evidence;
mod search_watch;
mod stderr_tail;

pub use batch_scheduling::schedule_as_batch;
pub use cpu_snapshot::{cpu_time_with_children, ticks_per_second};
pub use engine_command::EngineCommand;
pub use engine_error::EngineError;
pub use engine_process::EngineProcess;
pub use guarded::{run_guarded, shell};
pub use hardware_counters::HardwareCounts;
pub use introduction::{Introduction, SettingError, speaks_xboard};
pub use nearest_name::nearest_name;
pub use process_end::ProcessEnd;
pub use process_reaper::ProcessReaper;
pub use protocol_log::{WireLine, WireTap};
pub use search::{Answer, SearchFailure};
pub use search_evidence::{CpuUse, EngineUse, SearchEvidence};
