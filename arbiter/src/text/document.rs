//! Documents about results: headings, lines, facts and tables, for a terminal, as Markdown and as HTML.

use console::measure_text_width;
use maud::{Markup, Render, html};

use super::number_text::plain_minus;
use super::printable::markdown_escaped;
use super::table::{Table, Tone};

const NAMES: usize = 12;

const GAP: &str = "   ";

/// A document of blocks, which each medium renders in its own way.
#[derive(Clone, Debug)]
pub struct Document {
    blocks: Vec<Block>,
    width: usize,
}

#[derive(Clone, Debug)]
enum Block {
    Heading(String),
    Line(Line),
    Facts(Vec<Fact>),
    Table(Table),
    /// Lines whose columns are aligned.
    Verbatim(Vec<Line>),
    /// An empty line on a terminal; other media separate all blocks.
    Gap,
}

#[derive(Clone, Debug)]
pub struct Fact(pub &'static str, pub Line);

#[derive(Clone, Debug, Default)]
pub struct Line(Vec<(String, Tone)>);

impl<T: Into<String>> From<T> for Line {
    fn from(text: T) -> Line {
        Line::default().and(text, Tone::Plain)
    }
}

impl Line {
    pub fn and(mut self, text: impl Into<String>, tone: Tone) -> Line {
        self.0.push((text.into(), tone));
        self
    }

    pub fn text(&self) -> String {
        self.painted(false)
    }

    /// The unbroken pieces with gaps between them, in lines of at most `width` columns unless a single piece is wider.
    /// Lines are indented by two blanks, continuation lines by four.
    pub fn spread(&self, width: usize, colour: bool) -> Vec<String> {
        let mut lines: Vec<(String, usize)> = Vec::new();
        for (text, tone) in &self.0 {
            let (painted, columns) = (tone.paint(text, colour), measure_text_width(text));
            match lines.last_mut() {
                Some((line, used)) if *used + GAP.len() + columns <= width => {
                    *line += GAP;
                    *line += &painted;
                    *used += GAP.len() + columns;
                }
                None => lines.push((format!("  {painted}"), 2 + columns)),
                Some(_) => lines.push((format!("    {painted}"), 4 + columns)),
            }
        }
        lines.into_iter().map(|(line, _)| plain_minus(&line)).collect()
    }

    fn painted(&self, colour: bool) -> String {
        self.0.iter().map(|(text, tone)| tone.paint(text, colour)).collect()
    }
}

impl Default for Document {
    fn default() -> Document {
        Document { blocks: Vec::new(), width: usize::MAX }
    }
}

impl Document {
    /// The document with tables of at most this many columns of text on a terminal.
    pub fn within(self, width: usize) -> Document {
        Document { width: self.width.min(width), ..self }
    }

    pub fn of_facts(facts: Vec<Fact>) -> Document {
        Document { blocks: vec![Block::Facts(facts)], ..Document::default() }
    }

    pub fn heading(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Heading(text.into()));
    }

    pub fn line(&mut self, line: impl Into<Line>) {
        self.blocks.push(Block::Line(line.into()));
    }

    pub fn lines<L: Into<Line>>(&mut self, lines: impl IntoIterator<Item = L>) {
        self.blocks.extend(lines.into_iter().map(|line| Block::Line(line.into())));
    }

    pub fn facts(&mut self, facts: Vec<Fact>) {
        self.blocks.push(Block::Facts(facts));
    }

    pub fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    pub fn verbatim(&mut self, lines: Vec<Line>) {
        self.blocks.push(Block::Verbatim(lines));
    }

    pub fn gap(&mut self) {
        self.blocks.push(Block::Gap);
    }

    pub fn append(&mut self, other: Document) {
        self.blocks.extend(other.blocks);
    }

    /// Text for a terminal or a log, indented by two blanks.
    pub fn terminal(&self, colour: bool) -> String {
        let indented = |line: &Line| format!("  {}\n", line.painted(colour).trim_end());
        let text = |block: &Block| match block {
            Block::Heading(text) => format!("  {}\n", Tone::Strong.paint(text, colour)),
            Block::Line(line) => indented(line),
            Block::Facts(facts) => {
                let fact = |Fact(name, line): &Fact| format!("  {name:<NAMES$}  {}\n", line.painted(colour));
                facts.iter().map(fact).collect()
            }
            Block::Table(table) => table.clone().within(self.width).text(colour),
            Block::Verbatim(lines) => lines.iter().map(indented).collect(),
            Block::Gap => "\n".to_owned(),
        };
        plain_minus(&self.blocks.iter().map(text).collect::<String>())
    }

    pub fn markdown(&self) -> String {
        let text = |block: &Block| match block {
            Block::Heading(text) => Some(format!("### {}\n", markdown_escaped(text))),
            Block::Line(line) => Some(markdown_escaped(&line.text()) + "\n"),
            Block::Facts(facts) => {
                let fact =
                    |Fact(name, line): &Fact| format!("| {name} | {} |\n", markdown_escaped(&line.text()));
                Some("| | |\n|:--|:--|\n".to_owned() + &facts.iter().map(fact).collect::<String>())
            }
            Block::Table(table) => Some(table.markdown()),
            // This indentation makes a code block, in which nothing needs escaping.
            Block::Verbatim(lines) => {
                let lines = lines.iter().map(|line| format!("    {}", line.text().trim_end()));
                Some(lines.collect::<Vec<_>>().join("\n") + "\n")
            }
            Block::Gap => None,
        };
        self.blocks.iter().filter_map(text).collect::<Vec<_>>().join("\n")
    }
}

impl Render for Document {
    fn render(&self) -> Markup {
        html! {
            @for block in &self.blocks {
                @match block {
                    Block::Heading(text) => { h3 { (text) } }
                    Block::Line(line) => { p { (line.text()) } }
                    Block::Facts(facts) => {
                        dl.figures {
                            @for Fact(name, line) in facts { div { dt { (name) } dd { (line.text()) } } }
                        }
                    }
                    Block::Table(table) => { (table) }
                    Block::Verbatim(lines) => { pre { @for line in lines { (line.text().trim_end()) "\n" } } }
                    Block::Gap => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let mut document = Document::default();
        document.heading("a_b");
        document.facts(vec![Fact("LLR", Line::from("−1.00: ").and("undecided", Tone::Bad))]);
        document.gap();
        let mut table = Table::new(["", "Elo", "Verdict"]).left(&[2]);
        table.plain(["<a|b>", "−2.0 ± 1.0", "H0"]);
        document.table(table);
        document.line("1 game");
        document.verbatim(vec!["a - b".into()]);
        document
    }

    #[test]
    fn a_document_is_columns_on_a_terminal_text_in_markdown_and_elements_on_a_page() {
        let text = document().terminal(false);
        let table = "                Elo  Verdict\n  <a|b>  -2.0 ± 1.0  H0\n";
        assert_eq!(text, format!("  a_b\n  LLR           -1.00: undecided\n\n{table}  1 game\n  a - b\n"));
        let painted = document().terminal(true);
        assert!(painted.contains('\u{1b}') && console::strip_ansi_codes(&painted) == text, "{painted}");
        let table = "| | Elo | Verdict |\n|:--|--:|:--|\n| &lt;a\\|b&gt; | −2.0 ± 1.0 | H0 |\n";
        let facts = "| | |\n|:--|:--|\n| LLR | −1.00: undecided |\n";
        let expected = format!("### a\\_b\n\n{facts}\n{table}\n1 game\n\n    a - b\n");
        assert_eq!(document().markdown(), expected);
        let html = document().render().into_string();
        let facts = "<dl class=\"figures\"><div><dt>LLR</dt><dd>−1.00: undecided</dd></div></dl>";
        assert!(html.starts_with(&format!("<h3>a_b</h3>{facts}")), "{html}");
        assert!(html.contains("<td>&lt;a|b&gt;</td><td>−2.0 ± 1.0</td><td class=\"left\">H0</td>"), "{html}");
    }
}
