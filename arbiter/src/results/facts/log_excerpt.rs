//! The end of a protocol log.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use runner::foreign_folder::{open_file, refuse_link};

/// Bytes of a log that are shown: its end, where the game went wrong.
const SHOWN: u64 = 12 * 1024;

/// The last lines of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogExcerpt {
    /// The lines.
    pub text: String,
    /// Whether lines before them are left out.
    pub is_cut: bool,
}

impl LogExcerpt {
    /// Reads the end of a file. A link is not followed: what it leads to would be in a report that may be published.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> io::Result<LogExcerpt> {
        refuse_link(path)?;
        let mut file = open_file(path)?;
        let length = file.metadata()?.len();
        let is_cut = length > SHOWN;
        file.seek(SeekFrom::Start(length.saturating_sub(SHOWN)))?;
        let mut bytes = Vec::new();
        file.take(SHOWN).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        // Drops the rest of a line that was cut.
        let text = if is_cut { text.split_once('\n').map_or(&*text, |(_, whole)| whole) } else { &text };
        Ok(LogExcerpt { text: text.trim_end().to_owned(), is_cut })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_log_is_shown_from_the_beginning_of_a_line_to_its_end() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("1.log");
        let lines: String =
            (0..2000).flat_map(|line| ["line ".to_owned(), line.to_string(), "\n".to_owned()]).collect();
        std::fs::write(&path, &lines).unwrap();
        let excerpt = LogExcerpt::read(&path).unwrap();
        assert!(excerpt.is_cut && excerpt.text.ends_with("line 1999"));
        assert!(excerpt.text.starts_with("line ") && lines.contains(&excerpt.text));
        std::fs::write(&path, "short\n").unwrap();
        assert_eq!(LogExcerpt::read(&path).unwrap(), LogExcerpt { text: "short".to_owned(), is_cut: false });
    }
}
