//! A position with the result of its game.

use std::fmt;

use referee::GameResult;

/// A quiet position. Shown as a line of EPD: `ce` is the score, `c9` the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuietPosition {
    /// The first four fields of the FEN.
    pub board: String,
    /// The score in centipawns for the side to move.
    pub score: Option<i32>,
    /// The result of the game.
    pub result: GameResult,
}

impl fmt::Display for QuietPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.board)?;
        if let Some(score) = self.score {
            write!(f, " ce {score};")?;
        }
        write!(f, " c9 \"{}\";", self.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::Epd;

    #[test]
    fn the_line_is_epd_with_the_score_and_the_result() {
        let board = "6k1/5ppp/8/8/8/8/8/R3K3 b Q -".to_owned();
        let mut position = QuietPosition { board, score: Some(-31), result: GameResult::Draw };
        assert_eq!(position.to_string(), "6k1/5ppp/8/8/8/8/8/R3K3 b Q - ce -31; c9 \"1/2-1/2\";");
        let epd = Epd::parse(&position.to_string()).unwrap();
        assert_eq!(epd.operands("ce").unwrap(), ["-31"]);
        position.score = None;
        let epd = Epd::parse(&position.to_string()).unwrap();
        assert_eq!(epd.operands("ce"), None);
        assert_eq!(epd.operands("c9").unwrap(), ["1/2-1/2"]);
    }
}
