//! An engine's introduction: its name and options, and the check of options before they are set.

use strsim::levenshtein;
use thiserror::Error;

use crate::config::ProtocolName;
use crate::written_files::WrittenFiles;
use uci::{EngineOption, OptionKind};

/// The most letters of a remark, or of an engine's option names in an error message.
const TEXT_CAP: usize = 2000;

/// The most option names in an error message.
const NAMES_SHOWN: usize = 10;

/// What an engine says about itself when it is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// The engine's name and version.
    pub name: Option<String>,
    /// The protocol that it speaks.
    pub protocol: ProtocolName,
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
            // `Hash=16:Threads=1` and `Hash=16 Threads=1` are meant as two settings.
            let several = || Some(value?.replace([':', ' '], ",")).filter(|text| text.contains('='));
            let hint =
                meant.or_else(several).map_or_else(String::new, |meant| format!("; write {name}={meant}"));
            format!("option `{name}`: {reason}{hint}; the engine announced `{option}`")
        } else {
            return Ok(option);
        };
        Err(SettingError { option: name.to_owned(), is_unknown: false, text })
    }

    /// Keeps a text that came after these string options were set, if it is about one of them.
    pub(crate) fn hear_of_options(&mut self, text: &str, set: &[String]) {
        let is_about = |name: &String| {
            text.match_indices(name.as_str()).any(|(start, name)| {
                let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
                !is_letter(text[..start].chars().next_back())
                    && !is_letter(text[start + name.len()..].chars().next())
            })
        };
        if set.iter().any(is_about) && self.remarks.len() < REMARKS_CAP {
            self.remarks.push(excerpt(text, TEXT_CAP));
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
pub(crate) fn excerpt(text: &str, longest: usize) -> String {
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
    use crate::protocol::{Heard, Protocol as _, Uci};

    fn introduction() -> EngineInfo {
        let options =
            ["option name Hash type spin default 16 min 1 max 1024", "option name Clear Hash type button"];
        let mut engine = EngineInfo::default();
        assert!(
            options
                .iter()
                .all(|line| Uci::default().introduce(line, &mut engine, &mut String::new()) == Heard::More)
        );
        engine
    }

    #[test]
    fn a_remark_names_an_option_that_was_set() {
        let heard = |text: &str| {
            let mut introduction = EngineInfo::default();
            introduction.hear_of_options(text, &["EvalFile".to_owned(), "Book File".to_owned()]);
            introduction.remarks
        };
        assert_eq!(heard("option EvalFile: no such file"), ["option EvalFile: no such file"]);
        assert_eq!(heard("`Book File`?"), ["`Book File`?"]);
        for other in ["no such file", "EvalFile2 loaded"] {
            assert!(heard(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn a_misspelt_option_gets_a_suggestion_and_another_word_does_not() {
        let message = introduction().check_setting("Hasch", Some("16")).unwrap_err().to_string();
        assert!(message.ends_with("no option `Hasch` (did you mean `Hash`?)"), "{message}");
        let message = introduction().check_setting("SyzygyPath", Some("x")).unwrap_err().to_string();
        assert_eq!(message, "no option `SyzygyPath`; the engine has: Hash, Clear Hash");
        let options = introduction().options.into_iter().cycle().take(40).collect();
        let many = EngineInfo { options, ..EngineInfo::default() };
        let message = many.check_setting("SyzygyPath", Some("x")).unwrap_err().to_string();
        assert!(message.ends_with("Hash, Clear Hash and 30 more"), "{message}");
        let known = ["tarrasch", "stockfish", "toga2"];
        assert_eq!(nearest_name("Tarasch", known), Some("tarrasch"));
        assert_eq!(nearest_name("glaurung", known), None);
        assert_eq!(nearest_name("tarrasch", []), None);
    }

    #[test]
    fn a_long_text_is_cut_and_a_control_character_shows() {
        assert_eq!(excerpt("bestmove e2e4\r\n", 20), "bestmove e2e4");
        assert_eq!(excerpt("ééééé", 3), "ééé…");
        assert_eq!(excerpt("a\u{1b}[31mb\0", 20), "a\u{fffd}[31mb\u{fffd}");
    }
}
