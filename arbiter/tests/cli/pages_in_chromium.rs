//! The pages of `arbiter watch` and `arbiter play --web` in a headless Chromium.

use serde::Deserialize;
use serde_json::Value;

use crate::browser::Browser;
use crate::browser::PageClient;
use crate::workbench::Workbench;

/// A mock of the server: `show` sends a state, `answers` has the answers, and `asked` records the requests.
const SERVER: &str = "
const asked = [];
const answers = {};
let show;
class EventSource {
  constructor() { show = state => this.onmessage({ data: JSON.stringify(state) }); setTimeout(() => show(window.state), 0); }
}
window.fetch = async (path, request) => {
  asked.push(request ? JSON.parse(request.body).line : path);
  return { ok: true, json: async () => answers[path] || { answer: [] }, text: async () => '' };
};
";

/// The page as one file, with this state to show, so that a trial can play its server.
fn page_with_state(page: &PageClient, state: &Value) -> String {
    let [style, script] = ["/style.css", "/script.js"].map(|path| page.get(path).body);
    let html = page.get("/").body;
    let inlined = format!("<script>window.state = {state};\n{SERVER}</script>\n<script>{script}</script>");
    let html = html.replace("<script src=\"script.js\"></script>", &inlined);
    html.replace("<link rel=\"stylesheet\" href=\"style.css\"/>", &format!("<style>{style}</style>"))
}

/// The result of a test of the page of a session.
#[derive(Debug, Deserialize)]
struct Played {
    asked: Vec<String>,
    notices: Vec<String>,
    pieces: usize,
    wide: bool,
    troubles: Vec<String>,
}

const PLAY: &str = "
    await pause(50);
    const board = document.querySelector('.board');
    const at = square => {
        const box = board.getBoundingClientRect();
        const [file, rank] = ['abcdefgh'.indexOf(square[0]), 8 - Number(square[1])];
        const [clientX, clientY] = [box.left + (file + .5) * box.width / 8, box.top + (rank + .5) * box.height / 8];
        return { clientX, clientY, pointerId: 1, button: 0, bubbles: true };
    };
    board.setPointerCapture = () => {};
    const point = (kind, square) => board.dispatchEvent(new PointerEvent(kind, at(square)));
    const press = key => board.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const pieces = board.querySelectorAll('use').length;
    const notices = [];
    // Two clicks, then a drag.
    for (const square of ['e2', 'e4']) { point('pointerdown', square); point('pointerup', square); }
    point('pointerdown', 'g1'); point('pointermove', 'g2'); point('pointerup', 'f3');
    // A square that the piece cannot reach.
    point('pointerdown', 'b1'); point('pointerup', 'b1'); point('pointerdown', 'b5'); point('pointerup', 'b5');
    // The keyboard, from the square that was touched last.
    board.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter']) press(key);
    // The field.
    document.querySelector('#line').value = 'Nc3';
    document.querySelector('#typed').requestSubmit();
    document.querySelector('[data-line=undo]').click();
    await pause(50);
    // A promotion asks for the piece.
    show({ ...state, fen: '7k/P7/8/8/8/8/8/K7 w - - 0 1', legal: ['a7a8q', 'a7a8r', 'a7a8b', 'a7a8n'] });
    for (const square of ['a7', 'a8']) { point('pointerdown', square); point('pointerup', square); }
    document.querySelectorAll('#promotion button')[3].click();
    // Resigning asks again.
    document.querySelector('#resign').click();
    notices.push(document.querySelector('#resign').textContent);
    document.querySelector('#resign').click();
    show({ ...state, outcome: '0-1, White resigns', legal: [], messages: ['0-1, White resigns'] });
    notices.push(document.querySelector('#state').textContent);
    await pause(50);
    const wide = document.documentElement.scrollWidth > innerWidth;
    return { asked, notices, pieces, wide, troubles };
";

#[test]
fn moves_are_clicked_dragged_and_typed_in_chromium() {
    let Some(browser) = Browser::on_the_path() else { return };
    let bench = Workbench::with_mocks(&["well"]);
    let page = PageClient::start(&bench, &["play", "well", "--nodes", "20", "--tc", "5:00", "--web"]);
    let html = page_with_state(&page, &page.wait_for("the board", |_| true));
    for width in [1200, 500] {
        let played: Played = browser.try_page(&html, width, PLAY);
        assert!(played.troubles.is_empty(), "{played:?}");
        let lines = ["e2e4", "g1f3", "b2b4", "Nc3", "undo", "a7a8n", "resign"];
        assert_eq!(
            (played.asked, played.pieces, played.wide),
            (lines.map(str::to_owned).to_vec(), 32, false)
        );
        assert_eq!(played.notices, ["Really resign?", "0-1, White resigns"]);
    }
}

/// The result of a test of the page of a run.
#[derive(Debug, Deserialize)]
struct Watched {
    verdict: String,
    rows: usize,
    first_fen: String,
    last_fen: String,
    live: Vec<String>,
    wide: bool,
    troubles: Vec<String>,
}

const WATCH: &str = "
    await pause(50);
    const find = name => document.querySelector(name);
    const press = key => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const rows = document.querySelectorAll('#list tr').length;
    answers['games/1'] = window.game;
    location.hash = '#game-1';
    await pause(100);
    const last_fen = find('#place .board').dataset.fen;
    press('Home');
    const first_fen = find('#place .board').dataset.fen;
    const side = (name, left) => ({ name, left, thought: '+0.31 d9' });
    const board = number => ({ number, fen: first_fen, last: null, check: false, moves: '', since: Date.now() - 5000,
        white: side('one', 64500), black: side('<b>two</b>', 60000) });
    const seen = () => [...document.querySelectorAll('#tables article')].map(card => card.innerText.replace(/\\s+/g, ' '));
    show({ ...state, is_live: true, boards: [board(9), board(3)] });
    const live = seen();
    show({ ...state, is_live: true, boards: [board(9)] });
    live.push(String(seen().length));
    const wide = document.documentElement.scrollWidth > innerWidth;
    return { verdict: find('#verdict').textContent, rows, first_fen, last_fen, live, wide, troubles };
";

#[test]
fn boards_and_finished_games_are_drawn_in_chromium() {
    let Some(browser) = Browser::on_the_path() else { return };
    let bench = Workbench::with_mocks(&["well"]);
    let args =
        ["match", "well", "well:Hash=2", "--openings", "book.epd", "--nodes", "20", "--maxmoves", "40"];
    bench.run(&[&args[..], &["--games", "4", "--out", "run"]].concat()).expect_code(0);
    let page = PageClient::start(&bench, &["watch", "run"]);
    let game = page.get("/games/1").body;
    let html = page_with_state(&page, &page.wait_for("the state", |_| true));
    let html =
        html.replacen("<script>window.state", &format!("<script>window.game = {game}; window.state"), 1);
    let game: Value = serde_json::from_str(&game).unwrap();
    for width in [1200, 500] {
        let watched: Watched = browser.try_page(&html, width, WATCH);
        assert!(watched.troubles.is_empty(), "{watched:?}");
        assert_eq!((watched.rows, watched.wide), (4, false));
        assert!(watched.verdict.contains("4 games"), "{watched:?}");
        assert_eq!(game["start"], watched.first_fen);
        assert_eq!(game["moves"].as_array().unwrap().last().unwrap()["fen"], watched.last_fen);
        assert_eq!(watched.live.len(), 3, "{watched:?}");
        assert!(watched.live[0].starts_with("Game 3 <b>two</b> +0.31 d9 1:00"), "{watched:?}");
        assert!(
            watched.live[1].starts_with("Game 9") && watched.live[1].contains("one +0.31 d9 0:59"),
            "{watched:?}"
        );
        assert_eq!(watched.live[2], "1");
    }
}
