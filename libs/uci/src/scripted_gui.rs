//! A GUI for tests: it sends lines to an engine and reads the answers.
//!
//! The engine is a value behind the [`server`] in this process, or a program. The tests of all engines use this GUI.

#![expect(clippy::missing_panics_doc, reason = "for tests: whatever is not as it should be is a panic")]

use std::io::{self, BufRead, BufReader, Read, Write, pipe};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::server::{self, UciEngine};
use crate::{BestMove, Info, Message, Score};

/// The time limit of an answer, much longer than any answer takes.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The GUI's end of a conversation. Dropping it closes the engine's input, so that the engine ends too.
pub struct ScriptedGui {
    input: Option<Box<dyn Write>>,
    output: Receiver<String>,
    engine: OtherEnd,
}

/// The engine: behind the server in this process, or a program.
enum OtherEnd {
    Server(JoinHandle<io::Result<()>>),
    Program(Child),
}

impl ScriptedGui {
    /// Starts a conversation with `engine` behind the server.
    pub fn with(engine: impl UciEngine + 'static) -> ScriptedGui {
        let (commands, input) = pipe().unwrap();
        let (messages, output) = pipe().unwrap();
        let server = thread::spawn(move || server::serve(engine, BufReader::new(commands), output));
        ScriptedGui {
            input: Some(Box::new(input)),
            output: lines_of(messages),
            engine: OtherEnd::Server(server),
        }
    }

    /// Starts a conversation with a program.
    pub fn start(program: impl AsRef<Path>) -> ScriptedGui {
        let mut command = Command::new(program.as_ref());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, messages) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        ScriptedGui {
            input: Some(Box::new(input)),
            output: lines_of(messages),
            engine: OtherEnd::Program(child),
        }
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").and_then(|()| input.flush()).unwrap();
    }

    /// Reads lines up to and including the first that starts with `start`.
    pub fn read_until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.output.recv_timeout(TIMEOUT);
            lines.push(line.unwrap_or_else(|_| panic!("no `{start}` in {lines:?}")));
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    /// Sends commands that start no search, and returns the answers.
    pub fn ask(&mut self, commands: &[&str]) -> Vec<String> {
        for command in commands {
            self.send(command);
        }
        self.send("isready");
        let mut lines = self.read_until("readyok");
        lines.pop();
        lines
    }

    /// Sets up a position, sends a `go` that ends by itself, and returns the answer.
    pub fn search(&mut self, position: &str, go: &str) -> SearchOutput {
        self.send(position);
        self.send(go);
        self.answer()
    }

    /// Reads the lines up to the next `bestmove`.
    pub fn answer(&self) -> SearchOutput {
        let lines = self.read_until("bestmove");
        let mut infos = Vec::new();
        for line in &lines {
            match line.parse() {
                Ok(Message::Info(info)) => infos.push(*info),
                Ok(Message::BestMove(answer)) => return SearchOutput { infos, answer },
                other => panic!("a search does not answer `{line}`: {other:?}"),
            }
        }
        unreachable!("the last line is a `bestmove`: {lines:?}")
    }

    /// Closes the input, waits for the engine to end without an error, and returns the rest of its output.
    pub fn end(mut self) -> Vec<String> {
        self.input = None;
        self.wait()
    }

    /// Waits like [`end`](ScriptedGui::end), but leaves the input open.
    pub fn wait(self) -> Vec<String> {
        let rest = self.output.iter().collect();
        match self.engine {
            OtherEnd::Server(server) => server.join().unwrap().unwrap(),
            OtherEnd::Program(mut child) => assert!(child.wait().unwrap().success()),
        }
        rest
    }
}

/// Plays a script: `== TITLE` starts a conversation with a new engine; `> TEXT` asserts that the answer to the last
/// line sent, up to `bestmove` or `readyok`, contains a text, and `- TEXT` that it does not. Other lines are sent. A
/// line that ends with ` &` starts a search that goes on, or does not end it.
pub fn converse<E: UciEngine + 'static>(text: &str, engine: impl Fn() -> E) {
    let mut gui = ScriptedGui::with(engine());
    let (mut title, mut said, mut goes_on) = ("", String::new(), false);
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once(' ') {
            Some(("==", words)) => (title, gui, goes_on) = (words, ScriptedGui::with(engine()), false),
            Some((sign @ (">" | "-"), words)) => {
                assert_eq!(said.contains(words), sign == ">", "{title}: {line}\n{said}");
            }
            _ => {
                let waits = !line.ends_with(" &");
                gui.send(line.trim_end_matches(" &"));
                let is_answered = line.starts_with("go") || goes_on && ["stop", "ponderhit"].contains(&line);
                said =
                    if waits && is_answered { gui.read_until("bestmove") } else { gui.ask(&[]) }.join("\n");
                goes_on = !waits || goes_on && !is_answered;
            }
        }
    }
}

fn lines_of(messages: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(messages).lines() {
            if sender.send(line.unwrap()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// The answer to a `go`, with all `info` lines before it.
#[derive(Debug)]
pub struct SearchOutput {
    /// The `info` lines, in order.
    pub infos: Vec<Info>,
    /// The `bestmove`.
    pub answer: BestMove,
}

impl SearchOutput {
    /// The best move; `None` if the engine has none.
    pub fn best(&self) -> Option<&str> {
        self.answer.best.as_ref().map(AsRef::as_ref)
    }

    /// The reported depths in plies.
    pub fn depths(&self) -> Vec<u32> {
        self.infos.iter().filter_map(|info| info.depth).collect()
    }

    /// The last reported score.
    pub fn score(&self) -> Option<Score> {
        self.infos.iter().rev().find_map(|info| info.score)
    }

    /// The last reported node count.
    pub fn nodes(&self) -> Option<u64> {
        self.infos.iter().rev().find_map(|info| info.nodes)
    }

    /// Whether a line of free text contains these words.
    pub fn says(&self, words: &str) -> bool {
        self.infos.iter().filter_map(|info| info.string.as_ref()).any(|text| text.contains(words))
    }
}
