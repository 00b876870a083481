//! carnatus at the other end of the protocol.

use arbiter::engine::server;

use crate::engine::Carnatus;

fn output_of(input: &str) -> String {
    let mut output = Vec::new();
    server::serve(Carnatus::new(), input.as_bytes(), &mut output).unwrap();
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
            server::serve(Carnatus::new(), std::io::BufReader::new(reader), output).unwrap();
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
fn a_go_without_limits_spends_the_documents_ten_thousand_nodes() {
    let text = answer_to("position startpos\ngo\n");
    assert_eq!(last_number(&text, "nodes"), 10_000);
    assert!(!text.contains("bestmove (none)"), "{text}");
}

#[test]
fn node_and_depth_limits_hold() {
    assert!(last_number(&answer_to("position startpos\ngo nodes 777\n"), "nodes") <= 777);
    assert_eq!(last_number(&answer_to("position startpos\ngo depth 3\n"), "depth"), 3);
}

#[test]
fn any_fen_is_searched_for_both_colours() {
    // The program of the document searches every FEN as White's.
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
    assert!(text.contains("Black to move") && text.contains("sum "), "{text}");
    let text = output_of("position fen 8/8 w - -\nposition startpos moves e2e5\nquit\n");
    assert!(text.contains("position: FEN field 1") && text.contains("e2e5, is illegal"), "{text}");
}
