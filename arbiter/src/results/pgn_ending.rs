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
    pub detail: Option<String>,
    /// Whether the file says it, and not the board alone.
    pub is_told: bool,
}

/// The words by which a text tells a fault, as programs write them into the tag `Termination` or the last comment: the PGN
/// standard, Arbiter, cutechess, fastchess, TCEC. The first that fits holds.
const FAULTS: [(Termination, &[&str]); 8] = [
    (Termination::TimeLoss, &["loses on time", "lost on time", "time forfeit", "out of time"]),
    (Termination::NoMove, &["no move"]),
    (Termination::IllegalMove, &["illegal", "rules infraction"]),
    (Termination::NoHandshake, &["did not answer uciok"]),
    (Termination::FailedToStart, &["could not be started"]),
    (Termination::Stall, &["stall", "infinite loop"]),
    (Termination::Crash, &["engine crashed", "crashes"]),
    (
        Termination::Disconnect,
        &[
            "disconnect", "terminates unexpectedly", "abandoned", "withdrawal", "forfeit", "death",
            "emergency",
        ],
    ),
];

/// The same for other endings. Adjudication is a draw or a win by the result.
const OTHERS: [(Termination, &[&str]); 9] = [
    (Termination::TablebaseAdjudication, &["tablebase", "syzygy", "egtb", "tb "]),
    (Termination::MaxMoves, &["max moves", "maximum", "move limit"]),
    (Termination::ThreefoldRepetition, &["repetition", "3-fold", "threefold"]),
    (Termination::FiftyMoves, &["fifty", "50-move", "50 move"]),
    (Termination::InsufficientMaterial, &["insufficient"]),
    (Termination::Stalemate, &["stalemate"]),
    (Termination::Checkmate, &["mates", "checkmate"]),
    (
        Termination::DrawAdjudication,
        &["adjudicat", "draw rule", "tcec draw", "win rule", "resign", "agree", "mercy"],
    ),
    (Termination::Unknown, &["unterminated"]),
];

/// What programs say that a side does when it ends a game.
const VERBS: [&str; 9] =
    ["mates", "wins", "loses", "lost", "resigns", "makes", "disconnects", "stalls", "crashes"];

impl PgnEnding {
    pub fn of(game: &RecordedGame) -> PgnEnding {
        let comment = game.comments.last().and_then(|comment| phrase(comment));
        let told = [comment, game.details.clone(), game.termination.clone()];
        let told: Vec<String> = told.into_iter().flatten().collect();
        let find = |kinds: &[(Termination, &[&str])]| {
            told.iter().find_map(|text| {
                let text = text.to_ascii_lowercase() + " ";
                let is_told = |(_, words): &&(_, &[&str])| words.iter().any(|word| text.contains(word));
                kinds.iter().find(is_told).map(|&(kind, _)| kind)
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
