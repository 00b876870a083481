//! Scales: from values to SVG coordinates, with ticks at round numbers.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    step: Option<f64>,
}

impl Scale {
    /// Maps the first of the `values` to the first of the `coordinates`, and the second to the second. An empty range
    /// is widened; all values must be finite.
    pub fn new(values: [f64; 2], coordinates: [f64; 2]) -> Scale {
        let [low, high] = values;
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        Scale { low, high, from: coordinates[0], to: coordinates[1], step: None }
    }

    /// The scale widened to start and end at a tick, with about `count` ticks.
    pub fn rounded(self, count: usize) -> Scale {
        let step = self.step(count);
        let (low, high) = ((self.low / step).floor() * step, (self.high / step).ceil() * step);
        Scale { low, high, step: Some(step), ..self }
    }

    pub fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    pub fn clamped(&self, value: f64) -> f64 {
        self.at(value.clamp(self.low, self.high))
    }

    pub const fn values(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// The distance between about `count` ticks: 1, 2 or 5 times a power of ten.
    pub fn step(&self, count: usize) -> f64 {
        if let Some(step) = self.step {
            return step;
        }
        let least = (self.high - self.low) / count.max(1) as f64;
        let power = 10f64.powf(least.log10().floor());
        let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least * 0.999);
        factor.unwrap_or(10.0) * power
    }

    pub fn ticks(&self, count: usize) -> Vec<f64> {
        let step = self.step(count);
        let first = (self.low / step - 1e-6).ceil() as i64;
        let last = (self.high / step + 1e-6).floor() as i64;
        (first..=last).map(|tick| tick as f64 * step).collect()
    }
}

/// A coordinate to a tenth of a unit: `12.3`, and `12` instead of `12.0`.
#[derive(Clone, Copy, Debug)]
pub struct Coordinate(pub f64);

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() / 10.0;
        if tenths == 0.0 { f.write_str("0") } else { write!(f, "{tenths}") }
    }
}

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
    // A number that rounds to zero has no minus sign.
    if number.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) {
        return "0".to_owned();
    }
    number.replace('-', "−") + unit
}

pub fn signed(value: f64, step: f64) -> String {
    let text = axis_number(value, step);
    if value > 0.0 && text != "0" { format!("+{text}") } else { text }
}

/// The maximum number of items kept; must be even.
const MOST: usize = 500;

/// Evenly spaced items of a sequence of unknown length: between [`MOST`] / 2 and [`MOST`] of a long one.
#[derive(Clone, Debug)]
pub struct Thinned<T> {
    items: Vec<T>,
    stride: u64,
    seen: u64,
}

impl<T> Thinned<T> {
    /// Offers the next item of the sequence; `item` is only called if the item is kept.
    pub fn offer(&mut self, item: impl FnOnce() -> T) {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.stride) {
            return;
        }
        if self.items.len() == MOST {
            let mut place = 0;
            self.items.retain(|_| {
                place += 1;
                place % 2 == 0
            });
            self.stride *= 2;
            if !self.seen.is_multiple_of(self.stride) {
                return;
            }
        }
        self.items.push(item());
    }

    pub fn items(&self) -> &[T] {
        &self.items
    }
}

impl<T> Default for Thinned<T> {
    fn default() -> Thinned<T> {
        Thinned { items: Vec::new(), stride: 1, seen: 0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ticks_are_round_a_single_value_is_in_the_middle_and_coordinates_are_short() {
        let ticks = |low, high, about| Scale::new([low, high], [0.0, 1.0]).ticks(about);
        assert_eq!(ticks(0.0, 100.0, 5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(-3.0, 3.0, 3), [-2.0, 0.0, 2.0]);
        assert_eq!(ticks(0.0, 1.0, 2), [0.0, 0.5, 1.0]);
        assert!((Scale::new([7.0, 7.0], [0.0, 10.0]).at(7.0) - 5.0).abs() < 1e-9);
        let texts = [12.0, 12.345, -0.04, 1e-9, -7.25].map(|value| Coordinate(value).to_string());
        assert_eq!(texts, ["12", "12.3", "0", "0", "-7.3"]);
    }

    proptest! {
        #[test]
        fn there_are_some_ticks_and_not_many(
            low in -1e6..1e6f64, span in 1e-3..1e6f64, about in 2usize..8,
        ) {
            let scale = Scale::new([low, low + span], [0.0, 1.0]).rounded(about);
            let ticks = scale.ticks(about);
            prop_assert!((2..=about + 3).contains(&ticks.len()), "{ticks:?}");
            let [first, last] = scale.values();
            prop_assert!((ticks[0] - first).abs() < 1e-6 * span && (ticks[ticks.len() - 1] - last).abs() < 1e-6 * span);
        }

        #[test]
        fn a_clamped_value_stays_on_the_scale(value in any::<f64>().prop_filter("number", |v| !v.is_nan())) {
            let at = Scale::new([-1.0, 1.0], [200.0, 10.0]).clamped(value);
            prop_assert!((10.0..=200.0).contains(&at));
        }
    }

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

    proptest! {
        #[test]
        fn what_is_kept_is_evenly_spaced_and_never_too_much(length in 1u64..5000) {
            let mut thinned = Thinned::default();
            for item in 1..=length {
                thinned.offer(|| item);
            }
            let items = thinned.items();
            let stride = items[0];
            prop_assert!(items.iter().enumerate().all(|(place, &item)| item == (place as u64 + 1) * stride));
            prop_assert_eq!(items.len() as u64, length / stride);
            prop_assert!(items.len() <= MOST && items.len() as u64 >= length.min(MOST as u64 / 2));
        }
    }
}
