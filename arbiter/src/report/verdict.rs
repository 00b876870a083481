//! Turns a run or a measurement into an exit code, and writes the sentences about a run: its verdict, its state, and who
//! is to blame for faults.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::cli::ExitCode;
use crate::results::{BestSummary, PairingSummary, RunPhase, SprtSummary, Summary, TunedSummary};
use crate::text::junit::CaseOutcome;
use crate::text::number_text::{
    counted, elo_bounds, in_elo, known_elo, known_elo_to, llr_bounds, percent_to, signed,
};
use crate::text::{Tone, listed};
use runner::{FinishReason, RunConfig, Tie};
use stats::{BestRule, Elo, EloEstimate, LearnedParameter, OutOfReach, SprtStatus};

pub const MOST_NAMED: usize = 4;

/// The verdict on a build by a sequential test or a measurement, from the best to the worst. Files use the words of
/// `ci.json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Better than the build that it is compared with; H1 was accepted.
    #[serde(rename = "passed", skip_deserializing)]
    Better,
    /// As expected, or compared with nothing.
    #[serde(rename = "passed")]
    Same,
    /// Not measured.
    Skipped,
    #[serde(rename = "inconclusive")]
    CannotTell,
    /// H0 was accepted, or something fails that worked before.
    #[serde(rename = "regression")]
    Worse,
    /// The engine crashed, stalled, made an illegal move, or broke the protocol.
    Broken,
}

impl From<SprtStatus> for Verdict {
    fn from(status: SprtStatus) -> Verdict {
        match status {
            SprtStatus::AcceptH1 => Verdict::Better,
            SprtStatus::AcceptH0 => Verdict::Worse,
            SprtStatus::Continue => Verdict::CannotTell,
        }
    }
}

impl Verdict {
    /// The decision of a pairing's sequential test; `CannotTell` if its games prove nothing.
    pub fn of_test(summary: &Summary, pairing: &PairingSummary, test: &SprtSummary) -> Verdict {
        let judged = Verdict::from(test.status);
        if summary.obstacle(pairing, test).is_some() { Verdict::CannotTell } else { judged }
    }

    /// The joint decision of a run's sequential tests: H1 if any accepted it, H0 if all did; `None` without tests.
    pub fn of_tests(summary: &Summary) -> Option<Verdict> {
        let judged = || summary.tests().map(|(pairing, sprt)| Verdict::of_test(summary, pairing, sprt));
        let open = || judged().find(|judged| *judged == Verdict::CannotTell);
        judged().find(|judged| *judged == Verdict::Better).or_else(open).or_else(|| judged().next())
    }

    /// The verdict on the first engine of a run that ended for this reason.
    pub fn of_run(summary: &Summary, reason: &FinishReason) -> Verdict {
        // A pooled test may have decided with games of other shards, which are judged where they are merged.
        let is_unfounded = || {
            Verdict::of_tests(summary) != Some(Verdict::Better)
                && summary.tests().any(|(pairing, test)| summary.obstacle(pairing, test).is_some())
        };
        match reason {
            FinishReason::AcceptedH1 if is_unfounded() => Verdict::CannotTell,
            FinishReason::AcceptedH1 => Verdict::Better,
            FinishReason::FoundBest | FinishReason::LittleToGain => Verdict::Same,
            FinishReason::AllGamesPlayed if summary.best.is_some() => Verdict::CannotTell,
            FinishReason::AcceptedH0 => Verdict::Worse,
            FinishReason::AllGamesPlayed => Verdict::of_tests(summary).unwrap_or(Verdict::Same),
            FinishReason::EngineDoesNotStart { .. } => Verdict::Broken,
            FinishReason::Requested
            | FinishReason::GamesMissing
            | FinishReason::GaveUp
            | FinishReason::BaseOutOfReach { .. }
            | FinishReason::FileChanged { .. } => Verdict::CannotTell,
        }
    }

    pub fn passes(self) -> bool {
        self <= Verdict::Same
    }

    pub fn exit_code(self) -> ExitCode {
        match self {
            Verdict::Better | Verdict::Same | Verdict::Skipped => ExitCode::Done,
            Verdict::CannotTell => ExitCode::Inconclusive,
            Verdict::Worse => ExitCode::Regression,
            Verdict::Broken => ExitCode::EngineBroke,
        }
    }

    /// The symbol shown on a pull request.
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::Better | Verdict::Same => "✅",
            Verdict::Skipped => "➖",
            Verdict::CannotTell => "⏳",
            Verdict::Worse | Verdict::Broken => "❌",
        }
    }

    /// The outcome of a JUnit case, with a message unless it passes.
    pub fn case(self, message: String) -> CaseOutcome {
        match self {
            Verdict::Better | Verdict::Same => CaseOutcome::Passed,
            Verdict::Skipped | Verdict::CannotTell => CaseOutcome::Skipped(message),
            Verdict::Worse | Verdict::Broken => CaseOutcome::Failed(message),
        }
    }
}

/// Why a run ended: `SPRT accepted H1`.
pub fn end_words(reason: &FinishReason) -> &str {
    match reason {
        FinishReason::AllGamesPlayed => "all games were played",
        FinishReason::AcceptedH0 => "SPRT accepted H0",
        FinishReason::AcceptedH1 => "SPRT accepted H1",
        FinishReason::FoundBest => "the best is known",
        FinishReason::LittleToGain => "other values are expected to gain too little",
        FinishReason::BaseOutOfReach { base: OutOfReach::TooWeak } => "the base is too weak",
        FinishReason::BaseOutOfReach { base: OutOfReach::TooStrong } => "the base is too strong",
        FinishReason::GaveUp => "SPRT given up: too few games left to accept H1",
        FinishReason::Requested => "stopped by the user",
        FinishReason::GamesMissing => "games are missing",
        FinishReason::EngineDoesNotStart { detail, .. } | FinishReason::FileChanged { detail } => detail,
    }
}

/// `new vs old`, or the number of engines.
pub fn title(summary: &Summary) -> String {
    match &summary.engines[..] {
        [first, second] => format!("{} vs {}", first.name, second.name),
        engines if summary.files.is_some() => format!("{} players", engines.len()),
        engines => format!("{} engines, {}", engines.len(), summary.format),
    }
}

/// The verdict, as a sentence in plain text.
pub fn verdict(summary: &Summary) -> String {
    if summary.games == 0 {
        return "No game is finished.".to_owned();
    }
    if let Some([Tie { winner: Some(winner), .. }]) = summary.bracket.last().map(Vec::as_slice) {
        return format!("{} wins the knockout.", summary.engine_name(*winner));
    }
    if let Some(round) = summary.bracket.last() {
        // Both engines of an open tie are left.
        let open = round.iter().filter(|tie| tie.winner.is_none() && tie.second.is_some()).count();
        let (left, games) = (round.len() + open, counted(summary.games, "game"));
        return format!("{left} engines are left in the knockout after {games}.");
    }
    if let Some(best) = &summary.best {
        return of_best(summary, best);
    }
    match summary.of_two() {
        _ if !summary.tuned.is_empty() => of_tuning(summary),
        [pairing] => of_match(summary, pairing),
        _ if summary.has_several_tests() => of_tests(summary),
        _ => of_tournament(summary),
    }
}

/// `net3 is the best of 5 within 3 nElo (92%), after 4,210 games.`
fn of_best(summary: &Summary, best: &BestSummary) -> String {
    let (games, order) = (counted(summary.games, "game"), best.order());
    let (leader, of) = (order[0], order.len());
    let (name, BestRule { within, sure }) = (summary.engine_name(leader), best.rule);
    let probability = best.candidates[leader].probability;
    let percent = percent_to(probability, 0);
    if let Some(base) = best.base {
        let (weak, share, other) = match base {
            OutOfReach::TooWeak => ("weak", "win more than 80%", "stronger"),
            OutOfReach::TooStrong => ("strong", "win less than 20%", "weaker"),
        };
        let name = summary.engine_name(of);
        return format!(
            "{name} is too {weak} to tell the best of {of} apart: the leaders {share} of the points, after {games}; take a {other} --base."
        );
    }
    if probability >= sure {
        return format!("{name} is the best of {of} within {within} nElo ({percent}), after {games}.");
    }
    format!("{games} cannot tell the best of {of}: {name} is within {within} nElo of it with {percent}.")
}

/// The engines that may still be the best or within the margin of the best: `still in: net3 71%, net1 20%`.
pub fn still_in(summary: &Summary) -> Option<String> {
    let best = summary.best.as_ref()?;
    let contenders = best.order().into_iter().filter(|&engine| best.is_in(engine)).map(|engine| {
        format!("{} {}", summary.engine_name(engine), percent_to(best.candidates[engine].probability, 0))
    });
    Some(format!("still in: {}", listed(&contenders.collect::<Vec<_>>(), MOST_NAMED)))
}

/// The state of several tests: `SPRT vs old after 1,200 games: H1 accepted for new; H0 accepted for other.`
fn of_tests(summary: &Summary) -> String {
    let mut names: BTreeMap<_, Vec<String>> = BTreeMap::new();
    let mut bases = BTreeSet::new();
    for (pairing, sprt) in summary.tests() {
        // H1 comes first, undecided tests come last.
        let place = match sprt.status {
            SprtStatus::AcceptH1 => 0,
            SprtStatus::AcceptH0 => 1,
            SprtStatus::Continue => 2 + u8::from(!sprt.given_up),
        };
        let is_unfounded = summary.obstacle(pairing, sprt).is_some();
        let verdict = if is_unfounded { "cannot tell" } else { verdict_words(sprt).0 };
        names.entry((place, verdict)).or_default().push(tested_name(summary, pairing));
        bases.insert(pairing.second);
    }
    let parts = names.iter().map(|((_, verdict), names)| format!("{verdict} for {}", names.join(", ")));
    let base = bases.first().filter(|_| bases.len() == 1);
    let base = base.map_or_else(String::new, |base| format!(" vs {}", summary.engine_name(*base)));
    let parts: Vec<String> = parts.collect();
    format!("SPRT{base} after {}: {}.", counted(summary.games, "game"), parts.join("; "))
}

/// `21 parameters tuned in 20,000 games; changed more than by chance: a, b.`
fn of_tuning(summary: &Summary) -> String {
    let moved = summary.tuned.iter().filter(|parameter| parameter.strength() > 1.0);
    let moved: Vec<&str> = moved.map(|parameter| parameter.name.as_str()).collect();
    let moved = if moved.is_empty() { "none".to_owned() } else { moved.join(", ") };
    let (parameters, games) = (summary.tuned.len() as u64, summary.games);
    let expected = expected_gain(summary).map_or_else(String::new, |expected| format!(" {expected}"));
    format!(
        "{} tuned in {}; changed more than by chance: {moved}.{expected}",
        counted(parameters, "parameter"),
        counted(games, "game")
    )
}

/// A parameter whose start value is expected to lose less than this, in Elo, is named as one that hardly matters.
const HARDLY_MATTERS: f64 = 0.3;

/// What a tuning with learned steps expects of its values: `The values are expected to gain +6.1 Elo; the best values would gain 2.0 more.`
pub fn expected_gain(summary: &Summary) -> Option<String> {
    let learned = || summary.tuned.iter().filter_map(|parameter| Some((parameter, parameter.learned?)));
    learned().next()?;
    let gain: f64 = learned().map(|(_, it)| it.gain).sum();
    let left: f64 = learned().map(|(_, it)| it.left).sum();
    let named = |words: &str, is_named: fn(&TunedSummary, &LearnedParameter) -> bool| {
        let named = learned().filter(|(parameter, learned)| is_named(parameter, learned));
        let names: Vec<&str> = named.map(|(parameter, _)| parameter.name.as_str()).collect();
        if names.is_empty() { String::new() } else { format!(" {words}: {}.", names.join(", ")) }
    };
    let good = named(&format!("Less than {HARDLY_MATTERS} Elo to gain from"), |_, it| {
        it.lost_at_start < HARDLY_MATTERS
    });
    let at_bound = named("At a bound of the range, which may be too narrow", |parameter, _| {
        let is_at = |bound: f64| (parameter.value - bound).abs() <= 0.01 * (bound - parameter.from).abs();
        parameter.bounds.is_some_and(|bounds| bounds.into_iter().any(is_at))
    });
    let gain = signed(gain, 1);
    Some(format!(
        "The values are expected to gain {gain} Elo; the best values would gain {left:.1} more.{good}{at_bound}"
    ))
}

fn of_match(summary: &Summary, pairing: &PairingSummary) -> String {
    let names = [pairing.first, pairing.second].map(|engine| summary.engine_name(engine));
    let obstacle = pairing.estimates.sprt.as_ref().and_then(|test| summary.obstacle(pairing, test));
    if let Some(obstacle) = obstacle {
        let ([first, second], games) = (names, counted(pairing.wdl.games(), "game"));
        return format!("{games} cannot tell {first} and {second} apart: {obstacle}.");
    }
    let lead = pairing.estimates.after_sprt.as_ref().map_or(&pairing.estimates.elo, |after| &after.elo);
    let sentence = match_verdict(names, pairing.games(), lead, pairing.estimates.sprt.as_ref());
    let lost = pairing.games().saturating_sub(pairing.wdl.games());
    // A shard has only part of the games, and says so elsewhere.
    if pairing.tested.is_none() || summary.shard.is_some() || lost == 0 {
        return sentence;
    }
    format!(
        "{sentence} Of these, {} {} not here.",
        counted(lost, "game"),
        if lost == 1 { "is" } else { "are" }
    )
}

/// The verdict of a match of two engines, as a sentence in plain text. The estimate is for the first engine.
pub fn match_verdict(
    [first, second]: [&str; 2],
    games: u64,
    lead: &EloEstimate,
    test: Option<&SprtSummary>,
) -> String {
    let games = counted(games, "game");
    if let Some(sentence) = test.and_then(|test| of_test(test, first, second, &games)) {
        return sentence;
    }
    let undecided = if test.is_some() { "; the SPRT is undecided" } else { "" };
    let Some(estimate) = lead_text(lead) else {
        return format!("{games} cannot tell {first} and {second} apart{undecided}.");
    };
    if lead.lower.value() > 0.0 {
        format!("{first} is stronger than {second}: {estimate} after {games}{undecided}.")
    } else if lead.upper.value() < 0.0 {
        format!("{first} is weaker than {second}: {estimate} after {games}{undecided}.")
    } else {
        format!("{games} cannot tell {first} and {second} apart: {estimate}{undecided}.")
    }
}

/// `+13.5 ± 17.2 Elo`, or `more than 140.2 Elo` if one side won all games; `None` if there are too few games.
pub fn lead_text(lead: &EloEstimate) -> Option<String> {
    match [lead.lower, lead.upper].map(Elo::value) {
        [lower, f64::INFINITY] if lower > 0.0 => Some(format!("more than {lower:.1} Elo")),
        [f64::NEG_INFINITY, upper] if upper < 0.0 => Some(format!("more than {:.1} Elo", -upper)),
        _ => known_elo(lead),
    }
}

/// The verdict of a decided SPRT; `None` while it is undecided. Negative bounds exclude a loss, others prove a gain.
fn of_test(test: &SprtSummary, first: &str, second: &str, games: &str) -> Option<String> {
    let (hypothesis, claim) = match test.status {
        SprtStatus::Continue => return None,
        SprtStatus::AcceptH1 if test.test.elo1() <= 0.0 => ("H1", "is no regression from"),
        SprtStatus::AcceptH1 => ("H1", "is stronger than"),
        SprtStatus::AcceptH0 if test.test.elo0() < 0.0 => ("H0", "is weaker than"),
        SprtStatus::AcceptH0 => ("H0", "is no gain over"),
    };
    Some(format!("{first} {claim} {second}: SPRT accepted {hypothesis} after {games}."))
}

/// Who is to blame for the games that were lost by a fault: `2 games lost by a fault of an engine, 1 game while the
/// machine or Arbiter kept the engine waiting`. `None` without such games.
pub fn blame(summary: &Summary, config: Option<&RunConfig>) -> Option<String> {
    let excused: u64 = summary.engines.iter().map(|engine| engine.excused).sum();
    let all: u64 = summary.engines.iter().flat_map(|engine| engine.faults.values()).sum();
    let advice = config.and_then(clock_advice).unwrap_or_default();
    let late = format!("while the machine or Arbiter kept the engine waiting{advice}");
    match (all.saturating_sub(excused), excused) {
        (0, 0) => None,
        (own, 0) => Some(format!("{} lost by a fault of an engine", counted(own, "game"))),
        (0, excused) => Some(format!("{} lost {late}", counted(excused, "game"))),
        (own, excused) => Some(format!(
            "{} lost by a fault of an engine, {} {late}",
            counted(own, "game"),
            counted(excused, "game")
        )),
    }
}

/// How to keep a busy machine from taking the engines' time, as the end of a sentence about lost time.
pub fn clock_advice(config: &RunConfig) -> Option<&'static str> {
    config.could_go_by_processor_time().then_some("; --clock cpu prevents that")
}

fn of_tournament(summary: &Summary) -> String {
    let games = counted(summary.games, "game");
    let level = summary.leaders();
    match summary.by_score()[..] {
        _ if level.len() > 1 => format!("{} are level after {games}.", listed(&level, MOST_NAMED)),
        [best, next, ..] => {
            let [lead, follow] = [best, next].map(|engine| &summary.engines[engine].elo_vs_opponents);
            let (best, next) = (summary.engine_name(best), summary.engine_name(next));
            let by = lead_text(lead).map_or_else(String::new, |lead| format!(": {lead} vs. its opponents"));
            let ahead = format!("{best} leads after {games}{by}");
            if lead.lower > follow.upper {
                format!("{ahead}, clearly ahead of {next}.")
            } else {
                format!("{ahead}, but {next} is within the error bars.")
            }
        }
        _ => format!("{games} were played."),
    }
}

/// A sentence about a run that is not finished.
pub fn state(phase: &RunPhase) -> Option<String> {
    let sentence = match phase {
        RunPhase::Finished { .. } => return None,
        RunPhase::Running => "The run is not over: these are the games so far.",
        RunPhase::Paused => "The run is paused.",
        RunPhase::Stopping => "The run is about to stop.",
        RunPhase::Interrupted { reason: None } => "The run was interrupted and can be resumed.",
        RunPhase::Interrupted { reason: Some(FinishReason::GamesMissing) } => {
            "Games are missing; the run can be resumed."
        }
        RunPhase::Interrupted {
            reason:
                Some(FinishReason::EngineDoesNotStart { detail, .. } | FinishReason::FileChanged { detail }),
        } => {
            return Some(format!("The run was interrupted and can be resumed: {detail}."));
        }
        RunPhase::Interrupted { reason: Some(_) } => "The run was stopped and can be resumed.",
    };
    Some(sentence.to_owned())
}

/// The verdict of a test in words, and the tone in which it is shown.
pub fn verdict_words(sprt: &SprtSummary) -> (&'static str, Tone) {
    match sprt.status {
        SprtStatus::Continue if sprt.given_up => ("given up", Tone::Plain),
        SprtStatus::Continue => ("undecided", Tone::Plain),
        SprtStatus::AcceptH0 => ("H0 accepted", Tone::Bad),
        SprtStatus::AcceptH1 => ("H1 accepted", Tone::Good),
    }
}

/// The legend for the two estimates of a tested pairing.
pub const ESTIMATES_NOTE: &str =
    "Elo (95%): fixed length, exaggerated by the SPRT; Elo (SPRT): median unbiased";

/// The note after a fixed-length Elo that is the only estimate: `, exaggerated by the SPRT`.
pub fn bias(pairing: &PairingSummary) -> &'static str {
    let is_alone = pairing.estimates.after_sprt.is_none() && known_elo(&pairing.estimates.elo).is_some();
    if is_alone && pairing.estimates.is_decided() { ", exaggerated by the SPRT" } else { "" }
}

/// A pairing's Elo, or both estimates after a test: `+9.8 [−2.1, +20.4] Elo after the SPRT (fixed length: +13.5 ± 17.2)`.
pub fn tested_elo(pairing: &PairingSummary) -> String {
    let fixed = || in_elo(&pairing.estimates.elo) + bias(pairing);
    let Some(after) = &pairing.estimates.after_sprt else { return fixed() };
    let both = known_elo(&after.elo).zip(known_elo_to(&pairing.estimates.elo, 1));
    both.map_or_else(fixed, |(after, fixed)| format!("{after} after the SPRT (fixed length: {fixed})"))
}

/// The name of a pairing's test: the tested engine, and its opponent if there are several.
pub fn tested_name(summary: &Summary, pairing: &PairingSummary) -> String {
    let [first, second] = [pairing.first, pairing.second].map(|engine| summary.engine_name(engine));
    let mut others = summary.tests().filter(|(other, _)| other.second != pairing.second);
    if others.next().is_some() { format!("{first} vs {second}") } else { first.to_owned() }
}

/// The bounds and error probabilities of several tests: `SPRT vs old: [0, 5] nElo, …`.
pub fn tests_heading(summary: &Summary) -> Option<String> {
    let tests: Vec<_> = summary.tests().collect();
    let (pairing, SprtSummary { test, .. }) = tests.first()?;
    let is_base = tests.iter().all(|(other, _)| other.second == pairing.second);
    let base = if is_base { format!(" vs {}", summary.engine_name(pairing.second)) } else { String::new() };
    // The total of equal alphas, rounded to remove floating-point noise.
    let alpha = (test.alpha() * tests.len() as f64 * 1e9).round() / 1e9;
    // Curved bounds depend on each test's number of games.
    let bounds = if test.is_curved() { String::new() } else { format!(", LLR {}", llr_bounds(tests[0].1)) };
    Some(format!(
        "SPRT{base}: {}{bounds}, alpha {alpha} for all {}, beta {} for each",
        elo_bounds(test),
        counted(tests.len() as u64, "test"),
        test.beta()
    ))
}

#[cfg(test)]
mod tests;
