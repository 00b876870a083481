//! Holds the conversations of `conversations.txt`, whose head explains its steps. It is read when the test runs.

use std::fmt::Write;
use std::fs;

use uci::Command;

use super::*;
use crate::Termination;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/protocol/xboard/conversations.txt");

#[test]
fn every_conversation_is_held_as_written() {
    let mut engine = Xboard::default();
    let mut info = EngineInfo::default();
    let (mut variant, mut told, mut problems) = (Variant::Standard, Vec::new(), Vec::new());
    for (number, step) in fs::read_to_string(FILE).unwrap().lines().enumerate() {
        let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
        let mut lines = String::new();
        match word {
            "" | "#" => continue,
            "==" => (engine, info, variant) = (Xboard::default(), EngineInfo::default(), Variant::Standard),
            "variant" => variant = Variant::typed(rest).unwrap(),
            "feature" => {
                let heard = engine.introduce(step, &mut info, &mut lines);
                write!(lines, "{heard:?}").unwrap();
            }
            "options" => info.options.iter().for_each(|option| writeln!(lines, "{option}").unwrap()),
            "unread" => {
                let mut tell = |(name, problem): &(_, _)| writeln!(lines, "{name}: {problem}").unwrap();
                info.unread.iter().for_each(&mut tell);
            }
            "set" => {
                let (name, value) =
                    rest.split_once('=').map_or((rest, None), |(name, value)| (name, Some(value)));
                engine.write(Request::SetOption(name, value), &mut lines);
            }
            "new" => engine.write(Request::NewGame, &mut lines),
            "?" => {
                let (position, go) = rest.split_once(" | ").unwrap();
                let (Ok(Command::Position { start, moves }), Ok(Command::Go(go))) =
                    (format!("position {position}").parse(), go.parse())
                else {
                    panic!("line {}", number + 1);
                };
                let mut position = PositionLine::new(start.fen(), variant);
                for played in &moves {
                    position.play(played.as_str());
                }
                engine.write(Request::Search(SearchTask::Of(&position, &go)), &mut lines);
            }
            "over" => engine.write(Request::GameOver(GameResult::Draw, Termination::MaxMoves), &mut lines),
            "silence" => {
                let begins = [Request::Introduce, Request::NewGame];
                lines =
                    format!("{:?}", begins.map(|request| engine.silence(request, Duration::MAX).is_some()));
            }
            "refuses" => {
                let mut limits = SearchLimits::default();
                for (key, value) in rest.split(' ').filter_map(|word| word.split_once('=')) {
                    match key {
                        "tc" => limits.clock = value.parse().ok(),
                        "movetime" => limits.movetime = value.parse().ok().map(Duration::from_millis),
                        _ => limits.nodes = value.parse().ok(),
                    }
                }
                lines = engine.refuses(&limits).unwrap_or_else(|| "nothing".to_owned());
            }
            "again" => lines = engine.plays_again().to_string(),
            "<" => {
                let kind = engine.classify(rest.as_bytes()).0;
                let message = engine.read(rest).filter(|_| kind != LineKind::Idle);
                lines = message.map_or_else(|| format!("{kind:?}"), |message| format!("{kind:?} {message}"));
                lines += if engine.resignation().is_some() { ", resigned" } else { "" };
            }
            ">" => {
                let found = if told.is_empty() { String::new() } else { told.remove(0) };
                if rest != found {
                    problems.push(format!("line {}: expected {rest}\n  found {found}", number + 1));
                }
                continue;
            }
            other => panic!("line {}: no step `{other}`", number + 1),
        }
        problems.extend(told.iter().map(|told| format!("before line {}: not expected: {told}", number + 1)));
        told = lines.trim_end().lines().map(str::to_owned).collect();
        // Commands that are sent together are written as one line, options each as one.
        if !told.is_empty() && !matches!(word, "options" | "unread") {
            told = vec![told.join(", ")];
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
