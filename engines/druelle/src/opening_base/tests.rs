use super::*;

/// The four openings of the document, move by move in its notation, and who it is that plays them.
const OPENINGS: [(&str, Side, &[&str]); 4] = [
    ("Défense indienne", Side::Black, &["d4", "Cf6", "c4", "e6", "Cf3", "b6"]),
    ("Défense Benoni", Side::Black, &["d4", "Cf6", "c4", "c5"]),
    ("Mat du berger", Side::White, &["e4", "e5", "Dh5", "Cc6", "Fc4", "Cf6", "Df7"]),
    ("Croisade du cavalier", Side::Black, &["d4", "Cf6", "Cd2", "e5", "de5", "Cg4", "h3", "Ce3"]),
];

#[test]
fn the_base_answers_its_four_openings() {
    let base = OpeningBase::shipped().unwrap();
    for (name, side, line) in OPENINGS {
        let mut game = Game::start();
        for text in line {
            let referee = Referee::from_fen(&game.fen(), Variant::Standard).unwrap();
            let mv = game.find(&french::french_to_uci(&referee, text).unwrap()).unwrap();
            if game.turn() == side {
                assert!(base.replies(&game).iter().any(|reply| reply.mv == mv), "{name}: {text}");
            }
            game.play(mv);
            if game.turn() != side {
                assert!(base.known().contains(&game.key()), "{name}: the position after {text}");
            }
        }
    }
}

#[test]
fn every_opening_has_its_name_in_the_base() {
    let base = OpeningBase::shipped().unwrap();
    for (name, ..) in OPENINGS {
        assert!(base.replies.values().flatten().any(|reply| reply.opening == name), "{name}");
    }
}

#[test]
fn the_scholars_mate_is_mate() {
    let base = OpeningBase::shipped().unwrap();
    let mut game =
        Game::from_fen("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4").unwrap();
    let reply = base.replies(&game)[0].clone();
    assert_eq!(reply.mv.to_string(), "h5f7");
    game.play(reply.mv);
    assert!(game.is_check(Side::Black) && !game.has_legal_move());
}

#[test]
fn a_position_that_is_not_in_the_base_has_no_reply() {
    let game = Game::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    assert_eq!(OpeningBase::shipped().unwrap().replies(&game), []);
}

#[test]
fn a_bad_line_is_told_with_file_line_and_field() {
    for (line, part) in [
        ("a | RE1 | RE8 | blancs", "expected five fields"),
        ("a | RE1:XA1 | RE8 | blancs | Re2", "field 2 (white): `XA1` is not a piece"),
        ("a | RE1 | A7:RE8 | blancs | Re2", "field 3 (black): expected the canonical order RE8:A7"),
        ("a | RE1 | RE8 | gris | Re2", "field 4 (turn)"),
        ("a | RE1 | RE8 | blancs | Re3", "field 5 (reply)"),
        ("a | RE1 | RE8 | blancs | Ke2", "French notation"),
        ("a | RE1 | RE2 | blancs | Re2", "expected a legal position"),
        ("a | RE1:DE8 | RE8 | blancs | Re2", "two pieces"),
        ("a | DE1 | RE8 | blancs | Re2", "one king"),
    ] {
        let text = format!("# a comment\n\n{line}\n");
        let message = OpeningBase::parse("my.base", &text).unwrap_err().to_string();
        assert!(message.starts_with("my.base:3: ") && message.contains(part), "{line}: {message}");
    }
}
