//! The games that ended by a fault.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::results::FaultyGame;
use crate::results::ending::label;
use crate::text::number_text::thousands;
use crate::text::printable;
use referee::Side;
use runner::BAD_GAMES_FOLDER;
use runner::untrusted_files::{open_file, refuse_link};

/// The most games listed, and the most shown with the end of their log.
const TOLD: usize = 200;
const WITH_LOG: usize = 40;

#[derive(Clone, Debug)]
pub struct FaultyGameWithLog {
    pub game: FaultyGame,
    pub log: Option<LogExcerpt>,
    pub last_words: Vec<String>,
    pub again: String,
}

impl FaultyGameWithLog {
    /// The first faulty games of a run. Missing logs are skipped, because a user may have deleted them.
    pub fn of_run(folder: &Path, games: &[FaultyGame]) -> Vec<FaultyGameWithLog> {
        let has_logs = refuse_link(&folder.join(BAD_GAMES_FOLDER)).is_ok();
        let with_log = |(index, game): (usize, &FaultyGame)| {
            let side = if game.offender == game.white { Side::White } else { Side::Black };
            let is_read = has_logs && index < WITH_LOG;
            FaultyGameWithLog {
                game: game.clone(),
                log: is_read
                    .then(|| LogExcerpt::read_end(&log_of(folder, game.number), SHOWN).ok())
                    .flatten(),
                again: again(folder, game.number),
                last_words: if is_read { last_words(folder, game.number, side) } else { Vec::new() },
            }
        };
        games.iter().take(TOLD).enumerate().map(with_log).collect()
    }
}

/// Bytes shown from the end of a log, where the game went wrong.
const SHOWN: u64 = 12 * 1024;

/// Bytes of a log that are searched for an engine's error output; White's log comes first.
const SEARCHED: u64 = 4 * 1024 * 1024;

const LAST_WORDS: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogExcerpt {
    pub text: String,
    /// Whether earlier lines are left out.
    pub is_cut: bool,
}

impl LogExcerpt {
    /// Reads the end of a file. Links are not followed: the file behind a link could end up in a published report.
    fn read_end(path: &Path, most: u64) -> io::Result<LogExcerpt> {
        refuse_link(path)?;
        let mut file = open_file(path)?;
        let length = file.metadata()?.len();
        let is_cut = length > most;
        file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        // Drops the rest of a cut line.
        let text = if is_cut { text.split_once('\n').map_or(&*text, |(_, whole)| whole) } else { &text };
        Ok(LogExcerpt { text: text.trim_end().to_owned(), is_cut })
    }

    fn last_words(&self, side: Side) -> Vec<String> {
        let (white, black) = self.text.split_once("\n# Black\n").unwrap_or((&self.text, ""));
        let log = if side == Side::White { white } else { black };
        let (protocol, words) = log.split_once("# error output:\n").unwrap_or((log, ""));
        let words = words.lines().map(|line| line.strip_prefix("# ").unwrap_or(line).trim_end());
        let lines: Vec<&str> = remarks(protocol).chain(words).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LAST_WORDS)..];
        last.iter().map(|line| printable(line).into_owned()).collect()
    }
}

/// An engine's messages for people in its last search that it had not sent in an earlier one: `info string`, and lines
/// that are not UCI.
fn remarks(protocol: &str) -> impl Iterator<Item = &str> {
    let (before, last) = protocol.rfind(" > go").map_or((protocol, ""), |at| protocol.split_at(at));
    let known: BTreeSet<&str> = before.lines().filter_map(remark).collect();
    last.lines().filter_map(remark).filter(move |text| !known.contains(text))
}

fn remark(line: &str) -> Option<&str> {
    const UCI: [&str; 8] =
        ["info", "bestmove", "readyok", "uciok", "id", "option", "copyprotection", "registration"];
    let (_, said) = line.split_once(" < ").filter(|(time, _)| !time.contains(['>', '#']))?;
    let said = said.trim();
    said.strip_prefix("info string ")
        .or_else(|| said.split(' ').next().is_none_or(|word| !UCI.contains(&word)).then_some(said))
}

/// The first games of each kind of fault of each engine, and the number of others: `81 more: time loss of new`.
pub fn first_of_each(games: &[FaultyGame], most: usize) -> (Vec<FaultyGame>, Vec<String>) {
    let (mut counts, mut first) = (BTreeMap::<_, usize>::new(), Vec::new());
    for game in games {
        let count = counts.entry((&game.offender, game.termination)).or_default();
        *count += 1;
        first.extend((*count <= most).then(|| game.clone()));
    }
    let more = counts.into_iter().filter(|(_, count)| *count > most).map(|((offender, kind), count)| {
        format!("{} more: {} of {offender}", thousands((count - most) as u64), label(kind))
    });
    (first, more.collect())
}

/// The protocol log of a game, numbered from 1, in its run folder.
pub fn log_of(run: &Path, number: u32) -> PathBuf {
    run.join(BAD_GAMES_FOLDER).join(format!("{number}.log"))
}

/// The command that replays a game, numbered from 1.
pub fn again(run: &Path, number: u32) -> String {
    let run = run.to_string_lossy();
    format!("arbiter reproduce {} {number} --run-programs", shlex::try_quote(&run).unwrap_or_default())
}

/// An engine's last messages for people, from its last search or its error output, up to five lines; empty without a log
/// or messages.
pub fn last_words(run: &Path, number: u32, side: Side) -> Vec<String> {
    let log = log_of(run, number);
    let excerpt =
        log.parent().map_or(Ok(()), refuse_link).and_then(|()| LogExcerpt::read_end(&log, SEARCHED));
    excerpt.map(|excerpt| excerpt.last_words(side)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{config, lost_by};
    use runner::Termination;

    #[test]
    fn a_long_log_is_shown_from_the_beginning_of_a_line_to_its_end() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("1.log");
        let lines: String =
            (0..2000).flat_map(|line| ["line ".to_owned(), line.to_string(), "\n".to_owned()]).collect();
        std::fs::write(&path, &lines).unwrap();
        let excerpt = LogExcerpt::read_end(&path, SHOWN).unwrap();
        assert!(excerpt.is_cut && excerpt.text.ends_with("line 1999"));
        assert!(excerpt.text.starts_with("line ") && lines.contains(&excerpt.text));
        std::fs::write(&path, "short\n").unwrap();
        assert_eq!(
            LogExcerpt::read_end(&path, SHOWN).unwrap(),
            LogExcerpt { text: "short".to_owned(), is_cut: false }
        );
    }

    #[test]
    fn the_last_words_are_those_of_the_side_that_is_asked_for() {
        let run = tempfile::tempdir().unwrap();
        let words = |side| last_words(run.path(), 1, side);
        assert!(words(Side::White).is_empty());
        std::fs::create_dir(run.path().join(BAD_GAMES_FOLDER)).unwrap();
        let said: String = (1..=7).map(|line| ["# w", &line.to_string(), "\u{1b}\n"].concat()).collect();
        let long = "0.1 < info string long\n".repeat(2000);
        let log = ["# a: b\n# White\n0.0 > go\n# error output:\n", &said, "# Black\n", &long].concat();
        std::fs::write(log_of(run.path(), 1), log).unwrap();
        let white = words(Side::White);
        assert!(white.len() == 5 && white[0].starts_with("w3") && white[4].starts_with("w7"), "{white:?}");
        assert!(!white.concat().contains('\u{1b}'), "{white:?}");
        assert!(words(Side::Black).is_empty());
    }

    #[test]
    fn a_remark_that_an_engine_makes_at_every_search_is_none_of_its_last_words() {
        let log = "0.1 > go depth 1\n0.2 < info string net loaded\n0.3 < bestmove e2e4\n0.4 > go depth 1\n\
                   0.5 < info string net loaded\n0.6 < info depth 1 pv d2d4\n0.7 < info string A search is running\n\
                   0.8 < panic: x < y\n";
        assert_eq!(remarks(log).collect::<Vec<_>>(), ["A search is running", "panic: x < y"]);
    }

    #[test]
    fn of_many_faults_of_one_kind_the_first_are_listed_and_the_others_counted() {
        let config = config(&["new", "old"], false);
        let late = (0..84).map(|index| lost_by(index, (0, 1), Side::Black, Termination::TimeLoss));
        let games = late.chain([lost_by(84, (0, 1), Side::White, Termination::Crash)]);
        let games: Vec<FaultyGame> = games.filter_map(|game| FaultyGame::of(&game, &config)).collect();
        let (first, more) = first_of_each(&games, 3);
        assert_eq!(first.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2, 3, 85]);
        assert_eq!(more, ["81 more: time loss of old"]);
    }
}
