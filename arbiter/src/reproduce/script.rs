//! The lines sent to an engine, with the pauses between them, and the fault they are expected to cause.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use referee::{Referee, Variant};
use runner::process::ClockKind;
use runner::{BookConfig, EngineConfig, RunConfig, Termination, Timeouts, duration_text};
use serde::{Deserialize, Serialize};
use uci::Command;

/// The prefixes of our own lines in a file, and of a pause.
const OURS: &str = "#: ";
const WAIT: &str = "#: wait ";

#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    pub head: Head,
    pub lines: Vec<SentLine>,
}

/// How the engine is started and judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    #[serde(default)]
    pub fault: Symptoms,
    #[serde(default, skip_serializing_if = "runner::is_default")]
    pub variant: Variant,
    #[serde(default, skip_serializing_if = "Duration::is_zero", with = "duration_text")]
    pub timemargin: Duration,
    #[serde(default, skip_serializing_if = "runner::is_default")]
    pub clock: ClockKind,
    #[serde(default, skip_serializing_if = "runner::is_default")]
    pub timeouts: Timeouts,
    pub engine: EngineConfig,
}

/// What identifies a fault that has happened, or that is looked for; then an unset field matches anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Symptoms {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Termination>,
    /// The signal or exit code, or the illegal move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
    /// The file and line of the error report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentLine {
    /// The pause since the engine's last answer or the previous line, whichever is later.
    pub gap: Duration,
    pub text: String,
    /// The depth and nodes that the search of this line reached.
    pub reached: Option<(u32, u64)>,
}

impl SentLine {
    pub fn new(text: impl Into<String>) -> SentLine {
        SentLine { gap: Duration::ZERO, text: text.into(), reached: None }
    }

    pub fn word(&self) -> &str {
        self.text.split_whitespace().next().unwrap_or_default()
    }

    /// Whether the line starts a search that runs until `stop` or `ponderhit`.
    pub fn is_open_search(&self) -> bool {
        self.word() == "go" && self.text.split_whitespace().any(|word| matches!(word, "ponder" | "infinite"))
    }

    /// Whether the answer to this line is a move that is played.
    pub fn is_search(&self) -> bool {
        self.word() == "ponderhit" || self.word() == "go" && !self.is_open_search()
    }

    /// The position that this line sets up.
    pub fn position(&self, variant: Variant) -> Option<Referee> {
        let Ok(Command::Position { start, moves }) = self.text.parse() else { return None };
        let mut referee = Referee::from_fen(start.fen(), variant).ok()?;
        moves.iter().all(|played| referee.play(played.as_str()).is_ok()).then_some(referee)
    }
}

impl Head {
    pub fn new(config: &RunConfig, engine: usize, fault: Symptoms) -> Head {
        let fields = EngineConfig {
            options: Vec::new(),
            limits: None,
            version: None,
            ..config.engines[engine].clone()
        };
        Head {
            fault,
            variant: config.variant,
            timemargin: config.time_margin_of(engine),
            clock: config.clock,
            timeouts: config.timeouts,
            engine: EngineConfig { files: Vec::new(), book: None, time_margin: None, stderr: None, ..fields },
        }
    }

    /// The head for a log that does not say how the engine was started.
    pub fn of_engine(engine: EngineConfig, fault: Symptoms) -> Head {
        // This run is never played.
        Head::new(&RunConfig::of(2, BookConfig::of(""), vec![engine]), 0, fault)
    }
}

impl Script {
    /// The lines in parts that are removed only as a whole, such as an option, `isready` or a search.
    pub fn parts(&self) -> Vec<&[SentLine]> {
        self.lines
            .split_inclusive(|line| {
                line.is_search() || matches!(line.word(), "uci" | "setoption" | "isready" | "stop")
            })
            .collect()
    }

    /// The number of parts before the first game or search: the handshake and the options.
    pub fn settings(&self) -> usize {
        let parts = self.parts();
        let is_of_game = |line: &SentLine| matches!(line.word(), "ucinewgame" | "position" | "go");
        parts.iter().position(|part| part.iter().any(is_of_game)).unwrap_or(parts.len())
    }

    pub fn with_parts(&self, kept: impl Fn(usize) -> bool) -> Script {
        let parts = self.parts().into_iter().enumerate().filter(|(index, _)| kept(*index));
        Script { head: self.head.clone(), lines: parts.flat_map(|(_, part)| part.to_vec()).collect() }
    }

    pub fn searches(&self) -> usize {
        self.lines.iter().filter(|line| line.is_search()).count()
    }

    /// The number of games that the script starts.
    pub fn games(&self) -> usize {
        self.lines.iter().filter(|line| line.word() == "ucinewgame").count().max(1)
    }

    /// The handshake, the options, and the last game from this move on.
    pub fn beginning_at(&self, number: u32) -> Result<Script> {
        let parts = self.parts();
        let game = parts.iter().rposition(|part| part[0].word() == "ucinewgame").unwrap_or_default();
        let number_of = |part: &&[SentLine]| {
            Some(part.iter().find_map(|line| line.position(self.head.variant))?.move_number())
        };
        let known: Vec<(usize, u32)> =
            (game..parts.len()).filter_map(|index| Some((index, number_of(&parts[index])?))).collect();
        let (Some((_, first)), Some((_, last))) = (known.first(), known.last()) else {
            bail!("--at {number}: the last game has no search");
        };
        let Some((from, _)) = known.iter().find(|(_, known)| *known >= number).filter(|_| number >= *first)
        else {
            bail!("--at {number}: expected a move of the engine in the last game, from {first} to {last}");
        };
        let settings = self.settings();
        let mut script = self.with_parts(|index| index < settings || index >= *from);
        // The pause before the first line belongs to the part that was left out.
        let cut = self.with_parts(|index| index < settings).lines.len();
        script.lines[cut].gap = Duration::ZERO;
        Ok(script)
    }

    /// Reads a file written by [`text`](Self::text).
    pub fn parse(text: &str) -> Result<Script> {
        let (mut head, mut lines, mut gap) = (String::new(), Vec::new(), Duration::ZERO);
        for (number, line) in text.lines().enumerate() {
            if let Some(pause) = line.strip_prefix(WAIT) {
                gap = duration_text::parse(pause).with_context(|| {
                    format!(
                        "line {}: expected a time such as 20ms behind `{WAIT}`, found `{pause}`",
                        number + 1
                    )
                })?;
            } else if let Some(ours) = line.strip_prefix(OURS) {
                let _ = writeln!(head, "{ours}");
            } else if !line.trim().is_empty() && !line.starts_with('#') {
                lines.push(SentLine { gap: std::mem::take(&mut gap), ..SentLine::new(line.trim()) });
            }
        }
        let head = toml::from_str(&head).context("the lines that begin with `#: `")?;
        Ok(Script { head, lines })
    }

    pub fn is_script(text: &str) -> bool {
        text.lines().any(|line| line.starts_with(OURS))
    }

    /// The text of the file: comments, how the engine is started, and lines that can be pasted into a terminal.
    pub fn text(&self, comments: &[String]) -> Result<String> {
        let mut text = String::new();
        for comment in comments {
            let _ = writeln!(text, "# {comment}");
        }
        let engine = EngineConfig { sha256: None, ..self.head.engine.clone() };
        for line in
            toml::to_string(&Head { engine, ..self.head.clone() })?.lines().filter(|line| !line.is_empty())
        {
            let _ = writeln!(text, "{OURS}{line}");
        }
        for line in &self.lines {
            if !line.gap.is_zero() {
                let _ = writeln!(text, "{WAIT}{}ms", line.gap.as_secs_f64() * 1e3);
            }
            let _ = writeln!(text, "{}", line.text);
        }
        Ok(text)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn script(lines: &[&str]) -> Script {
        let engine = EngineConfig { name: "a".to_owned(), program: "./a".into(), ..EngineConfig::default() };
        let lines = lines.iter().map(|line| SentLine::new(*line)).collect();
        Script { head: Head::of_engine(engine, Symptoms::default()), lines }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let mut script =
            script(&["uci", "isready", "position startpos", "go ponder wtime 5 btime 5", "ponderhit"]);
        script.lines[4].gap = Duration::from_micros(20_500);
        script.head.fault =
            Symptoms { kind: Some(Termination::Crash), sign: Some("x".to_owned()), place: None };
        script.head.engine.args = vec!["a b".to_owned()];
        let text = script.text(&["crash, 3 of 20".to_owned()]).unwrap();
        assert!(text.contains("#: wait 20.5ms\nponderhit\n") && Script::is_script(&text), "{text}");
        assert_eq!(Script::parse(&text).unwrap(), script);
        let error = Script::parse(&text.replace("20.5ms", "soon")).unwrap_err().to_string();
        assert!(error.starts_with("line ") && error.contains("soon"), "{error}");
    }

    #[test]
    fn from_a_move_on_the_options_stay_and_the_games_before_go() {
        let lines = "uci/setoption name Hash value 1/isready/ucinewgame/isready/position startpos/go nodes 1/ucinewgame/isready/\
                     position startpos moves e2e4/go nodes 2/position startpos moves e2e4 e7e5 g1f3/go nodes 3";
        let lines: Vec<&str> = lines.split('/').collect();
        let script = script(&lines);
        assert_eq!(
            (script.parts().len(), script.settings(), script.searches(), script.games()),
            (8, 3, 3, 2)
        );
        let kept = script.beginning_at(2).unwrap();
        let texts: Vec<&str> = kept.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, [&lines[..3], &lines[11..]].concat());
        let error = script.beginning_at(3).unwrap_err().to_string();
        assert!(error.ends_with("in the last game, from 1 to 2"), "{error}");
    }
}
