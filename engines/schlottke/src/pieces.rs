//! The pieces (section III-B): numbers that say what a piece is and what it is worth, positive for White, negative for
//! Black. Turbo Pascal's `shortint`, -128 to 127, has just room for them and for what lies off the board.

/// An empty square.
pub const EMPTY: i8 = 0;
/// A pawn.
pub const PAWN: i8 = 2;
/// A bishop.
pub const BISHOP: i8 = 6;
/// A knight.
pub const KNIGHT: i8 = 7;
/// A rook.
pub const ROOK: i8 = 10;
/// A queen.
pub const QUEEN: i8 = 19;
/// A king: more than all the rest, so that a search for material never gives it.
pub const KING: i8 = 126;
/// What the cells around the board hold. With either sign it is outside of `EMPTY..=KING`, so that one comparison
/// tells that a cell exists and that no piece of one's own stands there.
pub const OFF_BOARD: i8 = 127;

/// What a pawn is worth in centipawns divided by what it is worth here.
pub const CENTIPAWNS: i32 = 50;

/// The piece that a letter of a FEN stands for.
pub fn from_letter(letter: char) -> Option<i8> {
    let kind = match letter.to_ascii_lowercase() {
        'p' => PAWN,
        'b' => BISHOP,
        'n' => KNIGHT,
        'r' => ROOK,
        'q' => QUEEN,
        'k' => KING,
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() { kind } else { -kind })
}

/// The letter of a piece in a FEN, `None` where there is no piece.
pub fn letter(piece: i8) -> Option<char> {
    let letter = match piece.abs() {
        PAWN => 'p',
        BISHOP => 'b',
        KNIGHT => 'n',
        ROOK => 'r',
        QUEEN => 'q',
        KING => 'k',
        _ => return None,
    };
    Some(if piece > 0 { letter.to_ascii_uppercase() } else { letter })
}
