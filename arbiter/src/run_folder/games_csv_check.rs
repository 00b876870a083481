//! Whether `games.csv` of a run folder says what the journal says.
//!
//! No command of ours reads the table: the journal is the single source, and the table is for spreadsheets. But a copy
//! that a full disk or a download cut off looks whole there, so whoever reads the folder is told.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use referee::Side;
use runner::{GameRecord, RunConfig};

/// The table in a run folder.
const FILE: &str = "games.csv";

/// Collects the games of a journal, to hold the table against them.
#[derive(Clone, Debug)]
pub struct GamesCsvCheck {
    names: Vec<String>,
    /// What a row has to say, by the number of the game from 1.
    expected: BTreeMap<u32, [String; 3]>,
}

/// The columns that are compared: players and result.
const COMPARED: [&str; 3] = ["white", "black", "result"];

impl GamesCsvCheck {
    /// For the games of this run.
    pub fn new(config: &RunConfig) -> GamesCsvCheck {
        let names = config.engines.iter().map(|engine| engine.name.clone()).collect();
        GamesCsvCheck { names, expected: BTreeMap::new() }
    }

    /// Takes note of a game of the journal; one without a result will be played again and is left out.
    pub fn add(&mut self, game: &GameRecord) {
        let Some(result) = game.result else { return };
        let name = |side| self.names[game.engine(side)].clone();
        let row = [name(Side::White), name(Side::Black), result.to_string()];
        self.expected.insert(game.game + 1, row);
    }

    /// The first thing in the table of a folder that is not as in the journal, in words. `None` when all of it is, or
    /// when there is no table, which nobody can then take for a whole one.
    pub fn trouble(&self, folder: &Path) -> Option<String> {
        let file = folder.join(FILE);
        let text = fs::read(&file).ok()?;
        let trouble = self.trouble_in(&text).err()?;
        Some(format!("{}, {trouble}", file.display()))
    }

    fn trouble_in(&self, text: &[u8]) -> Result<(), String> {
        let mut reader = csv::Reader::from_reader(text);
        let columns = ["game", COMPARED[0], COMPARED[1], COMPARED[2]];
        let heading = reader.headers().map_err(|error| format!("line 1: {error}"))?.clone();
        let places = columns.map(|column| heading.iter().position(|name| name == column));
        let [Some(game), Some(white), Some(black), Some(result)] = places else {
            return Err(format!("line 1: expected the columns {}", columns.join(", ")));
        };
        let mut missing = self.expected.clone();
        for row in reader.records() {
            let row = row.map_err(|error| cut_off(&error))?;
            let line = row.position().map_or(0, csv::Position::line);
            let said = [white, black, result].map(|place| row[place].to_owned());
            // An abandoned game has no result.
            if said[2].is_empty() {
                continue;
            }
            let number: Option<u32> = row[game].parse().ok();
            match number.and_then(|number| missing.remove(&number)) {
                Some(expected) if expected == said => {}
                Some(expected) => {
                    return Err(format!(
                        "line {line}: expected game {} as the journal has it, {}, found {}",
                        &row[game],
                        in_words(&expected),
                        in_words(&said)
                    ));
                }
                None => {
                    return Err(format!(
                        "line {line}: game {} is not in the journal, or is here twice",
                        &row[game]
                    ));
                }
            }
        }
        match missing.len() {
            0 if text.last() == Some(&b'\n') => Ok(()),
            0 => Err("the last line is cut off".to_owned()),
            count => Err(format!("{count} of the {} games of the journal are missing", self.expected.len())),
        }
    }
}

fn cut_off(error: &csv::Error) -> String {
    let line = error.position().map_or(0, csv::Position::line);
    format!("line {line}: expected a row with all its columns, found one that is cut off")
}

fn in_words([white, black, result]: &[String; 3]) -> String {
    format!("{white} – {black} {result}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_folder::games_csv::GamesCsv;
    use crate::run_state::made_up_games::{config, game, two_engine_match};

    /// A check that has seen the journal of a match, and the table of the same match.
    fn match_of(results: &str) -> (GamesCsvCheck, String) {
        let config = config(&["new", "old"], false);
        let (mut check, csv) = (GamesCsvCheck::new(&config), GamesCsv::new(&config));
        let mut table = Vec::new();
        GamesCsv::write_header(&mut table).unwrap();
        for game in two_engine_match(results) {
            check.add(&game);
            csv.write(&game, &mut table).unwrap();
        }
        (check, String::from_utf8(table).unwrap())
    }

    #[test]
    fn a_table_that_agrees_is_no_trouble_and_neither_is_an_abandoned_game() {
        let (mut check, mut table) = match_of("wdlw");
        assert_eq!(check.trouble_in(table.as_bytes()), Ok(()));
        let abandoned = game(4, (0, 1), None);
        check.add(&abandoned);
        let mut row = Vec::new();
        GamesCsv::new(&config(&["new", "old"], false)).write(&abandoned, &mut row).unwrap();
        table += std::str::from_utf8(&row).unwrap();
        assert_eq!(check.trouble_in(table.as_bytes()), Ok(()));
    }

    #[test]
    fn a_table_is_seen_to_be_cut_off_wherever_that_is() {
        let (check, table) = match_of("wdl");
        for end in 0..table.len() {
            assert!(check.trouble_in(&table.as_bytes()[..end]).is_err(), "{:?}", &table[..end]);
        }
    }

    #[test]
    fn a_row_that_says_something_else_is_told_with_its_line() {
        let (check, table) = match_of("ww");
        let changed = table.replacen("new,old,1-0", "new,old,0-1", 1);
        let told = check.trouble_in(changed.as_bytes()).unwrap_err();
        assert_eq!(told, "line 2: expected game 1 as the journal has it, new – old 1-0, found new – old 0-1");
        let twice = table.clone() + table.lines().nth(1).unwrap() + "\n";
        assert!(check.trouble_in(twice.as_bytes()).unwrap_err().contains("or is here twice"));
    }
}
