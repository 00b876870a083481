//! What must show that carnatus works: each line of it is a test.

mod alpha_beta;
mod games;
mod legal_moves;
mod score;
mod server;
