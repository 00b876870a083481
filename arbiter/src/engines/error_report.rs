//! Reports of sanitizers, failed assertions and panics in an engine's error output.

use std::fmt;
use std::sync::LazyLock;

use regex_lite::Regex;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorReport {
    /// The kind of error, such as `AddressSanitizer: heap-use-after-free` or `panic`.
    pub what: String,
    pub place: String,
}

/// A pattern with the groups `what` and `place` of a report, and the default for `what`.
struct Form {
    pattern: Regex,
    what: &'static str,
}

/// Sanitizers end a report with a summary, or write a line for each error of undefined behaviour. Then come C
/// assertions, Rust panics (since 1.73, and before), and Go and Python, with the place on a line of its own.
static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let forms = [
        (r"SUMMARY: (?P<what>\w+Sanitizer: .*?) (?P<place>\S+:\d+|\(\S+\))(?:\s|$)", ""),
        (r"SUMMARY: (?P<what>\w+Sanitizer: .*)", ""),
        (r"(?m)^(?P<place>[^\s:]+:\d+):\d+: runtime error: (?P<what>[^\n]+)", ""),
        (r"(?m)(?P<place>[^\s:]+:\d+): [^\n]*(?P<what>Assertion [`'][^\n]*' failed)", ""),
        (r"(?P<what>Assertion failed: [^\n]*), file (?P<place>[^\n]*, line \d+)", ""),
        (r"panicked at (?P<place>[^\s:']+:\d+)", "panic"),
        (r"panicked at '(?P<what>[^\n]*)', (?P<place>[^\s:]+:\d+)", ""),
        (r"(?s)(?P<what>panic: [^\n]*)\n.*?\n\t(?P<place>[^\s:]+:\d+)", ""),
        (r#"(?s)Traceback.*File "(?P<place>[^"]+", line \d+)[^\n]*\n(?: [^\n]*\n)*(?P<what>\w+[^\n]*)"#, ""),
    ];
    let form = |(pattern, what)| Form { pattern: Regex::new(pattern).expect("it is a pattern"), what };
    forms.into_iter().map(form).collect()
});

impl ErrorReport {
    pub fn find(text: &str) -> Option<ErrorReport> {
        Some(ErrorReport::first(text)?.0)
    }

    pub fn all(mut text: &str) -> Vec<ErrorReport> {
        let mut reports = Vec::new();
        while let Some((report, end)) = ErrorReport::first(text) {
            if !reports.contains(&report) {
                reports.push(report);
            }
            text = &text[end..];
        }
        reports
    }

    /// The first report, and the index at which it ends.
    fn first(text: &str) -> Option<(ErrorReport, usize)> {
        let found = FORMS.iter().filter_map(|form| Some((form, form.pattern.captures(text)?)));
        let (form, groups) =
            found.min_by_key(|(_, groups)| groups.get(0).map_or(0, |whole| whole.start()))?;
        let group = |name| groups.name(name).map(|found| found.as_str().trim());
        let report = ErrorReport {
            what: group("what").unwrap_or(form.what).to_owned(),
            place: group("place").unwrap_or_default().replace("\", line ", ":"),
        };
        Some((report, groups.get(0).map_or(text.len(), |whole| whole.end())))
    }
}

impl fmt::Display for ErrorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.place.is_empty() { "" } else { " at " };
        write!(f, "{}{at}{}", self.what, self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_report_is_known_with_its_place() {
        for case in include_str!("error_reports.txt").split("\n== ").skip(1) {
            let (expected, text) = case.split_once('\n').unwrap();
            let found = ErrorReport::find(text).map(|report| report.to_string());
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        }
        let twice = "a.c:1:2: runtime error: x\na.c:1:2: runtime error: x\nb.c:1:2: runtime error: y\n";
        assert_eq!(ErrorReport::all(twice).len(), 2);
        assert_eq!(ErrorReport::find("info string 3 assertions\nwarning: Hash: 16 MB\n"), None);
    }
}
