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
/// White mates in two moves, and in no fewer: Morphy – Duke Karl and Count Isouard, Paris 1858, before 16 Qb8+.
const OPERA: &str = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 0";

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

#[test]
fn there_are_no_more_lines_than_legal_moves_and_one_again_when_it_is_set_back() {
    let mut gui = Gui::with(&["setoption name MultiPV value 50"]);
    let cornered = "position fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1";
    assert_eq!(gui.search(&[cornered, "go depth 4"]).last_lines().len(), 1);
    assert_eq!(gui.search(&["position startpos", "go depth 2"]).last_lines().len(), 20);
    gui.send(&["setoption name MultiPV value 1"]);
    assert_eq!(gui.search(&["go depth 4"]).last_lines().len(), 1);
}

#[test]
fn only_the_moves_asked_for_are_searched_however_many_lines_there_are() {
    let mut gui = Gui::with(&["setoption name MultiPV value 5"]);
    let answer = gui.search(&["position startpos", "go depth 5 searchmoves a2a3 h2h4"]);
    let moves: BTreeSet<&str> = answer.lines().map(|info| info.pv[0].as_str()).collect();
    assert_eq!(moves, BTreeSet::from(["a2a3", "h2h4"]));
    assert_eq!(answer.last_lines().len(), 2);
    // The next search is not restricted.
    assert_eq!(gui.search(&["go depth 4"]).last_lines().len(), 5);
}

#[test]
fn a_search_for_a_mate_ends_when_it_is_found() {
    for (threads, moves) in [(1, 2), (1, 5), (2, 2)] {
        let mut gui = Gui::with(&[&format!("setoption name Threads value {threads}")]);
        let answer = gui.search(&[&format!("position fen {OPERA}"), &format!("go mate {moves}")]);
        assert_eq!((answer.text().as_str(), answer.score()), ("b3b8", ScoreValue::Mate(2)));
        answer.assert_legal(OPERA);
    }
}

#[test]
fn a_search_for_a_mate_that_is_not_there_goes_on_until_another_limit() {
    let mut gui = Gui::with(&[]);
    let answer = gui.search(&[&format!("position fen {OPERA}"), "go mate 1 depth 12"]);
    assert_eq!(answer.last_lines()[0].depth, Some(12));
    assert_eq!(answer.score(), ScoreValue::Mate(2));
    gui.send(&["position startpos", "go mate 3"]);
    gui.settle();
    gui.send(&["stop"]);
    assert_ne!(gui.answer().text(), "");
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

/// The castling moves of a position, in the notation of Chess960.
const CASTLES: [(&str, &[&str]); 5] = [
    // The usual squares.
    ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", &["e1h1", "e1a1"]),
    // The king already stands on its target square.
    ("6kr/8/8/8/8/8/8/6KR w Hh - 0 1", &["g1h1"]),
    // King and rook change places.
    ("5k2/8/8/8/8/8/8/5KR1 w G - 0 1", &["f1g1"]),
    // The king goes a long way, and the other rook may not castle.
    ("1k6/8/8/8/8/8/8/RK1R4 w D - 0 1", &["b1d1"]),
    // The king already stands on its target square, beside the rook that jumps over it.
    ("1rk5/8/8/8/8/8/8/1RK5 b Bb - 0 1", &["c8b8"]),
];

#[test]
fn every_castling_is_known_by_the_square_of_its_rook() {
    let mut gui = Gui::with(&["setoption name UCI_Chess960 value true"]);
    for (fen, castles) in CASTLES {
        for castling in castles {
            let go = format!("go depth 3 searchmoves {castling}");
            let answer = gui.search(&[&format!("position fen {fen}"), &go]);
            assert_eq!(answer.text(), *castling, "{fen}");
            assert!(answer.lines().all(|info| info.pv[0].as_str() == *castling), "{fen}");
            answer.assert_legal(fen);
        }
    }
}

#[test]
fn castling_can_be_played_to_set_up_a_position() {
    for (option, position, expected) in [
        ("true", "fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1 e8a8", "2kr3r/8/8/8/8/8/8/R4RK1 w"),
        ("true", "fen 5k2/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1", "5k2/8/8/8/8/8/8/5RK1 b"),
        ("false", "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w"),
    ] {
        let mut gui = Gui::with(&[&format!("setoption name UCI_Chess960 value {option}")]);
        let answer = gui.search(&[&format!("position {position}"), "go depth 3"]);
        answer.assert_legal(&format!("{expected} - - 1 2"));
    }
}

#[test]
fn without_the_option_castling_is_the_move_of_the_king() {
    let mut gui = Gui::with(&[]);
    let position = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for castling in ["e1g1", "e1c1"] {
        let answer = gui.search(&[position, &format!("go depth 3 searchmoves {castling}")]);
        assert_eq!(answer.text(), castling);
        let castles = answer.lines().flat_map(|info| &info.pv).filter(|mv| mv.as_str().starts_with("e8"));
        assert!(castles.into_iter().all(|mv| !["e8h8", "e8a8"].contains(&mv.as_str())));
    }
}

/// Mate in one: the search ends at once.
const MATE_AT_ONCE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

fn is_best_move(message: &Message) -> bool {
    matches!(message, Message::BestMove(_))
}

#[test]
fn stop_ends_pondering_with_one_answer() {
    let mut gui = Gui::with(&["position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000"]);
    assert!(!gui.settle().iter().any(is_best_move));
    gui.send(&["stop"]);
    assert_ne!(gui.answer().text(), "");
    // A late `ponderhit`, which is allowed, belongs to no search.
    gui.send(&["ponderhit", "stop"]);
    assert_eq!(gui.settle(), [Message::ReadyOk]);
}

#[test]
fn a_search_that_is_done_still_waits_for_the_hit() {
    for (go, end) in [
        ("go ponder depth 1", "ponderhit"),
        ("go ponder nodes 100 wtime 5000 btime 5000", "ponderhit"),
        ("go ponder mate 1", "ponderhit"),
        ("go ponder depth 1", "stop"),
    ] {
        let mut gui = Gui::with(&[MATE_AT_ONCE, go]);
        assert!(!gui.settle().iter().any(is_best_move), "{go}");
        gui.send(&[end]);
        assert_eq!(gui.answer().text(), "a1a8", "{go} {end}");
    }
}

#[test]
fn an_infinite_search_is_no_pondering_that_a_hit_could_end() {
    let mut gui = Gui::with(&[MATE_AT_ONCE, "go infinite", "ponderhit"]);
    assert!(!gui.settle().iter().any(is_best_move));
    gui.send(&["stop"]);
    assert_eq!(gui.answer().text(), "a1a8");
}
