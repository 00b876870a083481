//! A GUI for a Tarrasch process that checks every line for legality.

use chess::Position;
use uci::{BestMove, Info, Message, ScoreValue};

use uci::scripted_gui::{self, ScriptedGui};

/// A GUI and its engine, which ends with it.
pub struct Gui(ScriptedGui);

/// The output from `go` to `bestmove`.
#[derive(Debug)]
pub struct Answer {
    pub infos: Vec<Info>,
    pub best: BestMove,
}

impl Gui {
    /// Starts the engine and sends these commands.
    pub fn with(commands: &[&str]) -> Gui {
        let mut gui = Gui(ScriptedGui::start(env!("CARGO_BIN_EXE_tarrasch")));
        gui.send(commands);
        gui
    }

    pub fn send(&mut self, commands: &[&str]) {
        for command in commands {
            self.0.send(command);
        }
    }

    /// The output up to `readyok`.
    pub fn settle(&mut self) -> Vec<Message> {
        self.send(&["isready"]);
        let lines = self.0.read_until("readyok");
        lines.iter().map(|line| line.parse().unwrap_or_else(|error| panic!("`{line}`: {error}"))).collect()
    }

    /// The answer to a search that was started.
    pub fn answer(&mut self) -> Answer {
        let scripted_gui::Answer { infos, answer } = self.0.answer();
        Answer { infos, best: answer }
    }

    /// Sends commands, the last of them `go`, and waits for the answer. None of them may be refused.
    pub fn search(&mut self, commands: &[&str]) -> Answer {
        self.send(commands);
        let answer = self.answer();
        let refused = answer.infos.iter().find(|info| info.string.is_some());
        assert_eq!(refused, None, "{commands:?}");
        answer
    }
}

impl Answer {
    /// The best move as text.
    pub fn text(&self) -> String {
        self.best.best.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    /// The infos with a line, in the order of arrival.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &Info> {
        self.infos.iter().filter(|info| !info.pv.is_empty())
    }

    /// The lines of the deepest iteration.
    pub fn last_lines(&self) -> Vec<&Info> {
        let deepest = self.lines().filter_map(|info| info.depth).max();
        self.lines().filter(|info| info.depth == deepest).collect()
    }

    /// The last score.
    pub fn score(&self) -> ScoreValue {
        self.lines().next_back().unwrap().score.unwrap().value
    }

    /// The largest number of tablebase hits.
    pub fn table_hits(&self) -> Option<u64> {
        self.infos.iter().filter_map(|info| info.tbhits).max()
    }

    /// Panics unless all lines and the ponder move are legal.
    pub fn assert_legal(&self, fen: &str) {
        let start = Position::from_fen(fen).unwrap();
        let answer = self.best.best.into_iter().chain(self.best.ponder).collect();
        for line in self.lines().map(|info| &info.pv).chain([&answer]) {
            let mut position = start.clone();
            for text in line {
                let mv = position.parse_uci(text.as_str());
                position.play_unchecked(mv.unwrap_or_else(|| panic!("{text} in {position}: {line:?}")));
            }
        }
    }
}
