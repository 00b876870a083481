//! Numbers as SVG attributes.

use std::fmt;

/// A coordinate to a tenth of a unit, which is less than can be seen; `12.3`, and `12` rather than `12.0`.
#[derive(Clone, Copy, Debug)]
pub struct Coordinate(pub f64);

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() / 10.0;
        if tenths == 0.0 { f.write_str("0") } else { write!(f, "{tenths}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinate_has_no_more_digits_than_it_needs() {
        let texts = [12.0, 12.345, -0.04, 1e-9, -7.25].map(|value| Coordinate(value).to_string());
        assert_eq!(texts, ["12", "12.3", "0", "0", "-7.3"]);
    }
}
