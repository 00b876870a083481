//! The rare cases of the rules, in which move generators have their bugs.
//!
//! Each case is a kind of legal move, or a reason why a pseudo-legal move is illegal. Impossible cases are left out: en
//! passant never blocks a check, and the captured pawn never shields a king on a diagonal, because that line would have been
//! open before the double step. Castling never uncovers a check, because the squares that it empties are on the
//! back rank, which its own two pieces close.

use std::fmt;

/// Makes the enum, its list, its names, its descriptions and its groups from one catalogue.
macro_rules! rule_cases {
    ($($group:ident { $($case:ident = $name:literal, $description:literal;)+ })+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum RuleCase {
            $($(#[doc = $description] $case,)+)+
        }

        impl RuleCase {
            pub const ALL: &[RuleCase] = &[$($(RuleCase::$case,)+)+];

            /// The name in suites, such as `ep-pinned-on-rank`.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(RuleCase::$case => $name,)+)+
                }
            }

            /// Half a sentence, for the head of a suite.
            pub const fn description(self) -> &'static str {
                match self {
                    $($(RuleCase::$case => $description,)+)+
                }
            }

            pub const fn group(self) -> CaseGroup {
                match self {
                    $($(RuleCase::$case)|+ => CaseGroup::$group,)+
                }
            }
        }
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CaseGroup {
    EnPassant,
    /// Pinned pieces that stay on their line or would leave it.
    Pins,
    UncoveredChecks,
    Evasions,
    KingSteps,
    Promotions,
    Castling,
    Chess960,
    Ends,
}

rule_cases! {
    EnPassant {
        EnPassant = "ep", "A legal capture en passant";
        EnPassantByTwo = "ep-by-two", "Two pawns may capture the same pawn en passant";
        EnPassantEvades = "ep-evades", "The pawn that gives check is captured en passant";
        EnPassantAlongPin = "ep-along-pin",
            "The capturing pawn is pinned on a diagonal and captures along it";
        EnPassantRefillsFile = "ep-refills-file",
            "The captured pawn shields the king on its file, and the capturing pawn takes its place";
        EnPassantChecks = "ep-checks", "The capturing pawn gives check";
        EnPassantUncovers = "ep-uncovers", "The capture uncovers a check";
        EnPassantDoubleCheck = "ep-double-check", "The capture gives a double check";
        EnPassantOffRank = "ep-off-rank",
            "Illegal: the two pawns that leave the rank were the only shield of the king";
        EnPassantOffFile = "ep-off-file", "Illegal: the capturing pawn is pinned on its file";
        EnPassantOffDiagonal = "ep-off-diagonal",
            "Illegal: the capturing pawn is pinned on a diagonal and would leave it";
        EnPassantIgnoresCheck = "ep-ignores-check", "Illegal: the capture does not answer the check";
    }
    Pins {
        PawnOffRank = "pin-p-off-rank", "Illegal: a pawn would leave the rank it is pinned on";
        PawnOffFile = "pin-p-off-file", "Illegal: a pawn would leave the file it is pinned on";
        PawnOffRising = "pin-p-off-rising", "Illegal: a pawn would leave the rising diagonal it is pinned on";
        PawnOffFalling = "pin-p-off-falling",
            "Illegal: a pawn would leave the falling diagonal it is pinned on";
        KnightOffRank = "pin-n-off-rank", "Illegal: a knight would leave the rank it is pinned on";
        KnightOffFile = "pin-n-off-file", "Illegal: a knight would leave the file it is pinned on";
        KnightOffRising = "pin-n-off-rising",
            "Illegal: a knight would leave the rising diagonal it is pinned on";
        KnightOffFalling = "pin-n-off-falling",
            "Illegal: a knight would leave the falling diagonal it is pinned on";
        BishopOffRank = "pin-b-off-rank", "Illegal: a bishop would leave the rank it is pinned on";
        BishopOffFile = "pin-b-off-file", "Illegal: a bishop would leave the file it is pinned on";
        BishopOffRising = "pin-b-off-rising",
            "Illegal: a bishop would leave the rising diagonal it is pinned on";
        BishopOffFalling = "pin-b-off-falling",
            "Illegal: a bishop would leave the falling diagonal it is pinned on";
        RookOffRank = "pin-r-off-rank", "Illegal: a rook would leave the rank it is pinned on";
        RookOffFile = "pin-r-off-file", "Illegal: a rook would leave the file it is pinned on";
        RookOffRising = "pin-r-off-rising", "Illegal: a rook would leave the rising diagonal it is pinned on";
        RookOffFalling = "pin-r-off-falling",
            "Illegal: a rook would leave the falling diagonal it is pinned on";
        QueenOffRank = "pin-q-off-rank", "Illegal: a queen would leave the rank it is pinned on";
        QueenOffFile = "pin-q-off-file", "Illegal: a queen would leave the file it is pinned on";
        QueenOffRising = "pin-q-off-rising",
            "Illegal: a queen would leave the rising diagonal it is pinned on";
        QueenOffFalling = "pin-q-off-falling",
            "Illegal: a queen would leave the falling diagonal it is pinned on";
        PawnAlongFile = "pin-p-along-file", "A pinned pawn moves along its file";
        PawnAlongRising = "pin-p-along-rising", "A pinned pawn captures along the rising diagonal";
        PawnAlongFalling = "pin-p-along-falling", "A pinned pawn captures along the falling diagonal";
        BishopAlongRising = "pin-b-along-rising", "A pinned bishop moves along the rising diagonal";
        BishopAlongFalling = "pin-b-along-falling", "A pinned bishop moves along the falling diagonal";
        RookAlongRank = "pin-r-along-rank", "A pinned rook moves along its rank";
        RookAlongFile = "pin-r-along-file", "A pinned rook moves along its file";
        QueenAlongRank = "pin-q-along-rank", "A pinned queen moves along its rank";
        QueenAlongFile = "pin-q-along-file", "A pinned queen moves along its file";
        QueenAlongRising = "pin-q-along-rising", "A pinned queen moves along the rising diagonal";
        QueenAlongFalling = "pin-q-along-falling", "A pinned queen moves along the falling diagonal";
    }
    UncoveredChecks {
        PawnUncovers = "uncovers-p", "A pawn uncovers a check";
        KnightUncovers = "uncovers-n", "A knight uncovers a check";
        BishopUncovers = "uncovers-b", "A bishop uncovers a check";
        RookUncovers = "uncovers-r", "A rook uncovers a check";
        KingUncovers = "uncovers-k", "A king uncovers a check";
        PawnDoubleCheck = "double-check-p", "A pawn gives a double check";
        KnightDoubleCheck = "double-check-n", "A knight gives a double check";
        BishopDoubleCheck = "double-check-b", "A bishop gives a double check";
        RookDoubleCheck = "double-check-r", "A rook gives a double check";
    }
    Evasions {
        DoubleCheck = "in-double-check", "In double check";
        DoubleCheckKingTakes = "double-check-king-takes",
            "In double check, the king captures one of the checkers";
        DoubleCheckTake = "double-check-take",
            "Illegal: in double check, another piece would capture one of the checkers";
        DoubleCheckBlock = "double-check-block",
            "Illegal: in double check, another piece would block one of the checks";
        KingEvades = "evade-step", "The king steps out of check";
        KingTakesChecker = "evade-king-takes", "The king captures the checker";
        PieceTakesChecker = "evade-piece-takes", "A piece captures the checker";
        PawnTakesChecker = "evade-pawn-takes", "A pawn captures the checker";
        PieceBlocks = "evade-piece-blocks", "A piece blocks the check";
        PawnBlocks = "evade-pawn-blocks", "A pawn blocks the check with a single step";
        DoubleStepBlocks = "evade-double-step-blocks", "A pawn blocks the check with a double step";
        PinnedTakesChecker = "pinned-takes-checker", "Illegal: a pinned piece would capture the checker";
        PinnedBlocks = "pinned-blocks", "Illegal: a pinned piece would block the check";
        IgnoresCheck = "ignores-check", "Illegal: a move of another piece leaves the king in check";
        KingStaysOnLine = "king-stays-on-line",
            "Illegal: the king would step back on the line of the slider that checks it";
        OnlyMove = "only-move", "In check with exactly one legal move";
    }
    KingSteps {
        KingBesideKing = "king-to-king", "Illegal: the king would step beside a king";
        KingToPawn = "king-to-pawn", "Illegal: the king would step on a square that a pawn attacks";
        KingToKnight = "king-to-knight", "Illegal: the king would step on a square that a knight attacks";
        KingToBishop = "king-to-bishop", "Illegal: the king would step on a square that a bishop attacks";
        KingToRook = "king-to-rook", "Illegal: the king would step on a square that a rook attacks";
        KingToQueen = "king-to-queen", "Illegal: the king would step on a square that a queen attacks";
        KingTakesProtected = "king-takes-protected", "Illegal: the king would capture a protected piece";
    }
    Promotions {
        PromotionStep = "promotion-step", "A pawn promotes by a step, to each of four pieces";
        PromotionCapture = "promotion-capture", "A pawn promotes by a capture, to each of four pieces";
        PromotionChecksQueen = "promotion-checks-q", "A new queen gives check";
        PromotionChecksRook = "promotion-checks-r", "A new rook gives check";
        PromotionChecksBishop = "promotion-checks-b", "A new bishop gives check";
        PromotionChecksKnight = "promotion-checks-n", "A new knight gives check";
        PromotionUncovers = "promotion-uncovers", "A promotion uncovers a check";
        PromotionDoubleCheck = "promotion-double-check", "A promotion gives a double check";
        PromotionMates = "promotion-mates", "A promotion mates";
        PromotionBlocks = "promotion-blocks", "A promotion blocks a check";
        PromotionTakesChecker = "promotion-takes-checker", "A promotion captures the checker";
        PromotionAlongPin = "promotion-along-pin", "A pinned pawn promotes by capturing along its line";
        PromotionOffPin = "promotion-off-pin", "Illegal: a pinned pawn would promote";
        PromotionIgnoresCheck = "promotion-ignores-check", "Illegal: a promotion leaves the king in check";
        PromotionTakesCastlingRook = "promotion-takes-castling-rook",
            "A promotion captures a rook that may still castle";
    }
    Castling {
        WhiteCastlesShort = "castle-w-short", "White castles on the king's side";
        WhiteCastlesLong = "castle-w-long", "White castles on the queen's side";
        BlackCastlesShort = "castle-b-short", "Black castles on the king's side";
        BlackCastlesLong = "castle-b-long", "Black castles on the queen's side";
        WhiteOutOfCheckShort = "castle-out-w-short",
            "Illegal: White would castle out of check on the king's side";
        WhiteOutOfCheckLong = "castle-out-w-long",
            "Illegal: White would castle out of check on the queen's side";
        BlackOutOfCheckShort = "castle-out-b-short",
            "Illegal: Black would castle out of check on the king's side";
        BlackOutOfCheckLong = "castle-out-b-long",
            "Illegal: Black would castle out of check on the queen's side";
        WhiteThroughCheckShort = "castle-through-w-short",
            "Illegal: White's king would pass an attacked square on the king's side";
        WhiteThroughCheckLong = "castle-through-w-long",
            "Illegal: White's king would pass an attacked square on the queen's side";
        BlackThroughCheckShort = "castle-through-b-short",
            "Illegal: Black's king would pass an attacked square on the king's side";
        BlackThroughCheckLong = "castle-through-b-long",
            "Illegal: Black's king would pass an attacked square on the queen's side";
        WhiteIntoCheckShort = "castle-into-w-short",
            "Illegal: White would castle into check on the king's side";
        WhiteIntoCheckLong = "castle-into-w-long",
            "Illegal: White would castle into check on the queen's side";
        BlackIntoCheckShort = "castle-into-b-short",
            "Illegal: Black would castle into check on the king's side";
        BlackIntoCheckLong = "castle-into-b-long",
            "Illegal: Black would castle into check on the queen's side";
        ShortBlocked = "castle-blocked-short",
            "Illegal: a piece stands in the way of castling on the king's side";
        LongBlocked = "castle-blocked-long",
            "Illegal: a piece stands in the way of castling on the queen's side";
        RookBlocked = "castle-rook-blocked", "Illegal: only the rook's way is blocked";
        LongPastAttack = "castle-rook-past-attack",
            "Castling past an attacked square that only the rook crosses, on the queen's side";
        AttackedRookCastles = "castle-rook-attacked", "Castling with a rook that is attacked";
        ShortChecks = "castle-checks-short", "Castling on the king's side gives check";
        LongChecks = "castle-checks-long", "Castling on the queen's side gives check";
        WhiteShortRookTaken = "right-taken-w-short",
            "The rook of White's right on the king's side can be captured";
        WhiteLongRookTaken = "right-taken-w-long",
            "The rook of White's right on the queen's side can be captured";
        BlackShortRookTaken = "right-taken-b-short",
            "The rook of Black's right on the king's side can be captured";
        BlackLongRookTaken = "right-taken-b-long",
            "The rook of Black's right on the queen's side can be captured";
        ShortRookMoves = "right-left-short", "The rook of the right on the king's side can move away";
        LongRookMoves = "right-left-long", "The rook of the right on the queen's side can move away";
        CastlingKingMoves = "right-left-king", "A king that may castle can step away";
    }
    Chess960 {
        KingStays = "castle-king-stays", "Only the rook moves";
        RookStays = "castle-rook-stays", "Only the king moves";
        KingAndRookSwap = "castle-swap", "King or rook goes to where the other stood";
        KingWalksFar = "castle-long-walk", "The king goes three squares or more";
        InnerRookCastles = "castle-inner-rook", "A rook castles that is not the outermost";
        ShortPastAttack = "castle-rook-past-attack-short",
            "Castling past an attacked square that only the rook crosses, on the king's side";
        CastlingRookPinned = "castle-rook-pinned",
            "Illegal: the castling rook shields the king on the back rank";
    }
    Ends {
        Checkmate = "mate", "Checkmate";
        DoubleCheckmate = "mate-double", "Checkmate by a double check";
        Stalemate = "stalemate", "Stalemate";
        PinnedStalemate = "stalemate-pinned", "Stalemate in which a pinned piece may not move";
    }
}

impl fmt::Display for RuleCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_case_has_a_name_of_its_own_and_a_description() {
        let names: HashSet<&str> = RuleCase::ALL.iter().map(|case| case.name()).collect();
        assert_eq!(names.len(), RuleCase::ALL.len());
        for case in RuleCase::ALL {
            assert!(case.name().bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase()), "{case}");
            assert!(!case.description().is_empty(), "{case}");
            assert!(!case.description().ends_with('.'), "{case}");
        }
    }

    #[test]
    fn the_cases_are_listed_in_the_order_of_their_values() {
        assert!(RuleCase::ALL.is_sorted());
        assert!(RuleCase::ALL.iter().enumerate().all(|(index, case)| *case as usize == index));
    }
}
