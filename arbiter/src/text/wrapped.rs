//! Lines of text that fit a terminal.

use console::measure_text_width;

/// How far a line is set in that goes on.
const FURTHER: usize = 2;

/// Breaks lines at blanks so that none is wider than `width` columns, unless a single word is. What is left of a line
/// begins two columns further in than its beginning.
pub fn wrapped(text: &str, width: usize) -> String {
    let lines: Vec<String> = text.lines().map(|line| wrapped_line(line, width)).collect();
    lines.join("\n")
}

fn wrapped_line(line: &str, width: usize) -> String {
    if measure_text_width(line) <= width {
        return line.to_owned();
    }
    let indent = line.len() - line.trim_start_matches(' ').len();
    let mut text = " ".repeat(indent);
    let (mut used, mut is_first) = (indent, true);
    for word in line.split_whitespace() {
        let columns = measure_text_width(word);
        if !is_first && used + 1 + columns > width {
            text += "\n";
            text += &" ".repeat(indent + FURTHER);
            (used, is_first) = (indent + FURTHER, true);
        }
        if !is_first {
            text.push(' ');
        }
        used += columns + usize::from(!is_first);
        text += word;
        is_first = false;
    }
    text
}

#[cfg(test)]
mod tests {
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
}
