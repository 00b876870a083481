//! The configuration of the run: everything that is needed to repeat it.

use maud::html;

use super::{Section, ShownRun};
use crate::report::tests_text::unit;
use crate::report::verdict::limits_text;
use crate::text::number_text::percent;
use runner::{BookOrder, EngineConfig, RunConfig};

/// Command, versions, fingerprints and machine.
pub fn section(run: &ShownRun) -> Section {
    let config = &run.facts.config;
    let html = html! {
        dl.facts {
            @for (name, value) in facts(config) { dt { (name) } dd { (value) } }
        }
        h3 { "Engines" }
        dl.facts {
            @for (index, engine) in config.engines.iter().enumerate() {
                dt { (engine.name) }
                dd {
                    @for (place, line) in engine_lines(config, index, engine).iter().enumerate() {
                        @if place > 0 { br; }
                        (line)
                    }
                }
            }
        }
    };
    Section::new("configuration", "Configuration", "Configuration", &html)
}

fn facts(config: &RunConfig) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(made) = &config.made {
        facts.push(("Command", command_line(&made.command)));
        facts.push(("Started", made.date.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()));
        facts.push(("Arbiter", made.arbiter.clone()));
        facts.push(("Machine", format!("{}, {} cores, {}", made.cpu, made.cores, made.os)));
    }
    facts.push(("Limits", limits_text(&config.limits)));
    let shard = config.shard.map_or_else(String::new, |shard| format!(", shard {shard}"));
    facts.push(("Games", format!("{} per pairing, {}{shard}", config.games, config.format)));
    facts.push(("Concurrency", config.concurrency.to_string()));
    facts.push(("Openings", book_text(config)));
    if let Some(rules) = adjudication_text(config) {
        facts.push(("Adjudication", rules));
    }
    if let Some(test) = &config.sprt {
        let (elo0, elo1, alpha, beta) = (test.elo0(), test.elo1(), test.alpha(), test.beta());
        let of = if config.has_several_tests() { " for all pairings together" } else { "" };
        let unit = unit(test);
        facts.push(("SPRT", format!("[{elo0}, {elo1}] {unit}, alpha {alpha}{of}, beta {beta}")));
    }
    facts
}

fn command_line(words: &[String]) -> String {
    let quoted = words.iter().map(|word| {
        let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
        if !word.is_empty() && word.chars().all(is_plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn book_text(config: &RunConfig) -> String {
    let book = &config.book;
    let order = match book.order {
        BookOrder::Random => format!(", in random order with seed {}", book.seed),
        BookOrder::Fastchess => format!(", shuffled as by fastchess with seed {}", book.seed),
        BookOrder::Sequential => ", in the order of the file".to_owned(),
    };
    let sha256 = book.sha256.as_ref().map_or(String::new(), |sha256| format!(", SHA-256 {sha256}"));
    format!("{}{order}{sha256}", book.path.display())
}

fn adjudication_text(config: &RunConfig) -> Option<String> {
    let rules = &config.adjudication;
    let texts = [
        rules.draw.map(|rule| format!("draw {rule}")),
        rules.resign.map(|rule| format!("resign {rule}")),
        rules.max_moves.map(|moves| format!("draw after {moves} moves")),
        rules.syzygy.as_ref().map(|_| "Syzygy tablebases".to_owned()),
        rules.play_out.map(|share| format!("{} of games played out", percent(share.share()))),
    ];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

fn engine_lines(config: &RunConfig, index: usize, engine: &EngineConfig) -> Vec<String> {
    let options: Vec<String> = engine.options.iter().map(ToString::to_string).collect();
    let program = [engine.program.display().to_string()].into_iter().chain(engine.args.iter().cloned());
    let lines = [
        engine.version.clone(),
        engine.revision.as_ref().map(|revision| format!("revision {revision}")),
        Some(command_line(&program.collect::<Vec<_>>())),
        (!options.is_empty()).then(|| options.join(", ")),
        engine.limits.as_ref().map(|_| limits_text(config.limits_of(index))),
        engine.sha256.as_ref().map(|sha256| format!("SHA-256 {sha256}")),
    ];
    lines.into_iter().flatten().collect()
}
