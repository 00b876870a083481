//! Results as fastchess counts them: with pairs, a game counts once its pair is complete. Also numbers in the format of
//! C++'s `{fmt}`, which scripts expect.

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use runner::PairingGames;
use stats::{Observations, Pentanomial, Wdl};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EngineScore {
    pub(super) games: Wdl,
    pub(super) pairs: Pentanomial,
    /// The number of drawn pairs that consist of a win and a loss.
    pub(super) split_pairs: u64,
}

impl EngineScore {
    pub(super) fn drawn_pairs(&self) -> u64 {
        self.pairs.counts()[2] - self.split_pairs
    }

    pub(super) fn reversed(&self) -> EngineScore {
        EngineScore {
            games: self.games.reversed(),
            pairs: self.pairs.reversed(),
            split_pairs: self.split_pairs,
        }
    }

    /// The score of the games of two engines from the first one's point of view.
    pub(super) fn of(PairingGames { scored, .. }: &PairingGames, penta: bool) -> EngineScore {
        if penta {
            let split_pairs = scored.split_pairs();
            EngineScore { games: scored.paired_games(), pairs: *scored.pairs(), split_pairs }
        } else {
            EngineScore { games: *scored.games(), ..EngineScore::default() }
        }
    }

    pub(super) fn observations(&self, penta: bool) -> Observations {
        if penta { Observations::Pairs(self.pairs) } else { Observations::Games(self.games) }
    }

    pub(super) fn add(&mut self, other: &EngineScore) {
        self.games += other.games;
        self.pairs += other.pairs;
        self.split_pairs += other.split_pairs;
    }
}

/// The results of every two engines that met; the lower index comes first, and the score is from its point of view.
pub(super) type Scores = BTreeMap<(usize, usize), EngineScore>;

pub(super) fn between(scores: &Scores, first: usize, second: usize) -> EngineScore {
    let score = scores.get(&(first.min(second), first.max(second))).copied().unwrap_or_default();
    if first < second { score } else { score.reversed() }
}

pub(super) fn of_engine(scores: &Scores, engine: usize) -> EngineScore {
    let mut sum = EngineScore::default();
    for (&(first, second), score) in scores {
        if first == engine {
            sum.add(score);
        } else if second == engine {
            sum.add(&score.reversed());
        }
    }
    sum
}

/// The 97.5% quantile of the normal distribution, with as many digits as in fastchess.
const Z_95: f64 = 1.959963984540054;

/// Elo by the normal approximation, as fastchess computes it (`elo_pentanomial.cpp`, `elo_wdl.cpp`). Arbiter's own
/// reports treat small samples more carefully; this is for those who parse or compare fastchess's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct EloText {
    pub(super) elo: f64,
    pub(super) elo_error: f64,
    pub(super) nelo: f64,
    pub(super) nelo_error: f64,
    /// Likelihood of superiority, from 0 to 1.
    pub(super) los: f64,
}

impl EloText {
    pub(super) fn of(score: &EngineScore, penta: bool) -> EloText {
        let (moments, games) = if penta { (score.pairs.score(), 2.0) } else { (score.games.score(), 1.0) };
        let (mean, variance) = (moments.mean(), moments.variance_per_observation());
        let error = moments.standard_error();
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let nelo = |score: f64| (score - 0.5) / (games * variance).sqrt() * (800.0 / LN_10);
        let (low, high) = (mean - Z_95 * error, mean + Z_95 * error);
        let half = |of: &dyn Fn(f64) -> f64| (of(high) - of(low)) / 2.0;
        let is_beyond = |score: f64| !(0.0..=1.0).contains(&score);
        EloText {
            elo: elo(mean),
            // In this case fastchess flips the sign of the NaN of a logarithm.
            elo_error: if is_beyond(low) || is_beyond(high) { POSITIVE_NAN } else { half(&elo) },
            nelo: nelo(mean),
            nelo_error: half(&nelo),
            los: stats::normal_cumulative((mean - 0.5) / error),
        }
    }
}

/// A NaN that is printed without a sign.
const POSITIVE_NAN: f64 = f64::from_bits(0x7ff8_0000_0000_0001);

/// A number with a fixed number of decimals. NaN is `-nan`, as x86 processors print it.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    match value {
        nan if nan.to_bits() == POSITIVE_NAN.to_bits() => "nan".to_owned(),
        nan if nan.is_nan() => "-nan".to_owned(),
        _ => format!("{value:.decimals$}"),
    }
}

/// A number in a limited number of significant digits without trailing zeros (`%g`), for numbers that are not large.
pub(super) fn general(value: f64, digits: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.is_infinite() {
        return format!("{value}");
    }
    if value.abs() < 1e-4 {
        let text = format!("{value:.*e}", (digits - 1) as usize);
        let (number, exponent) = text.split_once("e-").unwrap_or((&text, "0"));
        let number = number.trim_end_matches('0').trim_end_matches('.');
        return format!("{number}e-{exponent:0>2}");
    }
    let decimals = (digits - 1 - value.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{config, state_of, two_engine_match};

    #[test]
    fn half_a_pair_does_not_count_where_pairs_do() {
        let state = state_of(&config(&["new", "old"], false), two_engine_match("wlddw"));
        let games = state.schedule().games_of(0, 1).unwrap();
        let score = EngineScore::of(games, true);
        assert_eq!(score.games.games(), 4);
        assert_eq!(score.pairs.counts(), [0, 0, 2, 0, 0]);
        assert_eq!((score.split_pairs, score.drawn_pairs()), (1, 1));
        assert_eq!(EngineScore::of(games, false).games.games(), 5);
        let scores = Scores::from([((0, 1), score)]);
        assert_eq!(between(&scores, 1, 0), score.reversed());
        assert_eq!((of_engine(&scores, 0), of_engine(&scores, 1)), (score, score.reversed()));
    }

    #[test]
    fn numbers_look_as_in_cpp() {
        for (value, digits, text) in [
            (0.08, 2, "0.08"),
            (0.333, 2, "0.33"),
            (1.0, 2, "1"),
            (12.5, 2, "12"),
            (0.1, 6, "0.1"),
            (60.0, 6, "60"),
            (1.33, 6, "1.33"),
            (-0.0464, 3, "-0.0464"),
            (-0.000012, 3, "-1.2e-05"),
            (f64::NEG_INFINITY, 3, "-inf"),
        ] {
            assert_eq!(general(value, digits), text);
        }
        assert_eq!(fixed(f64::NAN, 2), "-nan");
        // The output of fastchess for six wins and two losses.
        let score = EngineScore { games: Wdl::new(6, 0, 2), ..EngineScore::default() };
        let elo = EloText::of(&score, false);
        assert_eq!((fixed(elo.elo, 2), fixed(elo.elo_error, 2)), ("190.85".to_owned(), "nan".to_owned()));
        assert_eq!(fixed(f64::INFINITY, 2), "inf");
        assert_eq!(fixed(-0.0, 2), "-0.00");
    }
}
