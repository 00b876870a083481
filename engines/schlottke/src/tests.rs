//! What the article shows, and the rules of chess beside shakmaty.

mod document;
mod rules;
mod uci;
