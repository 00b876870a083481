//! Which positions of games are wanted.

/// What the sieves let through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuietRecipe {
    /// At most so many positions of one game: its positions are alike, and have but one result.
    pub per_game: usize,
    /// So many half-moves of each game are left out behind its opening.
    pub skip_plies: usize,
    /// Only positions in which one of these players is to move; those of all where there are none.
    pub movers: Vec<String>,
    /// The largest score, in centipawns and for either side.
    pub max_score: i32,
    /// Decides what is drawn.
    pub seed: u64,
    /// At most so many positions of all games.
    pub limit: usize,
}
