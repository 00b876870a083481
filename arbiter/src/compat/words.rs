//! A command line of the form that fastchess and cutechess-cli share: options with one dash, each followed by its words.

use anyhow::{Result, anyhow, bail};

use super::tournament::Tournament;
use runner::{DrawRule, ResignRule, SyzygyResults, SyzygyRule};

/// An option with the words that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    pub(super) name: String,
    pub(super) words: Vec<String>,
}

/// Splits a command line into options. A word that begins with a dash is an option unless a digit follows, since it is a
/// negative number then.
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
    /// True: the option stands alone.
    pub(super) fn alone(&self) -> Result<bool> {
        match self.words.first() {
            None => Ok(true),
            Some(_) => bail!("Option \"{}\" does not accept parameters.", self.name),
        }
    }

    /// The one word that follows.
    pub(super) fn one(&self) -> Result<&str> {
        match &self.words[..] {
            [word] => Ok(word),
            _ => bail!("Option \"{}\" expects exactly one value.", self.name),
        }
    }

    /// The one number that follows.
    pub(super) fn number<N: std::str::FromStr>(&self) -> Result<N> {
        number(&self.name, self.one()?)
    }

    /// All that follows, in the form `key=value`.
    pub(super) fn pairs(&self) -> Result<Vec<(&str, &str)>> {
        if self.words.is_empty() {
            bail!("Option \"{}\" expects key=value parameters.", self.name);
        }
        self.pairs_or_none()
    }

    /// The same for an option that may stand alone.
    pub(super) fn pairs_or_none(&self) -> Result<Vec<(&str, &str)>> {
        let pair = |word: &String| match word.split_once('=') {
            // The text of an option may be empty.
            Some((key, value)) if key.starts_with("option.") || !key.is_empty() && !value.is_empty() => {
                Ok(())
            }
            _ => Err(anyhow!("Option \"{}\" expects key=value pairs, got \"{word}\".", self.name)),
        };
        self.words.iter().try_for_each(pair)?;
        Ok(self.words.iter().filter_map(|word| word.split_once('=')).collect())
    }

    /// The option, if it has all these keys.
    pub(super) fn with(&self, keys: &[&str]) -> Result<&Flag> {
        let pairs = self.pairs()?;
        match keys.iter().find(|key| pairs.iter().all(|(found, _)| found != *key)) {
            Some(key) => bail!("{}: expected {key}=VALUE as well", self.name),
            None => Ok(self),
        }
    }

    /// The error of a key or of a value that the option does not have.
    pub(super) fn unknown(&self, key: &str, value: &str, expected: &str) -> anyhow::Error {
        let name = self.name.trim_start_matches('-');
        anyhow!("Unrecognized {name} option \"{key}\" with value \"{value}\". Expected {expected}")
    }

    /// `true` or `false`.
    pub(super) fn switch(&self, key: &str, value: &str) -> Result<bool> {
        match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.unknown(key, value, "true or false")),
        }
    }

    /// The number behind a key.
    pub(super) fn value<N: std::str::FromStr>(&self, key: &str, value: &str) -> Result<N> {
        number(&format!("{} {key}", self.name), value)
    }
}

fn number<N: std::str::FromStr>(name: &str, text: &str) -> Result<N> {
    text.parse().map_err(|_| anyhow!("{name}: expected a number in range, found `{text}`"))
}

impl Tournament {
    /// Takes an option whose name begins with `-tb`. What a state file says of tablebases holds until then.
    pub(super) fn take_tables(&mut self, flag: &Flag) -> Result<()> {
        let rule = self.tables.get_or_insert_with(|| SyzygyRule {
            folders: Vec::new(),
            pieces: SyzygyRule::MOST_PIECES,
            ignore_50: false,
            results: SyzygyResults::All,
        });
        match &flag.name[..] {
            "-tbpieces" => {
                rule.pieces =
                    Some(flag.number()?).filter(|pieces| *pieces > 0).unwrap_or(SyzygyRule::MOST_PIECES);
            }
            "-tbignore50" => rule.ignore_50 = flag.alone()?,
            "-tbadjudicate" => rule.results = table_results(flag)?,
            _ => {
                // Windows' separator is accepted everywhere, as in cutechess.
                let folders = flag.one()?.split([';', ':']).filter(|folder| !folder.is_empty());
                rule.folders = folders.map(Into::into).collect();
            }
        }
        Ok(())
    }
}

fn table_results(flag: &Flag) -> Result<SyzygyResults> {
    match flag.one()? {
        "BOTH" => Ok(SyzygyResults::All),
        "WIN_LOSS" => Ok(SyzygyResults::Wins),
        "DRAW" => Ok(SyzygyResults::Draws),
        other => bail!("-tbadjudicate {other}: expected BOTH, WIN_LOSS or DRAW"),
    }
}

pub(super) fn draw_rule(flag: &Flag) -> Result<DrawRule> {
    let mut rule = DrawRule { from_move: 0, count: 1, score: 0 };
    for (key, value) in flag.pairs()? {
        match key {
            "movenumber" => rule.from_move = flag.value(key, value)?,
            "movecount" => rule.count = flag.value(key, value)?,
            "score" => rule.score = flag.value(key, value)?,
            _ => return Err(flag.unknown(key, value, "movenumber, movecount or score")),
        }
    }
    above_zero(flag, rule.count)?;
    Ok(rule)
}

pub(super) fn resign_rule(flag: &Flag) -> Result<ResignRule> {
    let mut rule = ResignRule { count: 1, score: 0, two_sided: false };
    for (key, value) in flag.pairs()? {
        match key {
            "movecount" => rule.count = flag.value(key, value)?,
            "score" => rule.score = flag.value(key, value)?,
            "twosided" => rule.two_sided = flag.switch(key, value)?,
            _ => return Err(flag.unknown(key, value, "movecount, score or twosided")),
        }
    }
    above_zero(flag, rule.count)?;
    Ok(rule)
}

fn above_zero(flag: &Flag, count: u32) -> Result<()> {
    if count == 0 { Err(flag.unknown("movecount", "0", "a number above 0")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Vec<Flag>> {
        flags(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn an_option_goes_to_the_next_and_a_negative_number_is_none() {
        let flags = read("-engine cmd=a name=b -concurrency -2 -recover").unwrap();
        let names: Vec<&str> = flags.iter().map(|flag| &flag.name[..]).collect();
        assert_eq!(names, ["-engine", "-concurrency", "-recover"]);
        assert_eq!(flags[0].pairs().unwrap(), [("cmd", "a"), ("name", "b")]);
        assert_eq!(flags[1].number::<i64>().unwrap(), -2);
        assert!(flags[2].alone().is_ok());
    }

    #[test]
    fn a_word_out_of_place_is_an_error() {
        assert!(read("engine -recover").is_err());
        let flags = read("-recover now -rounds 1 2 -engine cmd -openings").unwrap();
        assert!(flags[0].alone().is_err() && flags[1].one().is_err());
        assert!(flags[2].pairs().is_err() && flags[3].pairs().is_err());
        assert!(flags[3].pairs_or_none().unwrap().is_empty());
    }
}
