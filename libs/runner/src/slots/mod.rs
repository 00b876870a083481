//! The places where games are played side by side, with their engines and cores.

mod core_plan;
mod cpu_topology;
mod idle_engines;
mod ready_engine;
mod seat;
mod slot;
mod slot_thread;
mod supervisor;

pub use core_plan::{CorePlan, CorePlanError, cores_per_game};
pub(super) use slot::Notice;
pub(super) use supervisor::Supervisor;
