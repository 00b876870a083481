//! The frame of every page: the head with its styles, the navigation, the foot.

use std::fmt;
use std::path::Path;

use super::escaped::Escaped;
use crate::files::write_whole;
use crate::report::page::Section;
use crate::run_folder::ReportError;

/// The styles, part of the page itself: it has to look the same when it is opened from a disk without a network.
const STYLES: [&str; 4] = [
    include_str!("page.css"),
    include_str!("tables.css"),
    include_str!("charts.css"),
    include_str!("print.css"),
];

/// A whole page.
pub struct Page<'a> {
    /// The title in the window.
    pub title: &'a str,
    /// What comes before the first section, as HTML.
    pub header: &'a str,
    /// The sections.
    pub sections: &'a [Section],
}

/// Writes a page in one step, so that a reader never sees half of it.
///
/// # Errors
/// When the file cannot be written.
pub fn write(file: &Path, html: &str) -> Result<(), ReportError> {
    write_whole(file, html).map_err(ReportError::at(file))
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = Escaped(self.title);
        f.write_str("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n")?;
        f.write_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")?;
        f.write_str("<meta name=\"color-scheme\" content=\"light dark\"/>\n")?;
        write!(f, "<title>{title}</title>\n<style>\n{}</style></head>\n<body>\n", STYLES.concat())?;
        write!(f, "<header>{}</header>\n<nav aria-label=\"Sections\"><ul>", self.header)?;
        for section in self.sections {
            write!(f, r##"<li><a href="#{}">{}</a></li>"##, section.id, section.title)?;
        }
        f.write_str("</ul></nav>\n<main>\n")?;
        self.sections.iter().try_for_each(|section| f.write_str(&section.html))?;
        let version = env!("CARGO_PKG_VERSION");
        write!(f, "</main>\n<footer>Made by Arbiter {version}.</footer>\n</body></html>\n")
    }
}
