//! The Universal Chess Interface as typed values, in both directions.
//!
//! [`Command`] is a line to an engine, [`Message`] a line from an engine. Both are read with `FromStr` and written
//! with `Display`; reading what was written gives the same value. Arbiter's engines and runner use the same types.
//!
//! Moves and positions remain text ([`UciMove`], [`StartPosition`]): this crate knows the protocol, not the rules of
//! chess. The protocol is Stefan Meyer-Kahlen's "UCI protocol", April 2006.

mod command;
mod engine_option;
mod message;
pub mod scripted_gui;
pub mod server;
mod tokens;
mod uci_move;

pub use command::{Command, Go, StartPosition};
pub use engine_option::{EngineOption, OptionKind, OptionValue};
pub use message::{BestMove, Bound, Info, Message, Score, ScoreValue};
pub use tokens::ParseError;
pub use uci_move::UciMove;
