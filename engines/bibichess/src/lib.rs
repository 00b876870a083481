//! `BibiChess`, after Lucas Braesch and Romain Burgot, "`BibiChess`" (2006): bitboards, principal variation search, and a
//! switch for each technique, so that one can measure what it gains.
//!
//! The modules follow the sections of the document, and name them. Those whose names say it:
//!
//! | section | modules |
//! |---|---|
//! | 1.1 minmax | `figures`, which holds the search to it |
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

use uci::server::TaskOptions;

use self::bibichess::BibiChess;

const OPTIONS: TaskOptions = TaskOptions {
    name: "bibichess",
    version: env!("CARGO_PKG_VERSION"),
    help: "\
BibiChess, a UCI chess engine after a document of 2006. Without a command it speaks UCI, and also knows
`d`, `eval`, `bench` and `go perft N`.

Usage: bibichess
       bibichess bench [DEPTH]

Commands:
  bench  Search the positions of the document; the node count is the same on every machine

Options:
  DEPTH    The depth in plies (bench), 1 to 20
  -h, --help     Print help
  -V, --version  Print version",
    depths: 1..=20,
    threads: None,
    plays: false,
};

/// The program: UCI on standard input and output, or what its arguments ask for.
///
/// # Errors
/// Input or output is broken, or there is no memory for the hash table.
pub fn main() -> io::Result<()> {
    let task = OPTIONS.of_process();
    task.run(BibiChess::new().map_err(|_| io::Error::other("there is no memory for the hash table"))?)
}
