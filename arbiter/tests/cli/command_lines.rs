//! Command lines found in the wild: each is accepted or refused as by its original program, and plays as many games.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::thread;

use crate::programs::MOCK_ENGINE;
use crate::workbench::{TARRASCH, Workbench};

/// The corpus. A block is a heading, `# source | shell | games`, followed by the lines of the script.
const CORPUS: &str = include_str!("command_lines.txt");

const AT_ONCE: usize = 4;

struct CommandLine {
    source: &'static str,
    words: Vec<String>,
    /// `None` if the original program refuses the line.
    games: Option<u32>,
    /// Why we refuse a line that the original program accepts.
    refusal: Option<&'static str>,
}

fn corpus() -> Vec<CommandLine> {
    let blocks = CORPUS.split("\n\n").filter_map(|block| block.strip_prefix("# "));
    let line = |block: &'static str| {
        let (heading, text) = block.split_once('\n').unwrap();
        let parts: Vec<&str> = heading.split(" | ").collect();
        CommandLine {
            source: parts[0],
            words: words(parts[1], text),
            games: parts[2].parse().ok(),
            refusal: parts.get(3).and_then(|note| note.strip_prefix("Arbiter: ")),
        }
    };
    blocks.map(line).collect()
}

fn words(shell: &str, text: &str) -> Vec<String> {
    let text = match shell {
        "sh" => text.replace("\\\n", " "),
        "powershell" => text.replace("`\n", " ").replace('\\', "\\\\"),
        // Only double quotes quote in cmd.
        "cmd" => text.replace("^\n", " ").replace('^', "").replace('\\', "\\\\").replace('\'', "\\'"),
        other => panic!("{other}"),
    };
    shlex::split(&text).unwrap()
}

fn bench() -> Workbench {
    let bench = Workbench::new();
    for engine in ["A", "B", "C"] {
        bench.write_program(engine, &format!("#!/bin/sh\nexec {TARRASCH}\n"));
    }
    bench.write_program("X", &format!("#!/bin/sh\nexec {MOCK_ENGINE} xboard\n"));
    bench.write(
        "book.epd",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n".repeat(2).as_str(),
    );
    bench.write("book960.epd", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\n");
    bench.write("book.pgn", "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n\n");
    let engine = |name: &str| format!(r#"{{"name": "{name}", "command": "./A", "protocol": "uci"}}"#);
    let engines = ["dev", "base", "Shallow Blue 2.0.0"].map(engine).join(", ");
    bench.write("engines.json", &format!("[{engines}]"));
    bench
}

/// The number of games announced with the first game, or the message printed instead.
fn announced(line: &CommandLine) -> Result<u32, String> {
    let bench = bench();
    let dialect = line.words[0].trim_end_matches("-cli");
    let args: Vec<&str> = [dialect].into_iter().chain(line.words[1..].iter().map(String::as_str)).collect();
    let mut command = bench.command(&args);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = Vec::new();
    let mut games = None;
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        games = line.strip_prefix("Started game ").and_then(|rest| rest.split(' ').nth(2)?.parse().ok());
        if games.is_some() {
            break;
        }
        said.push(line);
    }
    let _ = child.kill();
    let rest = child.wait_with_output().unwrap();
    games.ok_or_else(|| said.join("\n") + &String::from_utf8_lossy(&rest.stderr))
}

#[test]
fn each_public_command_line_is_taken_or_refused_as_by_its_program() {
    let corpus = corpus();
    assert!(corpus.len() >= 110, "{}", corpus.len());
    let check = |line: &CommandLine| match (announced(line), line.games, line.refusal) {
        (Ok(games), Some(expected), None) if games == expected => None,
        (Err(_), None, None) => None,
        (Err(said), Some(_), Some(refusal)) if said.contains(refusal) => None,
        (found, expected, _) => Some(format!("{}: expected {expected:?}, found {found:?}", line.source)),
    };
    let wrong: Vec<String> = thread::scope(|scope| {
        let share = |start: usize| {
            let lines = corpus.iter().skip(start).step_by(AT_ONCE);
            scope.spawn(move || lines.filter_map(check).collect::<Vec<_>>())
        };
        let shares: Vec<_> = (0..AT_ONCE).map(share).collect();
        shares.into_iter().flat_map(|share| share.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
