//! The syntax that fastchess and cutechess-cli share: options with one dash, each followed by its words; and the setting
//! for each word.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use referee::Variant;
use referee::openings::BookFormat;
use runner::process::ClockKind;
use runner::{BookOrder, ProtocolName, SyzygyResults};
use stats::SprtModel;

use super::dialect_config::{Form, LogLevel, PgnNotation, Policy, Tournament, TournamentKind};
use super::state_file_text::DialectChoice;
use crate::options::SharedArgs;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    pub(super) name: String,
    pub(super) words: Vec<String>,
}

/// An option, a key of its value (empty for an option without keys), and the setting that they change.
pub(super) type OptionPlace = (&'static str, &'static str, fn(&mut Tournament) -> &mut dyn Word);

const COMMON: &[OptionPlace] = &[
    ("-concurrency", "", |t| &mut t.concurrency),
    ("-rounds", "", |t| &mut t.rounds),
    ("-games", "", |t| &mut t.games),
    ("-noswap", "", |t| &mut t.noswap),
    ("-reverse", "", |t| &mut t.reverse),
    ("-recover", "", |t| &mut t.recover),
    ("-seeds", "", |t| &mut t.gauntlet_seeds),
    ("-variant", "", |t| &mut t.variant),
    ("-wait", "", |t| &mut t.wait),
    ("-srand", "", |t| &mut t.seed),
    ("-openings", "file", |t| &mut t.opening.file),
    ("-openings", "format", |t| &mut t.opening.format),
    ("-openings", "order", |t| &mut t.opening.order),
    ("-openings", "plies", |t| &mut t.opening.plies),
    ("-openings", "start", |t| &mut t.opening.start),
    ("-openings", "policy", |t| &mut t.unsaved.policy),
    ("-sprt", "elo0", |t| &mut t.sprt.elo0),
    ("-sprt", "elo1", |t| &mut t.sprt.elo1),
    ("-sprt", "alpha", |t| &mut t.sprt.alpha),
    ("-sprt", "beta", |t| &mut t.sprt.beta),
    ("-draw", "movenumber", |t| &mut t.draw.move_number),
    ("-draw", "movecount", |t| &mut t.draw.move_count),
    ("-draw", "score", |t| &mut t.draw.score),
    ("-resign", "movecount", |t| &mut t.resign.move_count),
    ("-resign", "score", |t| &mut t.resign.score),
    ("-resign", "twosided", |t| &mut t.resign.twosided),
    ("-maxmoves", "", |t| &mut t.maxmoves.move_count),
    ("-tb", "", |t| &mut t.tb_adjudication.syzygy_dirs),
    ("-tbpieces", "", |t| &mut t.tb_adjudication.max_pieces),
    ("-tbignore50", "", |t| &mut t.tb_adjudication.ignore_50_move_rule),
    ("-ratinginterval", "", |t| &mut t.ratinginterval),
    ("-clock", "", |t| &mut t.clock),
    ("-outdir", "", |t| &mut t.unsaved.out),
];

/// Splits a command line into options. A word with a leading dash is an option unless a digit follows the dash, since
/// then it is a negative number.
pub(super) fn flags(args: &[String]) -> Result<Vec<Flag>> {
    let is_option = |word: &str| {
        let mut letters = word.chars();
        letters.next() == Some('-') && !letters.next().is_some_and(|second| second.is_ascii_digit())
    };
    let mut flags: Vec<Flag> = Vec::new();
    for word in args {
        if is_option(word) {
            flags.push(Flag { name: word.clone(), words: Vec::new() });
        } else {
            let flag =
                flags.last_mut().ok_or_else(|| anyhow!("{word}: expected an option, as in -engine"))?;
            flag.words.push(word.clone());
        }
    }
    Ok(flags)
}

impl Flag {
    pub(super) fn alone(&self) -> Result<()> {
        match self.words.first() {
            None => Ok(()),
            Some(_) => bail!("Option \"{}\" does not accept parameters.", self.name),
        }
    }

    pub(super) fn one(&self) -> Result<&str> {
        match &self.words[..] {
            [word] => Ok(word),
            _ => bail!("Option \"{}\" expects exactly one value.", self.name),
        }
    }

    /// All words of the option as `key=value` pairs.
    pub(super) fn pairs(&self) -> Result<Vec<(&str, &str)>> {
        if self.words.is_empty() {
            bail!("Option \"{}\" expects key=value parameters.", self.name);
        }
        self.pairs_or_none()
    }

    /// Like `pairs`, but the option may have no words.
    pub(super) fn pairs_or_none(&self) -> Result<Vec<(&str, &str)>> {
        let pair = |word: &String| match word.split_once('=') {
            // The value of a UCI option may be empty.
            Some((key, value)) if key.starts_with("option.") || !key.is_empty() && !value.is_empty() => {
                Ok(())
            }
            _ => Err(anyhow!("Option \"{}\" expects key=value pairs, got \"{word}\".", self.name)),
        };
        self.words.iter().try_for_each(pair)?;
        Ok(self.words.iter().filter_map(|word| word.split_once('=')).collect())
    }

    pub(super) fn unknown(&self, key: &str, value: &str, expected: &str) -> anyhow::Error {
        let name = self.name.trim_start_matches('-');
        anyhow!("Unrecognized {name} option \"{key}\" with value \"{value}\". Expected {expected}")
    }
}

impl Tournament {
    /// Takes an option of both programs, or one of those in `own`. Returns whether there is such an option.
    pub(super) fn take_words(&mut self, flag: &Flag, own: &[OptionPlace]) -> Result<bool> {
        let places = || COMMON.iter().chain(own).filter(|(option, ..)| *option == flag.name);
        let Some((_, first, place)) = places().next() else { return self.take_shared(flag) };
        if first.is_empty() {
            let word = place(self);
            if word.raise() {
                flag.alone()?;
            } else {
                let text = flag.one()?;
                word.take(text)
                    .map_err(|expected| anyhow!("{}: expected {expected}, found `{text}`", flag.name))?;
            }
        } else {
            let may_be_alone = matches!(&flag.name[..], "-pgnout" | "-epdout");
            for (key, value) in if may_be_alone { flag.pairs_or_none()? } else { flag.pairs()? } {
                let Some((.., place)) = places().find(|(_, known, _)| *known == key) else {
                    let known: Vec<&str> = places().map(|(_, known, _)| *known).collect();
                    return Err(flag.unknown(key, value, &known.join(", ")));
                };
                place(self).take(value).map_err(|expected| flag.unknown(key, value, &expected))?;
            }
        }
        match &flag.name[..] {
            "-draw" => self.draw.enabled = true,
            "-resign" => self.resign.enabled = true,
            "-maxmoves" => self.maxmoves.enabled = true,
            "-tb" => self.tb_adjudication.enabled = true,
            "-sprt" => self.sprt.enabled = true,
            "-openings" => self.opening.check()?,
            _ => {}
        }
        Ok(true)
    }

    /// Takes an option that means the same in a match of ours. Returns whether there is such an option.
    fn take_shared(&mut self, flag: &Flag) -> Result<bool> {
        let is_ours = SharedArgs::names().iter().any(|name| flag.name.strip_prefix('-') == Some(name));
        if is_ours {
            self.arbiter.extend([format!("-{}", flag.name)].into_iter().chain(flag.words.iter().cloned()));
            SharedArgs::of_words(&self.arbiter)?;
        }
        Ok(is_ours)
    }
}

pub(super) fn option_names(own: &'static [OptionPlace]) -> impl Iterator<Item = &'static str> {
    COMMON.iter().chain(own).map(|(option, ..)| *option)
}

pub(super) trait Word {
    /// Parses the word. The error is what was expected.
    fn take(&mut self, text: &str) -> Result<(), String>;

    /// Sets the value that the option's name alone stands for. Returns whether there is one.
    fn raise(&mut self) -> bool {
        false
    }
}

impl Word for bool {
    fn take(&mut self, text: &str) -> Result<(), String> {
        *self = text.parse().map_err(|_| "true or false".to_owned())?;
        Ok(())
    }

    fn raise(&mut self) -> bool {
        *self = true;
        true
    }
}

// Any text is a String and a PathBuf.
macro_rules! parsed {
    ($($parsed:ty)*) => {$(
        impl Word for $parsed {
            fn take(&mut self, text: &str) -> Result<(), String> {
                *self = text.parse().map_err(|_| "a number in range".to_owned())?;
                Ok(())
            }
        }
    )*};
}

parsed!(u32 u64 i64 usize f64 String PathBuf);

impl Word for Vec<String> {
    fn take(&mut self, text: &str) -> Result<(), String> {
        self.push(text.to_owned());
        Ok(())
    }
}

impl<C: DialectChoice> Word for C {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let named = C::CHOICES.iter().find(|(word, _)| *word == text && !word.is_empty());
        let words = || C::CHOICES.iter().map(|(word, _)| *word).filter(|word| !word.is_empty());
        *self = named.ok_or_else(|| words().collect::<Vec<_>>().join(" or "))?.1;
        Ok(())
    }
}

impl DialectChoice for Variant {
    const CHOICES: &'static [(&'static str, Variant)] = &Variant::IN_CUTECHESS;
}

macro_rules! choices {
    ($($choice:ty: $($word:literal = $value:expr),+;)*) => {$(
        impl DialectChoice for $choice {
            const CHOICES: &'static [(&'static str, Self)] = &[$(($word, $value)),+];
        }
    )*};
}

choices! {
    Option<BookFormat>: "epd" = Some(BookFormat::Epd), "pgn" = Some(BookFormat::Pgn), "" = None;
    Option<ProtocolName>: "uci" = Some(ProtocolName::Uci), "xboard" = Some(ProtocolName::Xboard);
    BookOrder: "random" = BookOrder::Fastchess, "sequential" = BookOrder::Sequential;
    Policy: "default" = Policy::Repetitions, "encounter" = Policy::Encounter, "round" = Policy::Round;
    SprtModel: "normalized" = SprtModel::Normalized, "logistic" = SprtModel::Logistic,
        "bayesian" = SprtModel::Bayesian;
    SyzygyResults: "BOTH" = SyzygyResults::All, "WIN_LOSS" = SyzygyResults::Wins, "DRAW" = SyzygyResults::Draws;
    ClockKind: "wall" = ClockKind::Wall, "cpu" = ClockKind::Cpu;
    Form: "fastchess" = Form::Fastchess, "cutechess" = Form::Cutechess;
    TournamentKind: "roundrobin" = TournamentKind::RoundRobin, "gauntlet" = TournamentKind::Gauntlet;
    PgnNotation: "san" = PgnNotation::San, "lan" = PgnNotation::Lan, "uci" = PgnNotation::Uci;
    LogLevel: "" = LogLevel::All, "trace" = LogLevel::Trace, "info" = LogLevel::Info, "warn" = LogLevel::Warn,
        "err" = LogLevel::Err, "fatal" = LogLevel::Fatal;
}

/// Reads lines that are taken, and lines that are refused with the answer behind ` => `.
#[cfg(test)]
pub(super) fn check_lines(lines: &str, read: impl Fn(&str) -> Result<Tournament>) {
    for line in lines.lines().filter(|line| !line.starts_with('#')) {
        let (words, answer) = line.split_once(" => ").unwrap_or((line, ""));
        let said = read(words).err().map_or_else(String::new, |error| error.to_string());
        let is_told = said.is_empty() == answer.is_empty() && said.contains(&answer.replace("\\n", "\n"));
        assert!(is_told, "{words}: {said}");
    }
}
