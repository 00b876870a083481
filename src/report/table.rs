//! Columns that line up.

use console::measure_text_width;

use super::tone::Tone;

/// A table with a line of headings; the first column is set to the left, numbers in the others to the right.
#[derive(Clone, Debug)]
pub(super) struct Table {
    rows: Vec<Vec<(String, Tone)>>,
}

impl Table {
    pub(super) fn new<T: ToString>(headings: impl IntoIterator<Item = T>) -> Table {
        let headings = headings.into_iter().map(|heading| (heading.to_string(), Tone::Faint)).collect();
        Table { rows: vec![headings] }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = (String, Tone)>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines, indented by two blanks, with a line feed behind each.
    pub(super) fn text(&self, colour: bool) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width_of = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|(text, _)| measure_text_width(text)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width_of).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, tone)) in row.iter().enumerate() {
                let blanks = " ".repeat(widths[column] - measure_text_width(cell));
                let painted = tone.paint(cell, colour);
                line += "  ";
                line += &if column == 0 { painted + &blanks } else { blanks + &painted };
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}
