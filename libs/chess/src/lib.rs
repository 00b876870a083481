//! The rules of chess and Chess960 for Arbiter's engines.
//!
//! A [`Position`] is a small value that is copied to play a move. It keeps bitboards and a mailbox side by side, and
//! knows the checkers and our pinned pieces, so that the generator makes only legal moves. This crate depends on no
//! other crate of Arbiter, and the referee does not use it.

pub mod attacks;
mod bitboard;
mod castling;
mod check;
mod fen;
mod movegen;
mod moves;
mod perft;
mod piece;
mod play;
mod position;
mod setup;
mod square;
mod zobrist;

pub use bitboard::Bitboard;
pub use castling::{CastlingRights, CastlingSide};
pub use fen::{FenError, FenSyntaxError};
pub use moves::{Move, MoveList};
pub use perft::{PerftCounts, decomposition, divide, perft};
pub use piece::{Color, Piece, PieceKind};
pub use position::Position;
pub use setup::{CastlingClaim, ClaimedRook, IllegalPosition, Setup};
pub use square::{File, Rank, Square, board_text};
pub use zobrist::{SplitMix, ZobristKey};
