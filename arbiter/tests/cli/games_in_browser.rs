//! The games of a report in a browser: what the board shows at every move is what the referee says, and the list, the
//! keys and the graph do what they should.

use std::fmt::Write;
use std::time::Duration;

use arbiter::report::page::GameViewer;
use jiff::Timestamp;
use maud::Render;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use referee::{GameResult, Referee, Side, Variant};
use runner::{GameRecord, MoveRecord, MoveScore, OpeningMove, OpeningRecord, RunConfig, Termination};
use serde::Deserialize;

use crate::browser::Browser;

/// Positions where castling, en passant and promotion are near.
const STARTS: [(Variant, &str); 5] = [
    (Variant::Standard, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    (Variant::Standard, "r3k2r/pPp2pPp/8/3Pp3/3pP3/8/PpP2PpP/R3K2R w KQkq e6 0 30"),
    (Variant::Standard, "8/PPPk4/8/8/8/8/4Kppp/8 b - - 12 99"),
    (Variant::Chess960, "1r3kr1/8/8/8/8/8/8/1R3KR1 w GBgb - 0 1"),
    (Variant::Chess960, "rk5r/8/8/8/8/8/8/RK5R b KQkq - 3 20"),
];

/// Opens every game by its address and walks back to its start with the keyboard.
const WALK: &str = "
    const board = document.querySelector('.gv-board');
    const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const games = [];
    for (let number = 1; number <= COUNT; number += 1) {
        location.hash = `#game-${number}`;
        await pause(300);
        const positions = [];
        let fen;
        do {
            fen = board.dataset.fen;
            const button = document.querySelector('.gv-moves [aria-current] ');
            positions.push([button ? button.firstChild.textContent : '', fen]);
            press('ArrowLeft');
        } while (board.dataset.fen !== fen);
        games.push(positions.reverse());
    }
    return { games, troubles };
";

/// Tries what there is to be clicked and typed.
const TRY: &str = "
    const find = name => document.querySelector(name);
    const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const choose = (name, value) => {
        find(`[name=${name}]`).value = value;
        find('.gv-filters').dispatchEvent(new Event('input'));
        return find('.gv-filters output').textContent;
    };
    const move = () => find('.gv-facts dd').textContent;
    await pause(300);
    const steps = [];
    const see = async what => { await pause(100); steps.push(what()); };
    await see(() => find('.gv-title').textContent);
    await see(() => choose('result', '1-0'));
    await see(() => choose('result', ''));
    await see(() => choose('ending', 'faulty'));
    find('.gv-list a').click();
    await see(() => find('.gv-ending').textContent);
    await see(() => choose('ending', ''));
    press('ArrowUp');
    await see(() => location.hash);
    press('Home');
    await see(move);
    press('ArrowRight');
    await see(move);
    press('f');
    await see(() => find('.gv-bottom strong').textContent);
    const box = find('.gv-graph').getBoundingClientRect();
    find('.gv-graph').dispatchEvent(new PointerEvent('pointerdown', { clientX: box.right, clientY: box.top + 9 }));
    await see(move);
    location.hash = '#game-999';
    await see(() => find('.gv-trouble').textContent);
    location.hash = '#game-2-1';
    await see(() => `${move()}, ${find('.gv-trouble').textContent}`);
    location.hash = '#game-11';
    await see(move);
    await see(() => choose('opening', 'no such moves'));
    return { steps, images: document.images.length, troubles };
";

#[derive(Debug, Deserialize)]
struct Walked {
    /// For each game the moves and the positions that they lead to, the first position with an empty move.
    games: Vec<Vec<(String, String)>>,
    troubles: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Tried {
    steps: Vec<String>,
    images: usize,
    troubles: Vec<String>,
}

fn config(names: [&str; 2], variant: Variant) -> RunConfig {
    let mut text = format!("games = 100\nvariant = \"{variant}\"\n[book]\npath = \"made-up.epd\"\n");
    for name in names {
        write!(text, "[[engine]]\nname = '{name}'\nprogram = 'x'\n").unwrap();
    }
    toml::from_str(&text).unwrap()
}

/// A game of random moves, the first two of which are the opening.
fn random_game(index: u32, variant: Variant, fen: &str) -> GameRecord {
    let mut random = StdRng::seed_from_u64(u64::from(index) + 7);
    let mut referee = Referee::from_fen(fen, variant).unwrap();
    let (mut opening, mut moves) = (Vec::new(), Vec::new());
    for ply in 0..60 {
        let mut legal = referee.legal_moves();
        if legal.is_empty() {
            break;
        }
        legal.sort();
        let played = referee.play(&legal[random.random_range(0..legal.len())]).unwrap();
        if ply < 2 {
            opening.push(OpeningMove { uci: played.uci().to_owned(), san: played.san().to_owned() });
        } else {
            moves.push(MoveRecord {
                uci: played.uci().into(),
                san: played.san().into(),
                time: Duration::from_micros(random.random_range(0..2_000_000)),
                clock_left: None,
                score: Some(MoveScore::Cp(random.random_range(-300..300))),
                depth: Some(12),
                seldepth: None,
                nodes: Some(random.random()),
                nps: None,
                hashfull: None,
                tbhits: None,
                engine_time: None,
                pondered: false,
                pv: None,
                lines: Vec::new(),
            });
        }
    }
    GameRecord {
        game: index,
        pair: index / 2,
        white: 0,
        black: 1,
        opening: OpeningRecord { index: 4, fen: fen.to_owned(), moves: opening },
        moves,
        result: Some(GameResult::WhiteWins),
        termination: Termination::ResignAdjudication,
        offender: None,
        detail: None,
        overrun: None,
        illegal_move: None,
        excused: false,
        warnings: Vec::new(),
        after_decision: false,
        final_fen: referee.fen(),
        started: Timestamp::UNIX_EPOCH,
        duration: Duration::from_secs(9),
    }
}

fn page(config: &RunConfig, games: &[GameRecord]) -> String {
    let viewer = GameViewer::new(config, games);
    format!(
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\"></head><body>{}</body></html>",
        viewer.render().into_string()
    )
}

#[test]
fn the_board_shows_every_position_of_a_game() {
    let Some(browser) = Browser::on_the_path() else { return };
    for variant in [Variant::Standard, Variant::Chess960] {
        let starts = STARTS.iter().filter(|(of, _)| *of == variant).map(|(_, fen)| fen);
        let games: Vec<GameRecord> = starts
            .flat_map(|fen| [fen; 4])
            .enumerate()
            .map(|(index, fen)| random_game(index as u32, variant, fen))
            .collect();
        let walk = WALK.replace("COUNT", &games.len().to_string());
        let walked: Walked = browser.try_page(&page(&config(["new", "old"], variant), &games), 1200, &walk);
        assert_eq!(walked.troubles, Vec::<String>::new());
        assert_eq!(walked.games.len(), games.len());
        for (shown, record) in walked.games.iter().zip(&games) {
            let mut referee = Referee::from_fen(&record.opening.fen, variant).unwrap();
            let mut expected = vec![(String::new(), referee.fen())];
            let book = record.opening.moves.iter().map(|played| played.uci.as_str());
            for uci in book.chain(record.moves.iter().map(|played| played.uci.as_str())) {
                let san = referee.play(uci).unwrap().san().to_owned();
                expected.push((san, referee.fen()));
            }
            assert_eq!(shown, &expected, "game {} of {variant} chess", record.game + 1);
        }
    }
}

#[test]
fn list_keys_and_graph_do_what_they_should() {
    let Some(browser) = Browser::on_the_path() else { return };
    let name = "</script><img src=x>";
    let mut games: Vec<GameRecord> =
        (0..300).map(|index| random_game(index, STARTS[2].0, STARTS[2].1)).collect();
    games[9].result = Some(GameResult::BlackWins);
    games[9].termination = Termination::Crash;
    games[9].offender = Some(Side::White);
    games[9].detail = Some("exit code <b>1</b>".to_owned());
    games[10] =
        GameRecord { moves: Vec::new(), termination: Termination::FailedToStart, ..games[10].clone() };
    games[10].opening.moves.clear();
    let last = games[8].moves.last().unwrap().san.clone();
    let tried: Tried = browser.try_page(&page(&config([name, "old"], Variant::Standard), &games), 500, TRY);
    assert_eq!(tried.troubles, Vec::<String>::new());
    assert_eq!(tried.images, 0);
    let first = &games[8].opening.moves[0].san;
    let other = &games[1].opening.moves[0].san;
    let expected = [
        format!("Game 1 {name} – old 1–0"),
        "299 of 300 games".to_owned(),
        "300 games".to_owned(),
        "2 of 300 games".to_owned(),
        "White's engine crashed: exit code <b>1</b>".to_owned(),
        "300 games".to_owned(),
        "#game-9".to_owned(),
        "Before the first move".to_owned(),
        format!("99… {first}"),
        "old".to_owned(),
        format!(" {last}"),
        "Game 999 is not on this page; games.pgn in the folder of the run has all games.".to_owned(),
        format!("99… {other}, "),
        "Before the first move".to_owned(),
        "0 of 300 games".to_owned(),
    ];
    for (step, (shown, expected)) in tried.steps.iter().zip(&expected).enumerate() {
        assert!(shown.ends_with(expected.as_str()), "step {step}: {shown:?}, expected {expected:?}");
    }
    assert_eq!(tried.steps.len(), expected.len());
}
