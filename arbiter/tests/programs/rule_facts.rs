//! Prints what the referee and our own core say about games; `verify/differential.py` compares it with python-chess.
//!
//! Each line of standard input is a game: the name of its variant, the FEN of the start, `moves`, and the moves in UCI
//! notation. The answer has a line for each position of the game, with fields separated by tabs: the referee's FEN, our
//! core's FEN, each one's legal moves, the end of the game according to the referee, whether the core finds the material
//! insufficient, and the next move in the referee's algebraic notation. The core plays chess only; for other variants its
//! fields are empty.

use std::error::Error;
use std::io::{self, BufRead, Write};

use chess::Position;
use referee::san::line_to_san;
use referee::{GameEnd, Referee, Side, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (start, moves) = line.split_once(" moves").unwrap_or((&line, ""));
        let (variant, fen) = start.split_once(' ').ok_or("expected a variant and a FEN")?;
        let variant = Variant::typed(variant)?;
        tell(&mut out, variant, fen, moves)?;
        out.flush()?;
    }
    Ok(())
}

fn tell(out: &mut impl Write, variant: Variant, fen: &str, moves: &str) -> Result<(), Box<dyn Error>> {
    let is_chess960 = variant == Variant::Chess960;
    let mut referee = Referee::from_fen(fen, variant)?;
    let mut position = variant.is_chess().then(|| Position::from_fen(fen)).transpose()?;
    let mut moves = moves.split_whitespace();
    loop {
        let next = moves.next();
        let san = next.map_or_else(|| Ok(Vec::new()), |uci| line_to_san(&referee, &[uci]))?;
        let of_core = |told: fn(&Position) -> String| position.as_ref().map(told).unwrap_or_default();
        let moves_of_core = position.as_ref().map(|position| sorted(moves_of(position, is_chess960)));
        let fields = [
            referee.fen(),
            of_core(Position::fen),
            sorted(referee.legal_moves()),
            moves_of_core.unwrap_or_default(),
            end(&referee).to_owned(),
            of_core(|position| position.is_insufficient_material().to_string()),
            san.concat(),
        ];
        writeln!(out, "{}", fields.join("\t"))?;
        let Some(uci) = next else { return Ok(()) };
        referee.play(uci)?;
        if let Some(position) = &mut position {
            let legal = position.move_list();
            let chosen =
                legal.iter().find(|m| m.to_uci(is_chess960) == uci).ok_or("the core has no such move")?;
            *position = position.play(*chosen);
        }
    }
}

fn moves_of(position: &Position, is_chess960: bool) -> Vec<String> {
    position.move_list().iter().map(|m| m.to_uci(is_chess960)).collect()
}

fn sorted(mut moves: Vec<String>) -> String {
    moves.sort_unstable();
    moves.join(" ")
}

fn end(referee: &Referee) -> &'static str {
    match referee.outcome() {
        None => "-",
        Some(GameEnd::Checkmate { .. }) => "checkmate",
        Some(GameEnd::Stalemate) => "stalemate",
        Some(GameEnd::InsufficientMaterial) => "insufficient material",
        Some(GameEnd::ThreefoldRepetition) => "threefold repetition",
        Some(GameEnd::FiftyMoves) => "fifty moves",
        Some(GameEnd::ByVariant { winner: Some(Side::White) }) => "White wins by the variant",
        Some(GameEnd::ByVariant { winner: Some(Side::Black) }) => "Black wins by the variant",
        Some(GameEnd::ByVariant { winner: None }) => "drawn by the variant",
    }
}
