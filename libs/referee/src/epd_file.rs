use std::collections::BTreeMap;

use super::files::{EpdFileError, Skipped};
use super::{Epd, EpdError, epd::is_known};

/// The positions of an EPD file, with their line numbers. Blank lines are skipped; lines that start with `#` are
/// comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EpdFile {
    /// Line numbers, counted from 1, and positions.
    pub entries: Vec<(usize, Epd)>,
    /// The lines that are not EPD.
    pub skipped: Skipped,
    /// The lines that were read although they deviate from the standard, by deviation.
    pub mended: Skipped,
    /// How often each opcode occurs that is not in the standard, such as `PV:`.
    pub unknown: BTreeMap<String, usize>,
}

impl EpdFile {
    /// Reads a text; `name` is for messages.
    pub fn parse(name: &str, text: &str) -> EpdFile {
        let mut file = EpdFile::default();
        for (line, read) in read_lines(text) {
            match read {
                Ok((epd, mended)) => {
                    if !mended.is_empty() {
                        file.mended.name(&format!("{name}:{line}: {}", mended.join(", ")));
                    }
                    for operation in epd.operations.iter().filter(|operation| !is_known(&operation.opcode)) {
                        *file.unknown.entry(operation.opcode.clone()).or_default() += 1;
                    }
                    file.entries.push((line, epd));
                }
                Err(source) => file.skipped.name(&EpdFileError { file: name.to_owned(), line, source }),
            }
        }
        file
    }

    /// Reads a text position by position, with line numbers, for files too long for memory.
    pub fn read(name: &str, text: &str) -> impl Iterator<Item = Result<(usize, Epd), EpdFileError>> {
        read_lines(text).map(move |(line, read)| match read {
            Ok((epd, _)) => Ok((line, epd)),
            Err(source) => Err(EpdFileError { file: name.to_owned(), line, source }),
        })
    }
}

type MendedEpd = Result<(Epd, Vec<&'static str>), EpdError>;

fn read_lines(text: &str) -> impl Iterator<Item = (usize, MendedEpd)> {
    lines(text).map(|(line, text)| (line, mend(text)))
}

/// The lines that are neither blank nor comments, with their numbers from 1.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, trimmed(line)))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The line without blanks and zero bytes at its ends: some programs write zero bytes there, and some elsewhere.
pub(super) fn trimmed(line: &str) -> &str {
    line.trim_matches(['\0', '\r', ' ', '\t', '\u{feff}'])
}

/// Reads a trimmed line.
pub(super) fn mend(line: &str) -> MendedEpd {
    if line.contains('\0') { Epd::mend(&line.replace('\0', " ")) } else { Epd::mend(line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_count_as_lines() {
        let text =
            "\u{feff}# sources\n\n8/8/8/8/8/8/8/8 w - - id \"one\";\r\n  # more\n8/8/8/8/8/8/8/8\0b - -\0\n";
        let file = EpdFile::parse("x.epd", text);
        let lines: Vec<_> = file.entries.iter().map(|(line, epd)| (*line, epd.id())).collect();
        assert_eq!(lines, [(3, Some("one")), (5, None)]);
        assert_eq!((file.skipped.count, file.mended.count), (0, 0));
    }

    #[test]
    fn lines_that_are_skipped_or_mended_are_named_with_file_and_line() {
        let text =
            "# a\n8/8/8/8/8/8/8/8 w - - - - ;\n8/8 w\n8/8/8/8/8/8/8/8 w - - id \"x\"; 00:00; PV: e4; 00:00;";
        let file = EpdFile::parse("x.epd", text);
        assert_eq!(
            file.unknown.into_iter().collect::<Vec<_>>(),
            [("00:00".to_owned(), 2), ("PV:".to_owned(), 1)]
        );
        assert_eq!(file.skipped.first, ["x.epd:3: column 1: expected a board of eight ranks"]);
        assert_eq!(file.mended.first, ["x.epd:2: counters that are not two numbers"]);
    }
}
