//! Reads files of positions into a [`DataSet`].

use std::path::Path;
use std::{fs, io};

use tarrasch::eval::Coefficients;
use thiserror::Error;

use super::data_set::DataSet;
use super::labelled_position::{LabelledPosition, LineError};
use super::parts::in_parts;
use super::quiet::is_quiet;

/// How many lines are read before their positions are added to the set: not so many that they take memory twice.
const BLOCK: usize = 1 << 16;

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub enum PositionsError {
    /// The file system refused, or it is no text.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// A line is not what was expected.
    #[error("{file}:{line}: {source}")]
    Line {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        source: LineError,
    },
}

/// The positions of some lines.
#[derive(Debug, Default)]
struct Part {
    data: DataSet,
    unquiet: usize,
}

/// Adds the quiet positions of a file in their order, and returns how many others it has. Blank lines and those that
/// start with `#` are comments.
///
/// # Errors
/// The file cannot be read, or the first line that is wrong.
pub fn load(path: &Path, threads: usize, data: &mut DataSet) -> Result<usize, PositionsError> {
    let file = path.display().to_string();
    match fs::read_to_string(path) {
        Ok(text) => read(&file, &text, threads, data),
        Err(source) => Err(PositionsError::Io { file, source }),
    }
}

fn read(file: &str, text: &str, threads: usize, data: &mut DataSet) -> Result<usize, PositionsError> {
    let is_comment = |text: &str| text.trim().is_empty() || text.starts_with('#');
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).filter(|(_, text)| !is_comment(text)).collect();
    let mut unquiet = 0;
    for block in lines.chunks(BLOCK) {
        for part in in_parts(block, threads, |lines| read_part(file, lines)) {
            let part = part?;
            data.append(&part.data);
            unquiet += part.unquiet;
        }
    }
    Ok(unquiet)
}

fn read_part(file: &str, lines: &[(usize, &str)]) -> Result<Part, PositionsError> {
    let mut part = Part::default();
    for &(line, text) in lines {
        let LabelledPosition { position, label } = LabelledPosition::parse(text)
            .map_err(|source| PositionsError::Line { file: file.to_owned(), line, source })?;
        if is_quiet(&position) {
            part.data.push(&Coefficients::of(&position), label);
        } else {
            part.unquiet += 1;
        }
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 20; c9 \"1/2-1/2\";\n";
    const CHECK: &str = "4k3/8/8/8/8/8/4r3/4K3 w - - c9 \"0-1\";\n";
    const ENDGAME: &str = "8/8/4k3/8/8/4K3/4P3/8 b - - c9 \"1-0\";\n";

    #[test]
    fn positions_keep_their_order_and_those_that_are_not_quiet_are_counted() {
        let text = ["# three\n\n", START, CHECK, &ENDGAME.repeat(40), START].concat();
        for threads in [1, 3] {
            let mut data = DataSet::default();
            assert_eq!(read("x.epd", &text, threads, &mut data).unwrap(), 1);
            assert_eq!(data.len(), 42);
            let phases: Vec<u8> = [0, 1, 40, 41].map(|index| data.get(index).phase).to_vec();
            assert_eq!(phases, [24, 0, 0, 24]);
            assert_eq!((data.get(0).label.score, data.get(41).label.score), (Some(20), Some(20)));
        }
    }

    #[test]
    fn the_first_line_that_is_wrong_is_named() {
        let text = ["# three\n\n", START, "8/8 w - -\n", &ENDGAME.repeat(40), "nonsense\n"].concat();
        let message = read("x.epd", &text, 2, &mut DataSet::default()).unwrap_err().to_string();
        assert!(message.starts_with("x.epd:4: "), "{message}");
        let message = load("no/such.epd".as_ref(), 1, &mut DataSet::default()).unwrap_err().to_string();
        assert!(message.starts_with("no/such.epd: "), "{message}");
    }
}
