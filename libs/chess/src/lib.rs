//! The rules of chess and Chess960, for Tarrasch.
//!
//! A [`Position`] is a small value that is copied to play a move. It keeps bitboards and a mailbox side by side, and
//! knows the checkers and our pinned pieces, so that the generator makes only legal moves. This crate depends on no
//! other crate of Arbiter, and the referee does not use it.

pub mod attacks;
mod bitboard;
mod castling;
mod check;
mod color;
mod fen;
mod fen_error;
mod file;
mod legality;
mod movegen;
mod moves;
mod perft;
mod piece;
mod play;
mod position;
mod quiet_checks;
mod rank;
mod reversible;
mod setup;
mod side;
mod split_mix;
mod square;
mod uci_text;
mod zobrist;

pub use bitboard::Bitboard;
pub use castling::{CastlingRights, CastlingSide};
pub use color::Color;
pub use fen_error::{FenError, FenField, FenSyntaxError, FenSyntaxProblem};
pub use file::File;
pub use moves::{Move, MoveList};
pub use perft::{PerftCounts, decomposition, divide, perft};
pub use piece::{Piece, PieceKind};
pub use position::Position;
pub use rank::Rank;
pub use setup::{CastlingClaim, ClaimedRook, IllegalPosition, PositionProblem, Setup};
pub use split_mix::SplitMix;
pub use square::Square;
pub use zobrist::ZobristKey;
