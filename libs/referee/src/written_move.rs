//! Moves as people and programs write them, and the piece letters of several languages.

use shakmaty::san::San;
use shakmaty::{CastlingSide, File, Rank, Role, Square};

/// A language and its letters for king, queen, rook, bishop and knight.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Language {
    pub(super) name: &'static str,
    letters: [u8; 5],
}

const ROLES: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

const fn language(name: &'static str, letters: [u8; 5]) -> Language {
    Language { name, letters }
}

pub(crate) static ENGLISH: Language = language("English", *b"KQRBN");

pub(crate) static FRENCH: Language = language("French", *b"RDTFC");

/// Letters from Scid's translations (`src/index.h`, `tcl/lang`) and the FIDE Handbook, table of piece names.
pub(crate) static OTHERS: [&Language; 11] = [
    &language("German", *b"KDTLS"),
    &FRENCH,
    &language("Spanish or Italian", *b"RDTAC"),
    &language("Dutch", *b"KDTLP"),
    &language("Portuguese", *b"RDTBC"),
    &language("Polish", *b"KHWGS"),
    &language("Czech", *b"KDVSJ"),
    &language("Hungarian", *b"KVBFH"),
    &language("Finnish", *b"KDTLR"),
    &language("Romanian", *b"RDTNC"),
    &language("Icelandic", *b"KDHBR"),
];

/// The move that a text begins with, and its length without the signs after it.
///
/// Besides SAN, with drops (`N@f3`, `@e4`), it reads figurines and lower-case letters for pieces, castling with zeros and any dash, moves from square to
/// square, captures with a colon, promotions without a sign, and null moves. A lower-case `b` is the b-pawn, unless no b-pawn
/// could move this way.
pub(crate) fn move_at(text: &[u8], language: &Language) -> Option<(San, usize)> {
    if let Some(found) = castling(text).or_else(|| null_move(text)).or_else(|| dropped(text, language)) {
        return Some(found);
    }
    let (mut role, begin) = piece(text, language).unwrap_or((Role::Pawn, 0));
    let file = |at: usize| {
        text.get(at).filter(|byte| byte.is_ascii_lowercase()).and_then(|&byte| File::from_char(byte.into()))
    };
    let rank = |at: usize| text.get(at).and_then(|&byte| Rank::from_char(byte.into()));
    let first_file = file(begin);
    let at = begin + usize::from(first_file.is_some());
    let first_rank = rank(at);
    let at = at + usize::from(first_rank.is_some());
    let (capture, link) = match text.get(at..).unwrap_or_default() {
        [b'x' | b'X' | b':', ..] => (true, 1),
        [0xc3, 0x97, ..] => (true, 2),
        rest => (false, dash(rest)),
    };
    let second = file(at + link).zip(rank(at + link + 1));
    let (mut from_file, from_rank, capture, (to_file, to_rank), mut at) = match second {
        Some(to) => (first_file, first_rank, capture, to, at + link + 2),
        None => (None, None, false, first_file.zip(first_rank)?, at),
    };
    let is_small_b = role == Role::Pawn && begin == 0 && from_rank.is_none() && from_file == Some(File::B);
    if is_small_b && !matches!(to_file, File::A | File::C) {
        (role, from_file) = (Role::Bishop, None);
    }
    let mut promotion = None;
    if role == Role::Pawn
        && matches!(to_rank, Rank::First | Rank::Eighth)
        && let Some((role, length)) = promoted(&text[at..], language)
    {
        promotion = Some(role);
        at += length;
    }
    let to = Square::from_coords(to_file, to_rank);
    Some((San::Normal { role, file: from_file, rank: from_rank, capture, to, promotion }, at))
}

/// The length of a move in some language that a text begins with, if it begins with a piece letter.
pub(crate) fn foreign_length(text: &[u8]) -> Option<usize> {
    let letter = *text.first().filter(|letter| letter.is_ascii_uppercase())?;
    Some(move_at(text, &language("", [letter; 5]))?.1)
}

fn piece(text: &[u8], language: &Language) -> Option<(Role, usize)> {
    let letter = *text.first()?;
    if let Some(place) = language.letters.iter().position(|known| *known == letter) {
        return Some((ROLES[place], 1));
    }
    match text {
        [b'k' | b'q' | b'r' | b'n', ..] if language == &ENGLISH => Some((Role::from_char(letter.into())?, 1)),
        [b'P' | b'p', ..] => Some((Role::Pawn, 1)),
        // Figurines, which a variation selector for text or emoji may follow.
        [0xe2, 0x99, place @ 0x94..=0x9f, rest @ ..] => {
            let shown = if matches!(rest, [0xef, 0xb8, 0x8e | 0x8f, ..]) { 3 } else { 0 };
            Some((ROLES[usize::from(place - 0x94) % 6], 3 + shown))
        }
        _ => None,
    }
}

/// The piece that a pawn promotes to: `=Q`, `/Q`, `(Q)`, `Q`, `q`.
fn promoted(text: &[u8], language: &Language) -> Option<(Role, usize)> {
    let mark = usize::from(matches!(text.first()?, b'=' | b'/' | b'('));
    let small = |letter: &u8| {
        matches!(letter, b'q' | b'r' | b'b' | b'n').then(|| Role::from_char((*letter).into())).flatten()
    };
    let rest = &text[mark..];
    let (role, length) = piece(rest, language).or_else(|| Some((small(rest.first()?)?, 1)))?;
    let end = mark + length;
    let closing = usize::from(text[0] == b'(');
    let is_whole = if closing == 1 {
        text.get(end) == Some(&b')')
    } else {
        !text.get(end).is_some_and(u8::is_ascii_alphanumeric)
    };
    // In antichess pawns become kings, too.
    let is_piece = role != Role::Pawn && (role != Role::King || mark == 1);
    (is_whole && is_piece).then_some((role, end + closing))
}

fn castling(text: &[u8]) -> Option<(San, usize)> {
    let step = |at: usize| {
        let link = dash(text.get(at..)?);
        let is_step = link > 0 && matches!(text.get(at + link), Some(b'O' | b'0' | b'o'));
        is_step.then_some(at + link + 1)
    };
    if !matches!(text.first()?, b'O' | b'0' | b'o') {
        return None;
    }
    let short = step(1)?;
    Some(step(short).map_or((San::Castle(CastlingSide::KingSide), short), |long| {
        (San::Castle(CastlingSide::QueenSide), long)
    }))
}

/// A drop of a piece from a pocket; without a letter it is a pawn.
fn dropped(text: &[u8], language: &Language) -> Option<(San, usize)> {
    let (role, at) = piece(text, language).unwrap_or((Role::Pawn, 0));
    let square = text.get(at..)?.strip_prefix(b"@")?.get(..2)?;
    Some((San::Put { role, to: Square::from_ascii(square).ok()? }, at + 3))
}

/// A null move as written by `ChessBase`, python-chess and UCI.
fn null_move(text: &[u8]) -> Option<(San, usize)> {
    let null = [&b"--"[..], b"Z0", b"0000", b"@@@@"].into_iter().find(|null| text.starts_with(null))?;
    (!text.get(null.len()).is_some_and(u8::is_ascii_graphic)).then_some((San::Null, null.len()))
}

/// The length of a dash: a hyphen, a Unicode dash or minus sign, or a dash of Windows-1252.
pub(crate) fn dash(text: &[u8]) -> usize {
    match text {
        [b'-' | 0x96 | 0x97, ..] => 1,
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => 3,
        _ => 0,
    }
}

/// Annotations in letters: novelty, diagram, en passant, better is, check, mate.
const SIGNS: [&str; 12] = ["N", "D", "TN", "ep", "e.p", "e", "p", "RR", "ch", "dis", "dbl", "mate"];

/// Whether a word consists of annotation signs only.
pub(crate) fn is_sign(word: &[u8]) -> bool {
    if matches!(word, [] | [b'+' | b'#']) {
        return true;
    }
    let text = String::from_utf8_lossy(word);
    let letters = text.trim_matches(|letter: char| !letter.is_alphanumeric());
    letters.is_empty() || SIGNS.contains(&letters)
}
