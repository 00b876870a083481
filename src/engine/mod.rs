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
mod fen_error;
mod fen_fields;
mod handicap;
mod limits;
mod move_overhead;
mod nodes;
mod own_book;
mod ply;
pub mod search;
mod search_budget;
mod search_control;
pub mod server;
mod shakmaty_position;
mod table_memory;
mod table_probing;
mod tablebases;
mod tarrasch;
mod time_manager;
pub mod transposition_table;
mod uci_engine;
mod value;
pub mod wire;

pub use bench::{BENCH_DEPTH, BenchSetup, bench, bench_positions, bench_with, write_totals};
pub use depth::Depth;
pub use fen_error::FenError;
pub use fen_fields::{FenFields, FenPiece};
pub use handicap::Handicap;
pub use limits::Limits;
pub use move_overhead::{DEFAULT_MOVE_OVERHEAD, move_overhead_option};
pub use nodes::Nodes;
pub use own_book::{OwnBook, OwnBookError};
pub use ply::Ply;
pub use search_budget::SearchBudget;
pub use search_control::SearchControl;
pub use table_probing::TableProbing;
pub use tablebases::{TableOutcome, Tablebases, TablebasesError};
pub use tarrasch::Tarrasch;
pub use time_manager::{ClockState, TimeManager};
pub use transposition_table::{SharedTable, TranspositionTable};
pub use uci_engine::UciEngine;
pub use value::Value;

/// The side that a [`SearchBudget`] is for and that has the move in [`FenFields`], for engines that have a board of
/// their own.
pub use crate::chess::Color;
