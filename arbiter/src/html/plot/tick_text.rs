//! Numbers beside axes.

/// The text of a tick: with the decimals of `step`, the distance of the ticks; thousands and millions are abbreviated.
pub fn axis_number(value: f64, step: f64) -> String {
    let largest = value.abs().max(step);
    let (divisor, unit) = match largest {
        1_000_000.0.. => (1e6, "M"),
        10_000.0.. => (1e3, "k"),
        _ => (1.0, ""),
    };
    let decimals = (-(step / divisor).log10().floor()).clamp(0.0, 9.0) as usize;
    let number = format!("{:.decimals$}", value / divisor);
    // No minus sign for what rounds to zero.
    if number.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) {
        return "0".to_owned();
    }
    number.replace('-', "−") + unit
}

/// The same with a plus sign for positive numbers.
pub fn signed(value: f64, step: f64) -> String {
    let text = axis_number(value, step);
    if value > 0.0 && text != "0" { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_has_the_decimals_of_the_step() {
        assert_eq!(axis_number(0.4, 0.2), "0.4");
        assert_eq!(axis_number(-50.0, 25.0), "−50");
        assert_eq!(axis_number(0.30000000000000004 - 0.3, 0.1), "0");
        assert_eq!(axis_number(1_500_000.0, 500_000.0), "1.5M");
        assert_eq!(axis_number(20_000_000.0, 10_000_000.0), "20M");
        assert_eq!(signed(20.0, 20.0), "+20");
        assert_eq!(signed(0.0, 20.0), "0");
    }
}
