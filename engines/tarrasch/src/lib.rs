//! Tarrasch, a UCI chess engine.
//!
//! [`eval`] is the evaluation, [`search`] the search, [`transposition_table`] the hash table. [`Tarrasch`] implements
//! [`UciEngine`](uci::server::UciEngine) with them, and [`uci::server`] speaks UCI. Numbers have types: [`Value`],
//! [`Depth`], [`Ply`], [`Nodes`]; [`wire`] converts them to those of UCI.

#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "only this program, its tests and the trainer of its network use the library"
)]

/// An enum with a name for each variant: `ALL` has the variants in their order, `name` the name of one.
macro_rules! named_enum {
    ($(#[$meta:meta])+ pub enum $enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$meta])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $enum {
            $($(#[$doc])* $variant,)+
        }

        impl $enum {
            /// All of them, in their order.
            pub const ALL: [$enum; [$($name),+].len()] = [$($enum::$variant),+];

            pub const fn name(self) -> &'static str {
                match self {
                    $($enum::$variant => $name,)+
                }
            }
        }
    };
}

mod bench;
pub mod eval;
pub mod nnue;
pub mod openings;
mod own_book;
mod program;
pub mod search;
mod skill;
mod tablebases;
mod tarrasch;
pub mod transposition_table;
mod tt_memory;
mod units;
pub mod wire;

pub use bench::{BENCH_DEPTH, BenchSetup, bench, bench_with};
pub use openings::SoftNodeSearch;
pub use own_book::{OwnBook, OwnBookError};
pub use program::main;
pub use search::Limits;
pub use skill::Skill;
pub use tablebases::{SyzygyOptions, Tablebases, TablebasesError, Wdl};
pub use tarrasch::Tarrasch;
pub use transposition_table::{SharedTt, TranspositionTable};
pub use units::{Depth, Ply, Value};

/// The types of the UCI server that the search uses.
pub use uci::server::{ClockState, Nodes, SearchControl, TimeManager};
