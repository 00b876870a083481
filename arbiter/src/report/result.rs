//! The result of a run as a document: score, tests, the engines' behaviour, and how games ended.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::pgn_text::basis;
use super::quote::quote;
use super::standings::{bracket, crosstable};
use super::verdict::{
    ESTIMATES_NOTE, MOST_NAMED, bias, blame, expected_gain, tested_name, tests_heading, verdict,
    verdict_words,
};
use crate::results::ending::label;
use crate::results::{
    EngineSummary, Estimates, Latency, MachineComparison, MachineDifference, PairingSummary, Summary,
    TunedSummary,
};
use crate::text::number_text::{
    TOO_FEW, UNKNOWN, counted, elo, elo_to, is_by_work, llr, llr_bounds, llr_value, long_time, los,
    percent_to, probability, ptnml, repeated_games, signed, signed_three_digits, thousands, three_digits,
    wdl,
};
use crate::text::{Document, Fact, Line, Table, Tone, listed};
use runner::{RunConfig, Termination};
use stats::{CandidateStanding, Observations, SprtEstimate, Wdl};

/// The maximum width of tables, in columns: the width of a usual terminal.
const WIDTH: usize = 80;

/// The whole result, with the line to quote if the configuration is known.
pub fn summary(summary: &Summary, config: Option<&RunConfig>) -> Document {
    let mut document = Document::default();
    if let ([pairing], []) = (summary.of_two(), &summary.tuned[..]) {
        let [first, second] = [pairing.first, pairing.second].map(|engine| summary.engine_name(engine));
        let shard = summary.shard.map_or_else(String::new, |shard| format!(", shard {shard}"));
        document.heading(format!("{first} vs {second}{shard}"));
    }
    document.lines(pooled(summary));
    let short = summary.with_short_names();
    if summary.engines.len() > 2 {
        document.lines(summary.shortened_to(&short));
    }
    let (full, summary) = (summary, &short);
    document.append(score(summary));
    document.lines(summary.best.as_ref().map(|_| verdict(summary)));
    document.gap();
    document.table(behaviour(summary, config));
    if let Some(compared) = &summary.machines {
        document.gap();
        document.append(machines(compared));
    }
    document.gap();
    document.lines(endings(summary));
    document.lines(blame(summary, config));
    document.lines(config.and_then(|config| shallow_resignations(summary, config)));
    document.lines(basis(summary));
    let mut line = counted(summary.games, "game");
    if summary.files.is_none() {
        let _ = write!(line, " in {}", long_time(summary.duration));
    }
    if summary.abandoned > 0 {
        let _ = write!(line, ", {} abandoned", summary.abandoned);
    }
    if summary.warnings > 0 {
        let _ = write!(line, ", {}", counted(summary.warnings, "warning"));
    }
    document.line(line);
    document.lines(late_games(summary));
    if let Some(line) = config.and_then(|config| quote(full, config)) {
        document.gap();
        document.line(line);
    }
    document.within(WIDTH)
}

/// The results of all shards that a shard knows, and the problem with the pool, if any.
pub fn pooled(summary: &Summary) -> Vec<String> {
    let Some(pool) = &summary.pool else { return Vec::new() };
    let games = counted(pool.games, "game");
    let tested = if summary.tests().next().is_some() { ", which the SPRT counts" } else { "" };
    let silent = (!pool.silent.is_empty()).then(|| {
        let names = listed(&pool.silent, MOST_NAMED);
        format!("silent for minutes: {names}; the test goes on without them, and nobody plays their pairs")
    });
    let trouble = pool.trouble.as_ref().map(|trouble| format!("the pool: {trouble}"));
    let shards = summary.shard.map_or_else(
        || counted(pool.shards as u64, "machine"),
        |shard| format!("{} of {} shards", pool.shards, shard.of()),
    );
    let all = format!("{shards}: {games}{tested}");
    [Some(all), silent, trouble].into_iter().flatten().collect()
}

pub fn late_games(summary: &Summary) -> Option<String> {
    let (late, games) = (summary.after_decision, counted(summary.after_decision.games(), "game"));
    (late.games() > 0)
        .then(|| format!("{games} finished after the SPRT had stopped, not counted: {}", wdl(late)))
}

/// The figures of a match, the tests if there are several, the values of a tuning run, the candidates for the best, or
/// the crosstable and bracket.
pub fn score(summary: &Summary) -> Document {
    let mut document = Document::default();
    match summary.of_two() {
        _ if !summary.tuned.is_empty() => {
            document.table(tuned(summary));
            document.lines(expected_gain(summary));
        }
        [pairing] => document.facts(Figures::of(pairing).facts()),
        _ if summary.has_several_tests() => {
            document.lines(tests_heading(summary));
            document.table(tests(summary, false));
            document.line(ESTIMATES_NOTE);
        }
        _ if summary.best.is_some() => document.table(best(summary)),
        _ => crosstable(summary, &mut document),
    }
    document.lines(repeated_games(summary.repeated_games()));
    document.lines(summary.doubts());
    if !summary.bracket.is_empty() {
        document.gap();
        document.verbatim(bracket(summary));
    }
    document
}

pub struct Figures {
    /// Single games; `None` if only pairs are known.
    pub wdl: Option<Wdl>,
    /// The games of this folder, if the observations include more games.
    pub here: Option<Wdl>,
    pub observations: Observations,
    pub estimates: Estimates,
    /// Text appended to the fixed-length Elo if it stands alone, and to the Elo after the test.
    pub bias: &'static str,
    pub unbiased: &'static str,
    /// Whether the observations lack games that repeat earlier ones or have no partner.
    pub counts_less: bool,
    /// Decimal places of Elo and percentages.
    pub digits: usize,
}

impl Figures {
    pub fn of(pairing: &PairingSummary) -> Figures {
        Figures {
            wdl: pairing.tested.is_none().then_some(pairing.wdl),
            here: pairing.tested.map(|_| pairing.wdl),
            observations: pairing.observations(),
            estimates: pairing.estimates,
            bias: bias(pairing),
            unbiased: ", median unbiased",
            counts_less: pairing.tested.is_none() && !pairing.repeats.is_empty(),
            digits: 1,
        }
    }

    pub fn facts(&self) -> Vec<Fact> {
        let estimates = &self.estimates;
        let (games, points, counts) = match self.wdl {
            Some(counts) => (counts.games(), counts.points(), format!(" {},", wdl(counts))),
            None => (self.observations.games(), self.observations.points(), String::new()),
        };
        let percent = |share| percent_to(share, self.digits);
        let of_points = |games: u64, points: f64| {
            let share =
                if games > 0 { format!(" ({})", percent(points / games as f64)) } else { String::new() };
            format!("points {points}{share}")
        };
        // Gives the points of the games that count for Elo.
        let counted = self.counts_less.then(|| {
            let (games, points) = (self.observations.games(), self.observations.points());
            format!("{}: {}", thousands(games), of_points(games, points))
        });
        let here = self.here.map(|here| format!("; played here {}: {}", thousands(here.games()), wdl(here)));
        let here = here.unwrap_or_default();
        let pairs = match self.observations {
            Observations::Pairs(pairs) => ("Ptnml(0-2)", ptnml(&pairs)),
            Observations::Games(_) => ("Model", "trinomial, because the games are not paired".to_owned()),
        };
        // After a test there are two estimates of each kind, and both are labelled.
        let fixed = if estimates.after_sprt.is_some() { " at fixed length" } else { self.bias };
        let with = |estimate: String, label: &str| {
            if [TOO_FEW, UNKNOWN].contains(&&*estimate) { estimate } else { estimate + label }
        };
        let after = |estimate: &dyn Fn(&SprtEstimate) -> String| {
            estimates.after_sprt.as_ref().map(|after| with(estimate(after), self.unbiased))
        };
        let known = [
            ("Games", Some(format!("{}:{counts} {}{here}", thousands(games), of_points(games, points)))),
            ("Counted", counted),
            (pairs.0, Some(pairs.1)),
            ("Elo (95%)", Some(with(elo_to(&estimates.elo, self.digits), fixed))),
            ("Elo (SPRT)", after(&|after| elo_to(&after.elo, self.digits))),
            ("nElo (95%)", Some(elo_to(&estimates.normalized_elo, self.digits))),
            ("nElo (SPRT)", after(&|after| elo_to(&after.normalized_elo, self.digits))),
            ("LOS", Some(los(estimates.los, self.digits))),
            ("DrawRatio", estimates.draw_ratio.map(percent)),
            ("PairsRatio", estimates.pair_ratio.map(|ratio| format!("{ratio:.2}"))),
        ];
        let facts = known.into_iter().filter_map(|(name, value)| Some(Fact(name, value?.into())));
        let test = estimates.sprt.map(|sprt| {
            let (verdict, tone) = verdict_words(&sprt);
            Fact("LLR", Line::from(llr(&sprt) + ": ").and(verdict, tone))
        });
        facts.chain(test).collect()
    }
}

/// A row for each of several tests. A wide table, for pages, has three more columns.
pub fn tests(summary: &Summary, is_wide: bool) -> Table {
    let more: &[&str] = if is_wide { &["nElo (95%)", "nElo (SPRT)", "Ptnml(0-2)"] } else { &[] };
    let headings = ["", "Games", "Elo (95%)", "Elo (SPRT)", "LLR"].iter().chain(more).chain(&["Verdict"]);
    let mut table = Table::new(headings);
    for (pairing, sprt) in summary.tests() {
        let after = pairing.estimates.after_sprt.as_ref();
        let cell = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let after_elo = cell(after.map(|after| elo(&after.elo)));
        let bounds = if sprt.test.is_curved() { format!(" {}", llr_bounds(sprt)) } else { String::new() };
        let llr = llr_value(sprt.llr) + &bounds;
        let mut cells = vec![thousands(pairing.games()), elo(&pairing.estimates.elo), after_elo, llr];
        if is_wide {
            let after_nelo = cell(after.map(|after| elo(&after.normalized_elo)));
            let pairs = match pairing.observations() {
                Observations::Pairs(pairs) => ptnml(&pairs),
                Observations::Games(_) => "–".to_owned(),
            };
            cells.extend([elo(&pairing.estimates.normalized_elo), after_nelo, pairs]);
        }
        let (verdict, tone) = verdict_words(sprt);
        let name = [(tested_name(summary, pairing), Tone::Strong)];
        let cells = cells.into_iter().map(|cell| (cell, Tone::Plain));
        table.row(name.into_iter().chain(cells).chain([(verdict.to_owned(), tone)]));
    }
    table
}

/// A row for each candidate, the largest difference first.
pub fn best(summary: &Summary) -> Table {
    let Some(best) = &summary.best else { return Table::new([""; 0]) };
    let base = summary.engine_name(best.candidates.len());
    let within = format!("Within {} nElo of the best", best.rule.within);
    let mut table = Table::new(["", "Games", &format!("nElo vs {base}"), &within]);
    for (place, engine) in best.order().into_iter().enumerate() {
        let CandidateStanding { nelo, margin, probability } = best.candidates[engine];
        let tone = match place {
            0 => Tone::Strong,
            _ if best.is_in(engine) => Tone::Plain,
            _ => Tone::Faint,
        };
        let cells = [
            summary.engine_name(engine).to_owned(),
            thousands(summary.engines[engine].games),
            format!("{} ± {:.1}", signed(nelo.value(), 1), margin),
            if best.is_in(engine) { percent_to(probability, 1) } else { "out".to_owned() },
        ];
        table.row(cells.map(|cell| (cell, tone)));
    }
    table
}

/// The parameters of a tuning run. Those that changed more than by chance are bold.
pub fn tuned(summary: &Summary) -> Table {
    let last = if summary.tuned.iter().any(|parameter| parameter.learned.is_some()) {
        ["Best value (95%)", "Expected gain"].as_slice()
    } else {
        &["By chance (95%)"]
    };
    let mut table = Table::new([&["Parameter", "Start", "Value", "Change"], last].concat());
    for parameter in &summary.tuned {
        let tone = if parameter.strength() > 1.0 { Tone::Strong } else { Tone::Plain };
        let mut cells = vec![
            (parameter.name.clone(), tone),
            (three_digits(parameter.from), Tone::Plain),
            (three_digits(parameter.value), tone),
            (signed_three_digits(parameter.change()), tone),
        ];
        match parameter.learned {
            Some(learned) => {
                let [from, to] = learned.likely.map(three_digits);
                cells.extend([(format!("{from} to {to}"), Tone::Faint), (signed(learned.gain, 1), tone)]);
            }
            None => cells.push((by_chance(parameter), Tone::Faint)),
        }
        table.row(cells);
    }
    table
}

/// The range of random changes: `± 12.3`, or its ends if a bound of the option cuts it off.
fn by_chance(parameter: &TunedSummary) -> String {
    let free = [parameter.from - parameter.by_chance, parameter.from + parameter.by_chance];
    let [from, to] = parameter.within_bounds(free);
    if from > free[0] || to < free[1] {
        format!("{} to {}", three_digits(from), three_digits(to))
    } else {
        format!("± {}", three_digits(parameter.by_chance))
    }
}

/// Time losses, other faults, and search statistics of each engine.
pub fn behaviour(summary: &Summary, config: Option<&RunConfig>) -> Table {
    let of_processor = config.is_some_and(is_by_work);
    let latency = if of_processor { "CPU latency p50/p99/max" } else { "Latency p50/p99/max" };
    let measured = |engine: &EngineSummary| {
        [
            engine.mean_depth.map(|depth| format!("{depth:.1}")),
            engine.nodes_per_second.map(thousands),
            engine.latency.map(in_milliseconds),
            engine.time_share.map(|share| percent_to(share, 0)),
        ]
    };
    // Columns without any value are left out: facts that files lack, and time use without a limit.
    let is_shown = [0, 1, 2, 3].map(|column: usize| {
        let is_told = summary.engines.iter().any(|engine| measured(engine)[column].is_some());
        is_told || (summary.files.is_none() && column < 3)
    });
    let shown = |column: &usize| is_shown[*column];
    let headings = ["", "Time losses", "Other faults"].into_iter();
    let mut table = Table::new(
        headings.chain((0..4).filter(shown).map(|column| ["Depth", "NPS", latency, "Used"][column])),
    );
    for engine in &summary.engines {
        let count = |count: u64| (count.to_string(), Tone::of_faults(count));
        let known = |text: Option<String>| (text.unwrap_or_else(|| "–".to_owned()), Tone::Plain);
        let faults = [
            (engine.name.clone(), Tone::Plain),
            count(engine.faults_of(Termination::TimeLoss)),
            count(engine.other_faults()),
        ];
        let measured = measured(engine);
        table.row(
            faults.into_iter().chain((0..4).filter(shown).map(|column| known(measured[column].clone()))),
        );
    }
    table
}

/// `0.4/1.2/15.0 ms`.
fn in_milliseconds(Latency { p50, p99, max }: Latency) -> String {
    let [p50, p99, max] = [p50, p99, max].map(|time| time.as_secs_f64() * 1000.0);
    format!("{p50:.1}/{p99:.1}/{max:.1} ms")
}

/// The machines of a run: their games, their processors, and whether their results differ by more than chance.
pub fn machines(compared: &MachineComparison) -> Document {
    let headings = ["Machine", "Games", "Elo (95%)", "Residual", "NPS", "Time losses", "Latency p50/p99/max"];
    let (mut table, mut differing, mut processors) = (Table::new(headings), Vec::new(), BTreeMap::new());
    let known = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    for it in &compared.machines {
        let name = it.machine.name.clone();
        let residual = known(it.residual.map(|residual| signed(residual, 1)));
        let nps = known(it.nodes_per_second.map(thousands));
        let (difference, latency) = (known(it.elo.as_ref().map(elo)), known(it.latency.map(in_milliseconds)));
        let what = it.differs.iter().map(|kind| match kind {
            MachineDifference::Score => format!("its score, {residual} standard errors from the mean of all"),
            MachineDifference::TimeLosses => format!("time losses, {} of them", it.time_losses),
            MachineDifference::NodesPerSecond => format!("speed, {nps} NPS"),
        });
        let what: Vec<String> = what.collect();
        differing.extend(
            (!what.is_empty()).then(|| format!("{name} is not like the others: {}", what.join("; "))),
        );
        let processor = format!("{}, {}", it.machine.cpu, counted(it.machine.cores as u64, "core"));
        processors.entry(processor).or_insert_with(Vec::new).push(name.clone());
        let (games, losses) = (thousands(it.games), it.time_losses.to_string());
        table.plain([name, games, difference, residual, nps, losses, latency]);
    }
    let mut document = Document::default();
    document.table(table);
    let MachineComparison { chi_squared, degrees, p_value, .. } = compared;
    document.lines((*degrees > 0).then(|| {
        let freedom = counted((*degrees).into(), "degree");
        let p = probability(*p_value);
        format!("Scores by machine: χ² {chi_squared:.1} with {freedom} of freedom, {p} if they differ by chance alone")
    }));
    document.lines(differing.into_iter().map(|line| Line::default().and(line, Tone::Bad)));
    document
        .lines(processors.into_iter().map(|(processor, names)| format!("{processor}: {}", names.join(", "))));
    document
}

/// How the games ended, the most frequent first, with the engines at fault.
fn endings(summary: &Summary) -> Vec<Line> {
    let mut kinds: Vec<_> = summary.terminations.iter().collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
    let line = |(&kind, count): (&Termination, &u64)| {
        let tone = if kind.is_fault() { Tone::Bad } else { Tone::Plain };
        Line::from(format!("{count:>6}  ")).and(label(kind), tone).and(offenders(summary, kind), Tone::Plain)
    };
    kinds.into_iter().map(line).collect()
}

/// Below this mean depth, a score of several pawns does not yet win: at depth 7, resignations at 4.00 changed 6.5% of the
/// results.
const SHALLOW: f64 = 10.0;

/// A warning of what resigning by score costs if searches are shallow, and how to measure it.
pub fn shallow_resignations(summary: &Summary, config: &RunConfig) -> Option<String> {
    let rule = config.adjudication.resign.filter(|_| config.adjudication.play_out.is_none())?;
    summary.terminations.get(&Termination::ResignAdjudication)?;
    let depths = summary.engines.iter().filter_map(|engine| engine.mean_depth);
    let depth = depths.min_by(f64::total_cmp).filter(|depth| *depth < SHALLOW)?;
    Some(format!(
        "resign {rule} at a mean depth of {depth:.1} may change results: --play-out 0.1 says how many"
    ))
}

/// The number of such faults by engine: `: new 2, old 1`.
fn offenders(summary: &Summary, kind: Termination) -> String {
    let engines = summary.engines.iter().filter(|engine| engine.faults_of(kind) > 0);
    let counts: Vec<_> =
        engines.map(|engine| format!("{} {}", engine.name, engine.faults_of(kind))).collect();
    if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) }
}

#[cfg(test)]
mod tests;
