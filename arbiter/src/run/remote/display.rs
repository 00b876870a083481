//! The display of a run on several machines: one line for the whole run, and one for each machine.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::console::note;
use crate::live::progress::Speaker;
use crate::results::RunState;
use crate::text::number_text::{counted, elo_bounds, llr_bounds, llr_value, ptnml, thousands};
use crate::text::wrapped::wrapped;
use runner::ShardReport;
use stats::Observations;

const TIME_BETWEEN_LINES: Duration = Duration::from_secs(30);

pub(super) struct Display {
    bar: Option<ProgressBar>,
    began: Instant,
    said: Instant,
}

#[derive(Default)]
pub(super) struct Seen {
    pub(super) name: String,
    pub(super) report: Option<ShardReport>,
    /// When the machine's first report came, and the number of games in it.
    pub(super) since: Option<(Instant, u32)>,
    pub(super) gone: Option<String>,
}

impl Display {
    pub(super) fn new() -> Display {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template("{msg}").expect("a template with one known key"));
            bar
        });
        Display { bar, began: Instant::now(), said: Instant::now() }
    }

    pub(super) fn speaker(&self) -> Speaker {
        self.bar.clone().map_or_else(Speaker::stderr, Speaker::above)
    }

    pub(super) fn show(&mut self, state: &RunState, machines: &[&Seen], paused: bool) {
        let lines = || {
            let head = head(state, self.began.elapsed(), paused);
            let each = machines.iter().map(|machine| machine.line());
            [head].into_iter().chain(each).collect::<Vec<_>>()
        };
        if let Some(bar) = &self.bar {
            bar.set_message(wrapped(&lines().join("\n"), usize::from(Term::stderr().size().1)));
        } else if self.said.elapsed() >= TIME_BETWEEN_LINES {
            self.said = Instant::now();
            for line in lines() {
                note(line.trim_start());
            }
        }
    }

    pub(super) fn clear(&self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// `3 machines: 1,234 games, 45.6/min   Ptnml [1, 2, 3, 2, 1]   LLR 1.20 (-2.94, 2.94) [0, 5] nElo`.
fn head(state: &RunState, time: Duration, paused: bool) -> String {
    let Some(pool) = &state.pool else { return "  the machines are getting ready".to_owned() };
    let games: u64 = pool.games.iter().map(|(_, games)| u64::from(*games)).sum();
    let minutes = time.as_secs_f64() / 60.0;
    let pace = match pool.counts {
        _ if paused => ", paused".to_owned(),
        _ if minutes < 0.2 => String::new(),
        _ => format!(", {:.1}/min", games as f64 / minutes),
    };
    let pairs = match pool.counts {
        Observations::Pairs(pairs) => format!("   Ptnml {}", ptnml(&pairs)),
        Observations::Games(_) => String::new(),
    };
    let test = state.test_of_two().map_or_else(String::new, |sprt| {
        format!("   LLR {} {} {}", llr_value(sprt.llr), llr_bounds(&sprt), elo_bounds(&sprt.test))
    });
    let machines = counted(pool.games.len() as u64, "machine");
    format!("  {machines}: {}{pace}{pairs}{test}", counted(games, "game"))
}

impl Seen {
    /// `ada  520 games, 17.3/min, 2,310 knps, time losses 0, other faults 0`.
    fn line(&self) -> String {
        let mut parts = Vec::new();
        if let Some(report) = &self.report {
            parts.push(counted(report.games.into(), "game"));
            if let Some((since, games)) = self.since.filter(|(since, _)| since.elapsed().as_secs() > 10) {
                let rate =
                    f64::from(report.games.saturating_sub(games)) / since.elapsed().as_secs_f64() * 60.0;
                parts.push(format!("{rate:.1}/min"));
            }
            if !report.time.is_zero() {
                let speed = report.nodes as f64 / report.time.as_secs_f64() / 1000.0;
                parts.push(format!("{} knps", thousands(speed as u64)));
            }
            parts.push(format!("time losses {}, other faults {}", report.time_losses, report.faults));
            parts.extend(report.ended.then(|| "ended".to_owned()));
        }
        parts.extend(self.gone.as_ref().map(|why| format!("lost: {why}")));
        if parts.is_empty() {
            parts.push("getting ready".to_owned());
        }
        format!("  {:<12} {}", self.name, parts.join(", "))
    }
}
