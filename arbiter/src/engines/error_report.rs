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

    /// All different reports in a text.
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
        for (text, expected) in [
            (
                "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n    #0 0x1 in f tt.c:12:3\n\
                 SUMMARY: AddressSanitizer: heap-use-after-free tt.c:12:3 in f\n==7==ABORTING\n",
                "AddressSanitizer: heap-use-after-free at tt.c:12:3",
            ),
            (
                "SUMMARY: ThreadSanitizer: data race /src/search.cpp:88 in think()\n",
                "ThreadSanitizer: data race at /src/search.cpp:88",
            ),
            (
                "SUMMARY: AddressSanitizer: SEGV (/bin/e+0x1139) in main\n",
                "AddressSanitizer: SEGV at (/bin/e+0x1139)",
            ),
            (
                "eval.c:5:10: runtime error: signed integer overflow: 1 + 2\n",
                "signed integer overflow: 1 + 2 at eval.c:5",
            ),
            ("e: see.c:9: see: Assertion `x > 0' failed.\n", "Assertion `x > 0' failed at see.c:9"),
            (
                "info\nthread 'main' (1) panicked at src/tt.rs:40:9:\nindex out of bounds\n",
                "panic at src/tt.rs:40",
            ),
            ("thread 'main' panicked at 'no move', src/a.rs:3:1\n", "no move at src/a.rs:3"),
            (
                "panic: oh\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:6 +0x2c\n",
                "panic: oh at /x/main.go:6",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\n  File \"b.py\", line 7, in f\n    x\nKeyError: 4\n",
                "KeyError: 4 at b.py:7",
            ),
        ] {
            assert_eq!(
                ErrorReport::find(text).map(|report| report.to_string()).as_deref(),
                Some(expected),
                "{text}"
            );
        }
        let twice = "a.c:1:2: runtime error: x\na.c:1:2: runtime error: x\nb.c:1:2: runtime error: y\n";
        assert_eq!(ErrorReport::all(twice).len(), 2);
        assert_eq!(ErrorReport::find("info string 3 assertions\nwarning: Hash: 16 MB\n"), None);
    }
}
