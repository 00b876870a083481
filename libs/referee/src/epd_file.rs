use std::{fs, io, path::Path};

use thiserror::Error;

use super::{Epd, EpdError};

/// The positions of an EPD file, each with the number of its line. Blank lines and those that start with `#` are
/// comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdFile {
    /// The name of the file in messages.
    pub name: String,
    /// Line number, counted from 1, and position.
    pub entries: Vec<(usize, Epd)>,
}

/// Why an EPD file could not be read.
#[derive(Debug, Error)]
pub enum EpdFileError {
    /// An error of the file system.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// A line is not EPD.
    #[error("{file}:{line}: {source}")]
    Line {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// Where in the line and what was expected.
        source: EpdError,
    },
}

impl EpdFile {
    /// Reads a file. Bytes that are not UTF-8, as in old collections, are replaced.
    ///
    /// # Errors
    /// [`EpdFileError`] when the file cannot be read, or at the first line that is not EPD.
    pub fn load(path: &Path) -> Result<Self, EpdFileError> {
        let name = path.display().to_string();
        match fs::read(path) {
            Ok(bytes) => Self::parse(&name, &String::from_utf8_lossy(&bytes)),
            Err(source) => Err(EpdFileError::Io { file: name, source }),
        }
    }

    /// Reads a text that is already in memory; `name` is for messages.
    ///
    /// # Errors
    /// [`EpdFileError::Line`] at the first line that is not EPD.
    pub fn parse(name: &str, text: &str) -> Result<Self, EpdFileError> {
        Ok(Self { name: name.to_owned(), entries: Self::read(name, text).collect::<Result<_, _>>()? })
    }

    /// Reads a text position by position, for files too long for memory. Each position has its line number.
    pub fn read(name: &str, text: &str) -> impl Iterator<Item = Result<(usize, Epd), EpdFileError>> {
        text.trim_start_matches('\u{feff}')
            .lines()
            .enumerate()
            // Some programs write zero bytes at the ends of lines.
            .map(|(index, line)| (index + 1, line.trim_end_matches(['\0', '\r', ' ', '\t'])))
            .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
            .map(move |(line, text)| match Epd::parse(text) {
                Ok(epd) => Ok((line, epd)),
                Err(source) => Err(EpdFileError::Line { file: name.to_owned(), line, source }),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_count_as_lines() {
        let text =
            "\u{feff}# sources\n\n8/8/8/8/8/8/8/8 w - - id \"one\";\r\n  # more\n8/8/8/8/8/8/8/8 b - -\n";
        let file = EpdFile::parse("x.epd", text).unwrap();
        let lines: Vec<_> = file.entries.iter().map(|(line, epd)| (*line, epd.id())).collect();
        assert_eq!(lines, [(3, Some("one")), (5, None)]);
    }

    #[test]
    fn an_error_names_file_line_and_column() {
        let error = EpdFile::parse("x.epd", "# a\n8/8/8/8/8/8/8/8 w - - ;\n8/8 w\n").unwrap_err();
        assert_eq!(error.to_string(), "x.epd:3: column 1: expected a board of eight ranks");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = EpdFile::load(Path::new("no/such.epd")).unwrap_err();
        assert!(error.to_string().starts_with("no/such.epd: "));
    }
}
