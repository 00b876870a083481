//! The mock engine in xboard's protocol: `xboard`, and behind it, with `+`, ways in which such engines differ.

use std::io::{self, BufRead, Write};
use std::process;

use shakmaty::Color;

use crate::board::Board;
use crate::deeds::{close_output, pause, stay};
use crate::modes::GOOD_PLIES;

/// The ways to differ.
const WAYS: [&str; 16] = [
    "san",     // Reads and writes moves in SAN.
    "mute",    // Does not answer `ping`.
    "once",    // Plays one game only.
    "slow",    // Needs more than the usual time to start, and says so.
    "old",     // Announces nothing, and moves as before there was `move`.
    "nps",     // Counts nodes as time.
    "claims",  // Claims a draw before each move.
    "resigns", // Resigns on its third move, as Black with a result and as White without.
    "refuses", // Calls the opponent's third move illegal.
    "ends",    // Ends at `protover`.
    "crashes", // Ends in place of its third move.
    "closes",  // Closes its output then.
    "hangs",   // Does not answer then.
    "floods",  // Thinks without end then.
    "late",    // Moves too late then.
    "errs",    // Makes an illegal move then.
];

pub fn talk(name: &str) -> io::Result<()> {
    let ways: Vec<&str> = name.split('+').skip(1).collect();
    assert!(ways.iter().all(|way| WAYS.contains(way)), "unknown ways: {name}");
    let is = |way: &str| ways.contains(&way);
    let (mut board, mut is_forced, mut games) = (Board::default(), true, 0);
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let mut is_asked = false;
        match word {
            "xboard" | "accepted" | "rejected" | "post" | "easy" | "hard" | "result" | "time" | "otim"
            | "level" | "sd" | "st" | "nps" | "memory" | "option" => {}
            "protover" if is("old") => {}
            "protover" => {
                if is("ends") {
                    process::exit(3);
                }
                if is("slow") {
                    writeln!(out, "feature done=0")?;
                    out.flush()?;
                    pause(1200)?;
                }
                let on = |way: &str| u8::from(is(way));
                let (san, nps, reuse) = (on("san"), on("nps"), 1 - on("once"));
                let ping = 1 - on("mute");
                writeln!(
                    out,
                    "feature myname=\"Mock X\" memory=1 colors=0 san={san} nps={nps} reuse={reuse}"
                )?;
                writeln!(
                    out,
                    "feature option=\"Style -combo calm /// *wild\" ping={ping} setboard=1 done=1"
                )?;
            }
            "new" => {
                games += 1;
                assert!(games == 1 || !is("once"), "a second game");
                (board, is_forced) = (Board::default(), false);
            }
            "force" => is_forced = true,
            "setboard" => board.set_up(format!("position fen {rest}")),
            "ping" => writeln!(out, "pong {rest}")?,
            "go" => (is_forced, is_asked) = (false, true),
            "quit" => return Ok(()),
            _ if is("refuses") && board.plies >= GOOD_PLIES && !is_forced => {
                writeln!(out, "Illegal move (I do not like it): {word}")?;
            }
            _ if is("san") == word.parse::<shakmaty::uci::UciMove>().is_ok() => {
                writeln!(out, "Error (unknown command): {line}")?;
            }
            _ => match board.play(word) {
                Some(()) => is_asked = !is_forced,
                None => writeln!(out, "Illegal move: {word}")?,
            },
        }
        if is_asked {
            let chosen = if is("san") { board.choose_in_letters() } else { None };
            let chosen = chosen.unwrap_or_else(|| board.choose().to_string());
            writeln!(out, "1 {} 0 20 {chosen}", board.score())?;
            out.flush()?;
            let fails = |way: &str| is(way) && board.plies >= GOOD_PLIES;
            match () {
                () if fails("crashes") => process::exit(9),
                () if fails("closes") => drop(close_output()?),
                () if fails("hangs") => drop(stay()?),
                () if fails("floods") => loop {
                    writeln!(out, "1 {} 0 20 {chosen}", board.score())?;
                },
                () if fails("late") => {
                    pause(600)?;
                    writeln!(out, "move {chosen}")?;
                }
                () if fails("errs") => writeln!(out, "move a1h8")?,
                () if is("resigns") && board.plies >= GOOD_PLIES => match board.turn() {
                    Color::White => writeln!(out, "resign")?,
                    Color::Black => writeln!(out, "1-0 {{Black resigns}}")?,
                },
                () if is("old") => writeln!(out, "{}. ... {chosen}", board.plies)?,
                () if is("claims") => writeln!(out, "1/2-1/2 {{Draw by repetition}}\nmove {chosen}")?,
                () => writeln!(out, "move {chosen}")?,
            }
            board.play(&chosen);
        }
        out.flush()?;
    }
    Ok(())
}
