//! The rules of chess, and of Chess960, as Tarrasch plays them.
//!
//! A [`Position`] is a small value that is copied to play a move. It keeps bitboards and a mailbox side by side, and
//! knows before any move is generated which pieces give check and which of our own are pinned, so that the generator
//! writes legal moves only. Nothing here depends on another crate of Arbiter; above all the referee, which judges the
//! games, shares no line of it.

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
