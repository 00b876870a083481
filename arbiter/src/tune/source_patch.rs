//! A patch that puts tuned values into the source of the engine.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use regex_lite::{Regex, escape};
use runner::EngineConfig;
use similar::TextDiff;
use stats::SpsaParameter;

use super::spec::identifier;
use crate::engines::locate;

/// The patch for the file that the manifest of a tuned engine names: a unified diff from the values that the tuning started
/// from to those that it found.
pub fn of_engine(engine: &EngineConfig, from: &[SpsaParameter], to: &[SpsaParameter]) -> Result<String> {
    let name = engine.name.trim_end_matches('+').split(['@', '+']).next().unwrap_or_default();
    let manifest = locate::manifest(name)?.and_then(|it| Some((it.root?, it.manifest.tuned?)));
    let (root, file) = manifest.with_context(|| {
        format!("engine {name}: expected engines/{name}/engine.toml with `tuned = \"FILE\"`, the source of the tuned values")
    })?;
    let path = root.join(&file);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    patch(&file, &text, from, to).with_context(|| path.display().to_string())
}

fn patch(file: &Path, text: &str, from: &[SpsaParameter], to: &[SpsaParameter]) -> Result<String> {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for (from, to) in from.iter().zip(to).filter(|(from, to)| from.text(from.value) != to.text(to.value)) {
        let places: Vec<_> = (lines.iter().enumerate())
            .filter_map(|(number, line)| Some((number, value_after_name(line, from)?)))
            .collect();
        let [(number, (start, end))] = places[..] else {
            bail!(
                "{}: expected one line with this name and then its old value, {}; found {}",
                from.name,
                from.text(from.value),
                places.len()
            );
        };
        lines[number].replace_range(start..end, &to.text(to.value));
    }
    let changed = lines.concat();
    ensure!(changed != text, "expected values that differ from the start, found none");
    let file = file.display();
    let names = [format!("a/{file}"), format!("b/{file}")];
    Ok(TextDiff::from_lines(text, &changed).unified_diff().header(&names[0], &names[1]).to_string())
}

/// The place of the first number after an option's name, if it is the option's value. The source may write the name in other
/// case, or with an underscore for a blank.
fn value_after_name(line: &str, parameter: &SpsaParameter) -> Option<(usize, usize)> {
    let name = escape(&identifier(&parameter.name)).replace('_', "[_ ]");
    let name = Regex::new(&format!(r"(?i)\b{name}\b")).ok()?;
    let number = Regex::new(r"-?\b[0-9]+(\.[0-9]+)?\b").ok()?;
    let found = number.find_at(line, name.find(line)?.end())?;
    let value: f64 = found.as_str().parse().ok()?;
    let is_value = parameter.text(value) == parameter.text(parameter.value);
    is_value.then_some((found.start(), found.end()))
}

#[cfg(test)]
mod tests {
    use super::super::spec;
    use super::*;

    #[test]
    fn only_a_line_with_the_name_and_the_old_value_is_changed() {
        let parameter = |row: &str| spec::row(row).unwrap().0;
        let from = ["LMR Base, int, 52, 0, 99", "margin, int, 8, 0, 99"].map(parameter);
        let to = ["LMR Base, int, 61, 0, 99", "margin, int, 8, 0, 99"].map(parameter);
        let source =
            "// the LMR_BASE\nint lmr_base2 = 52;\nTUNE(\"lmr base\", 52, 20, 52)\nint margin = 8;\n";
        let found = patch(Path::new("a.c"), source, &from, &to).unwrap();
        assert_eq!(
            found,
            "--- a/a.c\n+++ b/a.c\n@@ -1,4 +1,4 @@\n // the LMR_BASE\n int lmr_base2 = 52;\n-TUNE(\"lmr base\", 52, 20, 52)\n\
             +TUNE(\"lmr base\", 61, 20, 52)\n int margin = 8;\n"
        );
        let twice = source.repeat(2);
        for source in ["LMR_BASE = 53", "LMR_BASE", &twice] {
            assert!(patch(Path::new("a.c"), source, &from, &to).is_err(), "{source}");
        }
    }
}
