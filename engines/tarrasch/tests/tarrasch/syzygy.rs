//! Syzygy tablebases in the search and at the root.

use std::fs;
use std::path::Path;

use chess::{Color, Position};
use tarrasch::{Tablebases, Wdl};
use uci::ScoreValue;
use uci::scripted_gui::{ScriptedGui, SearchOutput};

use super::gui::{self, last_lines};

/// King and rook, and king and queen, against king. The README there credits their author.
pub const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tables");

fn set_path(folder: &Path) -> String {
    format!("setoption name SyzygyPath value {}", folder.display())
}

fn gui() -> ScriptedGui {
    gui::gui(&[&set_path(Path::new(TABLES))])
}

/// The largest number of tablebase hits.
fn table_hits(answer: &SearchOutput) -> Option<u64> {
    answer.infos.iter().filter_map(|info| info.tbhits).max()
}

/// A mate with the rook in sixteen moves, the longest possible.
const SIXTEEN_MOVES: &str = "7K/6R1/5k2/8/8/8/8/8 w - -";

#[test]
fn probes_return_the_results_of_the_analysis() {
    let tables = Tablebases::open(TABLES).unwrap();
    assert_eq!(tables.max_pieces(), 3);
    for (board, dtz) in [
        (SIXTEEN_MOVES, 31),
        ("8/8/8/8/8/4k3/8/KR6 w - -", 23),
        ("8/8/8/8/k7/8/8/KR6 w - -", 13),
        ("8/8/8/8/8/1R6/8/k1K5 w - -", 1),
        ("8/8/8/8/8/8/1Rk5/K7 b - -", -32),
        ("8/8/8/8/8/k7/8/KR6 b - -", -14),
        ("8/8/8/8/8/2R5/k7/2K5 b - -", -2),
        // Black captures the rook.
        ("8/8/8/8/8/8/8/K1Rk4 b - -", 0),
        // Ten moves, the longest mate with the queen.
        ("8/8/8/5k2/8/8/1Q6/K7 w - -", 19),
        ("8/8/8/8/8/k7/8/KQ6 w - -", 7),
        ("8/8/8/8/8/8/8/k1KQ4 w - -", 1),
        ("8/8/8/8/8/4k3/8/KQ6 b - -", -18),
        ("8/8/8/8/8/k7/8/KQ6 b - -", -8),
        // A mate on the board has DTZ 1.
        ("8/8/8/8/8/8/8/kQK5 b - -", -1),
        ("8/8/8/8/8/8/8/K1Qk4 b - -", 0),
    ] {
        let position = Position::from_fen(&format!("{board} 0 1")).unwrap();
        let wdl = match dtz {
            0 => Wdl::Draw,
            1.. => Wdl::Win,
            _ => Wdl::Loss,
        };
        assert_eq!(tables.probe_wdl(&position), Some(wdl), "{board}");
        assert_eq!(tables.probe_dtz(&position), Some(dtz), "{board}");
    }
}

#[test]
fn a_won_ending_is_won_with_the_last_move_before_the_draw() {
    let tables = Tablebases::open(TABLES).unwrap();
    let start = format!("{SIXTEEN_MOVES} {} 80", 100 - 31);
    let mut gui = gui();
    let (mut position, mut moves) = (Position::from_fen(&start).unwrap(), String::from("moves"));
    while position.has_legal_move() {
        let text = if position.side_to_move() == Color::White {
            gui.search(&format!("position fen {start} {moves}"), "go nodes 200").best().unwrap().to_owned()
        } else {
            longest_defence(&tables, &position)
        };
        position = position.play(position.parse_uci(&text).unwrap());
        moves = format!("{moves} {text}");
        assert!(position.halfmove_clock() <= 100, "{position}");
    }
    assert!(position.is_check(), "{position}");
}

/// Black's move that delays the mate longest.
fn longest_defence(tables: &Tablebases, position: &Position) -> String {
    let best =
        position.move_list().into_iter().max_by_key(|&mv| tables.probe_dtz(&position.play(mv)).unwrap());
    best.unwrap().to_string()
}

#[test]
fn a_move_that_gives_the_win_away_is_never_the_first_line() {
    // The rook hangs, so most moves lose it.
    let mut gui = gui();
    gui.send("setoption name MultiPV value 30");
    let answer = gui.search("position fen 8/8/8/8/8/2k5/3R4/7K w - - 0 1", "go depth 3");
    let scores: Vec<_> = last_lines(&answer).iter().map(|info| info.score.unwrap().value).collect();
    let draws = scores.iter().filter(|score| **score == ScoreValue::Centipawns(0)).count();
    assert!(draws > 0 && draws < scores.len(), "{scores:?}");
    assert!(scores.is_sorted_by_key(|score| *score == ScoreValue::Centipawns(0)), "{scores:?}");
}

#[test]
fn only_positions_within_the_limit_are_probed() {
    let mut gui = gui();
    gui.send("setoption name SyzygyProbeLimit value 2");
    let search =
        |gui: &mut ScriptedGui| gui.search("position fen k7/8/8/8/3n4/8/8/K2Q4 w - - 0 1", "go depth 4");
    assert_eq!(table_hits(&search(&mut gui)), Some(0));
    gui.ask(&["setoption name SyzygyProbeLimit value 7", "setoption name SyzygyProbeDepth value 100"]);
    assert_eq!(table_hits(&search(&mut gui)), Some(0));
    gui.ask(&["setoption name SyzygyProbeDepth value 1", "setoption name Clear Hash"]);
    assert!(table_hits(&search(&mut gui)) > Some(0));
    gui.send("setoption name SyzygyPath value <empty>");
    assert_eq!(table_hits(&search(&mut gui)), None);
}

#[test]
fn a_path_without_tables_is_named_and_the_game_goes_on() {
    let broken = tempfile::tempdir().unwrap();
    fs::write(broken.path().join("KQvK.rtbw"), "no table").unwrap();
    let empty = tempfile::tempdir().unwrap();
    for (folder, reason) in [
        (Path::new("/nowhere/tables"), "/nowhere/tables: "),
        (broken.path(), "KQvK.rtbw: "),
        (empty.path(), "expected Syzygy tablebases"),
    ] {
        let mut gui = gui();
        let lines = gui.ask(&[&set_path(folder)]);
        let [line] = &lines[..] else { panic!("{lines:?}") };
        assert!(line.starts_with("info string option SyzygyPath: ") && line.contains(reason), "{line}");
        // The previous tables stay open.
        let answer = gui.search("position fen k7/8/8/8/3n4/8/8/K2Q4 w - - 0 1", "go depth 3");
        assert!(table_hits(&answer) > Some(0));
    }
}

#[test]
fn a_table_with_the_wrong_size_is_named_and_the_others_are_used() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"] {
        let whole = fs::read(Path::new(TABLES).join(name)).unwrap();
        let kept = if name.starts_with("KR") { whole.len() / 2 / 64 * 64 } else { whole.len() };
        fs::write(folder.path().join(name), &whole[..kept]).unwrap();
    }
    let both = std::env::join_paths([folder.path(), Path::new("")]).unwrap();
    let mut gui = gui();
    let line = gui.ask(&[&set_path(Path::new(&both))]).join("\n");
    assert!(
        line.contains("SyzygyPath: tables that cannot be used: 2, such as ") && line.contains("KRvK"),
        "{line}"
    );
    let answer = gui.search("position fen k7/8/8/8/3n4/8/8/K2Q4 w - - 0 1", "go depth 3");
    assert!(table_hits(&answer) > Some(0));
    gui.search("position fen k7/8/8/8/3n4/8/8/K2R4 w - - 0 1", "go depth 3");
}
