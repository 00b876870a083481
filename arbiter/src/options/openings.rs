//! Where the openings come from.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::options::books::BookRequest;

use crate::options::books;
use referee::Variant;
use runner::BookOrder;

/// The options under "Openings".
#[derive(Debug, Args)]
#[command(next_help_heading = "Openings")]
pub struct OpeningArgs {
    /// Opening book: an EPD, PGN or Polyglot file (.epd, .fen, .pgn, .bin, each also .gz or .zst), or a book that ships
    /// [default: arbiter-balanced.epd; of a match with --sprt arbiter-unbalanced.epd; with --chess960 chess960.epd]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Order of the openings
    #[arg(long, value_enum, default_value_t = OrderArg::Random)]
    order: OrderArg,

    /// Seed of the random order [default: a new one, recorded in run.toml]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Play at most this many plies of each opening (PGN, Polyglot)
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// First opening to play, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    start: u32,

    /// Play Chess960
    #[arg(long)]
    chess960: bool,
}

/// `--order`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OrderArg {
    /// Shuffled by the seed.
    Random,
    /// As in the file.
    Sequential,
}

impl OpeningArgs {
    /// The rules of castling.
    pub fn variant(&self) -> Variant {
        if self.chess960 { Variant::Chess960 } else { Variant::Standard }
    }

    /// Whether the user chose the seed.
    pub fn is_seeded(&self) -> bool {
        self.seed.is_some()
    }

    /// The book and how it is drawn from.
    pub fn request(&self) -> BookRequest {
        self.request_or(books::DEFAULT)
    }

    /// The same with another book of standard chess where none is given.
    pub fn request_or(&self, book: &str) -> BookRequest {
        let usual = match self.variant() {
            Variant::Standard => book,
            Variant::Chess960 => books::DEFAULT_CHESS960,
        };
        BookRequest {
            path: self.openings.clone().unwrap_or_else(|| usual.into()),
            order: match self.order {
                OrderArg::Random => BookOrder::Random,
                OrderArg::Sequential => BookOrder::Sequential,
            },
            // A TOML integer has 63 bits.
            seed: self.seed.unwrap_or_else(|| rand::random::<u64>() >> 1),
            plies: self.plies,
            start: self.start as usize - 1,
        }
    }
}
