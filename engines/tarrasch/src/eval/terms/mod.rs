//! The terms of the evaluation, one file per idea. They count features; the weights are in `weights.rs`.

pub mod endgame_scale;
pub mod king_attack;
pub mod lead;
pub mod lone_king;
pub mod material;
pub mod passed_pawns;
pub mod pawns;
pub mod pieces;
pub mod shelter;
pub mod space;
pub mod threats;
