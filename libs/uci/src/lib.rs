#![cfg_attr(feature = "server", doc = include_str!("../README.md"))]
//!
//! # Types
//!
//! [`Command`] is a line to an engine, [`Message`] a line from an engine. Both are read with `FromStr` and written
//! with `Display`; reading what was written gives the same value. Arbiter's engines and runner use the same types.
//!
//! Moves are [`UciMove`]s, positions [`StartPosition`]s. The protocol is Stefan Meyer-Kahlen's "UCI protocol", April 2006.

mod command;
mod engine_option;
mod message;
#[cfg(feature = "server")]
pub mod scripted_gui;
#[cfg(feature = "server")]
pub mod server;
mod tokens;
mod uci_move;

pub use command::{Command, Go, StartPosition};
pub use engine_option::{EngineOption, OptionKind, OptionValue};
pub use message::{BestMove, Bound, Info, Message, Score, ScoreValue};
pub use tokens::ParseError;
pub use uci_move::UciMove;
