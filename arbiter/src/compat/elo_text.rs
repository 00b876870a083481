//! Numbers in the form of C++'s `{fmt}`, which scripts expect.

use std::f64::consts::LN_10;

use super::scoreboard::Score;

/// The 97.5% quantile of the normal distribution, with fastchess's digits.
const Z_95: f64 = 1.959963984540054;

/// Elo by the normal approximation, as fastchess computes it (`elo_pentanomial.cpp`, `elo_wdl.cpp`). What Arbiter itself
/// reports is computed more carefully where results are few; this is for those who parse or compare fastchess's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct EloText {
    pub(super) elo: f64,
    pub(super) elo_error: f64,
    pub(super) nelo: f64,
    pub(super) nelo_error: f64,
    /// From 0 to 1.
    pub(super) los: f64,
}

impl EloText {
    /// From pairs, or from single games.
    pub(super) fn of(score: &Score, penta: bool) -> EloText {
        let (moments, games) = if penta { (score.pairs.score(), 2.0) } else { (score.games.score(), 1.0) };
        let (mean, variance) = (moments.mean(), moments.variance_per_observation());
        let error = moments.standard_error();
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let nelo = |score: f64| (score - 0.5) / (games * variance).sqrt() * (800.0 / LN_10);
        let half = |of: &dyn Fn(f64) -> f64| (of(mean + Z_95 * error) - of(mean - Z_95 * error)) / 2.0;
        EloText {
            elo: elo(mean),
            elo_error: half(&elo),
            nelo: nelo(mean),
            nelo_error: half(&nelo),
            los: stats::normal_cumulative((mean - 0.5) / error),
        }
    }
}

/// A number with a fixed number of decimals. NaN is `-nan`, as the processors of the field print it.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if value.is_nan() { "-nan".to_owned() } else { format!("{value:.decimals$}") }
}

/// A limited number of significant digits, without zeros at the end (`%g`), for numbers that are not large.
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
        assert_eq!(fixed(f64::INFINITY, 2), "inf");
        assert_eq!(fixed(-0.0, 2), "-0.00");
    }
}
