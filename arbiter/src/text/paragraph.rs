//! Pieces of text that flow into lines of a given width.

use console::measure_text_width;

use super::tone::Tone;

/// What stands between two pieces in one line.
const GAP: &str = "   ";

/// Pieces of text, none of which is torn apart at the end of a line.
#[derive(Clone, Debug, Default)]
pub struct Paragraph {
    pieces: Vec<(String, Tone)>,
}

impl Paragraph {
    /// Appends a piece.
    pub fn piece(&mut self, text: impl Into<String>, tone: Tone) {
        self.pieces.push((text.into(), tone));
    }

    /// The lines, indented by two blanks, and by four where a line goes on, and at most `width` columns wide unless a
    /// single piece is wider.
    pub fn lines(&self, width: usize, colour: bool) -> Vec<String> {
        let mut lines: Vec<(String, usize)> = Vec::new();
        for (text, tone) in &self.pieces {
            let (painted, columns) = (tone.paint(text, colour), measure_text_width(text));
            match lines.last_mut() {
                Some((line, used)) if *used + GAP.len() + columns <= width => {
                    *line += GAP;
                    *line += &painted;
                    *used += GAP.len() + columns;
                }
                None => lines.push((format!("  {painted}"), 2 + columns)),
                // What belongs to the line before is set in further.
                Some(_) => lines.push((format!("    {painted}"), 4 + columns)),
            }
        }
        lines.into_iter().map(|(line, _)| line).collect()
    }
}
