//! Formats numbers for people.

use std::time::Duration;

use indicatif::HumanCount;
use runner::process::ClockKind;
use runner::{RunConfig, SearchLimits, SprtSummary, TimeScale};
use stats::{
    EloEstimate, Llr, Los, NormalizedEloEstimate, PairedBy, Pentanomial, Sprt, SprtModel, UnclearRounds, Wdl,
};

pub trait Estimate {
    fn with_ends(&self) -> [f64; 3];
}

impl<E: Estimate + ?Sized> Estimate for &E {
    fn with_ends(&self) -> [f64; 3] {
        (**self).with_ends()
    }
}

impl Estimate for EloEstimate {
    fn with_ends(&self) -> [f64; 3] {
        [self.elo, self.lower, self.upper].map(stats::Elo::value)
    }
}

impl Estimate for NormalizedEloEstimate {
    fn with_ends(&self) -> [f64; 3] {
        [self.nelo, self.lower, self.upper].map(stats::NormalizedElo::value)
    }
}

/// Replaces an interval that is open on one side and does not tell who is better.
pub const TOO_FEW: &str = "too few games to say";

/// An interval wider than ± this that does not tell who is better is not shown.
const WIDEST: f64 = 500.0;

/// Replaces an interval that is open on both sides.
pub const UNKNOWN: &str = "unknown";

/// `+13.5 ± 17.2`, or the interval if it is asymmetric: `+170.4 [+56.2, +387.0]`. With one end, `above +140.2` if that
/// tells who is better, else [`TOO_FEW`]; with no end, `unknown`.
pub fn elo(estimate: &impl Estimate) -> String {
    elo_to(estimate, 1)
}

/// Like [`elo`], with this many decimals.
pub fn elo_to(estimate: &impl Estimate, digits: usize) -> String {
    known_elo_to(estimate, digits).unwrap_or_else(|| unknown_elo(estimate).to_owned())
}

/// Like [`elo`], with the unit: `+13.5 ± 17.2 Elo`.
pub fn in_elo(estimate: &impl Estimate) -> String {
    known_elo(estimate).unwrap_or_else(|| match unknown_elo(estimate) {
        UNKNOWN => "unknown Elo".to_owned(),
        text => text.to_owned(),
    })
}

/// `+13.5 ± 17.2 Elo`, for a sentence; `None` if there is no number to show.
pub fn known_elo(estimate: &impl Estimate) -> Option<String> {
    known_elo_to(estimate, 1).map(|text| text + " Elo")
}

/// `+13.5 ± 17.2`; `None` if the interval is open or wide and does not tell who is better.
pub fn known_elo_to(estimate: &impl Estimate, digits: usize) -> Option<String> {
    let [_, lower, upper] = estimate.with_ends();
    let is_known = lower > 0.0 || upper < 0.0 || upper - lower <= 2.0 * WIDEST;
    is_known.then(|| interval(estimate, digits))
}

/// `+13.5 ± 17.2 Elo` or `above −52.3 Elo`, for ratings, whose sign need not be certain.
pub fn elo_or_bound(estimate: &impl Estimate) -> String {
    let [_, lower, upper] = estimate.with_ends();
    if lower.is_infinite() && upper.is_infinite() {
        UNKNOWN.to_owned()
    } else {
        interval(estimate, 1) + " Elo"
    }
}

fn unknown_elo(estimate: &impl Estimate) -> &'static str {
    let [_, lower, upper] = estimate.with_ends();
    if lower.is_finite() || upper.is_finite() { TOO_FEW } else { UNKNOWN }
}

fn interval(estimate: &impl Estimate, digits: usize) -> String {
    let [value, lower, upper] = estimate.with_ends();
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) if (f64::midpoint(lower, upper) - value).abs() > 0.1f64.powi(digits as i32) => {
            format!("{} [{}, {}]", signed(value, digits), signed(lower, digits), signed(upper, digits))
        }
        (true, true) => format!("{} ± {:.digits$}", signed(value, digits), (upper - lower) / 2.0),
        (true, false) => format!("above {}", signed(lower, digits)),
        (false, _) => format!("below {}", signed(upper, digits)),
    }
}

/// The state of a sequential test: `1.23 (−2.94, 2.94) [0, 5] nElo`.
pub fn llr(sprt: &SprtSummary) -> String {
    format!("{} {} {}", llr_value(sprt.llr), llr_bounds(sprt), elo_bounds(&sprt.test))
}

/// `−1.23`.
pub fn llr_value(ratio: Llr) -> String {
    minus(&format!("{ratio:.2}"))
}

/// `(−2.94, 2.94)`: the ratios at which H0 and H1 are currently accepted.
pub fn llr_bounds(sprt: &SprtSummary) -> String {
    format!("({}, {})", llr_value(sprt.lower), llr_value(sprt.upper))
}

/// `[0, 5] nElo`: the hypotheses in the model's Elo, and the kind of test unless it is Wald's.
pub fn elo_bounds(test: &Sprt) -> String {
    let kind = match (test.is_mixture(), test.is_curved()) {
        (true, _) => ", mixture",
        (false, true) => ", curved",
        (false, false) => "",
    };
    let unit = elo_unit(test.model());
    minus(&format!("[{}, {}] {unit}{kind}", test.elo0(), test.elo1()))
}

pub const fn elo_unit(model: SprtModel) -> &'static str {
    match model {
        SprtModel::Normalized => "nElo",
        SprtModel::Logistic => "Elo",
        SprtModel::Bayesian => "BayesElo",
    }
}

/// `W 30 D 23 L 20`.
pub fn wdl(Wdl { wins, draws, losses }: Wdl) -> String {
    let [wins, draws, losses] = [wins, draws, losses].map(thousands);
    format!("W {wins} D {draws} L {losses}")
}

/// `[0, 1, 6, 13, 30]`: pairs by the first engine's points, from 0 to 2, as fastchess writes them.
pub fn ptnml(pairs: &Pentanomial) -> String {
    format!("{:?}", pairs.counts())
}

/// `10+0.1 of CPU time`. Engines with different limits are named: `a 50 nodes per move, b 70 nodes per move`.
pub fn limits_of_run(config: &RunConfig) -> String {
    let text = |limits: &SearchLimits| {
        let is_by_work = config.clock == ClockKind::Cpu && limits.is_timed();
        limits_by(limits, if is_by_work { " of CPU time" } else { "" })
    };
    let of_engines: Vec<String> =
        (0..config.engines.len()).map(|engine| text(config.limits_of(engine))).collect();
    let limits = match of_engines.split_first() {
        None => text(&config.limits),
        Some((first, others)) if others.iter().all(|other| other == first) => first.clone(),
        Some(_) => {
            let named = config.engines.iter().zip(&of_engines);
            named.map(|(engine, limits)| format!("{} {limits}", engine.name)).collect::<Vec<_>>().join(", ")
        }
    };
    limits + &config.scale.as_ref().map(|scale| scale_text(config, scale)).unwrap_or_default()
}

/// ` scaled to 1,200,000 NPS of tarrasch (1,450,000 here, so times 0.83)`.
fn scale_text(config: &RunConfig, scale: &TimeScale) -> String {
    let engine = config.scaled_by().map(|engine| &config.engines[engine].name).or(scale.engine.as_ref());
    let of_engine = engine.map(|name| format!(" of {name}")).unwrap_or_default();
    let here =
        scale.here.map(|here| format!(" ({} here, so times {:.2})", thousands(here as u64), scale.factor()));
    format!(" scaled to {} NPS{of_engine}{}", thousands(scale.to as u64), here.unwrap_or_default())
}

/// Whether games are timed by the engines' CPU time.
pub fn is_by_work(config: &RunConfig) -> bool {
    config.clock == ClockKind::Cpu && config.limits.is_timed()
}

/// `10+0.1, 5,000 nodes per move`.
pub fn limits(limits: &SearchLimits) -> String {
    limits_by(limits, "")
}

/// The limits, with `word` after each time.
fn limits_by(limits: &SearchLimits, word: &str) -> String {
    let clock = limits.clock.as_ref().map(|clock| format!("{clock}{word}"));
    let movetime =
        limits.movetime.map(|time| format!("{} ms per move{word}", thousands(time.as_millis() as u64)));
    let nodes = limits.nodes.map(|nodes| format!("{} nodes per move", thousands(nodes)));
    let depth = limits.depth.map(|depth| format!("depth {depth}"));
    [clock, movetime, nodes, depth].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The rules that end games early; `None` if there are none.
pub fn rules_of_run(config: &RunConfig) -> Option<String> {
    let rules = &config.adjudication;
    let texts = [
        rules.draw.map(|rule| format!("draw {rule}")),
        rules.resign.map(|rule| format!("resign {rule}")),
        rules.max_moves.map(|moves| format!("draw after {moves} moves")),
        rules.syzygy.as_ref().map(|_| "Syzygy tablebases".to_owned()),
        rules.play_out.map(|share| format!("{} of games played out", percent(share.share()))),
    ];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// `+52.3`, `−0.5`, and never `−0.0`.
pub fn signed(number: f64, digits: usize) -> String {
    let text = format!("{number:+.digits$}");
    let is_zero = !text.contains(|letter| matches!(letter, '1'..='9'));
    if is_zero { text.replace('-', "+") } else { minus(&text) }
}

/// Replaces the hyphen by the typographic minus sign.
pub fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// Replaces the typographic minus sign by a hyphen, for terminals and logs.
pub fn plain_minus(text: &str) -> String {
    text.replace('−', "-")
}

/// `99.9%`; never 100% for a share below 1.
pub fn percent(share: f64) -> String {
    percent_to(share, 1)
}

/// Like [`percent`], with this many decimals.
pub fn percent_to(share: f64, digits: usize) -> String {
    let text = |share: f64| format!("{:.digits$}%", share * 100.0);
    let unit = 0.01 * 0.1f64.powi(digits as i32);
    if share < 1.0 && share >= 1.0 - unit / 2.0 {
        format!("> {}", text(1.0 - unit))
    } else if share > 0.0 && share < unit / 2.0 {
        format!("< {}", text(unit))
    } else {
        text(share)
    }
}

/// A likelihood of superiority, which is never shown as certain: `> 99.9%`.
pub fn los(los: Los, digits: usize) -> String {
    percent_to(los.probability().clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON), digits)
}

/// `0.52`, `52.3`, `5230`: at least three digits, at most two decimals.
pub fn three_digits(number: f64) -> String {
    minus(&format!("{number:.decimals$}", decimals = decimals_for(number)))
}

/// `+52.3`, `−0.52`.
pub fn signed_three_digits(number: f64) -> String {
    signed(number, decimals_for(number))
}

fn decimals_for(number: f64) -> usize {
    match number.abs() {
        size if size < 9.995 => 2,
        size if size < 99.95 => 1,
        _ => 0,
    }
}

/// `1,234,567`.
pub fn thousands(number: u64) -> String {
    HumanCount(number).to_string()
}

/// `1.8 ms`, `2.41 s`.
pub fn short_time(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{:.1} ms", time.as_secs_f64() * 1000.0)
    } else {
        format!("{:.2} s", time.as_secs_f64())
    }
}

/// `45 s`, `12 min`, `3 h 05 min`, `2 d 04 h`.
pub fn long_time(time: Duration) -> String {
    let (seconds, minutes) = (time.as_secs(), time.as_secs() / 60);
    match minutes {
        0 => format!("{seconds} s"),
        1..60 => format!("{minutes} min"),
        60..1440 => format!("{} h {:02} min", minutes / 60, minutes % 60),
        _ => format!("{} d {:02} h", minutes / 1440, minutes / 60 % 24),
    }
}

/// `1 game`, `2 games`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// How pairs were found among games: `12 pairs found by start position`.
pub fn found_pairs(pairs: u64, by: PairedBy) -> String {
    let by = match by {
        PairedBy::Round => "round and start position",
        PairedBy::Start => "start position",
        PairedBy::Book => "their book moves",
        PairedBy::Moves => "the moves that only they share",
    };
    format!("{} found by {by}", counted(pairs, "pair"))
}

/// Sentences about games whose round does not identify their pair.
pub fn unclear_rounds(rounds: UnclearRounds) -> impl Iterator<Item = String> {
    let UnclearRounds { of_several_openings, crowded } = rounds;
    let kinds = [
        (of_several_openings, "games from other openings: only games from one opening are a pair"),
        (crowded, "more than one other, and nothing tells their openings: the round makes no pairs of them"),
    ];
    let said = |(games, with): (u64, &str)| format!("{} share a round with {with}", counted(games, "game"));
    kinds.into_iter().filter(|(games, _)| *games > 0).map(said)
}

/// A sentence about games with the players and moves of earlier games; `None` if there are none.
pub fn repeated_games(games: u64) -> Option<String> {
    let repeat = if games == 1 { "repeats an earlier one" } else { "repeat earlier ones" };
    let said = || {
        format!("{} {repeat} move for move: counted once in Elo, errors and tests", counted(games, "game"))
    };
    (games > 0).then(said)
}

/// A p-value: `p = 0.012`, or `p < 0.001` if three digits would be zeros.
pub fn probability(p_value: f64) -> String {
    if p_value < 0.0005 { "p < 0.001".to_owned() } else { format!("p = {p_value:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{Observations, SprtTest};

    #[test]
    fn a_probability_is_never_zero_and_open_intervals_say_which_side_is_known() {
        assert_eq!(probability(0.012), "p = 0.012");
        assert_eq!(probability(0.0005), "p = 0.001");
        assert_eq!(probability(0.000_49), "p < 0.001");
        let text = |wdl: Wdl| elo(&EloEstimate::new(&wdl.score()));
        assert_eq!(text(Wdl::new(10, 0, 0)), "above +140.2");
        assert_eq!(text(Wdl::new(0, 0, 10)), "below −140.2");
        assert_eq!(text(Wdl::default()), "unknown");
        assert_eq!([text(Wdl::new(0, 2, 0)), text(Wdl::new(1, 0, 1))], ["+0.0 ± 426.5", TOO_FEW]);
        assert_eq!([text(Wdl::new(3, 0, 0)), text(Wdl::new(0, 0, 3))], [TOO_FEW; 2]);
        assert_eq!(in_elo(&EloEstimate::new(&Wdl::new(3, 0, 0).score())), TOO_FEW);
        let three = EloEstimate::new(&Wdl::new(3, 0, 0).score());
        assert_eq!((known_elo(&three), elo_or_bound(&three)), (None, "above −153.5 Elo".to_owned()));
        assert_eq!(elo_or_bound(&EloEstimate::new(&Wdl::default().score())), UNKNOWN);
    }

    #[test]
    fn a_number_stands_in_the_middle_of_its_interval_or_the_interval_is_told() {
        let text = |value: f64, lower: f64, upper: f64| {
            let [value, lower, upper] = [value, lower, upper].map(stats::Elo::new);
            elo(&EloEstimate { elo: value, lower, upper })
        };
        assert_eq!(text(13.5, -3.7, 30.7), "+13.5 ± 17.2");
        assert_eq!(text(13.5, -3.7, 30.8), "+13.5 ± 17.2", "by no more than the last digit");
        assert_eq!(text(170.4, 3.2, 401.9), "+170.4 [+3.2, +401.9]");
        assert_eq!(text(-0.04, -5.0, 5.0), "+0.0 ± 5.0");
        assert_eq!([signed_three_digits(-0.001), three_digits(-12.0)], ["+0.00", "−12.0"]);
    }

    #[test]
    fn a_test_has_its_ratio_its_bounds_and_its_hypotheses() {
        let pairs = Observations::Pairs(Pentanomial::new([5, 40, 99, 25, 2]));
        let text = |model, elo0, bounds| {
            let test = Sprt::new(elo0, 0.0, 0.05, 0.1, model).unwrap().with_test(bounds);
            llr(&SprtSummary::new(&test, &pairs))
        };
        let wald = text(SprtModel::Normalized, -10.0, SprtTest::Wald);
        assert!(wald.ends_with(" (−2.25, 2.89) [−10, 0] nElo"), "{wald}");
        let wald = text(SprtModel::Logistic, -2.5, SprtTest::Wald);
        assert!(wald.ends_with(" (−2.25, 2.89) [−2.5, 0] Elo"), "{wald}");
        // The bounds after 171 pairs, which are closer.
        let curved = text(SprtModel::Normalized, -10.0, SprtTest::Curved);
        assert!(curved.ends_with(" (−1.63, 1.87) [−10, 0] nElo, curved"), "{curved}");
    }

    #[test]
    fn certainty_is_never_rounded_up_and_times_are_as_coarse_as_their_length() {
        assert_eq!(percent(0.99999), "> 99.9%");
        assert_eq!(percent(1e-9), "< 0.1%");
        assert_eq!(los(Los::new(&Wdl::new(500, 0, 0).score()), 1), "> 99.9%");
        assert_eq!([percent(0.0), percent(0.5), percent(1.0)], ["0.0%", "50.0%", "100.0%"]);
        let text = |seconds| long_time(Duration::from_secs(seconds));
        assert_eq!(
            [text(45), text(720), text(11_100), text(187_200)],
            ["45 s", "12 min", "3 h 05 min", "2 d 04 h"]
        );
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
