//! Each part of the catalogue is recognised in positions made for it.

use super::*;

/// Positions, what they show, and what they only seem to show.
const SHOWN: &[(&str, &str, &str)] = &[
    ("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "ep-off-rank", "ep"),
    ("7k/8/8/K1PpP2r/8/8/8/8 w - d6 0 1", "ep ep-by-two", "ep-off-rank"),
    ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ep-off-file pin-p-along-file", "ep"),
    ("7k/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1", "ep-off-diagonal", "ep"),
    ("7k/6b1/8/4Pp2/8/2K5/8/8 w - f6 0 1", "ep ep-along-pin pin-p-off-rising", "ep-off-diagonal"),
    ("3r3k/8/8/3pP3/8/8/8/3K4 w - d6 0 1", "ep ep-refills-file", "ep-off-file"),
    ("7k/8/8/3pP3/4K3/8/8/8 w - d6 0 1", "ep ep-evades", "evade-pawn-takes"),
    ("4b2k/8/8/3pP3/K7/8/8/8 w - d6 0 1", "ep-ignores-check", "ep"),
    ("8/3k4/8/3Pp3/8/8/8/3RK3 w - e6 0 1", "ep-checks ep-uncovers ep-double-check", "uncovers-p"),
    ("4k3/8/8/8/2pPp3/8/8/4K3 b - d3 0 1", "ep ep-by-two", "ep-checks"),
    ("4r2k/8/8/8/4N3/8/8/4K3 w - - 0 1", "pin-n-off-file", "pin-n-off-rank"),
    ("7k/8/8/8/1b6/2R5/8/4K3 w - - 0 1", "pin-r-off-falling", "pin-r-along-rank"),
    ("8/8/8/8/7k/8/8/KQ5r w - - 0 1", "pin-q-off-rank pin-q-along-rank", "pin-q-along-file"),
    ("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "uncovers-n double-check-n", "uncovers-r"),
    ("4k3/8/8/8/4P3/8/8/4R1K1 w - - 0 1", "", "uncovers-p pin-p-along-file"),
    (
        "4r1k1/8/8/8/8/5n2/3P2P1/3QK2R w K - 0 1",
        "in-double-check double-check-take double-check-block castle-out-w-short",
        "evade-piece-blocks evade-pawn-takes",
    ),
    ("4r2k/8/8/8/8/8/4K3/8 w - - 0 1", "king-stays-on-line evade-step king-to-rook", "king-to-queen"),
    ("4r2k/8/8/8/8/3B4/3PK3/8 w - - 0 1", "evade-piece-blocks ignores-check", "evade-pawn-blocks"),
    ("7k/8/8/K6r/8/8/3P4/8 w - - 0 1", "ignores-check", "evade-double-step-blocks"),
    ("7k/8/8/8/K6r/8/3P4/8 w - - 0 1", "evade-double-step-blocks", "evade-pawn-blocks"),
    ("3r3k/8/8/8/8/8/2b5/3K4 w - - 0 1", "in-double-check double-check-king-takes", "evade-king-takes"),
    ("8/8/8/8/8/1k6/8/1K6 w - - 0 1", "king-to-king", "king-takes-protected"),
    ("8/8/8/8/8/1k6/1q6/1K6 w - - 0 1", "mate king-takes-protected", "stalemate"),
    (
        "7k/P7/8/8/8/8/8/K7 w - - 0 1",
        "promotion-step promotion-checks-q promotion-checks-r",
        "promotion-checks-b",
    ),
    ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "promotion-step promotion-capture", "promotion-off-pin"),
    ("1r5k/P7/8/8/8/8/8/R2rK3 w - - 0 1", "promotion-ignores-check evade-king-takes", "promotion-blocks"),
    ("r5k1/1P6/8/8/8/8/8/R2bK3 w - - 0 1", "promotion-capture", "promotion-takes-castling-rook"),
    (
        "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1",
        "promotion-takes-castling-rook right-taken-b-long",
        "right-taken-b-short",
    ),
    ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "castle-w-long castle-rook-past-attack", "castle-through-w-long"),
    ("3r2k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "castle-through-w-long", "castle-w-long castle-into-w-long"),
    ("2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "castle-into-w-long", "castle-w-long castle-through-w-long"),
    ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "castle-blocked-long castle-rook-blocked", "castle-w-long"),
    (
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        "castle-w-short castle-checks-short right-left-king",
        "castle-rook-attacked",
    ),
    (
        "r3k2r/8/8/8/8/8/8/4K2R b Kkq - 0 1",
        "castle-b-short castle-b-long castle-rook-attacked right-taken-w-short",
        "castle-rook-past-attack castle-w-short",
    ),
    ("4k3/8/8/8/8/8/1PP5/qRK4R w HB - 0 1", "castle-rook-pinned castle-w-short", "castle-w-long"),
    ("r5kr/p6p/8/8/8/8/P6P/R5KR w HAha - 0 1", "castle-king-stays castle-long-walk", "castle-rook-stays"),
    ("6kr/8/8/8/8/8/8/RR2K3 w B - 0 1", "castle-inner-rook castle-w-long", "castle-swap"),
    ("4k3/8/8/8/8/8/8/2KR4 w D - 0 1", "castle-w-short", "castle-w-long"),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate king-to-queen", "mate stalemate-pinned"),
    ("k7/1b6/2Q5/1K6/8/8/8/8 b - - 0 1", "pin-b-along-falling", "stalemate"),
    ("kn1Q4/7R/8/1K6/8/8/8/8 b - - 0 1", "stalemate stalemate-pinned pin-n-off-rank", "mate"),
];

#[test]
fn the_cases_of_positions_made_for_them_are_recognised() {
    for (fen, shown, not_shown) in SHOWN {
        let cases = cases_of(&Scene::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")));
        let names: Vec<&str> = cases.iter().map(RuleCase::name).collect();
        for name in shown.split_whitespace().chain(not_shown.split_whitespace()) {
            assert!(RuleCase::ALL.iter().any(|case| case.name() == name), "{name} is not in the catalogue");
        }
        for name in shown.split_whitespace() {
            assert!(names.contains(&name), "{fen} shows {name}, found {names:?}");
        }
        for name in not_shown.split_whitespace() {
            assert!(!names.contains(&name), "{fen} does not show {name}, found {names:?}");
        }
    }
}
