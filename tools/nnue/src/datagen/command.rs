//! The command: opens the file, plays until the target or Ctrl-C, and prints the numbers of the file.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context, Result};
use tokio::runtime::Builder;

use super::data_file::DataFile;
use super::generate::generate;
use super::header::{EngineStamp, Header};
use super::progress::Progress;
use crate::arguments::DatagenArguments;

/// `nnue datagen`.
///
/// # Errors
/// The file has other settings or another format, or the system reports an error.
pub fn command(arguments: &DatagenArguments) -> Result<()> {
    let (settings, target) = (arguments.settings()?, arguments.target());
    let engine = EngineStamp::of_this_build().context("bench")?;
    let mut file = DataFile::open(&arguments.out, &Header::new(engine, settings.clone()))?;
    let stop = on_interrupt().context("Ctrl-C")?;
    let name = arguments.out.display();
    let mut progress = Progress::new(target, file.counts());
    generate(&mut file, &settings, arguments.threads, target, &stop, &mut |counts| progress.hear(counts))
        .with_context(|| name.to_string())?;
    let text = progress.text(file.counts());
    drop(progress);
    let rest = if target.is_met(file.counts()) { "" } else { "; the same command goes on" };
    writeln!(io::stdout(), "{name}: {text}{rest}").context("standard output")
}

/// A flag set by Ctrl-C.
fn on_interrupt() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let raised = Arc::clone(&flag);
    thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            raised.store(true, Ordering::Relaxed);
        }
    })?;
    Ok(flag)
}
