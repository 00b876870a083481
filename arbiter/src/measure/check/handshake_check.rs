//! Checks the answer to `uci`: `id`, well-formed options, `uciok`.

use std::time::Duration;

use super::finding::{CheckOutcome, Finding};
use super::tested_engine::{START_TIMEOUT, TestedEngine};
use runner::process::EngineError;
use uci::{EngineOption, Message, OptionKind};

const BRISK: Duration = Duration::from_secs(2);

pub(super) const NAMES: [&str; 3] = ["handshake", "id", "options"];

const FIXED_TYPES: [(&str, &str); 6] = [
    ("Hash", "spin"),
    ("Ponder", "check"),
    ("MultiPV", "spin"),
    ("OwnBook", "check"),
    ("UCI_Chess960", "check"),
    ("UCI_ShowWDL", "check"),
];

pub(super) fn findings(engine: &mut TestedEngine) -> Result<Vec<Finding>, EngineError> {
    engine.start()?;
    let mut lines = Vec::new();
    let answered = engine.ask("uci\n", START_TIMEOUT, |line| {
        lines.push(line.trim().to_owned());
        line.trim() == "uciok"
    });
    let elapsed = answered?;
    engine.kill();
    let handshake = CheckOutcome::pass("uciok comes in time")
        .warn_if(elapsed > BRISK, "uciok is late")
        .seen(format!("{} ms", elapsed.as_millis()));
    let outcomes = [handshake, id(&lines), options(&lines)].into_iter();
    Ok(outcomes.zip(NAMES).map(|(outcome, name)| outcome.of(name)).collect())
}

fn id(lines: &[String]) -> CheckOutcome {
    let id_lines = |word: &str| {
        let prefix = format!("id {word} ");
        let said = lines.iter().filter_map(move |line| line.strip_prefix(&prefix));
        said.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>()
    };
    let (names, authors) = (id_lines("name"), id_lines("author"));
    match (names.first(), authors.first()) {
        (Some(_), Some(_)) if names.len() > 1 => {
            CheckOutcome::warn("`id name` is sent more than once; the first counts").seen(names.join("; "))
        }
        (Some(name), Some(author)) => {
            CheckOutcome::pass("it sends its name and author").seen(format!("{name}, {author}"))
        }
        (None, _) => CheckOutcome::fail("`id name` is missing; the protocol demands it"),
        (_, None) => CheckOutcome::warn("`id author` is missing; the protocol demands it"),
    }
}

fn options(lines: &[String]) -> CheckOutcome {
    let lines: Vec<&String> =
        lines.iter().filter(|line| line.split_whitespace().next() == Some("option")).collect();
    let mut options: Vec<EngineOption> = Vec::new();
    let mut problems = Vec::new();
    for line in &lines {
        match line.parse() {
            Ok(Message::Option(option)) => {
                problems.extend(problem(&option, line).map(|problem| format!("{}: {problem}", option.name)));
                if options.iter().any(|other| other.is_named(&option.name)) {
                    problems.push(format!("{}: sent twice; option names are case-insensitive", option.name));
                }
                options.push(option);
            }
            Ok(_) => {}
            Err(error) => problems.push(format!("`{line}`: {error}")),
        }
    }
    if problems.is_empty() {
        CheckOutcome::pass(format!("{} options are well-formed", options.len()))
    } else {
        CheckOutcome::fail("options are malformed").seen(problems.join("; "))
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
        return Some(format!("has the type {type_word}; the protocol demands {expected}"));
    }
    match &option.kind {
        OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
            Some(format!("the default {default} is not between {min} and {max}"))
        }
        OptionKind::Combo { default, choices } if !choices.contains(default) => {
            Some(format!("the default `{default}` is not one of {}", choices.join(", ")))
        }
        OptionKind::Check { .. } if !line.contains(" default true") && !line.contains(" default false") => {
            Some("the default of a check must be true or false".to_owned())
        }
        _ => None,
    }
}
