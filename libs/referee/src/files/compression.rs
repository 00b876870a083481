//! Formats of books, and compressed files and archives of games, books and suites.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use serde::{Deserialize, Serialize};
use tar::{Archive, EntryType};
use zip::ZipArchive;
use zip::result::ZipError;

/// The most that a compressed file may unpack to in memory. Large books and game collections have some hundred megabytes; a few
/// malicious kilobytes can unpack to more than any machine holds.
const MOST_BYTES: u64 = 1 << 30;

/// All layers of a compressed file together may unpack to this many times its size, or to [`MOST_BYTES`] if that is more. Games
/// compress to a tenth or a twentieth.
const MOST_TIMES: u64 = 100;

/// The maximum number of members, unless the file has more than a KiB for each of them: files in archives, and compressed
/// streams one after another, which may be empty.
const MOST_MEMBERS: u64 = 100_000;

/// The maximum number of nested compressions and archives: `a.pgn.gz` in a `.tar.bz2` has three.
const MOST_LAYERS: u32 = 6;

/// The maximum length of a file name in an archive, in bytes.
const MOST_NAME: u64 = 4096;

/// The contents of a file. `.gz`, `.zst` and `.bz2` files are unpacked. For a `.zip` or `.tar`, itself possibly compressed,
/// they are the contents of all files of the same kind as the first readable one, joined in order.
///
/// # Errors
/// If the file cannot be read, is not what its name says, or unpacks to more than memory should hold.
pub fn read_unpacked(path: &Path) -> io::Result<Vec<u8>> {
    Ok(read_named(path)?.1)
}

/// The contents of a file, and its innermost name.
pub(crate) fn read_named(path: &Path) -> io::Result<(PathBuf, Vec<u8>)> {
    // Uncompressed files may have any size.
    let most = if Packing::of_path(path).is_some() { MOST_BYTES } else { u64::MAX - 1 };
    let (found, locked) = open_unpacked(path, None)?;
    match locked.first() {
        Some(locked) => Err(encrypted(locked)),
        None => read_up_to(most, found),
    }
}

fn encrypted(name: &Path) -> io::Error {
    let problem = format!("{} is encrypted; unpack it first, or take it out", name.display());
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

/// Whether the last extension is that of an archive, whose member names give the format.
pub(crate) fn is_archive(path: &Path) -> bool {
    match Packing::of_path(path) {
        Some((packing, inside)) => matches!(packing, Packing::Tar | Packing::Zip) || is_archive(inside),
        None => false,
    }
}

/// The innermost name of a file, and its contents, which are unpacked while they are read unless it is an archive. Of an
/// archive they are the files of this kind, or of the first file's kind. Also returns the names of encrypted members.
pub(crate) fn open_unpacked<'a>(
    path: &Path,
    kind: Option<BookFormat>,
) -> io::Result<(Unpacked<'a>, Vec<PathBuf>)> {
    let file = File::open(path)?;
    let budget = Rc::new(Budget { kind, ..Budget::of(file.metadata()?.len()) });
    let found = unpacked(MOST_BYTES, path, Box::new(file), &budget, 0);
    let locked = budget.locked.take();
    match found {
        Ok(found) => Ok((found, locked)),
        Err(error) => Err(locked.first().map_or(error, |locked| encrypted(locked))),
    }
}

pub(crate) type Unpacked<'a> = (PathBuf, Box<dyn Read + 'a>);

/// The format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookFormat {
    /// One position per line, as EPD or FEN.
    Epd,
    /// Games, whose main lines are played.
    Pgn,
    /// A binary graph of positions and weighted moves.
    Polyglot,
}

impl BookFormat {
    /// The format by the extension of a file: `.epd` and `.fen`, `.pgn`, or `.bin`, each perhaps followed by extensions
    /// for its compression.
    pub fn of_path(path: &Path) -> Option<Self> {
        match plain_name(path).extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "epd" | "fen" => Some(Self::Epd),
            "pgn" => Some(Self::Pgn),
            "bin" => Some(Self::Polyglot),
            _ => None,
        }
    }
}

/// The name of a file without the extensions for compression and archives.
fn plain_name(path: &Path) -> &Path {
    match Packing::of_path(path) {
        Some((_, inside)) => plain_name(inside),
        None => path,
    }
}

pub(super) fn read_up_to(most: u64, (name, source): Unpacked<'_>) -> io::Result<(PathBuf, Vec<u8>)> {
    let mut contents = Vec::new();
    source.take(most + 1).read_to_end(&mut contents)?;
    if contents.len() as u64 > most {
        let problem = format!("it unpacks to more than {most} bytes; unpack it first if it is meant");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok((name, contents))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Gzip,
    Zstandard,
    Bzip2,
    Tar,
    Zip,
}

impl Packing {
    /// The packing by the last extension, and the path without it; `None` for other extensions.
    fn of_path(path: &Path) -> Option<(Packing, &Path)> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let packing = match ending.as_str() {
            "gz" => Packing::Gzip,
            "zst" => Packing::Zstandard,
            "bz2" => Packing::Bzip2,
            "tar" => Packing::Tar,
            "zip" => Packing::Zip,
            _ => return None,
        };
        Some((packing, path.file_stem().map_or(path, Path::new)))
    }
}

/// What a file, however packed, may still unpack to, and what it cannot unpack.
struct Budget {
    bytes: Cell<u64>,
    members: Cell<u64>,
    /// The kind of file that is wanted from archives, if known.
    kind: Option<BookFormat>,
    /// The names of encrypted members.
    locked: RefCell<Vec<PathBuf>>,
}

impl Budget {
    /// The budget of a file with this many bytes.
    fn of(length: u64) -> Budget {
        let bytes = length.saturating_mul(MOST_TIMES).max(MOST_BYTES);
        let members = Cell::new(MOST_MEMBERS.max(length >> 10));
        Budget { bytes: Cell::new(bytes), members, kind: None, locked: RefCell::default() }
    }

    fn take_bytes(&self, bytes: usize) -> io::Result<()> {
        let left = self.bytes.get().checked_sub(bytes as u64);
        let problem = || format!("it unpacks to more than {MOST_TIMES} times its size; unpack it first");
        left.map(|left| self.bytes.set(left)).ok_or_else(|| too_large(problem()))
    }

    fn take_member(&self) -> io::Result<()> {
        let left = self.members.get().checked_sub(1);
        let problem = "it has too many files or compressed streams for its size; unpack it first";
        left.map(|left| self.members.set(left)).ok_or_else(|| too_large(problem.to_owned()))
    }
}

fn too_large(problem: String) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, problem)
}

fn unpacked<'a>(
    most: u64,
    path: &Path,
    source: Box<dyn Read + 'a>,
    budget: &Rc<Budget>,
    layers: u32,
) -> io::Result<Unpacked<'a>> {
    let Some((packing, inside)) = Packing::of_path(path) else { return Ok((path.to_owned(), source)) };
    if layers == MOST_LAYERS {
        return Err(too_large(format!("it is packed more than {MOST_LAYERS} times; unpack it first")));
    }
    let (kind, stream): (_, Box<dyn Read + 'a>) = match packing {
        Packing::Gzip => ("gzip", Streams::boxed(GzDecoder::new, GzDecoder::into_inner, source, budget)),
        Packing::Bzip2 => ("bzip2", Streams::boxed(BzDecoder::new, BzDecoder::into_inner, source, budget)),
        Packing::Zstandard => {
            let (source, decoder) = (BufReader::new(source), FrameDecoder::new());
            ("Zstandard", Box::new(ZstandardFrames { source, decoder, budget: budget.clone() }))
        }
        Packing::Tar | Packing::Zip => {
            let mut joined =
                Joined { most, name: None, contents: Vec::new(), budget: budget.clone(), layers: layers + 1 };
            if packing == Packing::Tar { joined.add_tar(source) } else { joined.add_zip(source) }
                .map_err(|error| explain(if packing == Packing::Tar { "tar" } else { "zip" }, &error))?;
            let Some(name) = joined.name else {
                let problem = "expected a .pgn, .epd, .fen or .bin file in the archive, found none";
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            };
            return Ok((name, Box::new(Cursor::new(joined.contents))));
        }
    };
    unpacked(most, inside, Box::new(Layer { kind, stream, budget: budget.clone() }), budget, layers + 1)
}

struct Joined {
    most: u64,
    /// The innermost name of the first member.
    name: Option<PathBuf>,
    contents: Vec<u8>,
    budget: Rc<Budget>,
    layers: u32,
}

impl Joined {
    /// Names longer than 100 bytes have entries of their own, which the library would read whole, whatever their size.
    fn add_tar(&mut self, source: impl Read) -> io::Result<()> {
        let mut long_name = None;
        for entry in Archive::new(source).entries()?.raw(true) {
            let mut entry = entry?;
            self.budget.take_member()?;
            match entry.header().entry_type() {
                EntryType::GNULongName => {
                    let mut name = short_text(&mut entry)?;
                    name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(name.len()));
                    long_name = Some(name);
                }
                EntryType::XHeader => {
                    let records = short_text(&mut entry)?;
                    let mut records = tar::PaxExtensions::new(&records).filter_map(Result::ok);
                    let name = records.find(|record| record.key_bytes() == b"path");
                    long_name = name.map(|record| record.value_bytes().to_vec()).or(long_name);
                }
                EntryType::XGlobalHeader | EntryType::GNULongLink => (),
                kind => {
                    let name = long_name.take().unwrap_or_else(|| entry.path_bytes().into_owned());
                    if kind.is_file() {
                        self.add(Path::new(&*String::from_utf8_lossy(&name)), Box::new(entry))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_zip(&mut self, source: impl Read) -> io::Result<()> {
        let (_, bytes) = read_up_to(self.most, (PathBuf::new(), Box::new(source)))?;
        let mut archive = ZipArchive::new(Cursor::new(bytes))?;
        for index in 0..archive.len() {
            self.budget.take_member()?;
            let name = archive.name_for_index(index).and_then(Result::ok).map(|name| PathBuf::from(&*name));
            let entry = match archive.by_index(index) {
                Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                    self.budget.locked.borrow_mut().extend(name.filter(|name| self.is_wanted(name)));
                    continue;
                }
                entry => entry?,
            };
            if entry.is_file() {
                let path = PathBuf::from(&*entry.name()?);
                let entry = Layer { kind: "zip", stream: Box::new(entry), budget: self.budget.clone() };
                self.add(&path, Box::new(entry))?;
            }
        }
        Ok(())
    }

    /// Whether a file is of the wanted kind. Names that start with a dot are system files.
    fn is_wanted(&self, path: &Path) -> bool {
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let wanted = self.name.as_deref().map_or(self.budget.kind, BookFormat::of_path);
        let kind = BookFormat::of_path(path);
        !is_hidden && kind.is_some_and(|kind| wanted.is_none_or(|wanted| wanted == kind))
    }

    /// Adds a file, unless it is of another kind.
    fn add(&mut self, path: &Path, source: Box<dyn Read + '_>) -> io::Result<()> {
        if !self.is_wanted(path) {
            return Ok(());
        }
        let room = self.most - self.contents.len() as u64;
        let source = unpacked(room, path, source, &self.budget, self.layers)?;
        let (name, bytes) = read_up_to(room, source)?;
        if BookFormat::of_path(&name) != Some(BookFormat::Polyglot)
            && self.contents.last().is_some_and(|byte| *byte != b'\n')
        {
            self.contents.push(b'\n');
        }
        self.contents.extend(bytes);
        self.name.get_or_insert(name);
        Ok(())
    }
}

/// The contents of an entry that describes the next entry.
fn short_text(entry: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    entry.take(MOST_NAME + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MOST_NAME {
        return Err(too_large(format!("a file's name is longer than {MOST_NAME} bytes; unpack it first")));
    }
    Ok(text)
}

type Source<'a> = BufReader<Box<dyn Read + 'a>>;

/// Compressed streams one after another.
struct Streams<'a, D> {
    open: fn(Source<'a>) -> D,
    close: fn(D) -> Source<'a>,
    /// The stream that is read; `None` at the end.
    stream: Option<D>,
    budget: Rc<Budget>,
}

impl<'a, D: Read + 'a> Streams<'a, D> {
    fn boxed(
        open: fn(Source<'a>) -> D,
        close: fn(D) -> Source<'a>,
        source: Box<dyn Read + 'a>,
        budget: &Rc<Budget>,
    ) -> Box<dyn Read + 'a> {
        let stream = Some(open(BufReader::new(source)));
        Box::new(Streams { open, close, stream, budget: budget.clone() })
    }
}

impl<D: Read> Read for Streams<'_, D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(stream) = &mut self.stream {
            let read = stream.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let mut source = self.stream.take().map(self.close);
            if let Some(source) = source.take_if(|source| !source.fill_buf().is_ok_and(<[u8]>::is_empty)) {
                self.budget.take_member()?;
                self.stream = Some((self.open)(source));
            }
        }
        Ok(0)
    }
}

/// A sequence of Zstandard frames. Frames for other purposes, which RFC 8878 calls skippable, are skipped.
struct ZstandardFrames<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    budget: Rc<Budget>,
}

impl<R: Read> ZstandardFrames<R> {
    /// Checks the checksum of the frame that ended, if it has one.
    fn check(&self) -> io::Result<()> {
        let written = self.decoder.get_checksum_from_data();
        if written.is_some() && written != self.decoder.get_calculated_checksum() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum of a frame differs"));
        }
        Ok(())
    }
}

impl<R: Read> Read for ZstandardFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            let ZstandardFrames { source, decoder, .. } = self;
            if !decoder.is_finished() {
                let some = BlockDecodingStrategy::UptoBlocks(1);
                decoder.decode_blocks(&mut *source, some).map_err(io::Error::other)?;
                continue;
            }
            self.check()?;
            let ZstandardFrames { source, decoder, .. } = self;
            if source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.budget.take_member()?;
            match decoder.init(&mut *source) {
                Ok(()) => (),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    if io::copy(&mut source.take(length), &mut io::sink())? < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        self.decoder.read(buffer)
    }
}

/// The unpacked contents of a layer. Its errors name the expected format.
struct Layer<'a> {
    kind: &'static str,
    stream: Box<dyn Read + 'a>,
    budget: Rc<Budget>,
}

impl Read for Layer<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer).map_err(|error| explain(self.kind, &error))?;
        self.budget.take_bytes(read)?;
        Ok(read)
    }
}

/// Names the expected format in an error, unless the data is too large, an error that already says what to do.
fn explain(name: &str, error: &io::Error) -> io::Error {
    match error.kind() {
        kind @ io::ErrorKind::FileTooLarge => io::Error::new(kind, error.to_string()),
        kind => io::Error::new(kind, format!("expected {name} data, but {error}")),
    }
}

#[cfg(test)]
mod tests;
