//! Searches as a GUI starts them, with every line checked for legality.

use std::collections::BTreeSet;

use chess::Position;
use uci::scripted_gui::ScriptedGui;
use uci::{BestMove, Info, Message, ScoreValue, scripted_gui};

/// A GUI and its engine, which ends with the GUI.
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

    /// The answer to a search that has been started.
    pub fn answer(&mut self) -> Answer {
        let scripted_gui::Answer { infos, answer } = self.0.answer();
        Answer { infos, best: answer }
    }

    /// Sends commands, the last of which is `go`, and waits for the answer. No command may be refused.
    pub fn search(&mut self, commands: &[&str]) -> Answer {
        self.send(commands);
        let answer = self.answer();
        let refused = answer.infos.iter().find(|info| info.string.is_some());
        assert_eq!(refused, None, "{commands:?}");
        answer
    }
}

impl Answer {
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

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn centipawns(score: ScoreValue) -> i32 {
    match score {
        ScoreValue::Centipawns(value) => value,
        ScoreValue::Mate(moves) => moves.signum() * 100_000 - moves,
    }
}

#[test]
fn the_lines_of_an_iteration_are_different_moves_in_the_order_of_their_scores() {
    for threads in [1, 3] {
        let threads = format!("setoption name Threads value {threads}");
        let mut gui = Gui::with(&["setoption name MultiPV value 4", &threads]);
        let answer = gui.search(&["position startpos", "go depth 7"]);
        answer.assert_legal(START);
        let lines = answer.last_lines();
        assert_eq!(lines.iter().map(|info| info.multipv.unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4]);
        let scores: Vec<i32> = lines.iter().map(|info| centipawns(info.score.unwrap().value)).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        let moves: BTreeSet<&str> = lines.iter().map(|info| info.pv[0].as_str()).collect();
        assert_eq!(moves.len(), 4);
        assert_eq!(answer.text(), lines[0].pv[0].as_str());
    }
}

const QUIET: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

fn limited(elo: u32, seed: u32) -> Gui {
    let options = [
        "setoption name UCI_LimitStrength value true".to_owned(),
        format!("setoption name UCI_Elo value {elo}"),
        format!("setoption name Seed value {seed}"),
    ];
    Gui::with(&options.each_ref().map(String::as_str))
}

fn search_limited(gui: &mut Gui) -> Answer {
    gui.search(&["ucinewgame", &format!("position fen {QUIET}"), "go movetime 60000"])
}

fn most_nodes(answer: &Answer) -> u64 {
    answer.infos.iter().filter_map(|info| info.nodes).max().unwrap()
}

#[test]
fn a_lower_rating_searches_less_and_hurries() {
    let counts = [1400, 2000, 2600].map(|elo| most_nodes(&search_limited(&mut limited(elo, 1))));
    assert!(counts.is_sorted_by(|a, b| 2 * a < *b), "{counts:?}");
    assert!(counts[0] < 1_000);
}

#[test]
fn the_rating_counts_only_when_strength_is_to_be_limited() {
    let mut gui = limited(1200, 1);
    gui.send(&["setoption name UCI_LimitStrength value false"]);
    let answer = gui.search(&[&format!("position fen {QUIET}"), "go nodes 5000"]);
    assert!(most_nodes(&answer) > 4_000);
}

/// The result of a search, without times.
fn found(answer: &Answer) -> Vec<String> {
    answer.infos.iter().map(|info| format!("{:?} {:?} {:?}", info.nodes, info.score, info.pv)).collect()
}

#[test]
fn a_rating_does_not_depend_on_the_network() {
    let mut gui = limited(2600, 1);
    let first = search_limited(&mut gui);
    gui.send(&["setoption name Network value false"]);
    assert_eq!(found(&first), found(&search_limited(&mut gui)));
}

#[test]
fn the_full_strength_does_not_use_what_a_rating_left_in_the_table() {
    let go = [&format!("position fen {QUIET}"), "go nodes 5000"];
    let mut gui = limited(2600, 1);
    gui.search(&go);
    gui.send(&["setoption name UCI_LimitStrength value false"]);
    assert_eq!(found(&gui.search(&go)), found(&Gui::with(&[]).search(&go)));
}

#[test]
fn with_a_seed_the_same_move_is_played_again() {
    for seed in [1, 7] {
        let mut gui = limited(1200, seed);
        let first = search_limited(&mut gui).text();
        assert_eq!(search_limited(&mut gui).text(), first);
        assert_eq!(search_limited(&mut limited(1200, seed)).text(), first);
    }
}

#[test]
fn other_seeds_play_other_moves_and_the_move_played_is_that_of_the_last_line() {
    let answers: Vec<Answer> = (1..=30).map(|seed| search_limited(&mut limited(1200, seed))).collect();
    for answer in &answers {
        answer.assert_legal(QUIET);
        let last = answer.lines().next_back().unwrap();
        assert_eq!((last.pv[0].as_str(), last.multipv), (answer.text().as_str(), Some(1)));
    }
    let mut moves: Vec<String> = answers.iter().map(Answer::text).collect();
    moves.sort_unstable();
    moves.dedup();
    assert!(moves.len() > 1, "{moves:?}");
}
