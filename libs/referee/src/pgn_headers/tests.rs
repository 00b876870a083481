use super::*;

/// White, Black and the result of each game, as far as they are known.
fn games(text: &str) -> Vec<String> {
    let word = |name: Option<Cow<'_, str>>| name.map_or("?".to_owned(), Cow::into_owned);
    PgnHeaders::new(text.as_bytes())
        .map(Result::unwrap)
        .map(|game| {
            let result = game.result.map_or("*", GameResult::as_str);
            format!("{} {} {result}", word(game.white), word(game.black))
        })
        .collect()
}

/// The line of the error.
fn fault(text: &str) -> usize {
    PgnHeaders::new(text.as_bytes()).find_map(Result::err).expect("an error").line
}

const GAME: &str = "\
[Event \"a [b] {c\"]
[White \"A\"]
[Black \"B\"]
[Result \"1-0\"]

1. e4 {[%eval 0.3]
[%clk 0:01:00] ; no end} e5 ; {open
2. Nf3 (2. f4 $1) 1-0 {White wins}

";

#[test]
fn whatever_stands_between_the_moves_is_crossed() {
    assert_eq!(games(&GAME.repeat(3)), ["A B 1-0"; 3]);
    assert_eq!(games(&GAME.replace('\n', "\r\n").repeat(2)), ["A B 1-0"; 2]);
    assert_eq!(games(GAME.trim_end()), ["A B 1-0"]);
}

#[test]
fn games_without_moves_are_games() {
    let header = "[White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n";
    assert_eq!(games(&header.repeat(2)), ["A B 1/2-1/2"; 2]);
    assert_eq!(games(&format!("{header}\n").repeat(2)), ["A B 1/2-1/2"; 2]);
    assert_eq!(games(&format!("{header}\n1/2-1/2\n\n").repeat(2)), ["A B 1/2-1/2"; 2]);
}

#[test]
fn tags_of_one_game_never_join_those_of_the_next() {
    let text = "[Result \"1-0\"]\n\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n*\n";
    assert_eq!(games(text), ["? ? 1-0", "A B 0-1"]);
}

#[test]
fn what_is_not_known_is_said() {
    assert_eq!(games("[White \"?\"]\n[Black \"\"]\n[Result \"*\"]\n\n*\n"), ["? ? *"]);
    assert_eq!(games("[White \"A\"]\n[Black \"B\"]\n[Result \"2-0\"]\n\n*\n"), ["A B *"]);
    assert_eq!(games("[White \"A\"]\n[Black \"B\"]\n\n1. e4 0-1\n"), ["A B 0-1"]);
    assert_eq!(games(""), [""; 0]);
}

#[test]
fn round_and_start_are_read_where_they_say_anything() {
    let tags = |text: &str| {
        let text = format!("{text}[Result \"1-0\"]\n");
        let game = PgnHeaders::new(text.as_bytes()).next().unwrap().unwrap();
        [game.round, game.fen].map(|tag| tag.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap()))
    };
    let start = "8/8/4k3/8/8/4K3/8/R7 w - - 0 1";
    let both = tags(&format!("[Round \"3.1\"]\n[FEN \"{start}\"]\n"));
    assert_eq!(both, [Some("3.1".to_owned()), Some(start.to_owned())]);
    for nothing in ["", "[Round \"?\"]\n", "[Round \"-\"]\n", "[Round \"\"]\n"] {
        assert_eq!(tags(nothing), [None, None]);
    }
}

#[test]
fn names_may_have_quotes_and_any_bytes() {
    let text = b"[White \"A \\\"x\\\" \\\\\"]\n[Black \"\xff\"] [Result \"1-0\"]\n";
    let game = PgnHeaders::new(text).next().unwrap().unwrap();
    assert_eq!(game.white.as_deref(), Some("A \"x\" \\"));
    assert_eq!(game.black.as_deref(), Some("\u{fffd}"));
}

#[test]
fn lines_with_a_percent_sign_are_no_pgn() {
    let text = format!("% [ {{\n{}", GAME.replace("2. Nf3", "%{ [\n2. Nf3"));
    assert_eq!(games(&text.repeat(2)), ["A B 1-0"; 2]);
}

#[test]
fn a_file_that_is_cut_off_is_an_error_with_its_line() {
    let text = GAME.repeat(2);
    let of_second = GAME.len();
    for (cut, line) in
        [("[White", 11), ("[Black \"B\"", 12), ("[Result", 13), ("1. e4 {[%", 15), ("(2. f4", 17)]
    {
        let end = of_second + GAME.find(cut).unwrap() + cut.len();
        assert_eq!(fault(&text[..end]), line, "cut behind {cut}");
    }
    let before_the_result = of_second + GAME.find("\n[Result").unwrap();
    assert_eq!(fault(&text[..before_the_result]), 10);
}

#[test]
fn no_cut_is_taken_for_a_whole_game() {
    let text = GAME.repeat(2);
    for end in GAME.len() + 1..text.trim_end().len() - "1-0 {White wins}".len() {
        let whole = text[..end].trim_end().ends_with("[Result \"1-0\"]");
        let last = PgnHeaders::new(&text.as_bytes()[..end]).last().unwrap();
        assert_eq!(last.is_ok(), whole || end <= GAME.len(), "cut at {end}: {:?}", &text[GAME.len()..end]);
    }
}

#[test]
fn a_comment_that_is_not_closed_does_not_swallow_games() {
    let text = format!("{}{GAME}", GAME.replace("{White wins}", "{White wins"));
    assert_eq!(fault(&text), 8);
}

#[test]
fn something_else_is_no_pgn() {
    assert_eq!(fault("Dear reader,\nthis is a letter.\n"), 3);
    assert_eq!(fault("[White A]\n"), 1);
}
