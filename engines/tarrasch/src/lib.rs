//! Tarrasch, a UCI chess engine.
//!
//! [`eval`] is the evaluation, [`search`] the search, [`transposition_table`] the hash table. [`Tarrasch`] implements
//! [`UciEngine`](uci::server::UciEngine) with them, and [`uci::server`] speaks UCI. Numbers have types: [`Value`],
//! [`Depth`], [`Ply`], [`Nodes`]; [`wire`] converts them to those of UCI.

mod bench;
mod depth;
pub mod eval;
mod limits;
pub mod nnue;
pub mod openings;
mod own_book;
mod ply;
mod program;
pub mod search;
mod shakmaty_position;
mod skill;
mod soft_node_search;
mod syzygy_options;
mod tablebases;
mod tarrasch;
pub mod transposition_table;
mod tt_memory;
mod value;
pub mod wire;

pub use bench::{BENCH_DEPTH, BenchSetup, bench, bench_with};
pub use depth::Depth;
pub use limits::Limits;
pub use own_book::{OwnBook, OwnBookError};
pub use ply::Ply;
pub use program::main;
pub use skill::Skill;
pub use soft_node_search::SoftNodeSearch;
pub use syzygy_options::SyzygyOptions;
pub use tablebases::{Tablebases, TablebasesError, Wdl};
pub use tarrasch::Tarrasch;
pub use transposition_table::{SharedTt, TranspositionTable};
pub use value::Value;

/// The types of the UCI server that the search uses.
pub use uci::server::{ClockState, Nodes, SearchControl, TimeManager};
