use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// White, Black, result and moves of each game, or its error.
fn games_of(mut reader: PgnGames<'_>, needs_ending: bool) -> Vec<String> {
    let mut told = Vec::new();
    while let Some(game) = reader.next() {
        let text = game.and_then(|game| {
            if needs_ending || !game.is_cut_off() {
                reader.broken_off(&game).map_or(Ok(()), Err)?;
            }
            let moves = game.uci_moves(Variant::Standard, usize::MAX);
            let moves = moves.map_err(|problem| reader.fault(&game, problem))?;
            let player = |side| game.player(side).map_or("?".to_owned(), Cow::into_owned);
            let result = game.result().map_or("*", GameResult::as_str);
            let (white, black) = (player(Side::White), player(Side::Black));
            Ok([&[white, black, result.to_owned()], &moves[..]].concat().join(" "))
        });
        told.push(text.unwrap_or_else(|error| error.to_string()));
    }
    told
}

fn games(text: &str) -> Vec<String> {
    games_of(PgnGames::new("x.pgn", text.as_bytes()), false)
}

fn whole_games(text: &str) -> Vec<String> {
    games_of(PgnGames::new("x.pgn", text.as_bytes()), true)
}

/// The moves of one game without tags.
fn moves(text: &str) -> String {
    let games = games(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games[0].trim_start_matches(|c: char| "?*120-/ ".contains(c)).to_owned()
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

const READ: &str = "A B 1-0 e2e4 e7e5 g1f3";

#[test]
fn whatever_stands_between_the_moves_is_crossed() {
    assert_eq!(games(&GAME.repeat(3)), [READ; 3]);
    assert_eq!(games(&GAME.replace('\n', "\r\n").repeat(2)), [READ; 2]);
    assert_eq!(games(GAME.trim_end()), [READ]);
    let escaped = format!("% [ {{\n{}", GAME.replace("2. Nf3", "%{ [\n2. Nf3"));
    assert_eq!(games(&escaped.repeat(2)), [READ; 2]);
    // Double-spaced, and with a byte order mark before each of the joined files.
    assert_eq!(games(&GAME.replace('\n', "\n\n").replace("\n\n[%", "\n[%").repeat(2)), [READ; 2]);
    assert_eq!(games(&format!("\u{feff}{GAME}").repeat(2)), [READ; 2]);
}

/// python-chess 1.11 reads all of these signs, except an N attached to the move.
#[test]
fn signs_of_annotators_do_not_stop_a_game() {
    for sign in [
        "±", "∓", "⩲", "⩱", "=", "+=", "=+", "+-", "-+", "+/-", "-/+", "+/=", "=/+", "~", "N", "∞", "□", "⊕",
        "!!", "?!", "$14", "D", "#", "TN", ";x", "⌓", "↑", "!N", "(D)", "{±}", ",", "!?=", "[=]", "<=", "^",
        "⇆⟳", "e.p.", "ep", "...", "!±", "—", "_",
    ] {
        for blank in ["", " "] {
            let text = format!("1. e4 e5{blank}{sign}\n2. Nf3{blank}{sign}\n2... Nc6{blank}{sign}\n*");
            assert_eq!(moves(&text), "e2e4 e7e5 g1f3 b8c6", "{text}");
        }
    }
    for (text, expected) in [
        ("1. e2-e4 e7e5 2. Ng1-f3 b8c6 3. Pd4 e:d4 *", "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4"),
        ("1. e4 e5 2. Qh5 Nc6 3. Qxf7+N Kxf7 *", "e2e4 e7e5 d1h5 b8c6 h5f7 e8f7"),
        ("1. e4 d5 2. e5 f5 3. exf6e.p. Nxf6 *", "e2e4 d7d5 e4e5 f7f5 e5f6 g8f6"),
        (
            "[FEN \"4k3/1P6/8/8/8/8/1p6/4K2R w K - 0 1\"]\n\n1. b8Q+ Kd7 2. 0-0 b1/N *",
            "b7b8q e8d7 e1g1 b2b1n",
        ),
        (
            "[FEN \"4k3/1P6/8/8/8/8/1p6/4K2R w K - 0 1\"]\n\n1. b8=q+ Kd7 2. o-o b1=R *",
            "b7b8q e8d7 e1g1 b2b1r",
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/RR2K3 w - - 0 1\"]\n\n1. Rb1b5 Kd7 2. Rb5b1 Kc7 3. R1a5 ½–½",
            "b1b5 e8d7 b5b1 d7c7 a1a5",
        ),
    ] {
        assert_eq!(moves(text), expected, "{text}");
    }
}

#[test]
fn games_without_tags_or_moves_or_results_are_games() {
    let header = "[White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n";
    for between in ["", "\n", "\n1/2-1/2\n\n"] {
        assert_eq!(games(&format!("{header}{between}").repeat(2)), ["A B 1/2-1/2"; 2], "{between:?}");
    }
    assert_eq!(
        games("1. e4 *\n1. d4 1-0\n\n1. c4 0-1 1. b4 *"),
        ["? ? * e2e4", "? ? 1-0 d2d4", "? ? 0-1 c2c4", "? ? * b2b4"]
    );
    assert_eq!(games("[White \"A\"]\n1. e4\n[White \"B\"]\n1. d4"), ["A ? * e2e4", "B ? * d2d4"]);
    assert_eq!(games("[White \"?\"]\n[Black \"\"]\n[Result \"2-0\"]\n\n*\n"), ["? ? *"]);
    assert_eq!(games("[White \"A\"]\n[Black \"B\"]\n\n1. e4 0-1\n"), ["A B 0-1 e2e4"]);
    for nothing in ["", "\n\n", "Dear reader,\nthis is a letter.\n"] {
        let [fault] = &games(nothing)[..] else { panic!("{nothing}") };
        assert!(fault.contains("expected at least one game"), "{fault}");
    }
}

#[test]
fn names_may_have_quotes_and_any_bytes_and_tags_any_blanks() {
    let text = b"[White\t \"A \\\"x\\\" \\\\\"]\n  [ Black \"\xff\" ] [Result \"1-0\"]\n";
    assert_eq!(games_of(PgnGames::new("x", &text[..]), false), ["A \"x\" \\ \u{fffd} 1-0"]);
    assert_eq!(games("[White \"A\"]\n[Black B]\n[Result \"1-0\"]\n\n1. e4 1-0\n"), ["A B 1-0 e2e4"]);
    let wide = PgnGames::new("x", &b"\xff\xfe1\0.\0"[..]);
    assert!(games_of(wide, false)[0].contains("UTF-16"));
}

#[test]
fn a_game_that_cannot_be_read_spoils_no_other() {
    let illegal = GAME.replace("Nf3", "Nf6");
    let open = GAME.replace("no end}", "no end").replace("{White wins}", "");
    let bad_fen = GAME.replace("[White", "[FEN \"8/8 w\"]\n[White");
    let text = [GAME, &illegal, &open, &bad_fen, GAME].concat();
    let found = games(&text);
    assert_eq!((&found[0][..], &found[4][..], found.len()), (READ, READ, 5));
    for (fault, words) in found[1..4].iter().zip([
        "x.pgn:17: game 2: move \"Nf6\" is not legal",
        "x.pgn:24: game 3: expected a '}'",
        "x.pgn:28: game 4: tag FEN",
    ]) {
        assert!(fault.starts_with(words), "{fault}");
    }
}

#[test]
fn a_last_game_without_its_result_is_cut_off_where_that_matters() {
    let text = GAME.repeat(2);
    for end in GAME.len() + "[Event \"".len()..text.trim_end().len() - "1-0 {White wins}".len() {
        let is_whole = text[..end].trim_end().trim_end_matches(']').ends_with("[Result \"1-0\"");
        let found = whole_games(&text[..end]);
        assert_eq!(found[0], READ);
        let last = &found[found.len() - 1];
        assert_eq!(last.starts_with("x.pgn:"), !is_whole, "{last}");
    }
    assert_eq!(games(text.trim_end().trim_end_matches("1-0 {White wins}")), [READ, READ]);
}

#[test]
fn a_game_is_known_by_moves_players_and_times() {
    let identity =
        |text: &str| PgnGames::new("x", text.as_bytes()).next().unwrap().unwrap().identity().unwrap();
    let (one, with_comments) =
        (identity(GAME), identity(&GAME.replace("$1", "{other} $2").replace('\n', "\r\n")));
    assert_eq!(one, with_comments);
    assert!(!one.is_certain);
    let timed = GAME.replace("[White", "[Round \"1\"]\n[UTCTime \"10:00:00\"]\n[White");
    assert!(identity(&timed).is_certain);
    let is_certain =
        |round: &str| identity(&GAME.replace("[White", &format!("[Round \"{round}\"]\n[White"))).is_certain;
    assert_eq!(["1", "?", "7.13"].map(is_certain), [false, false, true]);
    for other in [
        GAME.replace("Nf3", "Nc3"),
        GAME.replace("\"A\"", "\"C\""),
        GAME.replace("Result \"1-0", "Result \"0-1"),
        GAME.replace("[White", "[Round \"2\"]\n[White"),
        timed,
    ] {
        assert_ne!(identity(&other).hash, one.hash, "{other}");
    }
}

#[test]
fn the_book_ends_with_the_first_move_without_its_comment() {
    let read = |text: &str, keeps_moves: bool| {
        let text = format!("[White \"A\"]\n[Black \"B\"]\n\n{text} *\n\n");
        let games = PgnGames::new("x", text.as_bytes());
        let mut games = if keeps_moves { games } else { games.without_moves() };
        let game = games.next().unwrap().unwrap();
        (game.book_hash(), game.first_moves())
    };
    for keeps in [true, false] {
        let (book, first) =
            read("{book} 1. e4 {book, mb=1} e5 { (Book) } 2. Nf3 {+0.1/1 1s} Nc6 {book}", keeps);
        let (other, second) = read("1. e4 {book} e5 {book} 2. Nc3 {0.0 bookish}", keeps);
        assert!(book.is_some() && book == other, "{book:?} {other:?}");
        assert_eq!((first[1], first[2] == second[2], first[4], second[3]), (second[1], false, 0, 0));
        assert_eq!(read("1. e4 {bookish} e5 {book}", keeps).0, None);
    }
}

#[test]
fn a_game_counts_once_however_many_sources_have_it() {
    let mut known = KnownGames::default();
    let mut counted = |hashes: &[u64], is_certain| {
        known.begin_source();
        hashes.iter().filter(|&&hash| !known.is_copy(GameIdentity { hash, is_certain })).count()
    };
    // Engines repeat games: three in one source count as three, and a copy of that source adds none.
    assert_eq!([counted(&[1, 1, 1, 2], false), counted(&[1, 1, 1, 2], false)], [4, 0]);
    assert_eq!([counted(&[1, 1, 1, 1, 3], false), counted(&[2, 1], false)], [2, 0]);
    // With round and time the identity is certain.
    assert_eq!([counted(&[7, 7, 8], true), counted(&[8, 9], true)], [2, 1]);
    let mut only = KnownGames::of(1);
    let copies = [false, false, true, true]
        .map(|is_certain| only.is_copy(GameIdentity { hash: u64::from(is_certain), is_certain }));
    assert_eq!(copies, [false, false, false, true]);
}

#[test]
fn a_game_longer_than_what_is_read_at_once_is_whole() {
    let long = GAME.replace("[%eval 0.3]", &"x ".repeat(READ_BYTES));
    assert_eq!(games(&[GAME, &long, GAME].concat()), [READ; 3]);
}

#[test]
fn no_more_plies_are_read_than_a_game_can_have() {
    for plies in [MOST_PLIES, MOST_PLIES + 4] {
        let moves = "Nf3 Nf6 Ng1 Ng8\n".repeat(plies / 4);
        let text = format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{moves}1-0\n");
        assert_seen_alike(text.as_bytes());
        let game = PgnGames::new("x", text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(game.written_moves(), MOST_PLIES);
        assert_eq!(game.broken.is_some(), plies > MOST_PLIES);
    }
}

#[test]
fn a_foreign_move_behind_a_refused_word_is_refused_with_it() {
    let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {x} Sf3 e5 2. Nf3 1-0\n\n";
    let cut = text.replacen("1. e4", "1. e4 best", 1);
    let numbered = text.replacen("Sf3 e5", "e5 2. Nf3 Nf33 Nc6 d4 7. d5 9. e4", 1);
    for text in [text, &cut, &numbered] {
        assert_seen_alike(text.as_bytes());
    }
}

/// As programs that play games write them.
const PLAIN: &str = "\
[White \"A\"]\r
[Black \"\"]\r
[Round \"3.1\"]\r
[Result \"0-1\"]\r
\r
1. e4 {+0.35/12\r
1.2s [%eval 1]} e7e5 {x}2.Nbd2+ $1 exd8=Q# 3. O-O!? {*}\r
3... Qa1xb2 0-1\r
\r
";

/// The data that `rate` and `sprt` take from the games of a text.
fn seen(games: PgnGames<'_>) -> Vec<String> {
    let told = |game: Result<ReadGame, BookError>| match game {
        Err(error) => error.to_string(),
        Ok(game) => format!(
            "{}:{} {:?} {:?} {:?} {:?}",
            game.line,
            game.number,
            ["White", "Black", "Round", "FEN", AFTER_DECISION].map(|name| game.tag(name)),
            game.result(),
            game.identity(),
            (game.book_hash(), game.first_moves(), game.variant, &game.broken)
        ),
    };
    games.map(told).collect()
}

fn assert_seen_alike(text: &[u8]) {
    let games = || PgnGames::new("x", text);
    assert_eq!(seen(games().without_moves()), seen(games()), "{}", String::from_utf8_lossy(text));
}

#[test]
fn plain_games_are_read_without_pgn_reader() {
    let text = PLAIN.repeat(2);
    let length =
        |text: &str, is_whole| PlainGames::new().game(text.as_bytes(), is_whole, &mut ReadGame::default());
    let lengths = [(&text[..], true), (&text[..], false), (PLAIN, true), (PLAIN, false)]
        .map(|(text, is_whole)| length(text, is_whole));
    assert_eq!(lengths, [Some(PLAIN.len()), Some(PLAIN.len()), Some(PLAIN.len()), None]);
    assert_seen_alike(PLAIN.repeat(READ_BYTES / PLAIN.len() + 2).as_bytes());
    // Text that is not a plain game does not become one at the end of a line or file.
    for other in [
        "{1-0\r\n1. e4 0-1", "{\n[White \"C\"]", "(", "0-0", "e8Q", "*", "\n\n", "Pe4", "bd2",
        "\n[White \"C\"]\n",
    ] {
        let text = text.replacen("{x}", &format!(" {other} "), 1);
        assert_eq!(length(&text, true), None, "{other}");
        assert_seen_alike(text.as_bytes());
    }
}

proptest! {
    #[test]
    fn with_and_without_moves_the_same_games_are_seen(
        games in vec(select(&[PLAIN, GAME][..]), 1..4),
        changes in vec((any::<prop::sample::Index>(), 0..3_usize, select(&[
            "", "\n", "\r\n", "\r", " ", "\t", "\u{feff}", "[", "]", "{", "}", "(", ")", ";", "%", "\"", "\\", "*", "1-0", "0-1 ",
            " 1/2-1/2\n", "½-½", "\n1. ", "1... ", " e4 ", " Nbd7 ", "0-0", " e8Q", "e8=n ", "Pe4", "$", "$2 ", "!", "+", "\n[",
            "{book}", "{ (Book, x) }", "[White \"C\"]\n", "\n[Result \"1-0\"]\n", "\n[FEN \"8/8\"]\n\n", "[AfterDecision \"1\"]\n", " -- ", "N@e4 ", " best ", " Nf33 ", " Sf3 ", " Pf3 ", " \"x\"", "1/2-1/2 2. Nf3 ", " e8=D ",
        ][..])), 0..4),
    ) {
        let mut text = games.concat().into_bytes();
        for (at, removed, added) in changes {
            let at = at.index(text.len());
            text.splice(at..(at + removed).min(text.len()), added.bytes());
            prop_assume!(!text.is_empty());
        }
        assert_seen_alike(&text);
    }
}
