//! A part of the page with a heading.

use std::fmt;

/// A section, which the navigation at the top of the page leads to.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its anchor.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What it says, as HTML.
    pub body: String,
}

impl Section {
    /// A section with this content.
    pub fn new(id: &'static str, title: &'static str, body: &impl fmt::Display) -> Section {
        Section { id, title, body: body.to_string() }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<section id=\"{}\"><h2>{}</h2>\n{}</section>\n", self.id, self.title, self.body)
    }
}
