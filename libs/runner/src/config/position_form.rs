use serde::{Deserialize, Serialize};

/// How engines are given the position of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PositionForm {
    /// The start and all moves since, as GUIs do.
    #[default]
    Moves,
    /// The FEN after the last capture or pawn move and the moves since, as c-chess-cli does. No earlier position can be
    /// repeated, so an engine misses nothing, and it has less to read.
    Fen,
}

impl PositionForm {
    /// Whether it is the one of a run that does not say.
    pub fn is_default(&self) -> bool {
        *self == PositionForm::default()
    }
}
