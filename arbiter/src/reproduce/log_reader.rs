//! Reads protocol logs of Arbiter, fastchess (`-log file=F engine=true`) and cutechess-cli (`-debug`).

use std::sync::LazyLock;
use std::time::Duration;

use anyhow::{Result, bail};
use regex_lite::Regex;
use runner::Termination;
use uci::Message;

use super::script::{SentLine, Symptoms};

/// Shorter pauses are dropped: any program needs that long between an answer and its next line.
const LEAST_GAP: Duration = Duration::from_micros(500);

const DAY: Duration = Duration::from_hours(24);

/// A line that passed between a program and an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    at: Duration,
    /// `White` or `Black` in our logs, the name in fastchess's, name and number in cutechess-cli's.
    engine: String,
    is_sent: bool,
    text: String,
}

/// A log up to the first fault that it reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    lines: Vec<LogLine>,
    pub fault: Symptoms,
}

/// The line formats of Arbiter, fastchess and cutechess-cli.
static FORMS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [
        r"^ *(?P<s>\d+\.\d{6}) (?P<way>[<>]) (?P<text>.*)$",
        r"^\[Engine *\] \[ *(?:\S+ )?(?P<h>\d+):(?P<m>\d+):(?P<s>[\d.]+)\] <[^>]*> +(?P<engine>.+?) (?P<way><---|--->) (?P<text>.*)$",
        r"^(?P<ms>\d+) (?P<way>[<>])(?P<engine>.*\(\d+\)): (?P<text>.*)$",
    ]
    .map(|form| Regex::new(form).expect("a pattern"))
});

/// What the programs say about a fault, on lines that belong to no engine.
const FAULTS: [(&str, Termination); 4] = [
    ("loses on time", Termination::TimeLoss),
    ("disconnect", Termination::Crash),
    ("illegal move", Termination::IllegalMove),
    ("stall", Termination::Stall),
];

impl LogLine {
    fn read(line: &str, side: &str) -> Option<LogLine> {
        let found = FORMS.iter().find_map(|form| form.captures(line))?;
        let part = |name| found.name(name).map(|part| part.as_str());
        let seconds = [("h", 3600.0), ("m", 60.0), ("s", 1.0), ("ms", 0.001)]
            .map(|(name, unit)| unit * part(name).and_then(|text| text.parse().ok()).unwrap_or(0.0));
        let engine = part("engine").unwrap_or(side);
        Some(LogLine {
            at: Duration::try_from_secs_f64(seconds.iter().sum()).ok()?,
            engine: engine.to_owned(),
            is_sent: matches!(part("way"), Some(">" | "<---")),
            text: part("text")?.trim_end().to_owned(),
        })
        .filter(|line| !line.engine.starts_with("<stderr>"))
    }

    fn is_answer(&self) -> bool {
        !self.is_sent && matches!(self.text.split_whitespace().next(), Some("bestmove" | "readyok" | "uciok"))
    }

    /// The depth and nodes of an `info` line.
    fn reached(&self) -> Option<(u32, u64)> {
        let Ok(Message::Info(info)) = self.text.parse() else { return None };
        Some((info.depth?, info.nodes?)).filter(|_| !self.is_sent)
    }
}

impl Log {
    /// Reads a log in any of the three formats.
    pub fn read(text: &str) -> Log {
        let (mut log, mut side, mut days) = (Log::default(), "", Duration::ZERO);
        for line in text.lines() {
            match line {
                "# White" => side = "White",
                "# Black" => side = "Black",
                _ => {}
            }
            if let Some(mut found) = LogLine::read(line, side) {
                found.at += days;
                if let Some(last) = log.lines.last()
                    && last.at > found.at + DAY / 2
                {
                    found.at += DAY;
                    days += DAY;
                }
                log.lines.push(found);
            } else if log.fault.kind.is_none() {
                log.fault = fault_in(line, log.lines.is_empty());
                // Our logs name the fault in their first line.
                if log.fault.kind.is_some() && !log.lines.is_empty() {
                    break;
                }
            }
        }
        log
    }

    /// The named engine, or else the engine that got the last search.
    pub fn engine(&self, named: Option<&str>) -> Result<String> {
        let mut engines: Vec<&str> = self.lines.iter().map(|line| line.engine.as_str()).collect();
        engines.sort_unstable();
        engines.dedup();
        if let Some(named) = named {
            let is_meant = |engine: &&&str| {
                **engine == named || engine.rsplit_once('(').is_some_and(|(name, _)| name == named)
            };
            return match engines.iter().find(is_meant) {
                Some(engine) => Ok((*engine).to_owned()),
                None => bail!("--player {named}: expected one of {}", engines.join(", ")),
            };
        }
        let searches =
            self.lines.iter().filter(|line| line.is_sent && SentLine::new(&*line.text).is_search());
        let Some(last) = searches.max_by_key(|line| line.at) else {
            bail!(
                "expected a protocol log of Arbiter, fastchess (engine=true) or cutechess-cli (-debug), found no line with `go`"
            )
        };
        Ok(last.engine.clone())
    }

    /// The lines sent to the engine since its last process started, or since the log begins.
    pub fn lines_of(&self, engine: &str) -> Vec<SentLine> {
        let lines: Vec<&LogLine> = self.lines.iter().filter(|line| line.engine == engine).collect();
        let start = lines.iter().rposition(|line| line.is_sent && line.text == "uci").unwrap_or_default();
        let mut found: Vec<SentLine> = Vec::new();
        let mut last: Option<Duration> = None;
        for line in &lines[start..] {
            if line.is_sent {
                let gap = last.map_or(Duration::ZERO, |last| line.at.saturating_sub(last));
                let gap = if gap < LEAST_GAP { Duration::ZERO } else { gap };
                found.push(SentLine { gap, ..SentLine::new(&*line.text) });
            }
            if line.is_sent || line.is_answer() {
                last = Some(line.at);
            }
            if let Some(reached) = line.reached()
                && let Some(search) = found.iter_mut().rfind(|line| line.word() == "go")
            {
                search.reached = Some(reached);
            }
        }
        // Lines after the fault, such as `quit`, do not belong to the script.
        let end = found.iter().rposition(|line| line.is_search() || line.word() == "isready");
        found.truncate(end.map_or(0, |end| end + 1));
        found
    }
}

/// The fault that a line reports: the first line of our log, or a message of another program.
fn fault_in(line: &str, is_first: bool) -> Symptoms {
    if let Some((name, detail)) =
        line.strip_prefix("# ").and_then(|line| line.split_once(": ")).filter(|_| is_first)
        && let Some(kind) = Termination::all().find(|kind| kind.to_string() == name)
    {
        return Symptoms { kind: Some(kind), sign: sign_in(kind, detail), place: None };
    }
    let low = line.to_lowercase();
    let is_message = !line.starts_with('#');
    let kind = FAULTS.iter().find(|(words, _)| is_message && low.contains(words)).map(|(_, kind)| *kind);
    Symptoms { kind, ..Symptoms::default() }
}

/// How the process ended, extracted from a game's detail.
pub fn sign_in(kind: Termination, detail: &str) -> Option<String> {
    static END: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"the engine (?:was ended by signal \d+(?: \([^)]*\))?|ended with exit code \w+)")
            .expect("a pattern")
    });
    (kind == Termination::Crash).then(|| END.find(detail).map(|end| end.as_str().to_owned())).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[SentLine]) -> Vec<String> {
        lines.iter().map(|line| format!("{} {}", line.gap.as_millis(), line.text)).collect()
    }

    const EXPECTED: [&str; 6] =
        ["0 uci", "0 isready", "2 ucinewgame", "0 isready", "30 position startpos", "0 go nodes 7"];

    #[test]
    fn a_log_of_ours_names_its_fault_and_the_side_by_its_last_search() {
        let text = "# crash: the engine was ended by signal 11 (SIGSEGV), in 8/8 w\n# White\n\
                    \x20   0.000100 > position startpos\n    0.000100 > go nodes 7\n    0.010000 < bestmove e2e4\n# Black\n\
                    \x20   0.012000 > position startpos moves e2e4\n    0.012000 > go nodes 7\n\
                    \x20   0.013000 < info depth 3 score cp 1 nodes 5\n# error output:\n# stalled, illegal move\n";
        let log = Log::read(text);
        assert_eq!(log.fault.kind, Some(Termination::Crash));
        assert_eq!(log.fault.sign.as_deref(), Some("the engine was ended by signal 11 (SIGSEGV)"));
        let engine = log.engine(None).unwrap();
        let lines = log.lines_of(&engine);
        assert_eq!(
            (engine.as_str(), told(&lines)),
            ("Black", vec!["0 position startpos moves e2e4".into(), "0 go nodes 7".into()])
        );
        assert_eq!(lines[1].reached, Some((3, 5)));
        assert!(log.engine(Some("Green")).unwrap_err().to_string().ends_with("expected one of Black, White"));
    }

    #[test]
    fn a_log_of_fastchess_is_read_over_midnight_up_to_its_fault() {
        let line = |time: &str, text: &str| format!("[Engine] [{time:>15}] <     139902> {text}\n");
        let text = [
            line("23:59:59.900000", " new <--- uci"),
            line("23:59:59.950000", " new ---> uciok"),
            line("23:59:59.950100", " new <--- isready"),
            line("23:59:59.999000", " new ---> readyok"),
            line("00:00:00.001000", " new <--- ucinewgame"),
            line("00:00:00.001000", " new <--- isready"),
            line("00:00:00.002000", " <stderr> new ---> bestmove a1a1"),
            line("00:00:00.010000", " new ---> readyok"),
            line("00:00:00.040000", " new <--- position startpos"),
            line("00:00:00.040000", " new <--- go nodes 7"),
            "[WARN  ] [00:00:01.000000] <139902> fastchess --- Warning; Engine new disconnects\n".to_owned(),
            line("00:00:02.000000", " old <--- go nodes 7"),
        ];
        let log = Log::read(&text.concat());
        assert_eq!(log.fault.kind, Some(Termination::Crash));
        assert_eq!(told(&log.lines_of(&log.engine(None).unwrap())), EXPECTED);
    }

    #[test]
    fn a_log_of_cutechess_is_read_from_the_last_process_on() {
        let text = "5 >new(0): uci\n6 >new(0): go depth 1\n100 >new(0): uci\n130 <new(0): uciok\n130 >new(0): isready\n\
                    140 <new(0): readyok\n142 >new(0): ucinewgame\n142 >new(0): isready\n150 <new(0): readyok\n\
                    180 >new(0): position startpos\n180 >new(0): go nodes 7\n900 <new(0): bestmove a1a1\n\
                    Finished game 1 (new vs old): 0-1 {White makes an illegal move: a1a1}\n990 >new(0): quit\n";
        let log = Log::read(text);
        assert_eq!(log.fault.kind, Some(Termination::IllegalMove));
        assert_eq!(told(&log.lines_of(&log.engine(Some("new")).unwrap())), EXPECTED);
        assert!(Log::read("hello\n").engine(None).is_err());
    }
}
