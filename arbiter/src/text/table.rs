//! Tables, for a terminal, as Markdown and as HTML.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write;
use std::ops::Range;

use console::{Style, measure_text_width, truncate_str};
use csv::StringRecord;
use maud::{Markup, Render, html};
use serde::Serialize;

use super::number_text::plain_minus;
use super::printable::markdown_escaped;

const GAP: usize = 2;

/// The least width of a shortened name, in columns.
const SHORTEST_NAME: usize = 16;

/// A table with a heading row. The first column is aligned left, the others right.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<(String, Tone)>>,
    width: usize,
    /// Further columns that are aligned left, because they hold words.
    left: &'static [usize],
}

impl Table {
    pub fn new<T: ToString>(headings: impl IntoIterator<Item = T>) -> Table {
        let headings = headings.into_iter().map(|heading| (heading.to_string(), Tone::Faint)).collect();
        Table { rows: vec![headings], width: usize::MAX, left: &[] }
    }

    pub fn left(self, columns: &'static [usize]) -> Table {
        Table { left: columns, ..self }
    }

    pub fn plain<T: ToString>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.row(cells.into_iter().map(|cell| (cell.to_string(), Tone::Plain)));
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = (String, Tone)>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Fits the table to a width. An ellipsis shortens names in the first column, at the front if cut ends would be
    /// equal. Columns that still do not fit follow below, after the first column again.
    pub fn within(mut self, width: usize) -> Table {
        self.width = width;
        let widths = self.widths();
        let surplus = widths.iter().map(|column| column + GAP).sum::<usize>().saturating_sub(width);
        if surplus > 0 {
            let room = widths[0].saturating_sub(surplus);
            let room = if room < SHORTEST_NAME { SHORTEST_NAME.max(width / 3) } else { room };
            let names = || self.rows.iter().filter_map(|row| Some(row.first()?.0.as_str()));
            let distinct = |names: Vec<String>| names.into_iter().collect::<HashSet<_>>().len();
            let begun = |name: &str| truncate_str(name, room, "…").into_owned();
            let is_by_begin =
                distinct(names().map(begun).collect()) == distinct(names().map(str::to_owned).collect());
            for (name, _) in self.rows.iter_mut().filter_map(|row| row.first_mut()) {
                let surplus = measure_text_width(name).saturating_sub(room);
                if is_by_begin {
                    *name = begun(name);
                } else if surplus > 0 {
                    *name = format!("…{}", name.chars().skip(surplus + 1).collect::<String>());
                }
            }
        }
        self
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width_of = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|(text, _)| measure_text_width(text)).max().unwrap_or(0)
        };
        (0..columns).map(width_of).collect()
    }

    /// The columns after the first, in blocks that fit the width; each block has at least one.
    fn blocks(&self, widths: &[usize]) -> Vec<Range<usize>> {
        let mut blocks: Vec<Range<usize>> = Vec::new();
        let mut used = 0;
        for (column, width) in widths.iter().enumerate().skip(1) {
            used += GAP + width;
            match blocks.last_mut() {
                Some(block) if used <= self.width => block.end = column + 1,
                _ => {
                    blocks.push(column..column + 1);
                    used = GAP + widths[0] + GAP + width;
                }
            }
        }
        blocks
    }

    pub fn text(&self, colour: bool) -> String {
        let widths = self.widths();
        let blocks = self.blocks(&widths);
        let blocks: Vec<String> =
            blocks.into_iter().map(|columns| self.block(columns, &widths, colour)).collect();
        plain_minus(&blocks.join("\n"))
    }

    pub fn markdown(&self) -> String {
        let line = |row: &Vec<(String, Tone)>| {
            let cells = row.iter().map(|(cell, _)| {
                if cell.is_empty() { " |".to_owned() } else { format!(" {} |", markdown_escaped(cell)) }
            });
            format!("|{}\n", cells.collect::<String>())
        };
        let rule = (0..self.rows[0].len()).map(|column| if self.is_left(column) { ":--" } else { "--:" });
        let rule = format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
        line(&self.rows[0]) + &rule + &self.rows[1..].iter().map(line).collect::<String>()
    }

    fn is_left(&self, column: usize) -> bool {
        column == 0 || self.left.contains(&column)
    }

    fn class(&self, column: usize) -> Option<&'static str> {
        self.left.contains(&column).then_some("left")
    }

    fn block(&self, columns: Range<usize>, widths: &[usize], colour: bool) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, tone)) in row.iter().enumerate() {
                if column > 0 && !columns.contains(&column) {
                    continue;
                }
                let blanks = " ".repeat(widths[column] - measure_text_width(cell));
                let painted = tone.paint(cell, colour);
                line += &" ".repeat(GAP);
                line += &if self.is_left(column) { painted + &blanks } else { blanks + &painted };
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

impl Render for Table {
    fn render(&self) -> Markup {
        let (headings, rows) = (&self.rows[0], &self.rows[1..]);
        html! {
            div.scroll {
                table {
                    thead {
                        tr { @for (column, (heading, _)) in headings.iter().enumerate() { th class=[self.class(column)] { (heading) } } }
                    }
                    tbody {
                        @for row in rows {
                            tr { @for (column, (cell, _)) in row.iter().enumerate() { td class=[self.class(column)] { (cell) } } }
                        }
                    }
                }
            }
        }
    }
}

/// Rows as CSV. Rows are tuples or arrays with a value for each of the comma-separated `columns`.
pub fn csv_text<R: Serialize>(columns: &str, rows: impl IntoIterator<Item = R>) -> csv::Result<String> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.write_record(columns.split(','))?;
    for row in rows {
        csv_records(row, false)?.iter().try_for_each(|record| writer.write_record(record))?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The cells of a row, with an apostrophe before texts that a spreadsheet would take for formulas.
fn csv_records(row: impl Serialize, with_headings: bool) -> csv::Result<Vec<StringRecord>> {
    let mut writer = csv::WriterBuilder::new().has_headers(with_headings).from_writer(Vec::new());
    writer.serialize(row)?;
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*bytes);
    let records = reader.records().map(|record| Ok(record?.iter().map(csv_cell).collect()));
    records.collect()
}

/// A cell that no spreadsheet takes for a formula (OWASP, "CSV Injection"). Numbers and a lone sign are safe.
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    let is_formula = match text.as_bytes() {
        [b'=' | b'@' | b'\t' | b'\r', ..] => true,
        [b'+' | b'-', _, ..] => text.parse::<f64>().is_err(),
        _ => false,
    };
    if is_formula { format!("'{text}").into() } else { text.into() }
}

/// A CSV file with headings. Each row is written at once, so an interruption loses nothing.
#[derive(Debug)]
pub struct CsvRows<W: Write> {
    output: csv::Writer<W>,
    has_headings: bool,
}

impl<W: Write> CsvRows<W> {
    pub fn new(output: W) -> CsvRows<W> {
        CsvRows { output: csv::Writer::from_writer(output), has_headings: false }
    }

    pub fn write(&mut self, row: impl Serialize) -> csv::Result<()> {
        for record in csv_records(row, !std::mem::replace(&mut self.has_headings, true))? {
            self.output.write_record(&record)?;
        }
        Ok(self.output.flush()?)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    /// What is to be read first: bold.
    Strong,
    /// What can be overlooked: dim.
    Faint,
    /// Good news: green.
    Good,
    /// Bad news: red.
    Bad,
}

impl Tone {
    pub fn paint(self, text: &str, colour: bool) -> String {
        let style = match self {
            _ if !colour => return text.to_owned(),
            Tone::Plain => return text.to_owned(),
            Tone::Strong => Style::new().bold(),
            Tone::Faint => Style::new().dim(),
            Tone::Good => Style::new().green(),
            Tone::Bad => Style::new().red(),
        };
        style.force_styling(true).apply_to(text).to_string()
    }

    pub const fn of_faults(count: u64) -> Tone {
        if count > 0 { Tone::Bad } else { Tone::Plain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_begin_alike_keep_their_ends() {
        let shortened = |names: [&str; 2]| {
            let mut table = Table::new(["", "Games"]);
            for name in names {
                table.plain([name, "12"]);
            }
            let text = table.within(22).text(false);
            text.lines()
                .skip(1)
                .map(|line| line.split_whitespace().next().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(shortened(["tarrasch:nodes=640", "base"]), ["tarrasch:nodes=…", "base"]);
        assert_eq!(
            shortened(["tarrasch:nodes=640", "tarrasch:nodes=56"]),
            ["…rasch:nodes=640", "…rrasch:nodes=56"]
        );
    }

    #[test]
    fn columns_without_room_follow_below() {
        let mut table = Table::new(["", "Games", "Points", "Elo"]);
        table.plain(["tarrasch", "12,000", "6,000.5", "+0.1"]);
        let text = table.clone().within(30).text(false);
        assert_eq!(
            text,
            "             Games   Points\n  tarrasch  12,000  6,000.5\n\n             Elo\n  tarrasch  +0.1\n"
        );
        assert_eq!(table.clone().within(33).text(false), table.text(false));
        assert_eq!(table.within(1).text(false).lines().count(), 8, "a column in each block");
    }
}
