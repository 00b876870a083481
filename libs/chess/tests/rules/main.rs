//! The rules core from outside: text in and out, perft, and shakmaty's opinion.

mod against_shakmaty;
mod legality_stages;
mod perft;
mod text;
