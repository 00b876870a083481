//! Finding the root of a function of one variable.

/// The root of an increasing function in a range, to an absolute value of at most `close`, by the Illinois method: false
/// position that halves the value at an end that stays (Dowell and Jarratt, "A modified regula falsi method", BIT 11, 1971).
pub(super) fn root(of: impl Fn(f64) -> f64, (start, end): (f64, f64), close: f64) -> f64 {
    let ((mut one, mut at_one), (mut other, mut at_other)) = ((start, of(start)), (end, of(end)));
    for _ in 0..60 {
        let next = (one * at_other - other * at_one) / (at_other - at_one);
        if !next.is_finite() || (other - one).abs() < 1e-9 * (end - start).abs() {
            break;
        }
        let at_next = of(next);
        if at_next.signum() == at_other.signum() {
            at_one /= 2.0;
        } else {
            (one, at_one) = (other, at_other);
        }
        (other, at_other) = (next, at_next);
        if at_next.abs() <= close {
            break;
        }
    }
    other
}

/// Bisects a range `halvings` times at the point where `is_below` stops holding. Returns the ends of the remaining range, one
/// on either side of that point.
pub(super) fn bisect(
    (mut low, mut high): (f64, f64),
    halvings: u32,
    mut is_below: impl FnMut(f64) -> bool,
) -> (f64, f64) {
    for _ in 0..halvings {
        let middle = low.midpoint(high);
        if is_below(middle) { low = middle } else { high = middle }
    }
    (low, high)
}
