//! Before the search: the handshake, the options, and `isready`.

use std::time::{Duration, Instant};

use super::EngineProcess;
use crate::process::EngineError;
use crate::process::engine_info::IntroductionListener;
use crate::protocol::Expected;
use uci::{Command, OptionKind};

impl EngineProcess {
    /// Sends `uci` and waits for `uciok`. A line that cannot be understood is skipped.
    ///
    /// # Errors
    /// [`EngineError::Silent`] or [`EngineError::Ended`] if no `uciok` comes.
    pub async fn handshake(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let mut listener = IntroductionListener::default();
        let mut lines = std::mem::take(&mut self.init);
        lines.push("uci\n".to_owned());
        let heard = self.ask_for(Expected::Introduction("uciok"), &lines.join("\n"), timeout, |line| listener.hear(line)).await;
        let speaks_xboard = listener.speaks_xboard;
        self.introduction = listener.heard();
        heard.map(drop).map_err(|error| if speaks_xboard { error.of_xboard() } else { error })
    }

    /// Sets an option that the engine announced.
    ///
    /// # Errors
    /// [`EngineError::Setting`] if there is no such option or it does not take the value; [`EngineError::Silent`] or
    /// [`EngineError::Ended`] if the engine does not read.
    pub async fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        timeout: Duration,
    ) -> Result<(), EngineError> {
        let option = self
            .introduction
            .check_setting(name, value)
            .map_err(|source| EngineError::Setting { engine: self.name.clone(), source: Box::new(source) })?;
        let name = option.name.clone();
        if option.kind == OptionKind::Button {
            return self.send_option(name, None, timeout).await;
        }
        if matches!(option.kind, OptionKind::String { .. }) {
            self.texts_set.push(name.clone());
        }
        self.send_option(name, value, timeout).await
    }

    /// Sets an option whether the engine announced it or not: by the protocol an engine ignores an option that it does
    /// not have, and it may have options that it does not announce.
    ///
    /// # Errors
    /// The errors of [`set_option`](Self::set_option), except that the option may be unknown.
    pub async fn try_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        timeout: Duration,
    ) -> Result<(), EngineError> {
        if self.introduction.option(name).is_some() {
            return self.set_option(name, value, timeout).await;
        }
        self.send_option(name.to_owned(), value, timeout).await
    }

    async fn send_option(
        &mut self,
        name: String,
        value: Option<&str>,
        timeout: Duration,
    ) -> Result<(), EngineError> {
        let command = Command::SetOption { name, value: value.map(str::to_owned) };
        let line = format!("{command}\n");
        let Command::SetOption { name, value } = &command else { return Ok(()) };
        let same = format!("setoption name {name} value ");
        self.settings.retain(|known| value.is_none() || !known.starts_with(&same));
        self.settings.push(line.trim_end().to_owned());
        let sent = self.send(line.as_bytes(), Instant::now() + timeout).await;
        sent.map_err(|silence| self.explain(silence, Expected::Answer("setoption"), timeout))
    }

    /// Sends `isready` and waits for `readyok`. What the engine says meanwhile about options that were set is added to
    /// the [remarks](crate::process::EngineInfo::remarks).
    ///
    /// # Errors
    /// [`EngineError::Silent`] or [`EngineError::Ended`] if no `readyok` comes.
    pub async fn is_ready(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.ask_if_ready(b"isready\n", timeout).await
    }

    /// Begins another game: `ucinewgame`, `isready`, and a fresh protocol log.
    ///
    /// # Errors
    /// The errors of [`is_ready`](Self::is_ready).
    pub async fn new_game(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.log.clear();
        self.ask_if_ready(b"ucinewgame\nisready\n", timeout).await
    }

    async fn ask_if_ready(&mut self, question: &[u8], timeout: Duration) -> Result<(), EngineError> {
        let begin = Instant::now();
        let deadline = begin + timeout;
        self.watch_after(timeout / 2);
        self.watch.begin(begin);
        let talk = async {
            self.send(question, deadline).await?;
            loop {
                let line = self.watched_line(deadline).await?;
                let line = self.stdout.text(line).trim_ascii();
                if line == b"readyok" {
                    self.texts_set.clear();
                    return Ok(());
                }
                if !self.texts_set.is_empty() {
                    self.introduction.hear_of_options(&String::from_utf8_lossy(line), &self.texts_set);
                }
            }
        };
        let outcome = talk.await;
        self.clock.find_processes(self.group);
        outcome.map_err(|silence| self.explain(silence, Expected::Ready("readyok"), timeout))
    }
}
