//! The options of fastchess that name files: the book, and what is written.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use jiff::Zoned;
use referee::openings::BookFormat;

use super::tournament::{FileOut, LogLevel, LogOut, Openings, PgnOut, SAN, UCI};
use super::words::Flag;

/// A book by its file, from its first opening on, in its order.
pub(super) fn book(file: &Path) -> Openings {
    let format = BookFormat::of_path(file);
    Openings {
        file: file.to_owned(),
        format,
        random: false,
        plies: None,
        start: 1,
        by_round: false,
        repeat: None,
    }
}

pub(super) fn openings(flag: &Flag) -> Result<Openings> {
    let mut openings = book(Path::new(""));
    for (key, value) in flag.pairs()? {
        match (key, value) {
            ("file", _) => {
                openings.file = value.into();
                openings.format = openings.format.or(BookFormat::of_path(Path::new(value)));
            }
            ("format", "epd") => openings.format = Some(BookFormat::Epd),
            ("format", "pgn") => openings.format = Some(BookFormat::Pgn),
            ("order", "random") => openings.random = true,
            ("order", "sequential") => openings.random = false,
            ("plies", _) => openings.plies = Some(flag.value(key, value)?),
            ("start", _) => openings.start = flag.value(key, value)?,
            ("policy", "round" | "default" | "encounter") => {}
            _ => {
                let expected = "file, format=epd|pgn, order=random|sequential, plies, start or policy=round";
                return Err(flag.unknown(key, value, expected));
            }
        }
    }
    if openings.start == 0 {
        bail!("-openings start=0: expected at least 1");
    }
    if !openings.file.is_file() {
        bail!("-openings file={}: expected a file, found none", openings.file.display());
    }
    Ok(openings)
}

/// A file named after the present time, as fastchess names what it has no name for.
fn file_of_now(extension: &str) -> PathBuf {
    PathBuf::from(format!("fastchess_{}.{extension}", Zoned::now().strftime("%Y%m%d_%H%M%S")))
}

/// What was said of event, site and checksum holds.
pub(super) fn pgn_out(flag: &Flag, out: &mut PgnOut) -> Result<()> {
    out.file = file_of_now("pgn");
    for (key, value) in flag.pairs_or_none()? {
        match (key, value) {
            ("file", _) => out.file = value.into(),
            ("append", _) => out.append = flag.switch(key, value)?,
            ("nodes", _) => out.nodes = flag.switch(key, value)?,
            ("seldepth", _) => out.seldepth = flag.switch(key, value)?,
            ("nps", _) => out.nps = flag.switch(key, value)?,
            ("hashfull", _) => out.hashfull = flag.switch(key, value)?,
            ("tbhits", _) => out.tbhits = flag.switch(key, value)?,
            ("pv", _) => out.pv = flag.switch(key, value)?,
            ("timeleft", _) => out.timeleft = flag.switch(key, value)?,
            ("latency", _) => out.latency = flag.switch(key, value)?,
            ("min", _) => out.min = flag.switch(key, value)?,
            ("notation", "san") => out.notation = SAN,
            ("notation", "uci") => out.notation = UCI,
            ("notation", _) => return Err(flag.unknown(key, value, "san or uci; lan is not written")),
            ("match_line", _) => out.match_lines.push(value.to_owned()),
            _ => {
                return Err(flag.unknown(
                    key,
                    value,
                    "an option of -pgnout; `arbiter fastchess -help` lists them",
                ));
            }
        }
    }
    Ok(())
}

pub(super) fn epd_out(flag: &Flag) -> Result<FileOut> {
    let mut out = FileOut { file: file_of_now("epd"), append: true };
    for (key, value) in flag.pairs_or_none()? {
        match key {
            "file" => out.file = value.into(),
            "append" => out.append = flag.switch(key, value)?,
            _ => return Err(flag.unknown(key, value, "file or append")),
        }
    }
    Ok(out)
}

pub(super) fn log_out(flag: &Flag) -> Result<LogOut> {
    let mut out =
        LogOut { to: FileOut { file: PathBuf::new(), append: true }, level: LogLevel::Warn, engine: false };
    for (key, value) in flag.pairs()? {
        match (key, value) {
            ("file", _) => out.to.file = value.into(),
            ("append", _) => out.to.append = flag.switch(key, value)?,
            ("level", "trace") => out.level = LogLevel::Trace,
            ("level", "info") => out.level = LogLevel::Info,
            ("level", "warn") => out.level = LogLevel::Warn,
            ("level", "err") => out.level = LogLevel::Err,
            ("level", "fatal") => out.level = LogLevel::Fatal,
            ("level", _) => return Err(flag.unknown(key, value, "trace, info, warn, err or fatal")),
            ("engine", _) => out.engine = flag.switch(key, value)?,
            ("realtime", _) | ("compress", "false") => drop(flag.switch(key, value)?),
            ("compress", _) => bail!("-log compress={value}: expected false; compress the file afterwards"),
            _ => return Err(flag.unknown(key, value, "file, level, append or engine")),
        }
    }
    if out.to.file.as_os_str().is_empty() {
        bail!("-log: expected file=NAME");
    }
    Ok(out)
}
