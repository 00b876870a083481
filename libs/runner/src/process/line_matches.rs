//! Lines of a search that match patterns of the run.

use regex_lite::Regex;

/// For each pattern the last line of the present search that matches it.
#[derive(Debug, Default)]
pub(super) struct LineMatches(Vec<(Regex, Option<String>)>);

impl LineMatches {
    /// For these patterns; one that is no regular expression matches nothing.
    pub(super) fn new(patterns: &[String]) -> LineMatches {
        LineMatches(
            patterns.iter().filter_map(|text| Regex::new(text).ok()).map(|regex| (regex, None)).collect(),
        )
    }

    /// Forgets the search before.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|(_, line)| *line = None);
    }

    /// Takes note of a line.
    pub(super) fn observe(&mut self, line: &[u8]) {
        // Allocates nothing without a pattern.
        if self.0.is_empty() {
            return;
        }
        let line = String::from_utf8_lossy(line);
        for (regex, last) in &mut self.0 {
            if regex.is_match(&line) {
                *last = Some(line.clone().into_owned());
            }
        }
    }

    /// The lines, in the order of the patterns.
    pub(super) fn lines(&self) -> Vec<String> {
        self.0.iter().filter_map(|(_, line)| line.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_pattern_the_last_line_is_kept() {
        let mut matches = LineMatches::new(&["^info string wdl .*".to_owned(), "depth 3".to_owned()]);
        for line in ["info string wdl 1", "info string wdl 2", "info depth 3", "info depth 4"] {
            matches.observe(line.as_bytes());
        }
        assert_eq!(matches.lines(), ["info string wdl 2", "info depth 3"]);
        matches.clear();
        assert!(matches.lines().is_empty());
    }
}
