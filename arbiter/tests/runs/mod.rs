//! Runs and engines without the command line: the referee, the clock and the journal as libraries, and every shipped
//! engine as a program.

mod arena;
mod engine_faults;
mod every_engine;
mod pondering;
mod processor_time;
mod time_loss_verdicts;
