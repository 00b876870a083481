//! Finds out how a game in a PGN file ended, from its tags and last comment, or else from the board.

use referee::openings::RecordedGame;
use referee::{GameResult, Side};
use runner::Termination;

/// The ending of a game that another program or person may have recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnEnding {
    pub termination: Termination,
    /// The side at fault: the loser, or in a draw the side that the text names.
    pub offender: Option<Side>,
    pub detail: Option<String>,
    pub told: ToldEnding,
}

/// What a file says about the end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToldEnding {
    Nothing,
    /// The PGN standard's `normal`: anything but a time loss or other fault.
    Normal,
    Understood,
    /// Words that we do not know.
    Unknown(String),
}

/// Words that tell a fault, as programs write them in the tag `Termination` or the last comment: the PGN standard,
/// Arbiter, cutechess, fastchess, TCEC, `XBoard` (`backend.c`), FICS and ICC, lichess, chess.com, Arena, Scidb
/// (`pgn_reader.cpp`, whose list of servers' words is the longest). The first match wins.
const FAULTS: [(Termination, &[&str]); 8] = [
    (Termination::TimeLoss, &OUT_OF_TIME),
    (Termination::NoMove, &["no move"]),
    (Termination::IllegalMove, &["illegal", "invalid move", "rules infraction"]),
    (Termination::NoHandshake, &["did not answer uciok"]),
    (Termination::FailedToStart, &["could not be started"]),
    (Termination::Stall, &["stall", "infinite loop"]),
    (
        Termination::Crash,
        &["engine crashed", "crashes", "exits unexpectedly", "exited unexpectedly", "program exits"],
    ),
    (
        Termination::Disconnect,
        &[
            "disconnect", "terminates unexpectedly", "lost connection", "left the game", "abandon",
            "withdrawal", "forfeit", "death", "emergency",
        ],
    ),
];

const OUT_OF_TIME: [&str; 9] = [
    " on time", "time forfeit", "out of time", "flag fell", "timeout", "time out", "time limit",
    "time is up", "no time left",
];

/// Words for other endings. An adjudication is a draw or a win by the result. If time runs out in a draw, the opponent
/// could not mate.
const OTHERS: [(Termination, &[&str]); 10] = [
    (Termination::TablebaseAdjudication, &["tablebase", "syzygy", "egtb", "tb "]),
    (Termination::MaxMoves, &["max moves", "maximum", "move limit", "due to length", "long game"]),
    (Termination::ThreefoldRepetition, &["repetition", "3-fold", "threefold", "perpetual check"]),
    (Termination::FiftyMoves, &["fifty", "50-move", "50 move"]),
    (Termination::InsufficientMaterial, &["insufficient", "mating material", "no material", "bare king"]),
    (Termination::Stalemate, &["stalemate"]),
    (Termination::Checkmate, &["mates", "checkmate"]),
    (
        Termination::DrawAdjudication,
        &[
            "adjudicat", "draw rule", "tcec draw", "win rule", "resign", "agree", "mercy", "draw accepted",
            "draw claim",
        ],
    ),
    (Termination::DrawAdjudication, &OUT_OF_TIME),
    (Termination::Unknown, &["unterminated"]),
];

/// Verbs with which programs and servers say what a side does, or what happens to it, when a game ends.
const VERBS: [&str; 20] = [
    "mates", "mated", "checkmated", "wins", "won", "loses", "lost", "resigns", "resigned", "makes",
    "disconnects", "disconnected", "stalls", "crashes", "forfeits", "forfeited", "ran", "left", "abandoned",
    "time",
];

/// Beginnings of sentences about the end of a game that name no side.
const STARTS: [&str; 13] = [
    "draw by", "drawn by", "draw agreed", "draw accepted", "draw claim", "game drawn", "game was drawn",
    "neither player has", "both players ran", "xboard", "arena adjudication", "user adjudication",
    "time forfeit",
];

/// One-word comments about the end of a game.
const WORDS: [&str; 7] = ["time", "timeout", "flag", "resigned", "resigns", "stalemate", "checkmate"];

impl PgnEnding {
    pub fn of(game: &RecordedGame) -> PgnEnding {
        let in_one_line = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let last = game.comments.last().map(in_one_line);
        let known = last.as_deref().and_then(|comment| phrase(comment, game));
        // Free text by anybody, which may be about the end.
        let prose =
            last.filter(|comment| known.is_none() && sides(game).any(|side| is_about(comment, &side)));
        let told = [known, game.details.clone(), game.termination.clone()].into_iter().flatten();
        let told: Vec<String> = told.filter(|text| !is_result_alone(text)).collect();
        let is_draw = game.result == Some(GameResult::Draw);
        let find = |kinds: &[(Termination, &[&str])]| {
            told.iter().find_map(|text| {
                let text = format!(" {} ", text.to_ascii_lowercase());
                let is_told = |(kind, words): &&(Termination, &[&str])| {
                    words.iter().any(|word| text.contains(word))
                        && !(is_draw && *kind == Termination::TimeLoss)
                };
                kinds.iter().find(is_told).map(|&(kind, _)| kind)
            })
        };
        let fault = find(&FAULTS).or_else(|| {
            // The whole text must match, since these words alone may mean many things.
            let is_time = |text: &String| matches!(text.trim_end_matches('.'), "time" | "flag");
            (!is_draw && told.iter().any(is_time)).then_some(Termination::TimeLoss)
        });
        if let Some(termination) = fault {
            return PgnEnding {
                termination,
                offender: loser(game).or_else(|| told.iter().find_map(|text| named(text))),
                detail: told.iter().find_map(|text| Some(text.split_once(": ")?.1.to_owned())),
                told: ToldEnding::Understood,
            };
        }
        let board = game.end.filter(|end| Some(end.result()) == game.result).map(Termination::from);
        let others = find(&OTHERS);
        let termination = match (board, others) {
            (Some(board), _) => board,
            (None, Some(Termination::DrawAdjudication)) if !is_draw => Termination::ResignAdjudication,
            (None, Some(other)) => other,
            (None, None) => Termination::Unknown,
        };
        let unknown = told.iter().find(|text| *text != "normal").or(prose.as_ref());
        let told_ending = match (others, unknown) {
            (Some(_), _) => ToldEnding::Understood,
            (None, Some(text)) => ToldEnding::Unknown(text.clone()),
            (None, None) if told.is_empty() => ToldEnding::Nothing,
            (None, None) => ToldEnding::Normal,
        };
        // Details that the standard's word leaves out.
        let detail = game.details.clone().filter(|_| board.is_none() && others.is_some());
        PgnEnding { termination, offender: None, detail, told: told_ending }
    }
}

/// The end of a comment that is about the end of the game: `White mates` in `+M1/5 0.1s, White mates`.
fn phrase(comment: &str, game: &RecordedGame) -> Option<String> {
    if WORDS.contains(&&*comment.trim_end_matches('.').to_ascii_lowercase()) {
        return Some(comment.to_ascii_lowercase());
    }
    let sides: Vec<String> = sides(game).collect();
    let is_start = |&at: &usize| {
        let rest = &comment[at..];
        let begins = at == 0 || comment.as_bytes()[at - 1].is_ascii_whitespace();
        let of_side = |side: &String| {
            let word = || rest[side.len()..].split_whitespace().next().unwrap_or_default();
            let is_verb = || {
                VERBS.iter().any(|verb| word().trim_end_matches([':', '.', ',']).eq_ignore_ascii_case(verb))
            };
            is_about(rest, side) && (side.contains('\'') || is_verb())
        };
        begins && (STARTS.iter().any(|start| begins_with(rest, start)) || sides.iter().any(of_side))
    };
    let at = comment.char_indices().map(|(at, _)| at).find(is_start)?;
    Some(comment[at..].to_owned())
}

/// The ways in which a text may name a side: colour, the colour's engine or connection, or player.
fn sides(game: &RecordedGame) -> impl Iterator<Item = String> {
    let colours =
        ["White", "Black", "White's engine", "Black's engine", "White's connection", "Black's connection"];
    let names = [&game.white, &game.black].into_iter().flatten().cloned();
    colours.map(str::to_owned).into_iter().chain(names)
}

fn is_about(text: &str, side: &str) -> bool {
    begins_with(text, side) && text[side.len()..].starts_with(' ')
}

fn begins_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
}

/// `White wins.` and the like, as lichess writes, which say no more than the result.
fn is_result_alone(text: &str) -> bool {
    let text = text.trim_end_matches('.').to_ascii_lowercase();
    matches!(&*text, "white wins" | "black wins" | "white won" | "black won" | "game drawn" | "unknown")
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

#[cfg(test)]
mod tests {
    use referee::GameEnd;

    use super::*;

    /// One game per line: the last comment, the tags `Termination` and `TerminationDetails`, the result, and the expected
    /// ending.
    const CASES: &str = include_str!("pgn_endings.txt");

    #[test]
    fn what_a_game_says_of_its_end_goes_before_the_board_and_names_who_was_at_fault() {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        for case in CASES.lines() {
            let [comment, tag, details, result, expected]: [&str; 5] =
                case.split('|').collect::<Vec<_>>().try_into().unwrap();
            let game = RecordedGame {
                comments: vec![comment.to_owned()],
                termination: text(tag),
                details: text(details),
                white: text("new"),
                black: text("Old Engine 2"),
                result: GameResult::from_pgn(result.as_bytes()),
                ..RecordedGame::default()
            };
            let PgnEnding { termination, offender, told, .. } = PgnEnding::of(&game);
            let told = (termination == Termination::Unknown).then(|| format!(" {told:?}"));
            let offender = offender.map(|side| format!(" {side}"));
            let found = [Some(termination.to_string()), offender, told].into_iter().flatten();
            assert_eq!(found.collect::<String>(), expected, "{case}");
        }
        let of_board = |result, end| {
            let game = RecordedGame { result: Some(result), end: Some(end), ..RecordedGame::default() };
            PgnEnding::of(&game).termination
        };
        assert_eq!(of_board(GameResult::Draw, GameEnd::Stalemate), Termination::Stalemate);
        assert_eq!(of_board(GameResult::WhiteWins, GameEnd::FiftyMoves), Termination::Unknown);
    }
}
