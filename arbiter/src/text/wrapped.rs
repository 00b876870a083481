//! Lines of text that fit a terminal.

use textwrap::{Options, WordSplitter};

const FURTHER: usize = 2;

/// Breaks lines at blanks so that none is wider than `width` columns, unless a single word is. Continuation lines are
/// indented by two more columns.
pub fn wrapped(text: &str, width: usize) -> String {
    let lines: Vec<String> = text.lines().map(|line| wrapped_line(line, width)).collect();
    lines.join("\n")
}

fn wrapped_line(line: &str, width: usize) -> String {
    let words = line.trim_start_matches(' ');
    let indent = " ".repeat(line.len() - words.len());
    let next_indent = indent.clone() + &" ".repeat(FURTHER);
    let options = Options::new(width).initial_indent(&indent).subsequent_indent(&next_indent);
    textwrap::fill(words, options.word_splitter(WordSplitter::NoHyphenation).break_words(false))
}

/// The first names of a list, and the number of the rest: `one, two and 3 more`.
pub fn listed(names: &[impl AsRef<str>], most: usize) -> String {
    let named: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let named = named.join(", ");
    match names.len().saturating_sub(most) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text as a value of a TOML file, as a person would quote it.
pub fn toml_text(text: &str) -> String {
    if text.contains(['\'', '\n']) || !text.contains(['"', '\\']) {
        toml::Value::String(text.to_owned()).to_string()
    } else {
        format!("'{text}'")
    }
}

#[cfg(test)]
mod tests {
    use console::measure_text_width;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_breaks_between_words_and_goes_on_further_in() {
        assert_eq!(wrapped("  game 3: White loses on time", 16), "  game 3: White\n    loses on\n    time");
        assert_eq!(wrapped("  short\nlines", 16), "  short\nlines");
    }

    proptest! {
        #[test]
        fn no_word_is_lost_and_no_line_too_long(text in " {0,3}[a-z]{1,9}( [a-zü–]{1,9}){0,20}", width in 14_usize..60) {
            let lines = wrapped(&text, width);
            prop_assert!(lines.split_whitespace().eq(text.split_whitespace()));
            prop_assert!(lines.lines().all(|line| measure_text_width(line) <= width), "{}", lines);
        }
    }

    #[test]
    fn a_long_list_is_cut_and_a_short_one_is_whole() {
        assert_eq!(listed(&["one", "two", "three"], 2), "one, two and 1 more");
        assert_eq!(listed(&["one", "two"], 2), "one, two");
        assert_eq!(listed(&[""; 0], 2), "");
    }
}
