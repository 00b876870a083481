//! `arbiter speed cores ENGINE`: how many concurrent games keep their speed on this machine.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;

use crate::cli::{CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines::{self, EngineSpec, session, speed_at_once};
use crate::options::machine;
use crate::text::number_text::{percent, thousands};
use crate::text::{Document, Table};

/// The share of its speed that a game must keep beside others.
const KEPT: f64 = 0.9;

#[derive(Debug, Args)]
pub struct CoresArgs {
    /// The engine: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// Milliseconds of each search
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,

    /// Maximum number of processes [default: as many as fit on the cores, given the engine's Threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    most: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Crowd {
    processes: usize,
    /// The mean nodes per second of a process.
    speed: f64,
}

impl CoresArgs {
    pub fn run(self) -> CliResult {
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        session::introduce(&engine).usage()?.quit();
        let most = self
            .most
            .map_or_else(|| machine::games_at_once(std::slice::from_ref(&engine), false), usize::from);
        let mut crowds = Vec::new();
        for processes in steps(most) {
            console::note(&format!("{processes} at once …"));
            let speed = speed_at_once(&engine, processes, Duration::from_millis(self.movetime));
            crowds.push(Crowd { processes, speed: speed.usage()? });
        }
        let text = console::text_for_stdout(document(&crowds), console::wants_colour(&io::stdout()));
        write!(stdout(), "{text}").fault()?;
        Ok(ExitCode::Done)
    }
}

/// 1, 2, 4 and so on, and `most` itself.
fn steps(most: usize) -> Vec<usize> {
    let doubled = std::iter::successors(Some(1), |processes| Some(processes * 2));
    doubled.take_while(|processes| *processes < most).chain([most]).collect()
}

fn document(crowds: &[Crowd]) -> Document {
    let alone = crowds.first().map_or(0.0, |crowd| crowd.speed);
    let mut table = Table::new(["At once", "NPS of each", "Of one alone", "NPS of all"]);
    for Crowd { processes, speed } in crowds {
        table.plain([
            processes.to_string(),
            thousands(*speed as u64),
            percent(speed / alone),
            thousands((speed * *processes as f64) as u64),
        ]);
    }
    let mut document = Document::default();
    document.table(table);
    document.gap();
    document.line(advice(crowds));
    document
}

fn advice(crowds: &[Crowd]) -> String {
    let alone = crowds.first().map_or(0.0, |crowd| crowd.speed);
    let keeps = |crowd: &&Crowd| crowd.speed >= KEPT * alone;
    let kept = crowds.iter().take_while(keeps).last().map_or(1, |crowd| crowd.processes);
    let broken = crowds.iter().find(|crowd| !keeps(crowd));
    let loss = broken.map_or_else(
        || "all of them keep their speed".to_owned(),
        |crowd| {
            let processes = crowd.processes;
            format!("with {processes} at once each keeps only {} of its speed", percent(crowd.speed / alone))
        },
    );
    format!("{loss}: take --concurrency {kept}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_number_that_keeps_the_speed_is_advised() {
        let advice = |speeds: &[f64]| {
            let crowds = steps(1 << (speeds.len() - 1)).into_iter().zip(speeds);
            let crowds: Vec<Crowd> =
                crowds.map(|(processes, speed)| Crowd { processes, speed: *speed }).collect();
            advice(&crowds)
        };
        assert_eq!(advice(&[100.0, 99.0]), "all of them keep their speed: take --concurrency 2");
        assert_eq!(
            advice(&[100.0, 95.0, 93.0, 60.0]),
            "with 8 at once each keeps only 60.0% of its speed: take --concurrency 4"
        );
        assert_eq!(
            advice(&[100.0, 70.0, 95.0]),
            "with 2 at once each keeps only 70.0% of its speed: take --concurrency 1"
        );
    }
}
