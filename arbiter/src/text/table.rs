//! Columns that line up.

use console::{measure_text_width, truncate_str};

use super::tone::Tone;

/// Blanks before each column.
const GAP: usize = 2;

/// The columns that a shortened name keeps at least.
const SHORTEST_NAME: usize = 8;

/// A table with a line of headings; the first column is set to the left, numbers in the others to the right.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<(String, Tone)>>,
}

impl Table {
    /// A table without rows.
    pub fn new<T: ToString>(headings: impl IntoIterator<Item = T>) -> Table {
        let headings = headings.into_iter().map(|heading| (heading.to_string(), Tone::Faint)).collect();
        Table { rows: vec![headings] }
    }

    /// Appends a row: a text and its meaning for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = (String, Tone)>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The same with the first column shortened by an ellipsis where the lines would otherwise be wider than this; a
    /// few letters are left in any case.
    #[must_use]
    pub fn within(mut self, width: usize) -> Table {
        let surplus = self.widths().iter().map(|column| column + GAP).sum::<usize>().saturating_sub(width);
        if surplus > 0 {
            let room = self.widths()[0].saturating_sub(surplus).max(SHORTEST_NAME);
            for (name, _) in self.rows.iter_mut().filter_map(|row| row.first_mut()) {
                *name = truncate_str(name, room, "…").into_owned();
            }
        }
        self
    }

    /// How wide each column is.
    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width_of = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|(text, _)| measure_text_width(text)).max().unwrap_or(0)
        };
        (0..columns).map(width_of).collect()
    }

    /// The lines, indented by two blanks, with a line feed behind each.
    pub fn text(&self, colour: bool) -> String {
        let widths = self.widths();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, tone)) in row.iter().enumerate() {
                let blanks = " ".repeat(widths[column] - measure_text_width(cell));
                let painted = tone.paint(cell, colour);
                line += &" ".repeat(GAP);
                line += &if column == 0 { painted + &blanks } else { blanks + &painted };
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}
