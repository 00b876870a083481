//! A chart with its title and what its colours mean.

use std::fmt;

use super::run_report::RunReport;
use crate::html::Escaped;
use crate::html::plot::SeriesClass;

/// A chart as it stands on the page. The legend is HTML, so that it can break into lines on a narrow screen.
pub struct Figure<'a> {
    /// What the chart shows.
    pub title: &'a str,
    /// What has to be known to read it; may be empty.
    pub note: &'a str,
    /// Names with the classes that colour them; empty where there is nothing to tell apart.
    pub legend: &'a [(String, String)],
    /// The chart.
    pub chart: &'a dyn fmt::Display,
}

impl fmt::Display for Figure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<figure><figcaption><h3>{}</h3>", Escaped(self.title))?;
        if !self.note.is_empty() {
            write!(f, "<p>{}</p>", Escaped(self.note))?;
        }
        f.write_str("</figcaption>")?;
        if !self.legend.is_empty() {
            f.write_str(r#"<ul class="legend">"#)?;
            for (name, class) in self.legend {
                write!(f, r#"<li><i class="swatch {class}"></i>{}</li>"#, Escaped(name))?;
            }
            f.write_str("</ul>")?;
        }
        writeln!(f, "{}</figure>", self.chart)
    }
}

/// The legend of charts with one series an engine.
pub fn engine_legend(report: &RunReport) -> Vec<(String, String)> {
    let engines = report.summary.engines.iter().enumerate();
    engines.map(|(index, engine)| (engine.name.clone(), SeriesClass(index).to_string())).collect()
}
