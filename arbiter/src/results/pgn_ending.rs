//! How a game of a PGN ended: what its tags and its last comment say, else what the board says.

use referee::openings::RecordedGame;
use referee::{GameEnd, GameResult, Side};
use runner::Termination;

/// The ending of a game that somebody else may have written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnEnding {
    pub termination: Termination,
    /// Whose fault it was: who is named, else the loser.
    pub offender: Option<Side>,
    /// What is said besides.
    pub detail: Option<String>,
    /// Whether the file says it, and not the board alone.
    pub is_told: bool,
}

/// The words by which a text tells a fault, as programs write them into the tag `Termination` or the last comment: the PGN
/// standard, Arbiter, cutechess, fastchess, TCEC. The first that fits holds.
const FAULTS: [(&str, Termination); 20] = [
    ("loses on time", Termination::TimeLoss),
    ("lost on time", Termination::TimeLoss),
    ("time forfeit", Termination::TimeLoss),
    ("out of time", Termination::TimeLoss),
    ("no move", Termination::NoMove),
    ("illegal", Termination::IllegalMove),
    ("rules infraction", Termination::IllegalMove),
    ("did not answer uciok", Termination::NoHandshake),
    ("could not be started", Termination::FailedToStart),
    ("stall", Termination::Stall),
    ("infinite loop", Termination::Stall),
    ("engine crashed", Termination::Crash),
    ("crashes", Termination::Crash),
    ("disconnect", Termination::Disconnect),
    ("terminates unexpectedly", Termination::Disconnect),
    ("abandoned", Termination::Disconnect),
    ("withdrawal", Termination::Disconnect),
    ("forfeit", Termination::Disconnect),
    ("death", Termination::Disconnect),
    ("emergency", Termination::Disconnect),
];

/// The same for other endings. Adjudication is a draw or a win by the result.
const OTHERS: [(&str, Termination); 25] = [
    ("tablebase", Termination::TablebaseAdjudication),
    ("syzygy", Termination::TablebaseAdjudication),
    ("egtb", Termination::TablebaseAdjudication),
    ("tb ", Termination::TablebaseAdjudication),
    ("max moves", Termination::MaxMoves),
    ("maximum", Termination::MaxMoves),
    ("move limit", Termination::MaxMoves),
    ("repetition", Termination::ThreefoldRepetition),
    ("3-fold", Termination::ThreefoldRepetition),
    ("threefold", Termination::ThreefoldRepetition),
    ("fifty", Termination::FiftyMoves),
    ("50-move", Termination::FiftyMoves),
    ("50 move", Termination::FiftyMoves),
    ("insufficient", Termination::InsufficientMaterial),
    ("stalemate", Termination::Stalemate),
    ("mates", Termination::Checkmate),
    ("checkmate", Termination::Checkmate),
    ("adjudicat", Termination::DrawAdjudication),
    ("draw rule", Termination::DrawAdjudication),
    ("tcec draw", Termination::DrawAdjudication),
    ("win rule", Termination::DrawAdjudication),
    ("resign", Termination::DrawAdjudication),
    ("agree", Termination::DrawAdjudication),
    ("mercy", Termination::DrawAdjudication),
    ("unterminated", Termination::Unknown),
];

/// What programs say that a side does when it ends a game.
const VERBS: [&str; 9] =
    ["mates", "wins", "loses", "lost", "resigns", "makes", "disconnects", "stalls", "crashes"];

impl PgnEnding {
    pub fn of(game: &RecordedGame) -> PgnEnding {
        let comment = game.comments.last().and_then(|comment| phrase(comment));
        let told = [comment, game.details.clone(), game.termination.clone()];
        let told: Vec<String> = told.into_iter().flatten().collect();
        let find = |words: &[(&str, Termination)]| {
            told.iter().find_map(|text| {
                let text = text.to_ascii_lowercase() + " ";
                words.iter().find(|(word, _)| text.contains(word)).map(|&(_, kind)| kind)
            })
        };
        let fault = find(&FAULTS).or_else(|| {
            // The whole tag, since the word alone may stand for much.
            (game.termination.as_deref() == Some("time")).then_some(Termination::TimeLoss)
        });
        if let Some(termination) = fault {
            return PgnEnding {
                termination,
                offender: told.iter().find_map(|text| named(text)).or_else(|| loser(game)),
                detail: told.iter().find_map(|text| Some(text.split_once(": ")?.1.to_owned())),
                is_told: true,
            };
        }
        let board = game.end.filter(|end| Some(end.result()) == game.result).map(of_board);
        let others = find(&OTHERS);
        let termination = match (board, others) {
            (Some(board), _) => board,
            (None, Some(Termination::DrawAdjudication)) if game.result != Some(GameResult::Draw) => {
                Termination::ResignAdjudication
            }
            (None, Some(other)) => other,
            (None, None) => Termination::Unknown,
        };
        let is_told = others.is_some();
        // What a word of the standard leaves open.
        let detail = game.details.clone().filter(|_| board.is_none() && is_told);
        PgnEnding { termination, offender: None, detail, is_told }
    }
}

/// What a comment says behind all else: `White mates` of `+M1/5 0.1s, White mates`.
fn phrase(comment: &str) -> Option<String> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let is_start = |pair: &[&str]| match pair {
        ["White" | "Black", verb] => VERBS.iter().any(|known| verb.trim_end_matches(':') == *known),
        ["White's" | "Black's", subject] => matches!(*subject, "engine" | "connection"),
        ["Draw", by] => *by == "by",
        _ => false,
    };
    let at = words.windows(2).position(is_start)?;
    Some(words[at..].join(" "))
}

/// The side that a text begins with.
fn named(text: &str) -> Option<Side> {
    let text = text.to_ascii_lowercase();
    [Side::White, Side::Black]
        .into_iter()
        .find(|side| text.starts_with(&side.to_string().to_ascii_lowercase()))
}

fn loser(game: &RecordedGame) -> Option<Side> {
    game.result.and_then(GameResult::winner).map(Side::other)
}

const fn of_board(end: GameEnd) -> Termination {
    match end {
        GameEnd::Checkmate { .. } => Termination::Checkmate,
        GameEnd::Stalemate => Termination::Stalemate,
        GameEnd::ThreefoldRepetition => Termination::ThreefoldRepetition,
        GameEnd::FiftyMoves => Termination::FiftyMoves,
        GameEnd::InsufficientMaterial => Termination::InsufficientMaterial,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_game_says_of_its_end_goes_before_the_board_and_names_who_was_at_fault() {
        use Termination::*;
        let (white, black) = (Some(Side::White), Some(Side::Black));
        let won = |side| Some(GameResult::won_by(side));
        let draw = Some(GameResult::Draw);
        // The last comment, the tags Termination and TerminationDetails, the result, what the board says.
        for (comment, tag, details, result, end, expected) in [
            (
                "+0.1/5 0.1s, White loses on time: 12 ms",
                "time forfeit",
                "",
                won(Side::Black),
                None,
                (TimeLoss, white),
            ),
            ("", "time forfeit", "", won(Side::White), None, (TimeLoss, black)),
            ("", "abandoned", "White's connection stalls", won(Side::Black), None, (Stall, white)),
            (
                "0.1/2, Black's engine crashed: exit code 1",
                "abandoned",
                "",
                won(Side::White),
                None,
                (Crash, black),
            ),
            ("", "illegal move", "F8f7", won(Side::Black), None, (IllegalMove, white)),
            ("", "adjudication", "TCEC win rule", won(Side::White), None, (ResignAdjudication, None)),
            ("", "adjudication", "TCEC draw rule", draw, None, (DrawAdjudication, None)),
            ("", "adjudication", "SyzygyTB", draw, None, (TablebaseAdjudication, None)),
            ("", "adjudication", "3-Fold repetition", draw, None, (ThreefoldRepetition, None)),
            ("", "User adjudication - GUI crash", "", draw, None, (DrawAdjudication, None)),
            ("White was better. Black is lost.", "normal", "", won(Side::White), None, (Unknown, None)),
            ("", "", "", draw, Some(GameEnd::Stalemate), (Stalemate, None)),
            ("", "normal", "", won(Side::White), Some(GameEnd::FiftyMoves), (Unknown, None)),
        ] {
            let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let game = RecordedGame {
                comments: vec![comment.to_owned()],
                termination: text(&tag.to_ascii_lowercase()),
                details: text(details),
                result,
                end,
                ..RecordedGame::default()
            };
            let found = PgnEnding::of(&game);
            assert_eq!((found.termination, found.offender), expected, "{comment} {tag} {details}");
        }
    }
}
