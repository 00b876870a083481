//! A game in the browser: orders come from the page, one after the other, and the table is shown to it anew with every
//! change.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use super::order::Order;
use super::sitting::{Reply, Sitting};
use super::table_view::TableView;
use crate::web::LatestState;
use referee::Side;

/// How long the table sleeps where no clock can run out.
const NO_HURRY: Duration = Duration::from_hours(1);

/// The way to the table, which lives on a thread of its own, since engines take their time.
#[derive(Clone, Debug)]
pub struct WebTable {
    orders: Sender<Typed>,
    state: LatestState,
}

/// A line, and where the answer goes.
#[derive(Debug)]
struct Typed {
    line: String,
    answer: oneshot::Sender<Reply>,
}

impl WebTable {
    /// Begins to play. The table is there until the last handle is dropped.
    ///
    /// # Errors
    /// The system has no room for the thread.
    pub fn open(sitting: Sitting) -> io::Result<WebTable> {
        let (orders, received) = mpsc::channel();
        let state = LatestState::new(TableView::new(&sitting, &[]).to_json());
        let shown = state.clone();
        let host = Host { sitting, received, shown, told: Vec::new() };
        thread::Builder::new().name("table".to_owned()).spawn(move || host.run())?;
        Ok(WebTable { orders, state })
    }

    /// What the page shows.
    pub const fn state(&self) -> &LatestState {
        &self.state
    }

    /// Hands a line to the table and waits for the answer; while the engine thinks, that takes as long as it does.
    /// `None` when the table is gone.
    pub async fn ask(&self, line: String) -> Option<Reply> {
        let (answer, answered) = oneshot::channel();
        self.orders.send(Typed { line, answer }).ok()?;
        answered.await.ok()
    }
}

/// Whoever sees to the table.
struct Host {
    sitting: Sitting,
    received: Receiver<Typed>,
    shown: LatestState,
    /// What was said about the game last, other than in answer to a line.
    told: Vec<String>,
}

impl Host {
    fn run(mut self) {
        loop {
            if self.sitting.game().awaits_engine() {
                self.show();
                self.told = self.sitting.let_engine_move().lines;
            }
            if let Some(words) = self.sitting.tell_outcome() {
                self.told.push(words);
            }
            self.show();
            match self.received.recv_timeout(self.patience()) {
                Ok(Typed { line, answer }) => {
                    // The page may have been closed meanwhile.
                    let _ = answer.send(self.obey(&line));
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.sitting.check_flag();
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn obey(&mut self, line: &str) -> Reply {
        match line.parse::<Order>() {
            Ok(order) => {
                let reply = self.sitting.obey(order);
                if reply.board_changed {
                    self.told.clear();
                }
                reply
            }
            Err(error) => Reply { lines: vec![error.to_string()], board_changed: false },
        }
    }

    fn show(&self) {
        self.shown.publish(TableView::new(&self.sitting, &self.told).to_json());
    }

    /// Until the flag of the person falls.
    fn patience(&self) -> Duration {
        let game = self.sitting.game();
        if game.outcome().is_some() {
            return NO_HURRY;
        }
        let left = game.time_left(self.sitting.thinking_time())[match game.turn() {
            Side::White => 0,
            Side::Black => 1,
        }];
        // A moment more, for a flag falls when there is less than nothing left.
        left.map_or(NO_HURRY, |left| left + Duration::from_millis(1))
    }
}
