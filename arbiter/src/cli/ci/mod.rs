//! `arbiter ci`: from the file in the author's repository to one verdict.
//!
//! [`CiFile`] is what the author wrote, [`CiPlan`] the same with everything looked up and checked before anything is
//! started, [`Gate`] asks one step after the other, each
//! in a file of its own, and [`CiFolder`] keeps what came of it.

mod bench_output;
mod bench_step;
mod ci_file;
mod ci_folder;
mod contestants;
mod gate;
mod git_state;
mod kept_baseline;
mod match_step;
mod number_pattern;
mod parsed;
mod perft_step;
mod plan;
mod protocol_step;
mod speed_step;
mod tactics_step;

pub use ci_file::CiFile;
pub use ci_folder::CiFolder;
pub use gate::Gate;
pub use kept_baseline::KeptBaseline;
pub use plan::{CiPlan, Wishes};
