//! The progress of a run as text and bars.

use std::time::Duration;

use console::{Alignment, measure_text_width, pad_str};

use crate::report::result::pooled;
use crate::report::verdict::{MOST_NAMED, still_in, tested_name, verdict_words};
use crate::results::ending::label;
use crate::results::{EngineSummary, PairingSummary, RunState, SprtSummary, Summary, TunedSummary};
use crate::text::number_text::{
    counted, elo_bounds, in_elo, is_by_work, llr_bounds, llr_value, long_time, plain_minus, ptnml,
    short_time, signed_three_digits, thousands, three_digits, wdl,
};
use crate::text::{Line, Tone, listed};
use runner::{MachineNoise, RunConfig, Termination};
use stats::Observations;

/// The maximum widths, in columns, of the bar and of the scale between the SPRT bounds; both shrink with the terminal.
const BAR: usize = 20;
const SCALE: usize = 16;

const SHORTEST_SCALE: usize = 5;

/// The maximum width of an engine's name, in columns, and its share of the terminal; longer names end in an ellipsis.
const NAME: usize = 24;
const NAME_SHARE: usize = 4;

const MOVED_SHOWN: usize = 3;

const ENGINES_SHOWN: usize = 8;

/// Describes the progress of a run, for a terminal of some width or for a line in a log.
#[derive(Clone, Copy, Debug)]
pub struct ProgressText {
    pub width: usize,
    pub colour: bool,
    pub is_going_on: bool,
}

impl ProgressText {
    /// The display that stays in place: bar and pace, score, faults of each engine, and the machine.
    pub fn lines(&self, state: &RunState) -> Vec<String> {
        let summary = state.overview().with_short_names();
        let names = padded_names(&summary, NAME.min(self.width / NAME_SHARE));
        let mut lines = vec![self.pace(state, &summary)];
        lines.extend(pooled(&summary).into_iter().enumerate().map(|(place, text)| {
            // Problems come after the counts.
            Line::default().and(text, if place == 0 { Tone::Plain } else { Tone::Bad })
        }));
        if let [pairing] = summary.of_two() {
            lines.extend(self.test(pairing));
            if summary.tuned.is_empty() {
                lines.push(score(pairing, &names[pairing.first]));
            } else {
                lines.push(tuned(&summary.tuned));
            }
            // A process that conducts shards on other machines does not see the faults of their engines.
            let is_seen = summary.shard.is_some() || summary.pool.is_none();
            let engines = summary.engines.iter().zip(&names).filter(|_| is_seen);
            let one = |(engine, name): (_, &String)| {
                health(Line::from(name), std::slice::from_ref(engine), state.config())
            };
            lines.extend(engines.map(one));
        } else {
            if summary.has_several_tests() {
                lines.extend(tests(&summary));
            } else {
                lines.extend(standings(&summary, &names));
            }
            lines.extend(still_in(&summary).map(|text| Line::default().and(text, Tone::Strong)));
            lines.push(health(Line::default(), &summary.engines, state.config()));
        }
        lines.extend(machine(state));
        lines.iter().flat_map(|line| line.spread(self.width, self.colour)).collect()
    }

    fn pace(&self, state: &RunState, summary: &Summary) -> Line {
        let share = summary.games as f64 / f64::from(state.schedule().games().max(1));
        let (games, total) = (thousands(summary.games), counted(state.schedule().games().into(), "game"));
        let mut line = Line::from(bar(share, BAR.min(self.width.saturating_sub(4))))
            .and(format!("{games} of {total}{}", shard_text(state)), Tone::Strong);
        if state.pace().paused {
            line = line.and(format!("paused, {} in progress", state.present.len()), Tone::Strong);
        }
        if let Some(rate) = state.games_per_minute() {
            line = line.and(format!("{rate:.1}/min"), Tone::Plain);
        }
        if let Some(left) = TimeLeft::of_run(state, summary).filter(|_| self.is_going_on) {
            line = line.and(left.text(), Tone::Faint);
        }
        line
    }

    fn test(&self, pairing: &PairingSummary) -> Option<Line> {
        let sprt = pairing.estimates.sprt?;
        let [llr, lower, upper] = [sprt.llr, sprt.lower, sprt.upper].map(llr_value);
        let (_, tone) = verdict_words(&sprt);
        let around = format!("LLR {llr}   {lower} ◂▸ {upper}").chars().count();
        let columns = SCALE.min(self.width.saturating_sub(around + 2));
        let drawn = if columns < SHORTEST_SCALE {
            format!("LLR {llr} {}", llr_bounds(&sprt))
        } else {
            format!("LLR {llr}   {lower} ◂{}▸ {upper}", scale(&sprt, columns))
        };
        Some(Line::default().and(drawn, tone).and(elo_bounds(&sprt.test), Tone::Faint))
    }

    pub fn line(state: &RunState) -> String {
        let summary = state.overview().with_short_names();
        let games = counted(state.schedule().games().into(), "game");
        let mut pieces = vec![format!("{} of {games}{}", summary.games, shard_text(state))];
        if !summary.tuned.is_empty() {
            pieces.extend(most_moved(&summary.tuned).map(moved));
        } else if let [pairing] = summary.of_two() {
            pieces.extend(pairing.tested.is_none().then(|| wdl(pairing.wdl)));
            pieces.push(in_elo(&pairing.estimates.elo));
            let all =
                summary.pool.as_ref().map_or_else(String::new, |pool| format!(" of {} shards", pool.shards));
            pieces.extend(pairing.estimates.sprt.map(|sprt| format!("LLR {}{all}", llr_value(sprt.llr))));
        } else if summary.has_several_tests() {
            pieces.extend(summary.tests().map(|(pairing, sprt)| test_in_log(&summary, pairing, sprt)));
        } else if let Some(text) = still_in(&summary) {
            pieces.push(text);
        } else if let Some(leader) = summary.by_score().first() {
            let EngineSummary { name, points, games, .. } = &summary.engines[*leader];
            pieces.push(match &summary.leaders()[..] {
                [_] => format!("{name} leads with {points} points of {games}"),
                level => format!("{} are level", listed(level, MOST_NAMED)),
            });
        }
        let time_losses: u64 =
            summary.engines.iter().map(|engine| engine.faults_of(Termination::TimeLoss)).sum();
        let breakdowns: u64 = summary.engines.iter().map(EngineSummary::other_faults).sum();
        pieces.extend((time_losses > 0).then(|| format!("time losses {time_losses}")));
        pieces.extend((breakdowns > 0).then(|| format!("other faults {breakdowns}")));
        pieces.extend(TimeLeft::of_run(state, &summary).map(TimeLeft::text));
        pieces.extend(
            state
                .noise()
                .present
                .filter(|noise| *noise != MachineNoise::default())
                .map(|_| "machine noisy".to_owned()),
        );
        plain_minus(&pieces.join(", "))
    }
}

fn score(pairing: &PairingSummary, name: &str) -> Line {
    let line = Line::default().and(name, Tone::Strong).and(in_elo(&pairing.estimates.elo), Tone::Strong);
    // For the shards of a pool, only the pairs are known, not wins and losses.
    let line = if pairing.tested.is_some() { line } else { line.and(wdl(pairing.wdl), Tone::Plain) };
    match (pairing.observations(), pairing.tested) {
        (Observations::Pairs(pairs), _) => line.and(format!("Ptnml {}", ptnml(&pairs)), Tone::Plain),
        (Observations::Games(games), Some(_)) => line.and(wdl(games), Tone::Plain),
        (Observations::Games(_), None) => line,
    }
}

/// The values of a tuning run. Values that moved farther than chance explains are bold.
fn tuned(tuned: &[TunedSummary]) -> Line {
    tuned.iter().fold(Line::default(), |line, parameter| {
        line.and(moved(parameter), if parameter.strength() > 1.0 { Tone::Strong } else { Tone::Plain })
    })
}

fn most_moved(tuned: &[TunedSummary]) -> impl Iterator<Item = &TunedSummary> {
    let mut order: Vec<&TunedSummary> = tuned.iter().collect();
    order.sort_by(|one, other| other.strength().total_cmp(&one.strength()));
    order.into_iter().take(MOVED_SHOWN)
}

/// A parameter such as `margin 52.3 (+4.3)`.
fn moved(parameter: &TunedSummary) -> String {
    let TunedSummary { name, value, .. } = parameter;
    format!("{name} {} ({})", three_digits(*value), signed_three_digits(parameter.change()))
}

/// One line for each test; tests in progress come before those with a verdict.
fn tests(summary: &Summary) -> Vec<Line> {
    let mut tests: Vec<_> = summary.tests().collect();
    tests.sort_by_key(|(_, sprt)| sprt.is_over());
    let names: Vec<String> = tests.iter().map(|(pairing, _)| tested_name(summary, pairing)).collect();
    let width = names.iter().map(|name| measure_text_width(name)).max().unwrap_or(0).min(NAME);
    let line = |((pairing, sprt), name): (&(&PairingSummary, &SprtSummary), &String)| {
        let (verdict, tone) = verdict_words(sprt);
        let mut line = Line::default()
            .and(pad_str(name, width, Alignment::Left, Some("…")), Tone::Strong)
            .and(format!("LLR {} {}", llr_value(sprt.llr), llr_bounds(sprt)), tone);
        if sprt.is_over() {
            line = line.and(verdict, tone);
        }
        line.and(in_elo(&pairing.estimates.elo), Tone::Plain)
            .and(counted(pairing.wdl.games(), "game"), Tone::Faint)
    };
    tests.iter().zip(&names).take(ENGINES_SHOWN).map(line).collect()
}

/// A test such as `new H1 accepted` or `new LLR 1.20`.
fn test_in_log(summary: &Summary, pairing: &PairingSummary, sprt: &SprtSummary) -> String {
    let name = tested_name(summary, pairing);
    if sprt.is_over() {
        format!("{name} {}", verdict_words(sprt).0)
    } else {
        format!("{name} LLR {}", llr_value(sprt.llr))
    }
}

fn standings(summary: &Summary, names: &[String]) -> Vec<Line> {
    let order = summary.by_score();
    let line = |(place, &engine): (usize, &usize)| {
        let (engine, name) = (&summary.engines[engine], &names[engine]);
        let line = Line::default()
            .and(format!("{:>2}. {name}", place + 1), Tone::Strong)
            .and(format!("{:>5.1} of {}", engine.points, engine.games), Tone::Plain)
            .and(in_elo(&engine.elo_vs_opponents), Tone::Plain);
        let fault = |line: Line, (&kind, count): (&Termination, &u64)| {
            line.and(format!("{} {count}", label(kind)), Tone::Bad)
        };
        engine.faults.iter().fold(line, fault)
    };
    order.iter().enumerate().take(ENGINES_SHOWN).map(line).collect()
}

fn shard_text(state: &RunState) -> String {
    state.config().shard.map_or_else(String::new, |shard| format!(" (shard {shard})"))
}

/// The number of faults of these engines, and the longest delay of an answer.
fn health(line: Line, engines: &[EngineSummary], config: &RunConfig) -> Line {
    let sum = |count: fn(&EngineSummary) -> u64| engines.iter().map(count).sum::<u64>();
    let crashes = sum(|engine| engine.faults_of(Termination::Crash));
    let time_losses = sum(|engine| engine.faults_of(Termination::TimeLoss));
    let others = sum(EngineSummary::other_faults) - crashes;
    let mut line = line
        .and(format!("time losses {time_losses}"), Tone::of_faults(time_losses))
        .and(format!("crashes {crashes}"), Tone::of_faults(crashes));
    if others > 0 {
        line = line.and(format!("other faults {others}"), Tone::Bad);
    }
    match engines.iter().filter_map(|engine| engine.latency).map(|latency| latency.max).max() {
        Some(max) => {
            let clock = if is_by_work(config) { "CPU " } else { "" };
            line.and(format!("max {clock}latency {}", short_time(max)), Tone::Plain)
        }
        None => line,
    }
}

/// Whether other processes take time from the engines' cores; `None` if this is not measured.
fn machine(state: &RunState) -> Option<Line> {
    let noise = state.noise().present?;
    if noise == MachineNoise::default() {
        return Some(Line::default().and("machine quiet", Tone::Faint));
    }
    let line = Line::default().and("machine noisy:", Tone::Bad);
    Some(noise.to_string().split(", ").fold(line, |line, cause| line.and(cause, Tone::Bad)))
}

/// The names, padded to the longest but no wider than allowed, so that the next columns line up.
fn padded_names(summary: &Summary, allowed: usize) -> Vec<String> {
    let names = || summary.engines.iter().map(|engine| engine.name.as_str());
    let width = names().map(measure_text_width).max().unwrap_or(0).min(allowed);
    names().map(|name| pad_str(name, width, Alignment::Left, Some("…")).into_owned()).collect()
}

/// A bar of full blocks and one partial block, with an edge at either end.
fn bar(share: f64, columns: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (columns * 8) as f64) as usize;
    let filled = "█".repeat(eighths / 8) + EIGHTHS[eighths % 8];
    format!("▕{filled:<columns$}▏")
}

fn scale(sprt: &SprtSummary, columns: usize) -> String {
    let (lower, upper) = (sprt.lower.value(), sprt.upper.value());
    let share = ((sprt.llr.value() - lower) / (upper - lower)).clamp(0.0, 1.0);
    let before = (share * (columns - 1) as f64).round() as usize;
    format!("{}●{}", "─".repeat(before), "─".repeat(columns - 1 - before))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLeft {
    Schedule(Duration),
    /// An SPRT ends the run, at the latest with the end of the schedule.
    AtMost(Duration),
    /// An SPRT ends the run, at about this time if the trend of its LLR holds.
    ByTrend(Duration),
}

impl TimeLeft {
    /// The rest of a schedule of `total` games at `games_per_minute`. `None` while the SPRT that will decide shows no trend,
    /// and in a search for the best of several engines, which is expected to end long before its schedule.
    pub fn of(summary: &Summary, total: u32, games_per_minute: f64) -> Option<TimeLeft> {
        let time = |games: f64| Duration::try_from_secs_f64(games * 60.0 / games_per_minute).ok();
        let scheduled = u64::from(total).saturating_sub(summary.games) as f64;
        if summary.best.is_some() && scheduled > 0.0 {
            return None;
        }
        if summary.tests().next().is_none() {
            return time(scheduled).map(TimeLeft::Schedule);
        }
        let is_single = !summary.has_several_tests();
        let open = summary.tests().filter(|(_, sprt)| is_single || !sprt.is_over());
        let expected: Option<f64> =
            open.map(|(pairing, sprt)| sprt.test.pairs_to_go(&pairing.pentanomial)).sum();
        let expected = 2.0 * expected?;
        if expected < scheduled {
            time(expected).map(TimeLeft::ByTrend)
        } else {
            time(scheduled).map(TimeLeft::AtMost)
        }
    }

    /// The time left in a run at its present pace, given its summary. `None` before the first game.
    pub fn of_run(run: &RunState, summary: &Summary) -> Option<TimeLeft> {
        TimeLeft::of(summary, run.schedule().games(), run.games_per_minute()?)
    }

    pub const fn duration(self) -> Duration {
        match self {
            TimeLeft::Schedule(time) | TimeLeft::AtMost(time) | TimeLeft::ByTrend(time) => time,
        }
    }

    /// The text, such as `12 min left`, `at most 12 min left` or `about 12 min left at this trend`.
    pub fn text(self) -> String {
        let time = long_time(self.duration());
        match self {
            TimeLeft::Schedule(_) => format!("{time} left"),
            TimeLeft::AtMost(_) => format!("at most {time} left"),
            TimeLeft::ByTrend(_) => format!("about {time} left at this trend"),
        }
    }
}

#[cfg(test)]
mod tests;
