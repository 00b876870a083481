//! `BibiChess`, after Lucas Braesch and Romain Burgot, "`BibiChess`" (2006): bitboards, principal variation search, and a
//! switch for each technique, so that one can measure what it gains.
//!
//! The modules follow the sections of the document, and name them. Those whose names say it:
//!
//! | section | modules |
//! |---|---|
//! | 1.1 minmax | `minmax`, which the tests hold the search to |
//! | 1.2 extensions | `search::extensions`, `search::quiescence` |
//! | 2.1 alpha-beta, order of moves, PVS | `search::alpha_beta`, `move_order`, `exchange` |
//! | 2.2 hash table | `hash_table` |
//! | 2.3 pruning | `search::null_move`, `search::futility`, `search::quiescence` |
//! | 3.1 bitboards | `chess`; `benches/legality` has what it gains |
//! | 3.2 evaluation | `evaluation` |
//! | B interface | `bibichess`, `technique` |

mod bench;
mod bibichess;
mod depth;
mod evaluation;
mod exchange;
#[cfg(test)]
mod figures;
mod hash_table;
#[cfg(test)]
mod minmax;
mod move_order;
mod ply;
mod search;
mod technique;
mod value;
mod window;

use std::io;

use anyhow::Context;
use uci::server::{self, Task, TaskOptions};

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
/// Input or output is broken, or the engine cannot be set up.
pub fn main() -> anyhow::Result<()> {
    if let Task::Bench { depth, .. } = OPTIONS.of_process() {
        let depth = depth.unwrap_or(bench::USUAL_DEPTH);
        bench::run(depth, &mut io::stdout().lock()).context("cannot write the bench")?;
        return Ok(());
    }
    let engine = BibiChess::new().context("there is no memory for the hash table")?;
    Ok(server::serve(engine, io::stdin().lock(), io::stdout())?)
}
