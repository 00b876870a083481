//! The configuration of the run, complete enough to repeat it, and the cost of adjudication.

use maud::{Markup, html};

use super::{Section, ShownRun};
use crate::report::adjudication_text::{notes, table};
use crate::text::number_text::{
    counted, elo_bounds, limits, limits_of_run, percent, rules_of_run, thousands,
};
use runner::{BookOrder, EngineConfig, RunConfig, Termination};

pub fn section(run: &ShownRun) -> Section {
    let config = &run.facts.config;
    let html = html! {
        dl.facts {
            @for (name, value) in facts(config) { dt { (name) } dd { (value) } }
        }
        h3 { "Engines" }
        dl.facts {
            @for (index, engine) in config.engines.iter().enumerate() {
                dt { (run.name(index)) }
                dd {
                    @for (place, line) in engine_lines(config, index, engine, run.name(index)).iter().enumerate() {
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
    facts.push(("Limits", limits_of_run(config)));
    let shard = config.shard.map_or_else(String::new, |shard| format!(", shard {shard}"));
    let games = match config.list {
        Some(_) => format!("at most {}, between engines that the results chose", config.games),
        None => format!("{} per pairing, {}{shard}", config.games, config.format),
    };
    facts.push(("Games", games));
    facts.push(("Concurrency", config.concurrency.to_string()));
    facts.push(("Openings", book_text(config)));
    if let Some(rules) = rules_of_run(config) {
        facts.push(("Adjudication", rules));
    }
    if let Some(test) = &config.sprt {
        let (alpha, beta) = (test.alpha(), test.beta());
        let of = if config.has_several_tests() { " for all pairings together" } else { "" };
        facts.push(("SPRT", format!("{}, alpha {alpha}{of}, beta {beta}", elo_bounds(test))));
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

fn engine_lines(config: &RunConfig, index: usize, engine: &EngineConfig, shown_as: &str) -> Vec<String> {
    let options: Vec<String> = engine.options.iter().map(ToString::to_string).collect();
    let program = [engine.program.display().to_string()].into_iter().chain(engine.args.iter().cloned());
    let lines = [
        (engine.name != shown_as).then(|| engine.name.clone()),
        engine.version.clone(),
        engine.revision.as_ref().map(|revision| format!("revision {revision}")),
        Some(command_line(&program.collect::<Vec<_>>())),
        (!options.is_empty()).then(|| options.join(", ")),
        engine.limits.as_ref().map(|_| limits(config.limits_of(index))),
        engine.sha256.as_ref().map(|sha256| format!("SHA-256 {sha256}")),
    ];
    lines.into_iter().flatten().collect()
}

/// The cost of the rules in use, or of the usual ones; `None` if no rule was used and the check is inconclusive.
pub fn adjudication_section(run: &ShownRun) -> Option<Section> {
    let rules = &run.facts.config.adjudication;
    let check = &run.facts.adjudication;
    let body = match (rules.judges_scores(), check.is_conclusive()) {
        (true, is_conclusive) => html! {
            p { (ended_by_rules(run)) " " (played_out(run, is_conclusive)) }
            @if is_conclusive { (rules_table(run)) }
        },
        (false, true) => html! {
            p {
                "No rule for draws or resignations was in use. This is what the usual ones would have done in the games \
                 that were played out."
            }
            (rules_table(run))
        },
        (false, false) => return None,
    };
    Some(Section::new("adjudication", "Adjudication", "What adjudication costs", &body))
}

fn ended_by_rules(run: &ShownRun) -> String {
    let by = |kind| run.summary.terminations.get(&kind).copied().unwrap_or(0);
    format!(
        "Of {}, {} ended by draw adjudication and {} by resign adjudication.",
        counted(run.summary.games, "game"),
        thousands(by(Termination::DrawAdjudication)),
        thousands(by(Termination::ResignAdjudication)),
    )
}

fn played_out(run: &ShownRun, is_conclusive: bool) -> String {
    match run.facts.config.adjudication.play_out {
        Some(share) if is_conclusive => format!(
            "{} of the games, chosen at random, were played out; in these the rules would have done this:",
            percent(share.share())
        ),
        Some(_) => "None of the games that were chosen to be played out is over.".to_owned(),
        None => "How many of these results are wrong is not known, because no game was played out where a rule would \
                 have ended it; --play-out 0.1 does that with a tenth of the games."
            .to_owned(),
    }
}

fn rules_table(run: &ShownRun) -> Markup {
    let check = &run.facts.adjudication;
    html! {
        (table(check))
        p {
            "Ended early: games that the rule would have ended before their last move. Changed: those that ended with \
             another result; the error rate is their share, with its 95% interval. "
            (notes(check).join(" "))
        }
    }
}
