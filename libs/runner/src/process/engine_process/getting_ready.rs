//! Before the search: the introduction, the options, and the wait until the engine is ready.

use std::time::{Duration, Instant};

use super::{EngineProcess, Silence};
use crate::process::EngineError;
use crate::protocol::{EngineInfo, LineKind, Request};
use uci::{Message, OptionKind};

impl EngineProcess {
    /// Lets the engine introduce itself: `uci` and the lines to `uciok`. A line that cannot be understood is skipped.
    ///
    /// # Errors
    /// [`EngineError::Silent`] or [`EngineError::Ended`] if the introduction does not end.
    pub async fn handshake(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let mut introduction = EngineInfo::default();
        let mut lines: String = std::mem::take(&mut self.init).iter().flat_map(|line| [line, "\n"]).collect();
        self.protocol.write(Request::Introduce, &mut lines);
        let heard =
            self.talk(&lines, timeout, |protocol, line| protocol.introduce(line, &mut introduction)).await;
        self.introduction = introduction;
        heard.map(drop).map_err(|silence| self.unanswered(silence, Request::Introduce, timeout))
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
        let (name, value) = (option.name.clone(), value.filter(|_| option.kind != OptionKind::Button));
        if matches!(option.kind, OptionKind::String { .. }) {
            self.texts_set.push(name.clone());
        }
        self.send_option(&name, value, timeout).await
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
        self.send_option(name, value, timeout).await
    }

    async fn send_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        timeout: Duration,
    ) -> Result<(), EngineError> {
        let request = Request::SetOption(name, value);
        let lines = self.compose(request);
        self.settings.retain(|(known, _)| value.is_none() || known.as_deref() != Some(name));
        self.settings.push((value.map(|_| name.to_owned()), lines.trim_end().to_owned()));
        let sent = self.send(lines.as_bytes(), Instant::now() + timeout).await;
        self.lines = lines;
        sent.map_err(|silence| self.unanswered(silence, request, timeout))
    }

    /// Waits until the engine says that it is ready, in UCI `isready` and `readyok`. What it says meanwhile about options
    /// that were set is added to the [remarks](crate::process::EngineInfo::remarks).
    ///
    /// # Errors
    /// [`EngineError::Silent`] or [`EngineError::Ended`] if it does not get ready.
    pub async fn is_ready(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.ask_if_ready(Request::GetReady, timeout).await
    }

    /// Begins another game, in UCI `ucinewgame` and `isready`, with a fresh protocol log.
    ///
    /// # Errors
    /// The errors of [`is_ready`](Self::is_ready).
    pub async fn new_game(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.log.clear();
        self.ask_if_ready(Request::NewGame, timeout).await
    }

    async fn ask_if_ready(&mut self, request: Request<'_>, timeout: Duration) -> Result<(), EngineError> {
        let begin = Instant::now();
        let deadline = begin + timeout;
        self.watch_after(timeout / 2);
        self.watch.begin(begin);
        let talk = async {
            self.request(request, deadline).await?;
            loop {
                let line = self.watched_line(deadline).await?;
                let line = self.stdout.text(line).trim_ascii();
                if self.protocol.classify(line).0 == LineKind::Ready {
                    self.texts_set.clear();
                    return Ok(());
                }
                if !self.texts_set.is_empty()
                    && let Some(Message::Info(info)) = self.protocol.read(&String::from_utf8_lossy(line))
                    && let Some(text) = info.string
                {
                    self.introduction.hear_of_options(&text, &self.texts_set);
                }
            }
        };
        let outcome = talk.await;
        self.clock.find_processes(self.group);
        outcome.map_err(|silence| self.unanswered(silence, request, timeout))
    }

    fn unanswered(&self, silence: Silence, request: Request<'_>, timeout: Duration) -> EngineError {
        self.explain(silence, self.protocol.expects(request), timeout)
    }
}
