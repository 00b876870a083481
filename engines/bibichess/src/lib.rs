//! `BibiChess`, after Lucas Braesch and Romain Burgot, "`BibiChess`" (2006): bitboards, principal variation search, and a
//! switch for each technique to measure what it gains.
//!
//! The modules follow the sections of the document and name them. The sections are in these modules:
//!
//! | section | modules |
//! |---|---|
//! | 1.1 minmax | `figures`, which compares the search with it |
//! | 1.2 extensions, quiescence | `search::extensions` |
//! | 2.1 alpha-beta, PVS; order of moves | `search::alpha_beta`; `move_order` |
//! | 2.2 iterations; hash table | `search`; `hash_table` |
//! | 2.3 pruning | `search::pruning`, `search::extensions` |
//! | 3.1 bitboards | `chess` |
//! | 3.2 evaluation | `evaluation` |
//! | B interface | `bibichess` |

mod bibichess;
mod evaluation;
#[cfg(test)]
mod figures;
mod hash_table;
mod move_order;
mod search;
mod units;

use std::io;

use uci::server::small_engine_task;

use self::bibichess::BibiChess;

const ABOUT: &str = "BibiChess, a UCI chess engine after a document of 2006.";

/// The program: UCI on standard input and output, or the commands in its arguments.
///
/// # Errors
/// If input or output fails, or there is no memory for the hash table.
pub fn main() -> io::Result<()> {
    let task = small_engine_task("bibichess", env!("CARGO_PKG_VERSION"), ABOUT, 1..=20);
    task.run(BibiChess::new().map_err(|_| io::Error::other("there is no memory for the hash table"))?)
}
