//! Does the engine introduce itself as the protocol asks: `id`, well-formed options, `uciok`?

use std::ops::ControlFlow;
use std::time::Duration;

use super::finding::{Finding, Outcome};
use super::interview::{Interview, START_PATIENCE};
use runner::process::EngineError;
use uci::{EngineOption, Message, OptionKind};

/// GUIs start many engines; one that takes longer than this is a nuisance.
const BRISK: Duration = Duration::from_secs(2);

/// Options whose names the protocol fixes, and their types.
const FIXED_TYPES: [(&str, &str); 6] = [
    ("Hash", "spin"),
    ("Ponder", "check"),
    ("MultiPV", "spin"),
    ("OwnBook", "check"),
    ("UCI_Chess960", "check"),
    ("UCI_ShowWDL", "check"),
];

/// Starts the engine and looks at everything between `uci` and `uciok`.
///
/// # Errors
/// The engine cannot be started or does not say `uciok`; nothing else can be checked then.
pub(super) fn findings(interview: &mut Interview<'_>) -> Result<Vec<Finding>, EngineError> {
    interview.start()?;
    let mut lines = Vec::new();
    let elapsed = interview.ask("uci\n", START_PATIENCE, |line| {
        let line = line.trim().to_owned();
        let is_last = line == "uciok";
        lines.push(line);
        if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    interview.part();
    let seen = format!("{} ms", elapsed.as_millis());
    let handshake = if elapsed > BRISK {
        Outcome::warn("uciok comes late").seen(seen)
    } else {
        Outcome::pass("uciok comes at once").seen(seen)
    };
    Ok(vec![handshake.of("handshake"), id(&lines).of("id"), options(&lines).of("options")])
}

fn id(lines: &[String]) -> Outcome {
    let said = |word: &str| {
        let prefix = format!("id {word} ");
        lines.iter().find_map(|line| line.strip_prefix(&prefix)).filter(|text| !text.trim().is_empty())
    };
    match (said("name"), said("author")) {
        (Some(name), Some(author)) => {
            Outcome::pass("it gives its name and its author").seen(format!("{name}, {author}"))
        }
        (None, _) => Outcome::fail("there is no line `id name`, which the protocol demands"),
        (_, None) => Outcome::warn("there is no line `id author`, which the protocol demands"),
    }
}

fn options(lines: &[String]) -> Outcome {
    let lines: Vec<&String> =
        lines.iter().filter(|line| line.split_whitespace().next() == Some("option")).collect();
    let mut options: Vec<EngineOption> = Vec::new();
    let mut problems = Vec::new();
    for line in &lines {
        match line.parse() {
            Ok(Message::Option(option)) => {
                problems.extend(problem(&option, line).map(|problem| format!("{}: {problem}", option.name)));
                if options.iter().any(|other| other.is_named(&option.name)) {
                    problems.push(format!("{}: announced twice; case makes no difference", option.name));
                }
                options.push(option);
            }
            Ok(_) => {}
            Err(error) => problems.push(format!("`{line}`: {error}")),
        }
    }
    if problems.is_empty() {
        Outcome::pass(format!("{} options are well-formed", options.len()))
    } else {
        Outcome::fail("options are malformed").seen(problems.join("; "))
    }
}

fn problem(option: &EngineOption, line: &str) -> Option<String> {
    let type_word = match &option.kind {
        OptionKind::Check { .. } => "check",
        OptionKind::Spin { .. } => "spin",
        OptionKind::Combo { .. } => "combo",
        OptionKind::Button => "button",
        OptionKind::String { .. } => "string",
    };
    let fixed = FIXED_TYPES.iter().find(|(name, _)| option.is_named(name));
    if let Some((_, expected)) = fixed.filter(|(_, expected)| *expected != type_word) {
        return Some(format!("is of type {type_word}; the protocol says {expected}"));
    }
    match &option.kind {
        OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
            Some(format!("the default {default} is not in {min} to {max}"))
        }
        OptionKind::Combo { default, choices } if !choices.contains(default) => {
            Some(format!("the default `{default}` is none of {}", choices.join(", ")))
        }
        OptionKind::Check { .. } if !line.contains(" default true") && !line.contains(" default false") => {
            Some("a check has to be true or false by default".to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::protocol::finding::Verdict;

    fn judge(lines: &[&str]) -> Outcome {
        options(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn sound_options_pass() {
        let outcome = judge(&[
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Ponder type check default false",
            "option name Style type combo default Solid var Solid var Risky Business",
            "option name Clear Hash type button",
            "option name Book type string default <empty>",
            "Stockfish by its authors",
        ]);
        assert_eq!(
            (outcome.verdict, outcome.sentence.as_str()),
            (Verdict::Pass, "5 options are well-formed")
        );
    }

    #[test]
    fn every_malformed_option_is_named() {
        for (line, complaint) in [
            ("option name Hash type spin default 0 min 1 max 1024", "0 is not in 1 to 1024"),
            ("option name Hash type string default 16", "the protocol says spin"),
            ("option name Style type combo default Wild var Solid", "`Wild` is none of Solid"),
            ("option name Ponder type check default on", "true or false"),
            ("option name Speed type spin default 5", "`min` needs a value"),
            ("option Speed type button", "`name` needs a value"),
        ] {
            let outcome = judge(&[line]);
            assert_eq!(outcome.verdict, Verdict::Fail, "{line}");
            assert!(outcome.seen.as_ref().unwrap().contains(complaint), "{outcome:?}");
        }
        let twice = judge(&["option name A b type button", "option name a B type button"]);
        assert!(twice.seen.unwrap().contains("announced twice"));
    }
}
