//! Reads the data of a page as the page's script does.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use serde_json::Value;

use maud::Render;

use crate::report::page::GameViewer;

pub struct GamesPage {
    html: String,
    pub index: Value,
}

pub struct ShownGame {
    pub fens: Vec<String>,
    pub sans: Vec<String>,
}

impl GamesPage {
    pub fn of(viewer: &GameViewer) -> GamesPage {
        let html = viewer.render().into_string();
        let index = unpack(&html, "games-index");
        GamesPage { html, index }
    }

    /// The data of a game, by its number from 1.
    pub fn record(&self, number: u64) -> Value {
        let row = self.row(number);
        let block = unpack(&self.html, &format!("games-block-{}", row[8]));
        block[row[9].as_u64().unwrap() as usize].clone()
    }

    fn row(&self, number: u64) -> &Value {
        let rows = self.index["games"].as_array().unwrap();
        rows.iter().find(|row| row[0] == number).unwrap()
    }

    pub fn game(&self, number: u64) -> ShownGame {
        let record = self.record(number);
        let opening = &self.index["openings"][self.row(number)[5].as_u64().unwrap() as usize];
        let moves = opening["moves"].as_array().unwrap().iter().chain(record["moves"].as_array().unwrap());
        let texts: Vec<(String, String)> = moves
            .map(|at| self.index["moves"][at.as_u64().unwrap() as usize].as_str().unwrap())
            .map(|text| text.split_once(' ').map(|(san, changes)| (san.into(), changes.into())).unwrap())
            .collect();
        ShownGame {
            fens: positions(opening["fen"].as_str().unwrap(), &texts, &record["rights"]),
            sans: texts.into_iter().map(|(san, _)| san).collect(),
        }
    }
}

fn unpack(html: &str, id: &str) -> Value {
    let (_, data) = html.split_once(&format!("id=\"{id}\">")).unwrap();
    let bytes = STANDARD.decode(data.split_once('<').unwrap().0).unwrap();
    let mut json = String::new();
    ZlibDecoder::new(bytes.as_slice()).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

fn positions(start: &str, moves: &[(String, String)], rights: &Value) -> Vec<String> {
    let fields: Vec<&str> = start.split(' ').collect();
    let (board, pockets) = fields[0].split_at(fields[0].find('[').unwrap_or(fields[0].len()));
    let mut squares = squares(board);
    let mut is_white = fields[1] == "w";
    let clocks = fields.len() - 2;
    let mut right = pockets.to_owned() + &fields[2..clocks].join(" ");
    let [mut clock, mut number] = [clocks, clocks + 1].map(|at| fields[at].parse::<u32>().unwrap());
    let mut fens = vec![start.to_owned()];
    for (ply, (san, changes)) in moves.iter().enumerate() {
        let mut rest = &changes[..];
        while !rest.is_empty() {
            let (change, others) = rest.split_at(if rest[3..].starts_with('~') { 4 } else { 3 });
            let at = change.as_bytes();
            change[2..].clone_into(&mut squares[(b'8' - at[1]) as usize * 8 + (at[0] - b'a') as usize]);
            rest = others;
        }
        let news = rights.as_array().and_then(|all| all.iter().find(|entry| entry[0] == ply + 1));
        if let Some(news) = news {
            right = news[1].as_str().unwrap().to_owned();
        }
        let is_final =
            san.contains('x') || san.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '@');
        clock = if is_final { 0 } else { clock + 1 };
        number += u32::from(!is_white);
        is_white = !is_white;
        let turn = if is_white { "w" } else { "b" };
        let (pockets, right) = right.split_at(right.find(']').map_or(0, |end| end + 1));
        fens.push(format!("{}{pockets} {turn} {right} {clock} {number}", placement(&squares)));
    }
    fens
}

fn squares(placement: &str) -> Vec<String> {
    let spread = |letter: char| match letter.to_digit(10) {
        Some(gap) => vec![".".to_owned(); gap as usize],
        None => vec![letter.to_string()],
    };
    placement.chars().filter(|letter| *letter != '/').flat_map(spread).collect()
}

fn placement(squares: &[String]) -> String {
    let rank = |rank: &[String]| {
        let mut text = rank.concat();
        for gap in (1..=8).rev() {
            text = text.replace(&".".repeat(gap), &gap.to_string());
        }
        text
    };
    squares.chunks(8).map(rank).collect::<Vec<_>>().join("/")
}
