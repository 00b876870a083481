//! The position on the board, and the moves that the modes look for.

use std::hash::{DefaultHasher, Hash, Hasher};

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, Color, Position};

/// The position on the board, the number of moves since the start, and the line that set it up.
#[derive(Default)]
pub struct Board {
    position: VariantPosition,
    /// The number of moves since the start.
    pub plies: usize,
    line: String,
}

impl Board {
    /// Plays a move by coordinates or in SAN; `None` if it is not legal.
    pub fn play(&mut self, text: &str) -> Option<()> {
        let by_letters = || text.parse::<SanPlus>().ok()?.san.to_move(&self.position).ok();
        let by_squares = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
        self.position.play_unchecked(by_squares.or_else(by_letters)?);
        self.plies += 1;
        Some(())
    }

    /// The chosen move in SAN.
    pub fn choose_in_letters(&self) -> Option<String> {
        let chosen = self.choose().to_move(&self.position).ok()?;
        Some(SanPlus::from_move(self.position.clone(), chosen).to_string())
    }

    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// Sets up the position of a `position` line, which must be legal. A line that extends the last one costs only its
    /// new moves, which makes the engine fast enough to measure the runner.
    pub fn set_up(&mut self, line: String) {
        if !line.starts_with(&self.line) || self.line.is_empty() {
            let start = line.split(" moves").next().and_then(|start| start.strip_prefix("position fen "));
            let start = start.and_then(|fen| fen.parse::<Fen>().ok());
            let variant = self.position.variant();
            let start = start.and_then(|fen| {
                VariantPosition::from_setup(variant, fen.into_setup(), CastlingMode::Standard).ok()
            });
            let position = start.unwrap_or_else(|| VariantPosition::new(variant));
            let moves = line.find(" moves").map_or(line.len(), |at| at + " moves".len());
            *self = Board { position, plies: 0, line: line[..moves].to_owned() };
        }
        for text in line[self.line.len()..].split_whitespace() {
            let chosen = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
            if let Some(chosen) = chosen {
                self.position.play_unchecked(chosen);
                self.plies += 1;
            }
        }
        self.line = line;
    }

    /// Plays the variant of this name from now on.
    pub fn set_variant(&mut self, name: &str) {
        let variant = Variant::from_uci(name).unwrap_or_default();
        *self = Board { position: VariantPosition::new(variant), ..Board::default() };
    }

    /// A number that depends only on the position and its ply.
    fn number(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.position.board(), self.position.turn(), self.position.halfmoves(), self.plies)
            .hash(&mut hasher);
        hasher.finish()
    }

    /// A legal move, always the same in a position.
    pub fn choose(&self) -> UciMove {
        let moves = self.position.legal_moves();
        moves[(self.number() % moves.len() as u64) as usize].to_uci(CastlingMode::Standard)
    }

    /// The answer to `go perft 1`.
    pub fn count(&self) -> String {
        let moves = self.position.legal_moves();
        let lines = moves.iter().map(|m| format!("{}: 1\n", m.to_uci(CastlingMode::Standard)));
        lines.collect::<String>() + &format!("\nNodes searched: {}\n", moves.len())
    }

    /// The replies to a legal move, and the reply that the mock would choose.
    pub fn replies(&self, first: UciMove) -> (Vec<String>, Option<String>) {
        let Ok(first) = first.to_move(&self.position) else { return (Vec::new(), None) };
        let mut ahead = Board { position: self.position.clone(), plies: self.plies + 1, line: String::new() };
        ahead.position.play_unchecked(first);
        let replies = ahead.position.legal_moves();
        let text = |reply: &shakmaty::Move| reply.to_uci(CastlingMode::Standard).to_string();
        let replies: Vec<String> = replies.iter().map(text).collect();
        let choice = (!replies.is_empty()).then(|| ahead.choose().to_string());
        (replies, choice)
    }

    /// An arbitrary score in centipawns.
    pub fn score(&self) -> i64 {
        (self.number() >> 32) as i64 % 200 - 100
    }

    /// A legal move that is not the chosen one.
    pub fn another_move(&self) -> Option<UciMove> {
        let chosen = self.choose();
        let moves = self.position.legal_moves();
        moves.iter().map(|other| other.to_uci(CastlingMode::Standard)).find(|other| *other != chosen)
    }

    /// A move that would be legal for the other side.
    pub fn move_of_the_other_side(&self) -> Option<UciMove> {
        let other = self.position.clone().swap_turn().ok()?;
        other.legal_moves().first().map(|found| found.to_uci(CastlingMode::Standard))
    }

    pub fn own_last_move(&self) -> Option<UciMove> {
        self.line.split_whitespace().rev().nth(1)?.parse().ok()
    }

    /// Castling, written as king takes rook.
    pub fn castling_takes_rook(&self) -> Option<UciMove> {
        let moves = self.position.legal_moves();
        moves.iter().find(|found| found.is_castle()).map(|found| found.to_uci(CastlingMode::Chess960))
    }

    pub fn promotion_without_piece(&self) -> Option<String> {
        let moves = self.position.legal_moves();
        let promotion = moves.iter().find(|found| found.is_promotion())?;
        Some(promotion.to_uci(CastlingMode::Standard).to_string()[..4].to_owned())
    }

    pub fn mating_move(&self) -> Option<UciMove> {
        let moves = self.position.legal_moves();
        let mates = |found: &&shakmaty::Move| {
            let mut after = self.position.clone();
            after.play_unchecked(**found);
            after.is_checkmate()
        };
        moves.iter().find(mates).map(|found| found.to_uci(CastlingMode::Standard))
    }
}
