//! The workers: they play games at the same time, each with its engines and cores.

mod core_plan;
mod patience;
mod permit;
mod ready_engines;
mod supervisor;
mod worker;
mod worker_thread;

pub use core_plan::{CorePlan, cores_per_game};
pub(super) use patience::Patience;
pub(super) use supervisor::Supervisor;
pub(super) use worker::{Shared, WorkerMessage};
pub(super) use worker_thread::WorkerThread;
