//! Colour, used sparingly: good, bad, and what can be overlooked.

use console::Style;

/// What a piece of text means to the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// What is neither of the others.
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
    /// The text with its colour, or as it is when `colour` is off.
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

    /// Bad when there is anything to count.
    pub const fn of_faults(count: u64) -> Tone {
        if count > 0 { Tone::Bad } else { Tone::Plain }
    }
}
