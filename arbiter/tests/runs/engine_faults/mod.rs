//! Every way in which an engine can misbehave ends its game, and only its game, with a termination of its own.
//!
//! [`cases`] is the table: each mode of the mock engine and what comes of it. [`matrix`] plays a match against each.

mod case;
mod cases;
mod matrix;
