//! A part of the page with a heading.

use std::fmt;

/// A section, which the navigation at the top of the page leads to.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its anchor.
    pub id: &'static str,
    /// What the navigation calls it.
    pub title: &'static str,
    /// The whole of it, as HTML.
    pub html: String,
}

impl Section {
    /// A section with this content, whose heading may say more than its title.
    pub fn new(id: &'static str, title: &'static str, heading: &str, body: &impl fmt::Display) -> Section {
        let html = format!("<section id=\"{id}\"><h2>{heading}</h2>\n{body}</section>\n");
        Section { id, title, html }
    }
}
