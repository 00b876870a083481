//! The engine as the UCI server sees it.

use std::io::{self, Write};
use std::time::Duration;

use chess::{Color, board_text};
use uci::server::{Nodes, SearchBudget, SearchControl, UciEngine, bench_positions, run_bench, set_up};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, Score, StartPosition, UciMove};

use super::game::Game;
use super::movement::Move;
use super::opening_base::{OpeningBase, SHIPPED_NAME};
use super::search::{HashTable, Iteration, MATE, NEAR_MATE, Search, evaluate};

/// The depth without limits, in plies: as deep as the document counts (section 2.3).
const DEPTH: u32 = 3;
const MAX_DEPTH: i64 = 64;
const HASH_MB: usize = 16;
const MAX_HASH_MB: i64 = 1_024;
const MAX_BOOK_SEED: i64 = 1_000_000;

#[derive(Debug)]
pub struct Druelle {
    game: Game,
    table: HashTable,
    openings: OpeningBase,
    depth: u32,
    uses_openings: bool,
    book_seed: usize,
}

impl Druelle {
    pub fn new() -> Druelle {
        Druelle {
            game: Game::start(),
            table: HashTable::new(HASH_MB),
            openings: OpeningBase::shipped(),
            depth: DEPTH,
            uses_openings: true,
            book_seed: 0,
        }
    }

    fn opening_move(&mut self, report: &mut dyn FnMut(Info)) -> Option<Move> {
        let replies = if self.uses_openings { self.openings.replies(&self.game) } else { &[] };
        let reply = replies.get(self.book_seed.checked_rem(replies.len())?)?;
        // The base's key ignores castling rights, so the reply may be illegal.
        self.game.find(&reply.mv.to_string())?;
        report(Info::text(format!("opening base: {}", reply.opening)));
        Some(reply.mv)
    }

    fn think(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> Option<Move> {
        // A mate in n moves is found 2n - 1 plies deep, because leaves are checked for mate.
        let depth = go.depth.or(go.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1)));
        let go = Go { depth, ..go.clone() };
        let budget = SearchBudget::new(&go, self.game.turn() == Color::White, control);
        let moves = go.root_moves(self.game.legal_moves(), |&mv| uci(mv));
        let mut search = Search::new(&mut self.table, &self.openings, &budget);
        let mut last = Info::default();
        let best = search.deepen(&mut self.game, &moves, self.depth, &mut |iteration| {
            last = info(iteration, control.elapsed());
            report(last.clone());
        });
        if let Some(best) = best {
            report(Nodes::new(search.nodes).last_info(control.elapsed(), &last, uci(best)));
        }
        best
    }

    fn use_base(&mut self, file: &str) -> Result<(), String> {
        self.openings = match file {
            "" | SHIPPED_NAME => OpeningBase::shipped(),
            file => OpeningBase::load(file)?,
        };
        // The scores of positions that openings lead to may have changed.
        self.table.clear();
        Ok(())
    }
}

fn uci(mv: Move) -> UciMove {
    mv.to_string().parse().expect("a move is written in the form of one")
}

fn info(iteration: &Iteration, time: Duration) -> Info {
    Info {
        depth: Some(iteration.depth),
        score: Some(score(iteration.score)),
        pv: iteration.line.iter().copied().map(uci).collect(),
        ..Nodes::new(iteration.nodes).info(time)
    }
}

fn score(score: i32) -> Score {
    if score >= NEAR_MATE {
        Score::mate((MATE - score + 1) / 2)
    } else if score <= -NEAR_MATE {
        Score::mate(-(MATE + score) / 2)
    } else {
        Score::centipawns(score)
    }
}

impl UciEngine for Druelle {
    const NAME: &'static str = concat!("druelle ", env!("CARGO_PKG_VERSION"));
    const AUTHOR: &'static str = "the Arbiter authors, after Matthias Druelle, Paul Boutes and Damien Cassan";

    fn options(&self) -> Vec<EngineOption> {
        vec![
            EngineOption::spin("Hash", HASH_MB as i64, 1..=MAX_HASH_MB),
            EngineOption::spin("Depth", i64::from(DEPTH), 1..=MAX_DEPTH),
            EngineOption::check("OwnBook", true),
            EngineOption::text("BookFile"),
            EngineOption::spin("BookSeed", 0, 0..=MAX_BOOK_SEED),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("Hash", OptionValue::Spin(megabytes)) => self.table = HashTable::new(megabytes as usize),
            ("Depth", OptionValue::Spin(plies)) => self.depth = plies as u32,
            ("OwnBook", OptionValue::Check(is_used)) => self.uses_openings = is_used,
            ("BookFile", OptionValue::Text(file)) => self.use_base(&file)?,
            ("BookSeed", OptionValue::Spin(seed)) => self.book_seed = seed as usize,
            _ => {}
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.clear();
    }

    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String> {
        self.game = set_up(start, moves, Game::from_fen, |game, mv| {
            let mv = game.find(mv.as_str())?;
            game.play(mv).map(|_| ())
        })?;
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        let from_base = if go.searchmoves.is_empty() { self.opening_move(report) } else { None };
        let best = from_base.or_else(|| self.think(go, control, report));
        BestMove { best: best.map(uci), ponder: None }
    }

    fn perft(&mut self, depth: u32) -> Box<dyn Iterator<Item = (UciMove, u64)> + '_> {
        Box::new(self.game.legal_moves().into_iter().filter_map(move |mv| {
            let played = self.game.play(mv)?;
            let leaves = self.game.perft(depth - 1);
            self.game.take_back(played);
            Some((uci(mv), leaves))
        }))
    }

    fn display(&self) -> String {
        let texts = [Color::White, Color::Black].map(|side| self.game.player_text(side));
        format!(
            "{}\nFen: {}\n{}\n{}",
            board_text(|square| self.game.on(square).map(chess::Piece::letter)),
            self.game.fen(),
            texts[0],
            texts[1]
        )
    }

    fn explain(&self) -> String {
        let mut game = self.game.clone();
        let [white, black] = [Color::White, Color::Black].map(|side| game.player(side).material);
        let score = evaluate(&mut game, &self.openings.known, 0);
        format!("material {white} to {black}\nscore {score:+} for the side to move, with check and opening")
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        let go = Go { depth: Some(depth.unwrap_or(DEPTH)), ..Go::default() };
        let mut bench = Druelle { uses_openings: false, ..Druelle::new() };
        run_bench(&mut bench, &go, bench_positions(), output)
    }
}
