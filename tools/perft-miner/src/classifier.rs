//! Finds the rare cases of the rules that a position shows.
//!
//! The parts of the rules have their own files. What they share is here: the two sides, the squares that answer a check, and
//! the attackers of a square.

use super::case_set::CaseSet;
use super::rule_case::RuleCase;
use chess::{Bitboard, Color, FenError, Move, MoveList, PieceKind, Position, Setup, Square, attacks};
use referee::Variant;

/// A position and its en-passant square, also if the capture is illegal: then our core drops the square, but cases of
/// illegal captures need it.
#[derive(Clone, Debug)]
pub struct Scene {
    pub position: Position,
    /// The square that a pawn has just passed over, if a pawn attacks it.
    pub passed: Option<Square>,
}

impl Scene {
    pub fn from_fen(fen: &str) -> Result<Scene, FenError> {
        let setup: Setup = fen.parse()?;
        let position = Position::try_from(&setup)?;
        let passed = setup.ep_square.filter(|&passed| is_attacked_by_pawn(&position, passed));
        Ok(Scene { position, passed })
    }

    #[must_use]
    pub fn play(&self, m: Move) -> Scene {
        let is_pawn = self.position.kind_on(m.from()) == Some(PieceKind::Pawn);
        let is_double = is_pawn && m.from().index().abs_diff(m.to().index()) == 16;
        let passed = Square::from_index(usize::midpoint(m.from().index(), m.to().index()));
        let position = self.position.play(m);
        let passed = Some(passed).filter(|&passed| is_double && is_attacked_by_pawn(&position, passed));
        Scene { position, passed }
    }

    /// The FEN with the square passed over; castling rights by files in Chess960.
    pub fn fen(&self, variant: Variant) -> String {
        let fen = match variant {
            Variant::Standard => self.position.fen(),
            Variant::Chess960 => self.position.shredder_fen(),
        };
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let passed = self.passed.map(|square| square.to_string());
        if let (Some(passed), Some(field)) = (&passed, fields.get_mut(3)) {
            *field = passed;
        }
        fields.join(" ")
    }

    /// The pawns that attack the square passed over.
    pub(super) fn captors(&self) -> Bitboard {
        self.passed.map_or(Bitboard::EMPTY, |passed| pawns_attacking(&self.position, passed))
    }
}

fn is_attacked_by_pawn(position: &Position, passed: Square) -> bool {
    pawns_attacking(position, passed).any()
}

/// The pawns of the side to move that attack a square.
fn pawns_attacking(position: &Position, square: Square) -> Bitboard {
    let us = position.side_to_move();
    attacks::pawn(!us, square) & position.pieces(us, PieceKind::Pawn)
}

pub fn cases_of(scene: &Scene) -> CaseSet {
    let mut classifier = Classifier::new(scene);
    classifier.add_en_passant();
    classifier.add_pieces();
    classifier.add_king_steps();
    classifier.add_castling();
    classifier.add_played_moves();
    classifier.add_ends();
    classifier.cases
}

/// A position and the cases found so far.
pub(super) struct Classifier<'a> {
    pub(super) scene: &'a Scene,
    pub(super) position: &'a Position,
    pub(super) us: Color,
    pub(super) king: Square,
    pub(super) occupied: Bitboard,
    pub(super) enemies: Bitboard,
    pub(super) checkers: Bitboard,
    /// The squares where a piece other than the king answers the check; all squares without a check.
    pub(super) evading: Bitboard,
    pub(super) legal: MoveList,
    pub(super) cases: CaseSet,
}

impl<'a> Classifier<'a> {
    fn new(scene: &'a Scene) -> Classifier<'a> {
        let position = &scene.position;
        let us = position.side_to_move();
        let (king, checkers) = (position.king(us), position.checkers());
        let evading = match (checkers.first(), checkers.more_than_one()) {
            (None, _) => Bitboard::ALL,
            (Some(checker), false) => attacks::between(king, checker) | checkers,
            (Some(_), true) => Bitboard::EMPTY,
        };
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        Classifier {
            scene,
            position,
            us,
            king,
            occupied: position.occupied(),
            enemies: position.colored(!us),
            checkers,
            evading,
            legal,
            cases: CaseSet::default(),
        }
    }

    pub(super) fn add(&mut self, case: RuleCase) {
        self.cases.insert(case);
    }

    pub(super) fn add_if(&mut self, condition: bool, case: RuleCase) {
        self.cases.insert_if(condition, case);
    }

    pub(super) fn is_single_check(&self) -> bool {
        self.checkers.count() == 1
    }

    /// The enemy pieces that would attack a square on a board with these squares occupied.
    pub(super) fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.position.attackers_to(square, occupied) & self.enemies & occupied
    }

    pub(super) fn own_pieces(&self) -> impl Iterator<Item = (Square, PieceKind)> + use<'a> {
        let position = self.position;
        let squares = position.colored(self.us).into_iter();
        squares.filter_map(move |square| Some((square, position.kind_on(square)?)))
    }

    fn add_ends(&mut self) {
        if !self.legal.is_empty() {
            self.add_if(self.checkers.any() && self.legal.len() == 1, RuleCase::OnlyMove);
            return;
        }
        if self.checkers.any() {
            self.add(RuleCase::Checkmate);
            self.add_if(self.checkers.more_than_one(), RuleCase::DoubleCheckmate);
        } else {
            self.add(RuleCase::Stalemate);
            self.add_if(self.has_pinned_move(), RuleCase::PinnedStalemate);
        }
    }

    /// Whether a piece cannot move only because of its pin.
    fn has_pinned_move(&self) -> bool {
        let pinned = self.position.pinned();
        self.own_pieces().any(|(from, kind)| pinned.has(from) && self.reach(from, kind).any())
    }

    /// The pseudo-legal targets of a piece other than the king, without en passant.
    pub(super) fn reach(&self, from: Square, kind: PieceKind) -> Bitboard {
        if kind != PieceKind::Pawn {
            return attacks::of_kind(kind, from, self.occupied) & !self.position.colored(self.us);
        }
        let step = from.bitboard().forward(self.us) & !self.occupied;
        let third_rank = Bitboard::back_rank(self.us).forward(self.us).forward(self.us);
        let double_step = (step & third_rank).forward(self.us) & !self.occupied;
        step | double_step | (attacks::pawn(self.us, from) & self.enemies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_square_passed_is_kept_where_a_pin_forbids_the_capture() {
        let fen = "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1";
        let scene = Scene::from_fen(fen).unwrap();
        let m = scene.position.parse_uci("d7d5").unwrap();
        let after = scene.play(m);
        assert_eq!(after.position.ep_square(), None);
        let text = after.fen(Variant::Standard);
        assert_eq!(text, "7k/8/8/K2pP2r/8/8/8/8 w - d6 0 2");
        assert_eq!(Scene::from_fen(&text).unwrap().passed, after.passed);
    }

    #[test]
    fn a_square_that_no_pawn_attacks_is_not_kept() {
        let start = Scene::from_fen(Position::START_FEN).unwrap();
        let m = start.position.parse_uci("e2e4").unwrap();
        assert_eq!(start.play(m).passed, None);
        assert!(start.play(m).fen(Variant::Chess960).contains(" HAha - "));
    }

    /// Positions, the cases that they show, and cases that they only seem to show.
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
        (
            "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "castle-w-long castle-rook-past-attack",
            "castle-through-w-long",
        ),
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
                assert!(
                    RuleCase::ALL.iter().any(|case| case.name() == name),
                    "{name} is not in the catalogue"
                );
            }
            for name in shown.split_whitespace() {
                assert!(names.contains(&name), "{fen} shows {name}, found {names:?}");
            }
            for name in not_shown.split_whitespace() {
                assert!(!names.contains(&name), "{fen} does not show {name}, found {names:?}");
            }
        }
    }
}
