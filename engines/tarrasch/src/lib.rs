//! Tarrasch, the engine.
//!
//! [`eval`] says what a position is worth, [`search`] looks ahead, [`TranspositionTable`] remembers. [`Tarrasch`] puts
//! them together behind the [`UciEngine`] interface, and [`server`] speaks the protocol with any engine of that
//! interface. Numbers have units: [`Value`], [`Depth`], [`Ply`], [`Nodes`]; they become the protocol's only in
//! [`wire`].
//!
//! [`SearchBudget`] and [`FenFields`] are for engines with a search and a board of their own.

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
mod table_memory;
mod table_probing;
mod tablebases;
mod tarrasch;
pub mod transposition_table;
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
pub use table_probing::TableProbing;
pub use tablebases::{TableOutcome, Tablebases, TablebasesError};
pub use tarrasch::Tarrasch;
pub use transposition_table::{SharedTable, TranspositionTable};
pub use value::Value;

/// What the searches of this library are limited and counted with.
pub use uci::server::{ClockState, Nodes, SearchControl, TimeManager};
