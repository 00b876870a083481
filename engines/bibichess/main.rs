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
//! | 3.1 bitboards | `arbiter::chess`; `benches/legality` has what it gains |
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
#[cfg(test)]
#[path = "../../tests/engines/scripted_gui.rs"]
mod scripted_gui;
mod search;
mod technique;
mod value;
mod window;

use std::io;

use anyhow::Context;
use arbiter::engine::server;
use clap::{Parser, Subcommand};

use self::bibichess::BibiChess;

/// `BibiChess`, a UCI chess engine after a document of 2006. Without a command it speaks UCI; for people it also knows
/// `d`, `eval`, `bench` and `go perft N`.
#[derive(Parser)]
#[command(name = "bibichess", version)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Search the positions of the document; the node count is the same on every machine.
    Bench {
        /// The depth in plies.
        #[arg(value_parser = clap::value_parser!(u32).range(1..=20), default_value_t = bench::USUAL_DEPTH)]
        depth: u32,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Some(Task::Bench { depth }) => {
            bench::run(depth, &mut io::stdout().lock()).context("cannot write the bench")?;
        }
        None => {
            let engine = BibiChess::new().context("there is no memory for the hash table")?;
            server::serve(engine, io::stdin().lock(), io::stdout())?;
        }
    }
    Ok(())
}
