//! Syzygy tablebases in the search and at the root. The test makes tables of two endings.

use std::path::Path;
use std::sync::LazyLock;

use chess::{Color, MoveList, PieceKind, Position};
use tarrasch::{Tablebases, Wdl};
use tempfile::TempDir;
use uci::ScoreValue;

use super::gui::Gui;
use super::syzygy_file;
use super::syzygy_file::{LoneKing, Placement};

/// Both endings, and a folder with their tables.
struct Tables {
    endings: [LoneKing; 2],
    folder: TempDir,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let tables = Tables {
        endings: [PieceKind::Rook, PieceKind::Queen].map(LoneKing::solve),
        folder: tempfile::tempdir().unwrap(),
    };
    tables.endings.iter().for_each(|ending| syzygy_file::write(ending, tables.folder.path()));
    tables
});

fn set_path(folder: &Path) -> String {
    format!("setoption name SyzygyPath value {}", folder.display())
}

fn gui() -> Gui {
    Gui::with(&[&set_path(TABLES.folder.path())])
}

#[test]
fn the_longest_mates_are_those_of_the_literature() {
    let longest = TABLES.endings.each_ref().map(|ending| {
        Placement::all().filter_map(|placement| ending.plies(placement, Color::White)).max().unwrap()
    });
    // Sixteen moves with the rook and ten with the queen.
    assert_eq!(longest, [31, 19]);
}

#[test]
fn probes_return_the_results_of_the_analysis() {
    let tables = Tablebases::open(TABLES.folder.path().to_str().unwrap()).unwrap();
    assert_eq!(tables.max_pieces(), 3);
    for ending in &TABLES.endings {
        for placement in Placement::all().step_by(499) {
            let plies = ending.plies(placement, Color::Black);
            let position = placement.position(ending.kind, Color::Black, 0);
            let expected = if plies.is_some() { Wdl::Loss } else { Wdl::Draw };
            assert_eq!(tables.probe_wdl(&position), Some(expected), "{position}");
            // For mate on the board the DTZ is 1.
            let expected = plies.map_or(0, |plies| -i32::from(plies.max(1)));
            assert_eq!(tables.probe_dtz(&position), Some(expected), "{position}");
            if placement.is_check(ending.kind) {
                continue;
            }
            let plies = ending.plies(placement, Color::White);
            let position = placement.position(ending.kind, Color::White, 0);
            let expected = if plies.is_some() { Wdl::Win } else { Wdl::Draw };
            assert_eq!(tables.probe_wdl(&position), Some(expected), "{position}");
            assert_eq!(tables.probe_dtz(&position), Some(plies.map_or(0, i32::from)), "{position}");
        }
    }
}

#[test]
fn a_won_ending_is_won_with_the_last_move_before_the_draw() {
    let ending = &TABLES.endings[0];
    let hardest = Placement::all().max_by_key(|placement| ending.plies(*placement, Color::White)).unwrap();
    let plies = ending.plies(hardest, Color::White).unwrap();
    let start = hardest.position(ending.kind, Color::White, 100 - u16::from(plies));
    let mut gui = gui();
    let (mut position, mut moves) = (start.clone(), String::from("moves"));
    while position.has_legal_move() {
        let text = if position.side_to_move() == Color::White {
            gui.search(&[&format!("position fen {start} {moves}"), "go nodes 200"]).text()
        } else {
            longest_defence(ending, &position)
        };
        position = position.play(position.parse_uci(&text).unwrap());
        moves = format!("{moves} {text}");
        assert!(position.halfmove_clock() <= 100, "{position}");
    }
    assert!(position.is_check(), "{position}");
}

/// The black move that puts off the mate longest.
fn longest_defence(ending: &LoneKing, position: &Position) -> String {
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    let plies = |child: &Position| ending.plies(Placement::of(child, ending.kind).unwrap(), Color::White);
    let best = legal.into_iter().max_by_key(|&mv| plies(&position.play(mv)));
    best.unwrap().to_string()
}

#[test]
fn a_capture_or_promotion_into_a_won_table_is_a_win() {
    let mut gui = gui();
    for (fen, best) in [
        // The knight hangs, and what is left is won.
        ("k7/8/8/8/3n4/8/8/K2Q4 w - - 0 1", "d1d4"),
        ("8/4P3/8/8/8/k7/8/K7 w - - 0 1", "e7e8q"),
    ] {
        let answer = gui.search(&[&format!("position fen {fen}"), "go depth 3"]);
        assert_eq!(answer.text(), best, "{fen}");
        assert!(answer.table_hits() > Some(0), "{fen}");
        let ScoreValue::Centipawns(score) = answer.score() else { panic!("{:?}", answer.score()) };
        assert!((19_000..20_000).contains(&score), "{fen}: {score}");
    }
}

#[test]
fn a_mate_found_by_the_search_is_reported_instead_of_the_tablebase_win() {
    let answer = gui().search(&["position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1", "go depth 4"]);
    assert_eq!((answer.text().as_str(), answer.score()), ("a1a8", ScoreValue::Mate(1)));
}

#[test]
fn a_move_that_gives_the_win_away_is_never_the_first_line() {
    // The rook hangs: most moves lose it.
    let mut gui = gui();
    gui.send(&["setoption name MultiPV value 30"]);
    let answer = gui.search(&["position fen 8/8/8/8/8/2k5/3R4/7K w - - 0 1", "go depth 3"]);
    let scores: Vec<_> = answer.last_lines().iter().map(|info| info.score.unwrap().value).collect();
    let draws = scores.iter().filter(|score| **score == ScoreValue::Centipawns(0)).count();
    assert!(draws > 0 && draws < scores.len(), "{scores:?}");
    assert!(scores.is_sorted_by_key(|score| *score == ScoreValue::Centipawns(0)), "{scores:?}");
}

#[test]
fn only_positions_within_the_limit_are_probed() {
    let mut gui = gui();
    gui.send(&["setoption name SyzygyProbeLimit value 2"]);
    let search = ["position fen k7/8/8/8/3n4/8/8/K2Q4 w - - 0 1", "go depth 4"];
    assert_eq!(gui.search(&search).table_hits(), Some(0));
    gui.send(&["setoption name SyzygyProbeLimit value 7", "setoption name SyzygyProbeDepth value 100"]);
    assert_eq!(gui.search(&search).table_hits(), Some(0));
    gui.send(&["setoption name SyzygyProbeDepth value 1", "setoption name Clear Hash"]);
    assert!(gui.search(&search).table_hits() > Some(0));
    gui.send(&["setoption name SyzygyPath value <empty>"]);
    assert_eq!(gui.search(&search).table_hits(), None);
}

#[test]
fn a_path_without_tables_is_named_and_the_game_goes_on() {
    let broken = tempfile::tempdir().unwrap();
    std::fs::write(broken.path().join("KQvK.rtbw"), "no table").unwrap();
    let empty = tempfile::tempdir().unwrap();
    for (folder, reason) in [
        (Path::new("/nowhere/tables"), "/nowhere/tables: "),
        (broken.path(), "KQvK.rtbw: "),
        (empty.path(), "expected Syzygy tablebases"),
    ] {
        let mut gui = gui();
        gui.send(&[&set_path(folder)]);
        let lines = gui.settle();
        assert_eq!(lines.len(), 2, "{lines:?}");
        let line = lines[0].to_string();
        assert!(line.starts_with("info string option SyzygyPath: ") && line.contains(reason), "{line}");
        // The tables before stay.
        let answer = gui.search(&["position fen k7/8/8/8/3n4/8/8/K2Q4 w - - 0 1", "go depth 3"]);
        assert!(answer.table_hits() > Some(0));
    }
}

#[test]
fn a_table_with_the_wrong_size_is_named_and_the_others_are_used() {
    let folder = tempfile::tempdir().unwrap();
    TABLES.endings.iter().for_each(|ending| syzygy_file::write(ending, folder.path()));
    for name in ["KRvK.rtbw", "KRvK.rtbz"] {
        let whole = std::fs::read(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name), &whole[..whole.len() / 2 / 64 * 64]).unwrap();
    }
    let both = std::env::join_paths([folder.path(), Path::new("")]).unwrap();
    let mut gui = gui();
    gui.send(&[&set_path(Path::new(&both))]);
    let line = gui.settle()[0].to_string();
    assert!(
        line.contains("SyzygyPath: tables that cannot be used: 2, such as ") && line.contains("KRvK"),
        "{line}"
    );
    let answer = gui.search(&["position fen k7/8/8/8/3n4/8/8/K2Q4 w - - 0 1", "go depth 3"]);
    assert!(answer.table_hits() > Some(0));
    gui.search(&["position fen k7/8/8/8/3n4/8/8/K2R4 w - - 0 1", "go depth 3"]);
}

#[test]
fn a_broken_table_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("KQvK.rtbw"), [7; 80]).unwrap();
    let mut gui = Gui::with(&[&set_path(folder.path())]);
    let answer = gui.search(&["position fen k7/8/8/8/3n4/8/8/K2Q4 w - - 0 1", "go depth 3"]);
    assert_eq!((answer.text().as_str(), answer.table_hits()), ("d1d4", Some(0)));
}
