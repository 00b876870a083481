//! Notes the failures of the current commit in `arbiter.toml` as known, so that `arbiter ci` passes now and reports new
//! ones.

use crate::compare::ci::StepResult;

/// The file with the failures of a step: what may fail, or is left out; or else the whole step in comments.
pub fn note(text: &str, StepResult { step, judgement, .. }: &StepResult) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let title = format!("[{step}]");
    let Some(begin) = lines.iter().position(|line| *line == title) else { return text.to_owned() };
    let is_over = |line: &String| line.is_empty() || line.starts_with('[');
    let more = lines[begin + 1..].iter().position(is_over);
    let end = more.map_or(lines.len(), |more| begin + 1 + more);
    let table = &lines[begin..end];
    let noted = step.excused(table, judgement).unwrap_or_else(|| {
        let why = format!("# It fails today: {}", judgement.reason());
        let hint = "# Remove each # below to enable the step again.".to_owned();
        [why, hint].into_iter().chain(table.iter().map(|line| format!("# {line}"))).collect()
    });
    lines.splice(begin..end, noted);
    lines.join("\n") + "\n"
}
