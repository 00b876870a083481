//! Shares of a whole, as one row of a table.

use maud::{Markup, Render, html};

use super::scale::Coordinate as At;

/// The width of a row in units; it is stretched to the width of its column.
const WIDTH: f64 = 1000.0;

/// Parts side by side that fill the row: the count and the colour class of each.
#[derive(Clone, Copy, Debug)]
pub struct StackedBar<'a> {
    /// The counts with their classes, from left to right.
    pub parts: &'a [(u64, &'a str)],
}

impl Render for StackedBar<'_> {
    fn render(&self) -> Markup {
        let total = self.parts.iter().map(|(count, _)| count).sum::<u64>().max(1) as f64;
        let width = |count: u64| WIDTH * count as f64 / total;
        let mut left = 0.0;
        let placed = self.parts.iter().filter(|(count, _)| *count > 0).map(|&(count, class)| {
            let from = left;
            left += width(count);
            (At(from), At(width(count)), class)
        });
        html! {
            svg.row viewBox={ "0 0 " (WIDTH) " 20" } preserveAspectRatio="none" aria-hidden="true" {
                @for (x, width, class) in placed {
                    rect.part.(class) x=(x) y="3" width=(width) height="14" {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_row_and_those_that_never_happened_are_left_out() {
        let text = StackedBar { parts: &[(1, "loss"), (0, "draw"), (3, "win")] }.render().into_string();
        assert!(text.contains(r#"class="part loss" x="0" y="3" width="250""#), "{text}");
        assert!(text.contains(r#"class="part win" x="250" y="3" width="750""#), "{text}");
        assert!(!text.contains("draw"));
    }
}
