//! Arbiter plays UCI chess engines against each other, checks that they know the rules and the tactics, times
//! them, and says with honest error bars which build is better.
//!
//! Folders are layers: each imports only those above it in this table, which a test checks.
//!
//! | folder | contents |
//! |---|---|
//! | `text`, `cli`, `files`, `html`, `web` | foundations: documents, errors, exit codes, files, pages |
//! | `engines` | finding, building and starting engines: manifests, builds of revisions, sessions |
//! | `results` | results computed from the events of a run |
//! | `folder` | the files of a run |
//! | `report` | results as text, Markdown, JSON, CSV, JUnit, and as a page |
//! | `options` | options that several commands share |
//! | `live` | display, control, status and watching of a run |
//! | `run` | playing a run, resuming it, merging shards |
//! | `reproduce` | playing a game with a fault again |
//! | `measure` | protocol, perft, bench, tactics, sanitizers, speed, a match: for their own commands, `ci`, `bisect` and `init` |
//! | `rating` | rating lists, sequential tests, plans, adjudication |
//! | `games`, `openings`, `tune`, `play`, `openbench`, `compat` | independent features |
//! | `compare` | comparing builds: ci, bisect, history, ablate |
//! | `why` | why a match was lost |
//! | `list` | rating lists that grow: a folder of runs under one set of conditions |
//! | `init` | sets up a repository: manifest, `arbiter.toml` and baseline |
//! | `fuzz_readers` | readers of foreign files, for fuzzing |
//! | `commands` | the command line; it may import every other folder |

#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "a program that nobody imports but its own tests; a command ends with a `CliResult`"
)]

pub mod cli;
pub mod commands;
pub mod compare;
pub mod compat;
pub mod engines;
pub mod files;
pub mod folder;
pub mod fuzz_readers;
pub mod games;
pub mod html;
pub mod init;
pub mod list;
pub mod live;
pub mod measure;
pub mod openbench;
pub mod openings;
pub mod options;
pub mod play;
pub mod rating;
pub mod report;
pub mod reproduce;
pub mod results;
pub mod run;
pub mod text;
pub mod tune;
pub mod web;
pub mod why;
