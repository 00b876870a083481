//! An engine's answer to `uci`: its name and options, and the check of options before they are set.

use std::ops::ControlFlow;

use strsim::levenshtein;
use thiserror::Error;

use crate::used_files::WrittenFiles;
use uci::{EngineOption, Message, OptionKind};

/// The most letters of a remark, or of an engine's option names in an error message.
const TEXT_CAP: usize = 2000;

/// The most option names in an error message.
const NAMES_SHOWN: usize = 10;

/// What an engine says between `uci` and `uciok`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// The engine's name and version.
    pub name: Option<String>,
    /// The engine's author.
    pub author: Option<String>,
    /// The options that can be set, in the engine's order.
    pub options: Vec<EngineOption>,
    /// The options whose lines cannot be read: the name, and the line with the problem.
    pub unread: Vec<(String, String)>,
    /// The files that the engine wrote meanwhile.
    pub written: WrittenFiles,
    /// What it said in `info string` lines about string options that were set. Only the engine can tell whether such a
    /// value is right, for example whether a file exists.
    pub remarks: Vec<String>,
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text}")]
pub struct SettingError {
    /// The name of the option.
    pub option: String,
    /// Whether the engine announced no such option, so that it could be sent anyway.
    pub is_unknown: bool,
    text: String,
}

/// The most remarks about options that are kept.
const REMARKS_CAP: usize = 10;

/// The most text of the options of an engine, in bytes; options after that are not known. The engines with the most
/// options announce some kilobytes.
const OPTIONS_CAP: usize = 1024 * 1024;

const NAME_CAP: usize = 200;

/// Whether an answer to `uci` shows an engine that only knows xboard's protocol.
pub fn speaks_xboard(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("feature ") || line.starts_with("Error (unknown command)")
}

#[derive(Debug, Default)]
pub(super) struct IntroductionListener {
    introduction: EngineInfo,
    options_length: usize,
    /// Whether the engine answered like one without UCI.
    pub(super) speaks_xboard: bool,
}

impl IntroductionListener {
    /// Reads a line, and breaks at `uciok`. A line that cannot be understood is skipped.
    pub(super) fn hear(&mut self, line: &str) -> ControlFlow<()> {
        self.speaks_xboard |= speaks_xboard(line);
        match line.parse() {
            // If an engine sends its name twice, the first one counts.
            Ok(Message::IdName(name)) => {
                self.introduction.name.get_or_insert_with(|| excerpt(&name, NAME_CAP));
            }
            Ok(Message::IdAuthor(author)) => {
                self.introduction.author.get_or_insert_with(|| excerpt(&author, NAME_CAP));
            }
            Ok(Message::Option(option)) => {
                self.options_length += line.len();
                if self.options_length <= OPTIONS_CAP {
                    self.introduction.options.push(option);
                }
            }
            Ok(Message::UciOk) => return ControlFlow::Break(()),
            Err(reason) if let Some(name) = EngineOption::name_in(line) => {
                self.options_length += line.len();
                if self.options_length <= OPTIONS_CAP {
                    let line = excerpt(line, NAME_CAP);
                    let problem = format!("the engine announced `{line}`, which cannot be read: {reason}");
                    self.introduction.unread.push((name, problem));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    pub(super) fn heard(self) -> EngineInfo {
        self.introduction
    }
}

impl EngineInfo {
    /// The option with this name; case is ignored.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        self.options.iter().find(|option| option.is_named(name))
    }

    /// Checks a setting against the announced options and returns its option.
    ///
    /// # Errors
    /// [`SettingError`] if there is no such option or it does not take the value.
    pub fn check_setting(&self, name: &str, value: Option<&str>) -> Result<&EngineOption, SettingError> {
        let Some(option) = self.option(name) else {
            let mut missing = self.missing(name);
            if value.is_none() {
                let way = "; if it belongs to the value before it: --engine \"cmd=ENGINE option.NAME=VALUE,";
                missing.text += way;
                missing.text += name;
                missing.text.push('"');
            }
            return Err(missing);
        };
        // Other tools press a button with the value `true`.
        let is_press = option.kind == OptionKind::Button && value == Some("true");
        let text = if value.is_none() && option.kind != OptionKind::Button {
            format!("option `{name}` needs a value, as in `{name}=VALUE`; the engine announced `{option}`")
        } else if let Err(reason) = option.accepts(value.filter(|_| !is_press)) {
            let meant =
                value.map(str::to_ascii_lowercase).filter(|meant| option.accepts(Some(meant)).is_ok());
            let hint = meant.map_or_else(String::new, |meant| format!("; write {name}={meant}"));
            format!("option `{name}`: {reason}{hint}; the engine announced `{option}`")
        } else {
            return Ok(option);
        };
        Err(SettingError { option: name.to_owned(), is_unknown: false, text })
    }

    /// Keeps a line that came after these string options were set, if it is about one of them.
    pub(super) fn hear_of_options(&mut self, line: &str, set: &[String]) {
        let Ok(Message::Info(info)) = line.parse() else { return };
        let Some(text) = info.string else { return };
        let is_about = |name: &String| {
            text.match_indices(name.as_str()).any(|(start, name)| {
                let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
                !is_letter(text[..start].chars().next_back())
                    && !is_letter(text[start + name.len()..].chars().next())
            })
        };
        if set.iter().any(is_about) && self.remarks.len() < REMARKS_CAP {
            self.remarks.push(excerpt(&text, TEXT_CAP));
        }
    }

    /// The error for an option that does not exist.
    pub fn missing(&self, name: &str) -> SettingError {
        let unread = self.unread.iter().find(|(unread, _)| unread.eq_ignore_ascii_case(name));
        let names: Vec<&str> = self.options.iter().map(|option| option.name.as_str()).collect();
        let text = if let Some((_, problem)) = unread {
            format!("option `{name}`: {problem}")
        } else if let Some(nearest) = nearest_name(name, names.iter().copied()) {
            format!("no option `{name}` (did you mean `{nearest}`?)")
        } else {
            let shown = excerpt(&names[..names.len().min(NAMES_SHOWN)].join(", "), TEXT_CAP);
            let rest = names.len().saturating_sub(NAMES_SHOWN);
            let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            format!("no option `{name}`; the engine has: {shown}{rest}")
        };
        SettingError { option: name.to_owned(), is_unknown: true, text }
    }
}

/// The known name most like the wanted one, ignoring case; `None` if no name is similar.
pub fn nearest_name<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_ascii_lowercase();
    let distances = known.into_iter().map(|name| (levenshtein(&wanted, &name.to_ascii_lowercase()), name));
    let (distance, name) = distances.min()?;
    (distance <= 1 + name.len() / 3).then_some(name)
}

/// The beginning of a text, at most `longest` letters, with control characters made visible.
pub(super) fn excerpt(text: &str, longest: usize) -> String {
    let mut letters = text.trim().chars();
    let tame = |letter: char| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter };
    let mut kept: String = letters.by_ref().take(longest).map(tame).collect();
    if letters.next().is_some() {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn introduction() -> EngineInfo {
        let options =
            ["option name Hash type spin default 16 min 1 max 1024", "option name Clear Hash type button"];
        let options = options.map(|line| match line.parse() {
            Ok(Message::Option(option)) => option,
            other => panic!("{other:?}"),
        });
        EngineInfo { options: options.to_vec(), ..EngineInfo::default() }
    }

    #[test]
    fn a_list_of_options_without_an_end_is_cut() {
        let mut listener = IntroductionListener::default();
        let line = "option name Hash type spin default 16 min 1 max 1024";
        for _ in 0..2 * OPTIONS_CAP / line.len() {
            assert!(listener.hear(line).is_continue());
        }
        assert!(listener.hear("uciok").is_break());
        assert_eq!(listener.heard().options.len(), OPTIONS_CAP / line.len());
    }

    #[test]
    fn a_remark_names_an_option_that_was_set() {
        let heard = |line: &str| {
            let mut introduction = EngineInfo::default();
            introduction.hear_of_options(line, &["EvalFile".to_owned(), "Book File".to_owned()]);
            introduction.remarks
        };
        assert_eq!(heard("info string option EvalFile: no such file"), ["option EvalFile: no such file"]);
        assert_eq!(heard("info string `Book File`?"), ["`Book File`?"]);
        for other in
            ["info string no such file", "info string EvalFile2 loaded", "EvalFile loaded", "readyok"]
        {
            assert!(heard(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn a_misspelt_option_gets_a_suggestion() {
        let message = introduction().check_setting("Hasch", Some("16")).unwrap_err().to_string();
        assert!(message.ends_with("no option `Hasch` (did you mean `Hash`?)"), "{message}");
        let message = introduction().check_setting("SyzygyPath", Some("x")).unwrap_err().to_string();
        assert_eq!(message, "no option `SyzygyPath`; the engine has: Hash, Clear Hash");
        let options = introduction().options.into_iter().cycle().take(40).collect();
        let many = EngineInfo { options, ..EngineInfo::default() };
        let message = many.check_setting("SyzygyPath", Some("x")).unwrap_err().to_string();
        assert!(message.ends_with("Hash, Clear Hash and 30 more"), "{message}");
    }

    #[test]
    fn an_option_whose_line_cannot_be_read_is_quoted_and_a_large_number_is_read() {
        let mut listener = IntroductionListener::default();
        let lines = [
            ("option name Seed type spin default 0 min 0 max 18446744073709551615", None),
            ("option name Tempo type spin default 0.5 min 0 max 1", Some("default")),
            ("option name Slow Mover type spin default 84", Some("min")),
            ("option name Style default calm", Some("type")),
            ("option name Style 2 type number default 1", Some("type")),
        ];
        for (line, _) in lines {
            assert!(listener.hear(line).is_continue());
        }
        let introduction = listener.heard();
        for (line, problem) in lines {
            let name = EngineOption::name_in(line).unwrap();
            let checked = introduction.check_setting(&name.to_lowercase(), Some("18446744073709551615"));
            let Some(problem) = problem else {
                assert!(checked.is_ok());
                continue;
            };
            let error = checked.unwrap_err();
            let said = error.to_string();
            assert!(said.contains(line) && said.contains(problem) && error.is_unknown, "{said}");
        }
        assert!(introduction.check_setting("Seed", Some("18446744073709551616")).is_err());
    }

    #[test]
    fn a_value_out_of_range_is_shown_with_the_range() {
        let message = introduction().check_setting("hash", Some("4096")).unwrap_err().to_string();
        assert!(message.contains("4096") && message.contains("max 1024"), "{message}");
        assert!(introduction().check_setting("hash", Some("64")).is_ok());
        for (value, is_right) in [(None, true), (Some("true"), true), (Some("false"), false)] {
            assert_eq!(introduction().check_setting("clear hash", value).is_ok(), is_right, "{value:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut_and_a_control_character_shows() {
        assert_eq!(excerpt("bestmove e2e4\r\n", 20), "bestmove e2e4");
        assert_eq!(excerpt("ééééé", 3), "ééé…");
        assert_eq!(excerpt("a\u{1b}[31mb\0", 20), "a\u{fffd}[31mb\u{fffd}");
    }

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let known = ["tarrasch", "stockfish", "toga2"];
        assert_eq!(nearest_name("Tarasch", known), Some("tarrasch"));
        assert_eq!(nearest_name("glaurung", known), None);
        assert_eq!(nearest_name("tarrasch", []), None);
    }
}
