//! The frame of every page: the head with its styles, the navigation, the foot.

use std::fmt;

use super::escaped::Escaped;
use super::section::Section;

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
        self.sections.iter().try_for_each(|section| section.fmt(f))?;
        let version = env!("CARGO_PKG_VERSION");
        write!(f, "</main>\n<footer>Made by Arbiter {version}.</footer>\n</body></html>\n")
    }
}
