//! Shares of a whole, as one row of a table.

use std::fmt;

use super::coordinate::Coordinate as At;

/// The units that a row is wide; it is stretched to the width of its column.
const WIDTH: f64 = 1000.0;

/// Parts side by side that fill the row: how often each happened, and the class that colours it.
#[derive(Clone, Copy, Debug)]
pub struct StackedBar<'a> {
    /// The counts with their classes, from left to right.
    pub parts: &'a [(u64, &'a str)],
}

impl fmt::Display for StackedBar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.parts.iter().map(|(count, _)| count).sum::<u64>().max(1) as f64;
        write!(
            f,
            r#"<svg class="row" viewBox="0 0 {WIDTH} 20" preserveAspectRatio="none" aria-hidden="true">"#
        )?;
        let mut left = 0.0;
        for (count, class) in self.parts.iter().filter(|(count, _)| *count > 0) {
            let width = WIDTH * *count as f64 / total;
            write!(
                f,
                r#"<rect class="part {class}" x="{}" y="3" width="{}" height="14"/>"#,
                At(left),
                At(width)
            )?;
            left += width;
        }
        f.write_str("</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_row_and_those_that_never_happened_are_left_out() {
        let text = StackedBar { parts: &[(1, "loss"), (0, "draw"), (3, "win")] }.to_string();
        assert!(text.contains(r#"class="part loss" x="0" y="3" width="250""#), "{text}");
        assert!(text.contains(r#"class="part win" x="250" y="3" width="750""#), "{text}");
        assert!(!text.contains("draw"));
    }
}
