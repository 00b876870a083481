//! A number in the output of a program, found by a regular expression.

use std::str::FromStr;

use regex_lite::{Regex, RegexBuilder};
use thiserror::Error;

/// A regular expression with one group, which holds a number. `^` and `$` are the ends of a line.
#[derive(Clone, Debug)]
pub struct NumberPattern(Regex);

/// Why a text is not a number pattern.
#[derive(Debug, Error)]
pub enum NumberPatternError {
    /// It is not a regular expression.
    #[error("expected a regular expression, found `{text}` ({source})")]
    Syntax { text: String, source: regex_lite::Error },
    /// It does not have exactly one group.
    #[error(
        r"expected one group for the number, as in `^Nodes searched *: (\d+)$`, found {found} in `{text}`"
    )]
    Groups {
        text: String,
        /// How many groups it has.
        found: usize,
    },
}

impl NumberPattern {
    /// The number of the first match.
    pub fn first_in(&self, text: &str) -> Option<u64> {
        self.0.captures_iter(text).find_map(|found| number(found.get(1)?.as_str()))
    }

    /// The number of the last match: totals come at the end.
    pub fn last_in(&self, text: &str) -> Option<u64> {
        self.0.captures_iter(text).filter_map(|found| number(found.get(1)?.as_str())).last()
    }

    /// The regular expression as it was written.
    pub fn text(&self) -> &str {
        self.0.as_str()
    }
}

/// Digits, optionally with separators of thousands.
fn number(text: &str) -> Option<u64> {
    text.chars().filter(|letter| !matches!(letter, ',' | '\'' | '_')).collect::<String>().parse().ok()
}

impl FromStr for NumberPattern {
    type Err = NumberPatternError;

    fn from_str(text: &str) -> Result<NumberPattern, NumberPatternError> {
        let syntax = |source| NumberPatternError::Syntax { text: text.to_owned(), source };
        let regex = RegexBuilder::new(text).multi_line(true).build().map_err(syntax)?;
        // The whole match counts as a group, too.
        match regex.captures_len() - 1 {
            1 => Ok(NumberPattern(regex)),
            found => Err(NumberPatternError::Groups { text: text.to_owned(), found }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Nodes searched  : 20\ninfo nodes 7\nNodes searched  : 1,972,535\n";

    #[test]
    fn lines_are_matched_separately_and_thousands_may_have_separators() {
        let pattern: NumberPattern = r"^Nodes searched  *: ([\d,]+)$".parse().unwrap();
        assert_eq!((pattern.first_in(TEXT), pattern.last_in(TEXT)), (Some(20), Some(1_972_535)));
        assert_eq!(pattern.last_in("Nodes searched: many"), None);
    }

    #[test]
    fn a_pattern_needs_exactly_one_group() {
        let message = |text: &str| text.parse::<NumberPattern>().unwrap_err().to_string();
        assert!(message("(").starts_with("expected a regular expression, found `(`"));
        assert!(message(r"Nodes: \d+").contains("found 0 in"));
        assert!(message(r"(Nodes): (\d+)").contains("found 2 in"));
    }
}
