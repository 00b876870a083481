//! Numbers as people read them.

use std::time::Duration;

use stats::{EloEstimate, NormalizedEloEstimate};

/// `+13.5 ± 17.2`; the interval where that is not its middle: `+170.4 [+56.2, +387.0]`; `above +140.2` where it has one
/// end, `unknown` where it has none.
pub fn elo(estimate: &EloEstimate) -> String {
    interval(estimate.elo.value(), estimate.lower.value(), estimate.upper.value(), 1)
}

/// `+13.52 ± 17.23`, with the two decimals of a calculator.
pub fn exact_elo(estimate: &EloEstimate) -> String {
    interval(estimate.elo.value(), estimate.lower.value(), estimate.upper.value(), 2)
}

/// The same for normalized Elo.
pub fn normalized_elo(estimate: &NormalizedEloEstimate) -> String {
    interval(estimate.nelo.value(), estimate.lower.value(), estimate.upper.value(), 1)
}

/// The same for normalized Elo.
pub fn exact_normalized_elo(estimate: &NormalizedEloEstimate) -> String {
    interval(estimate.nelo.value(), estimate.lower.value(), estimate.upper.value(), 2)
}

fn interval(value: f64, lower: f64, upper: f64, digits: usize) -> String {
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) if (f64::midpoint(lower, upper) - value).abs() > 0.1f64.powi(digits as i32) => {
            format!("{} [{}, {}]", signed(value, digits), signed(lower, digits), signed(upper, digits))
        }
        (true, true) => format!("{} ± {:.digits$}", signed(value, digits), (upper - lower) / 2.0),
        (true, false) => format!("above {}", signed(lower, digits)),
        (false, true) => format!("below {}", signed(upper, digits)),
        (false, false) => "unknown".to_owned(),
    }
}

/// `+52.3`, `-0.5`, and never `-0.0`.
fn signed(number: f64, digits: usize) -> String {
    let text = format!("{number:+.digits$}");
    if text.contains(|letter| matches!(letter, '1'..='9')) { text } else { text.replace('-', "+") }
}

/// With the minus sign that numbers are set with.
pub fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// `99.9%`, and never 100% for what is not certain.
pub fn percent(share: f64) -> String {
    percentage(share, 1)
}

/// `99.97%`, with the two decimals of a calculator.
pub fn exact_percent(share: f64) -> String {
    percentage(share, 2)
}

fn percentage(share: f64, digits: usize) -> String {
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

/// `0.52`, `52.3`, `5230`: three digits at least, two decimals at most.
pub fn three_digits(number: f64) -> String {
    format!("{number:.decimals$}", decimals = decimals_for(number))
}

/// `+52.3`, `-0.52`.
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
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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

/// The value of a test, `p = 0.012`, or `p < 0.001` where three digits would be zeros.
pub fn probability(p_value: f64) -> String {
    if p_value < 0.0005 { "p < 0.001".to_owned() } else { format!("p = {p_value:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_is_never_zero() {
        assert_eq!(probability(0.012), "p = 0.012");
        assert_eq!(probability(0.0005), "p = 0.001");
        assert_eq!(probability(0.000_49), "p < 0.001");
    }
    use stats::Wdl;

    #[test]
    fn open_ended_intervals_say_which_side_is_known() {
        let text = |wdl: Wdl| elo(&EloEstimate::new(&wdl.score()));
        assert_eq!(text(Wdl::new(10, 0, 0)), "above +140.2");
        assert_eq!(text(Wdl::new(0, 0, 10)), "below -140.2");
        assert_eq!(text(Wdl::default()), "unknown");
    }

    #[test]
    fn a_number_stands_in_the_middle_of_its_interval_or_the_interval_is_told() {
        let text = |elo: f64, lower: f64, upper: f64| interval(elo, lower, upper, 1);
        assert_eq!(text(13.5, -3.7, 30.7), "+13.5 ± 17.2");
        assert_eq!(text(13.5, -3.7, 30.8), "+13.5 ± 17.2", "by no more than the last digit");
        assert_eq!(text(170.4, 3.2, 401.9), "+170.4 [+3.2, +401.9]");
        assert_eq!(text(-0.04, -5.0, 5.0), "+0.0 ± 5.0");
        assert_eq!(signed_three_digits(-0.001), "+0.00");
    }

    #[test]
    fn certainty_is_never_rounded_up() {
        assert_eq!(percent(0.99999), "> 99.9%");
        assert_eq!(percent(1e-9), "< 0.1%");
        assert_eq!([percent(0.0), percent(0.5), percent(1.0)], ["0.0%", "50.0%", "100.0%"]);
    }

    #[test]
    fn times_are_as_coarse_as_their_length() {
        let text = |seconds| long_time(Duration::from_secs(seconds));
        assert_eq!(
            [text(45), text(720), text(11_100), text(187_200)],
            ["45 s", "12 min", "3 h 05 min", "2 d 04 h"]
        );
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
