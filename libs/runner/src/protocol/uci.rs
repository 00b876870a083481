//! The Universal Chess Interface.

use std::fmt::Write as _;

use uci::{Command, EngineOption, Message};

use super::{EngineInfo, Expected, Heard, LineKind, Protocol, Request, SearchTask, excerpt};

/// The most text of the options of an engine, in bytes; options after that are not known. The engines with the most
/// options announce some kilobytes.
const OPTIONS_CAP: usize = 1024 * 1024;

const NAME_CAP: usize = 200;

/// The other words with which a line from an engine may begin, by the protocol.
const ANSWERS: [&[u8]; 6] = [b"readyok", b"option", b"id", b"uciok", b"registration", b"copyprotection"];

/// Whether an answer to `uci` shows an engine that only knows xboard's protocol.
fn speaks_xboard(line: &str) -> bool {
    let line = line.trim_start();
    let complains = ["Error (unknown command)", "llegal move", "nvalid move"];
    line.starts_with("feature ")
        || line.trim_end().ends_with(": uci") && complains.iter().any(|words| line.contains(words))
}

#[derive(Debug, Default)]
pub(crate) struct Uci {
    options_length: usize,
}

impl Uci {
    const fn has_room_for(&mut self, option: &str) -> bool {
        self.options_length += option.len();
        self.options_length <= OPTIONS_CAP
    }
}

impl Protocol for Uci {
    fn write(&mut self, request: Request<'_>, lines: &mut String) {
        // Writing to a string never fails.
        let _ = match request {
            Request::Introduce => {
                *self = Uci::default();
                writeln!(lines, "{}", Command::Uci)
            }
            Request::SetOption(name, value) => {
                let (name, value) = (name.to_owned(), value.map(str::to_owned));
                writeln!(lines, "{}", Command::SetOption { name, value })
            }
            Request::GetReady => writeln!(lines, "{}", Command::IsReady),
            Request::NewGame => writeln!(lines, "{}\n{}", Command::UciNewGame, Command::IsReady),
            Request::Search(SearchTask::Of(position, go)) => writeln!(lines, "{position}\n{go}"),
            Request::Search(SearchTask::After(position, uci, go)) => {
                let moves = if position.has_moves() { "" } else { " moves" };
                writeln!(lines, "{position}{moves} {uci}\n{go}")
            }
            Request::Search(SearchTask::AsWritten(text)) => lines.write_str(text),
            Request::PonderHit => writeln!(lines, "{}", Command::PonderHit),
            Request::Stop => writeln!(lines, "{}", Command::Stop),
            Request::GameOver(..) => Ok(()),
            Request::Quit => writeln!(lines, "{}", Command::Quit),
        };
    }

    fn expects(&self, request: Request<'_>) -> Expected {
        match request {
            Request::Introduce => Expected::Introduction("uciok"),
            Request::GetReady | Request::NewGame => Expected::Ready("readyok"),
            Request::SetOption(..) => Expected::Answer("setoption"),
            _ => Expected::Answer("bestmove"),
        }
    }

    fn introduce(&mut self, line: &str, engine: &mut EngineInfo, _: &mut String) -> Heard {
        if speaks_xboard(line) {
            return Heard::SpeaksXboard;
        }
        match line.parse() {
            // If an engine sends its name twice, the first one counts.
            Ok(Message::IdName(name)) => {
                engine.name.get_or_insert_with(|| excerpt(&name, NAME_CAP));
            }
            Ok(Message::IdAuthor(author)) => {
                engine.author.get_or_insert_with(|| excerpt(&author, NAME_CAP));
            }
            Ok(Message::Option(option)) if self.has_room_for(line) => engine.options.push(option),
            Ok(Message::UciOk) => return Heard::Last,
            Err(reason)
                if let Some(name) = EngineOption::name_in(line)
                    && self.has_room_for(line) =>
            {
                let line = excerpt(line, NAME_CAP);
                let problem = format!("the engine announced `{line}`, which cannot be read: {reason}");
                engine.unread.push((name, problem));
            }
            _ => {}
        }
        Heard::More
    }

    fn classify(&mut self, line: &[u8]) -> (LineKind, bool) {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        if !line.starts_with(b"info") {
            let kind = match words.next() {
                Some(b"bestmove") => LineKind::Answer,
                Some(b"readyok") if words.next().is_none() => LineKind::Ready,
                Some(word) if !ANSWERS.contains(&word) => LineKind::Unknown,
                _ => LineKind::Idle,
            };
            return (kind, false);
        }
        let mut has_time = false;
        let mut kind = LineKind::Other;
        while let Some(word) = words.next() {
            match word {
                b"multipv" if words.next() != Some(b"1") => return (LineKind::Idle, false),
                b"time" => has_time = true,
                b"score" => kind = LineKind::Exact,
                b"lowerbound" | b"upperbound" => kind = LineKind::Bound,
                b"string" | b"currmove" if kind == LineKind::Other => return (LineKind::Idle, false),
                b"pv" | b"string" => break,
                _ => {}
            }
        }
        (kind, has_time)
    }

    fn read(&self, line: &str) -> Option<Message> {
        line.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::PositionLine;
    use uci::Go;

    #[test]
    fn a_move_ahead_is_not_played() {
        let go = &Go { depth: Some(1), ..Go::default() };
        let mut position = PositionLine::default();
        let written = |question: SearchTask<'_>, lines: &str| {
            let mut written = String::new();
            Uci::default().write(Request::Search(question), &mut written);
            assert_eq!(written, lines);
        };
        written(SearchTask::After(&position, "e2e4", go), "position startpos moves e2e4\ngo depth 1\n");
        position.play("d2d4");
        written(SearchTask::After(&position, "d7d5", go), "position startpos moves d2d4 d7d5\ngo depth 1\n");
        written(SearchTask::Of(&position, go), "position startpos moves d2d4\ngo depth 1\n");
    }

    #[test]
    fn a_list_of_options_without_an_end_is_cut() {
        let (mut protocol, mut engine) = (Uci::default(), EngineInfo::default());
        let line = "option name Hash type spin default 16 min 1 max 1024";
        for _ in 0..2 * OPTIONS_CAP / line.len() {
            assert_eq!(protocol.introduce(line, &mut engine, &mut String::new()), Heard::More);
        }
        assert_eq!(protocol.introduce("uciok", &mut engine, &mut String::new()), Heard::Last);
        assert_eq!(engine.options.len(), OPTIONS_CAP / line.len());
    }

    #[test]
    fn an_option_whose_line_cannot_be_read_is_quoted_and_a_large_number_is_read() {
        let (mut protocol, mut engine) = (Uci::default(), EngineInfo::default());
        let lines = [
            ("option name Seed type spin default 0 min 0 max 18446744073709551615", None),
            ("option name Tempo type spin default 0.5 min 0 max 1", Some("default")),
            ("option name Slow Mover type spin default 84", Some("min")),
            ("option name Style default calm", Some("type")),
            ("option name Style 2 type number default 1", Some("type")),
        ];
        for (line, _) in lines {
            assert_eq!(protocol.introduce(line, &mut engine, &mut String::new()), Heard::More);
        }
        for (line, problem) in lines {
            let name = EngineOption::name_in(line).unwrap();
            let checked = engine.check_setting(&name.to_lowercase(), Some("18446744073709551615"));
            let Some(problem) = problem else {
                assert!(checked.is_ok());
                continue;
            };
            let error = checked.unwrap_err();
            let said = error.to_string();
            assert!(said.contains(line) && said.contains(problem) && error.is_unknown, "{said}");
        }
        assert!(engine.check_setting("Seed", Some("18446744073709551616")).is_err());
    }
}
