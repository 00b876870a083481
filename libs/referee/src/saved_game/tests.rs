use proptest::prelude::*;

use super::*;

fn played(moves: &[&str]) -> Referee {
    let mut referee = Referee::new(Variant::Standard);
    for uci in moves {
        referee.play(uci).unwrap();
    }
    referee
}

#[test]
fn the_file_has_the_fields_of_the_document() {
    let json = SavedGame::of(&played(&["e2e4", "a7a6", "e4e5", "d7d5"])).to_json();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["Partie"]["Nombre_de_tours"], 4);
    assert_eq!(value["Partie"]["PrisePassant"], true);
    assert_eq!(value["Partie"]["PositionPrisePassant"], "D6");
    let white = "RE1:DD1:FC1:FF1:TA1:TH1:CB1:CG1:A2:B2:C2:D2:E5:F2:G2:H2";
    let black = "RE8:DD8:FC8:FF8:TA8:TH8:CB8:CG8:A6:B7:C7:D5:E7:F7:G7:H7";
    assert_eq!((&value["Joueurs1"]["Hash"], &value["Joueurs2"]["Hash"]), (&white.into(), &black.into()));
}

/// A file as the document draws it, without the fields that are ours.
#[test]
fn a_file_with_the_fields_of_the_document_alone_is_read() {
    let text = r#"{
        "Partie": { "Nombre_de_tours": 41, "PrisePassant": false, "PositionPrisePassant": "" },
        "Joueurs1": { "Hash": "RE1 TH1 :A2" },
        "Joueurs2": { "Hash": "RE8:TA8:TC8" }
    }"#;
    let game = SavedGame::parse("game.json", text).unwrap();
    assert_eq!(game.fen(), "r1r1k3/8/8/8/8/8/P7/4K2R b Kq - 0 21");
}

#[test]
fn a_king_that_has_moved_and_come_back_does_not_castle_after_the_restoration() {
    let game = played(&["e2e4", "e7e5", "e1e2", "e8e7", "e2e1", "e7e8"]);
    let restored = SavedGame::parse("game.json", &SavedGame::of(&game).to_json()).unwrap();
    assert_eq!(restored.fen(), game.fen());
    assert!(restored.fen().contains(" w - - 4 4"));
}

#[test]
fn every_field_that_is_edited_badly_is_named() {
    let good = SavedGame::of(&played(&["e2e4"])).to_json();
    for (from, to, part) in [
        ("RE1", "RE9", "Joueurs1.Hash: `RE9` is not a piece"),
        ("RE8", "E8", "expected a legal position"),
        ("RE8:", "", "expected a legal position"),
        ("DD8", "DE8", "Joueurs2.Hash: two pieces stand on e8"),
        ("DD8", "DD1", "pieces of both players on d1"),
        ("\"PrisePassant\": false", "\"PrisePassant\": true", "PositionPrisePassant: expected a square"),
        ("\"PositionPrisePassant\": \"\"", "\"PositionPrisePassant\": \"E3\"", "expected nothing"),
        ("\"PrisePassant\": false", "\"PrisePassant\": 7", "line 4"),
        ("\"Nombre_de_tours\": 1", "\"Nombre_de_tours\": -1", "line 3"),
        ("\"Nombre_de_tours\": 1", "\"Nombre_de_tours\": 99999999999", "Partie.Nombre_de_tours"),
        ("\"Roques\": \"KQkq\"", "\"Roques\": \"xyz\"", "castling"),
        ("Joueurs2", "Joueur2", "unknown field `Joueur2`"),
    ] {
        let bad = good.replace(from, to);
        assert_ne!(bad, good, "{from}");
        let message = SavedGame::parse("game.json", &bad).unwrap_err().to_string();
        assert!(message.starts_with("game.json: ") && message.contains(part), "{to}: {message}");
    }
}

#[test]
fn a_file_that_was_saved_is_loaded_and_no_partial_file_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let game = SavedGame::of(&played(&["d2d4", "g8f6"]));
    game.save(&path).unwrap();
    assert_eq!(SavedGame::load(&path).unwrap(), game);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let message = SavedGame::load(&folder.path().join("none.json")).unwrap_err().to_string();
    assert!(message.contains("none.json: "), "{message}");
}

proptest! {
    #[test]
    fn restoring_what_was_saved_is_the_identity(choices in prop::collection::vec(0_usize..1000, 0..120)) {
        let mut referee = Referee::new(Variant::Standard);
        for choice in choices {
            let moves = referee.legal_moves();
            if moves.is_empty() {
                break;
            }
            referee.play(&moves[choice % moves.len()]).unwrap();
        }
        let restored = SavedGame::parse("game.json", &SavedGame::of(&referee).to_json()).unwrap();
        prop_assert_eq!(restored.fen(), referee.fen());
    }

    #[test]
    fn a_file_that_is_cut_short_is_an_error(cut in 0.0_f64..1.0) {
        let good = SavedGame::of(&played(&["e2e4"])).to_json();
        // The last two characters are a bracket and a line end, which may be missing.
        let length = (cut * (good.len() - 2) as f64) as usize;
        prop_assert!(SavedGame::parse("game.json", &good[..length]).is_err());
    }
}
