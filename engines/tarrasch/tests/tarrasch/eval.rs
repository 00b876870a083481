//! The evaluation: both the hand-written one and the network are symmetric, caches change nothing, network files are
//! checked, and options choose between the two.

use std::path::Path;
use std::sync::Arc;

use chess::{Color, File, Position, SplitMix, Square};
use proptest::prelude::*;
use tarrasch::eval::{Evaluator, PhasedScore, Term, explain};
use tarrasch::nnue::{Accumulators, BUCKETS, FEATURES, Network, NetworkWeights, PieceValues};
use tarrasch::{Tarrasch, Value};
use uci::scripted_gui::ScriptedGui;

fn evaluate(position: &Position) -> Value {
    Evaluator::new().evaluate(position)
}

/// The position after a random walk; each number picks a legal move.
fn walk(choices: &[u16]) -> Position {
    let mut position = Position::start();
    for &choice in choices {
        let moves = position.move_list();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[usize::from(choice) % moves.len()]);
    }
    position
}

/// The FEN of the position with squares and letters transformed, without castling rights and en passant.
fn transformed(
    position: &Position,
    square_of: impl Fn(Square) -> Square,
    swap_colors: bool,
) -> Option<Position> {
    let mut board = vec!['1'; 64];
    for square in position.occupied() {
        let letter = position.piece_on(square)?.letter();
        let swapped = if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        };
        board[square_of(square).index()] = if swap_colors { swapped } else { letter };
    }
    let ranks: Vec<String> = board.chunks(8).rev().map(|rank| rank.iter().collect()).collect();
    // FEN joins neighbouring empty squares; replace the longest runs first.
    let placement =
        (2..=8).rev().fold(ranks.join("/"), |text, run| text.replace(&"1".repeat(run), &run.to_string()));
    let side = if swap_colors { !position.side_to_move() } else { position.side_to_move() };
    Position::from_fen(&format!("{placement} {} - - 0 1", side.letter())).ok()
}

/// The position without castling rights and en passant; a rook beside a king that may castle is not trapped.
fn without_rights(position: &Position) -> Position {
    transformed(position, |square| square, false).expect("a position without rights is legal")
}

fn mirrored(square: Square) -> Square {
    Square::new(File::ALL[7 - square.file().index()], square.rank())
}

proptest! {
    #[test]
    fn swapping_the_colours_changes_nothing(choices in prop::collection::vec(any::<u16>(), 0..150)) {
        let position = without_rights(&walk(&choices));
        let flipped = transformed(&position, Square::flip, true).expect("the mirrored position is legal");
        prop_assert_eq!(evaluate(&position), evaluate(&flipped), "{}", position);
        for mirrors in [false, true] {
            let network = some_network(64, mirrors);
            prop_assert_eq!(network.evaluate(&position), network.evaluate(&flipped), "{}", position);
        }
    }

    #[test]
    fn mirroring_the_files_changes_nothing(choices in prop::collection::vec(any::<u16>(), 0..150)) {
        let position = without_rights(&walk(&choices));
        let mirror = transformed(&position, mirrored, false).expect("the mirrored position is legal");
        prop_assert_eq!(evaluate(&position), evaluate(&mirror), "{}", position);
        let network = some_network(64, true);
        prop_assert_eq!(network.evaluate(&position), network.evaluate(&mirror), "{}", position);
    }

    #[test]
    fn an_explanation_adds_up_to_the_evaluation(choices in prop::collection::vec(any::<u16>(), 0..150)) {
        let position = walk(&choices);
        let explanation = explain(&position);
        let total: PhasedScore = Term::ALL
            .into_iter()
            .map(|term| explanation.score(term, Color::White) - explanation.score(term, Color::Black))
            .sum();
        let white = total.blend(explanation.phase, explanation.scale).get();
        let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
        prop_assert_eq!(explanation.value.get(), sign * white);
        prop_assert_eq!(explanation.value, evaluate(&position));
    }
}

proptest! {
    #[test]
    fn what_is_remembered_of_the_pawns_changes_nothing(choices in prop::collection::vec(any::<u16>(), 0..150)) {
        let mut evaluator = Evaluator::new();
        for length in 0..choices.len() {
            let position = walk(&choices[..length]);
            prop_assert_eq!(evaluator.evaluate(&position), evaluate(&position));
        }
    }
}

/// A network without knowledge, but with nonzero weights everywhere.
fn weights(width: usize, mirrors: bool) -> NetworkWeights {
    let mut numbers = SplitMix::new(width as u64);
    let mut list = |count: usize, largest: i64| -> Vec<i16> {
        (0..count).map(|_| ((numbers.next() % (2 * largest as u64 + 1)) as i64 - largest) as i16).collect()
    };
    NetworkWeights {
        mirrors,
        scale: 40_000,
        rows: list(FEATURES * width, 60),
        biases: list(width, 60),
        outputs: list(2 * BUCKETS * width, 127),
        output_unit: 64,
        output_biases: [-77; BUCKETS],
    }
}

fn some_network(width: usize, mirrors: bool) -> Arc<Network> {
    Arc::new(Network::from_bytes(&weights(width, mirrors).to_bytes()).unwrap())
}

proptest! {
    #[test]
    fn what_is_remembered_changes_nothing(
        first in prop::collection::vec(any::<u16>(), 0..150),
        second in prop::collection::vec(any::<u16>(), 0..150),
        mirrors: bool,
    ) {
        let network = some_network(128, mirrors);
        let mut accumulators = Accumulators::new(Arc::clone(&network));
        for choices in [&first, &second, &first] {
            for length in 0..=choices.len() {
                let position = walk(&choices[..length]);
                prop_assert_eq!(accumulators.evaluate(&position), network.evaluate(&position), "{}", position);
            }
        }
    }
}

#[test]
fn weights_are_used_as_they_are_written() {
    // One input, a white pawn on e4, is 1.0 in the first column; the first output weighs it by 0.5 for White.
    let mut weights = NetworkWeights {
        mirrors: false,
        scale: 40_000,
        rows: vec![0; FEATURES * 64],
        biases: vec![0; 64],
        outputs: vec![0; 128 * BUCKETS],
        output_unit: 64,
        output_biases: [0; BUCKETS],
    };
    let e4 = 28;
    weights.rows[e4 * 64] = 255;
    weights.outputs[0] = 32;
    weights.outputs[64] = 16;
    let network = Network::from_bytes(&weights.to_bytes()).unwrap();
    let value = |fen: &str| network.evaluate(&Position::from_fen(fen).unwrap());
    assert_eq!(value("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"), 200);
    assert_eq!(value("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"), 100);
    assert_eq!(value("4k3/8/8/8/3P4/8/8/4K3 w - - 0 1"), 0);
    assert_eq!(value("4k3/8/8/4p3/8/8/8/4K3 b - - 0 1"), 200);
    // With five pieces, the second output counts, which has no weights but a bias.
    weights.output_biases[1] = 255 * 32;
    let network = Network::from_bytes(&weights.to_bytes()).unwrap();
    let value = |fen: &str| network.evaluate(&Position::from_fen(fen).unwrap());
    assert_eq!(value("4k3/7p/8/8/4P3/8/8/4K3 w - - 0 1"), 200);
    assert_eq!(value("4k3/6pp/8/8/4P3/8/8/4K3 b - - 0 1"), 200);
}

#[test]
fn rules_know_better_than_a_network() {
    let mut evaluator = Evaluator::new();
    let value = |evaluator: &mut Evaluator, fen: &str| evaluator.evaluate(&Position::from_fen(fen).unwrap());
    let (wrong_bishop, lone_king) = ("8/2b5/8/8/7p/6k1/P7/6K1 w - - 0 1", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
    let by_hand = value(&mut evaluator, lone_king);
    evaluator.use_network(Some(&some_network(64, true)));
    assert_eq!(value(&mut evaluator, lone_king), by_hand);
    let position = Position::from_fen(wrong_bishop).unwrap();
    let raw = some_network(64, true).evaluate(&position);
    // The network sees Black ahead. The bishop alone gives a game phase of 1/24 of the middlegame.
    assert!(raw < 0, "{raw}");
    assert_eq!(evaluator.evaluate(&position).get(), raw / 24);
    let middlegame = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let position = Position::from_fen(middlegame).unwrap();
    assert_eq!(evaluator.evaluate(&position).get(), some_network(64, true).evaluate(&position));
}

#[test]
fn bytes_that_are_no_network_are_refused_with_what_was_expected() {
    let whole = weights(64, true).to_bytes();
    let message = |bytes: &[u8]| Network::from_bytes(bytes).unwrap_err().to_string();
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        message(&bytes)
    };
    assert_eq!(message(b"no network"), "expected a network of Tarrasch, which begins with TarrNNUE");
    assert_eq!(message(&whole[..20]), "expected 32 bytes, found 20");
    assert_eq!(changed(8, 9), "expected version 2 of the format, found 9");
    assert_eq!(changed(10, 65), "expected a width that is a multiple of 64 up to 1024, found 65");
    let size = whole.len();
    assert_eq!(message(&whole[1..size]), "expected a network of Tarrasch, which begins with TarrNNUE");
    assert_eq!(message(&whole[..size - 1]), format!("expected {size} bytes, found {}", size - 1));
    for at in [12, 16, 20, 24, 31, 32, size - 1] {
        let expected = "the checksum is not that of the bytes: the file is damaged";
        assert_eq!(changed(at, whole[at] ^ 1), expected, "{at}");
    }
    let with = |change: fn(&mut NetworkWeights)| {
        let mut weights = weights(64, true);
        change(&mut weights);
        message(&weights.to_bytes())
    };
    assert_eq!(with(|weights| weights.outputs[3] = 128), "weight 128 is out of range");
    assert_eq!(with(|weights| weights.rows[9] = -1000), "weight -1000 is out of range");
    assert!(with(|weights| weights.output_unit = 0).ends_with("found 1, 0 and 40000"));
    assert!(with(|weights| weights.scale = 0).ends_with("found 1, 64 and 0"));
}

#[test]
fn each_piece_is_worth_what_the_board_lacks_without_it() {
    let network = some_network(64, true);
    let position = Position::from_fen("4k3/8/8/8/4P3/8/8/R3K3 b - - 0 1").unwrap();
    let values = PieceValues::new(&network, &position);
    let without = Position::from_fen("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1").unwrap();
    let rook = network.evaluate(&without) - network.evaluate(&position);
    assert_eq!(values.worth("a1".parse().unwrap()), Some(rook));
    assert_eq!(values.worth("e1".parse().unwrap()), None);
    assert_eq!(values.value, network.evaluate(&position));
}

/// A GUI that has set `EvalFile` to a file with these bytes.
fn gui_with(folder: &Path, bytes: &[u8]) -> ScriptedGui {
    let path = folder.join("net.nnue");
    std::fs::write(&path, bytes).unwrap();
    let mut gui = ScriptedGui::with(Tarrasch::new().unwrap());
    gui.send(&format!("setoption name EvalFile value {}", path.display()));
    gui
}

fn nodes(gui: &mut ScriptedGui) -> String {
    gui.send("position startpos moves e2e4 e7e5");
    gui.send("go depth 8");
    let lines = gui.read_until("bestmove");
    let line = lines.iter().rfind(|line| line.contains(" depth 8 ")).unwrap();
    line.split_whitespace().skip_while(|word| *word != "nodes").nth(1).unwrap().to_owned()
}

#[test]
fn options_choose_the_network_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let mut plain = ScriptedGui::with(Tarrasch::new().unwrap());
    let shipped = nodes(&mut plain);
    plain.send("setoption name Network value false");
    let by_hand = nodes(&mut plain);
    let mut gui = gui_with(folder.path(), &weights(64, true).to_bytes());
    let other = nodes(&mut gui);
    assert!(other != by_hand && other != shipped && by_hand != shipped);
    for (option, expected) in [
        ("Network value false", &by_hand),
        ("Network value true", &other),
        ("EvalFile value <empty>", &shipped),
    ] {
        gui.send(&format!("setoption name {option}"));
        assert_eq!(nodes(&mut gui), *expected, "{option}");
    }
    plain.end();
    gui.end();
}

#[test]
fn a_file_that_is_no_network_is_one_message_and_the_engine_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut gui = gui_with(folder.path(), b"no network");
    let said = gui.read_until("info string");
    let expected = "net.nnue: expected a network of Tarrasch, which begins with TarrNNUE";
    assert!(said.len() == 1 && said[0].starts_with("info string option EvalFile: "), "{said:?}");
    assert!(said[0].ends_with(expected), "{said:?}");
    assert_eq!(nodes(&mut gui), nodes(&mut ScriptedGui::with(Tarrasch::new().unwrap())));
    gui.send("setoption name EvalFile value missing.nnue");
    assert!(gui.read_until("info string")[0].starts_with("info string option EvalFile: missing.nnue: "));
}
