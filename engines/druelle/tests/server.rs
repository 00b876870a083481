//! druelle at the other end of the protocol.

use arbiter::engine::server;

use crate::engine::Druelle;

fn output_of(input: &str) -> String {
    let mut output = Vec::new();
    server::serve(Druelle::new().unwrap(), input.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// The value behind a word in the last line that has it.
fn last_number(text: &str, word: &str) -> u64 {
    let values = text.lines().filter_map(|line| {
        let mut words = line.split(' ').skip_while(|found| *found != word);
        words.nth(1)?.parse().ok()
    });
    values.last().unwrap()
}

/// `quit` would stop the search, so the input only ends when the answer is there.
fn answer_to(commands: &str) -> String {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let (mut answers, output) = std::io::pipe().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            server::serve(Druelle::new().unwrap(), std::io::BufReader::new(reader), output).unwrap();
        });
        std::io::Write::write_all(&mut writer, commands.as_bytes()).unwrap();
        let mut text = String::new();
        for line in std::io::BufRead::lines(std::io::BufReader::new(&mut answers)) {
            let line = line.unwrap();
            text += &format!("{line}\n");
            if line.starts_with("bestmove") {
                break;
            }
        }
        drop(writer);
        text
    })
}

#[test]
fn a_go_without_limits_searches_to_the_depth_of_the_option() {
    let fen = "position fen 4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1\ngo\n";
    assert_eq!(last_number(&answer_to(fen), "depth"), 3);
    assert_eq!(last_number(&answer_to(&format!("setoption name Depth value 2\n{fen}")), "depth"), 2);
}

#[test]
fn the_opening_base_answers_and_can_be_switched_off() {
    let text = answer_to("position startpos moves d2d4 g8f6 c2c4\ngo depth 1\n");
    assert!(text.contains("opening base: Défense indienne") && text.contains("bestmove e7e6"), "{text}");
    let text = answer_to("setoption name BookSeed value 1\nposition startpos moves d2d4 g8f6 c2c4\ngo\n");
    assert!(text.contains("opening base: Défense Benoni") && text.contains("bestmove c7c5"), "{text}");
    let text = answer_to("setoption name OwnBook value false\nposition startpos\ngo depth 1\n");
    assert!(!text.contains("opening base") && text.contains("info depth 1"), "{text}");
}

#[test]
fn a_base_with_a_bad_line_is_refused_and_the_old_one_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my.base");
    std::fs::write(&file, "x | RE1 | RE8 | blancs | Re5\n").unwrap();
    let commands =
        format!("setoption name BookFile value {}\nposition startpos\ngo depth 1\n", file.display());
    let text = answer_to(&commands);
    assert!(text.contains("my.base:1: field 5 (reply)") && text.contains("bestmove e2e4"), "{text}");
    std::fs::write(&file, "x | RE1 | RE8 | blancs | Re1-e2\n").unwrap();
    let text = answer_to(&commands.replace("position startpos", "position fen 4k3/8/8/8/8/8/8/4K3 w - -"));
    assert!(text.contains("opening base: x") && text.contains("bestmove e1e2"), "{text}");
}

#[test]
fn node_and_depth_limits_hold() {
    assert!(
        last_number(
            &answer_to("setoption name OwnBook value false\nposition startpos\ngo nodes 777\n"),
            "nodes"
        ) <= 777
    );
    assert_eq!(
        last_number(
            &answer_to("setoption name OwnBook value false\nposition startpos\ngo depth 3\n"),
            "depth"
        ),
        3
    );
}

#[test]
fn any_fen_is_searched_for_both_colours() {
    for (fen, mate) in
        [("6k1/5ppp/8/8/8/8/8/1K1R4 w - - 0 1", "d1d8"), ("4r1k1/8/8/8/8/8/PPP5/1K6 b - - 0 1", "e8e1")]
    {
        let text = answer_to(&format!("position fen {fen}\ngo depth 4\n"));
        assert!(text.contains("score mate 1") && text.contains(&format!("bestmove {mate}")), "{text}");
    }
}

#[test]
fn a_mate_is_looked_for_as_deep_as_it_is_asked_for() {
    let text = answer_to("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1\ngo mate 2\n");
    assert!(text.contains("score mate 2"), "{text}");
}

#[test]
fn without_a_legal_move_there_is_none() {
    let text = answer_to("position fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1\ngo movetime 50\n");
    assert!(text.contains("bestmove (none)"), "{text}");
}

#[test]
fn a_stop_ends_an_infinite_search() {
    let text = output_of("position startpos\ngo infinite\nstop\nquit\n");
    assert!(text.contains("bestmove "), "{text}");
}

#[test]
fn the_lines_for_people_are_answered() {
    let text = output_of("position startpos moves e2e4\nd\neval\ngo perft 2\nquit\n");
    assert!(text.contains("Fen: ") && text.contains("RE1:DD1") && text.contains("score -30"), "{text}");
    let text = output_of("position fen 8/8 w - -\nposition startpos moves e2e5\nquit\n");
    assert!(text.contains("position: FEN field 1") && text.contains("e2e5, is illegal"), "{text}");
}
