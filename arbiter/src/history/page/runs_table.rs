//! The runs that make up a history.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::html::Escaped;
use crate::report::page::Section;
use crate::report::page::facts::RunFacts;
use crate::report::page::sections::headline::limits_text;

/// Each run with its date, its contestants, and where it lies.
pub fn section(runs: &[(PathBuf, RunFacts)]) -> Section {
    let mut html =
        "<div class=\"scroll\"><table class=\"texts\"><thead><tr><th>Date</th><th>Engines</th><th>Limits</th><th>Games</th>\
                    <th>Folder</th></tr></thead><tbody>\n"
            .to_owned();
    for (folder, facts) in runs {
        let date = facts.config.made.as_ref().map(|made| made.date.strftime("%Y-%m-%d %H:%M").to_string());
        let names: Vec<&str> = facts.config.engines.iter().map(|engine| engine.name.as_str()).collect();
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            date.unwrap_or_default(),
            Escaped(&names.join(", ")),
            Escaped(&limits_text(&facts.config.limits)),
            facts.games,
            Escaped(&folder.display().to_string()),
        );
    }
    html += "</tbody></table></div>\n";
    Section::new("runs", "Runs", "Runs", &html)
}
