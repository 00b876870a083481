//! Arbiter plays UCI chess engines against each other, checks that they know the rules and the tactics, times
//! them, and says with honest error bars which build is better.
//!
//! A feature is a folder: what it computes, what it prints, and its command. What several need is in `cli` (errors,
//! exit codes, notes), `engines` (from a name to a program that runs), `evidence` (what a build shows when it is asked),
//! `run_state` and `run_folder` (what a run comes to, and what it leaves), `games` (readers of finished games), `files`,
//! `text`, `html` and `web`.

#![expect(
    clippy::missing_errors_doc,
    reason = "a command ends with a `CliResult`, which says what there is to say"
)]

pub mod ablate;
pub mod adjudication;
pub mod bisect;
pub mod check;
pub mod ci;
pub mod cli;
pub mod commands;
pub mod control;
pub mod dialects;
pub mod engines;
pub mod evidence;
pub mod extract;
pub mod files;
pub mod foreign_files;
pub mod games;
pub mod history;
pub mod html;
pub mod matches;
pub mod merge;
pub mod mine;
pub mod openbench;
pub mod openings;
pub mod perft;
pub mod plan;
pub mod play;
pub mod progress;
pub mod rate;
pub mod report;
pub mod run_folder;
pub mod run_state;
pub mod speed;
pub mod sprt;
pub mod status;
pub mod tactics;
pub mod text;
pub mod tune;
pub mod watch;
pub mod web;
