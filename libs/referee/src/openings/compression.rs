//! Compressed files, and archives of several: games, books and suites.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use tar::Archive;
use zip::ZipArchive;

use super::BookFormat;

/// The most that a compressed file may unpack to where it is kept in memory. Large books and collections of games have some
/// hundred megabytes; a few kilobytes can be made that unpack to more than any machine holds.
const MOST_BYTES: u64 = 1 << 30;

/// The bytes of a file. What ends in `.gz`, `.zst` or `.bz2` is unpacked; of a `.zip` or `.tar`, also packed, the files of
/// the kind of the first that can be read, one behind the other, each unpacked in its turn.
///
/// # Errors
/// The file cannot be read, is not what its name says, or unpacks to more than memory should hold.
pub fn read_unpacked(path: &Path) -> io::Result<Vec<u8>> {
    Ok(read_named(path)?.1)
}

/// The same with the innermost name.
pub(super) fn read_named(path: &Path) -> io::Result<(PathBuf, Vec<u8>)> {
    // What is not packed may be as large as it likes.
    let most = if Packing::of_path(path).is_some() { MOST_BYTES } else { u64::MAX - 1 };
    read_up_to(most, open_unpacked(path)?)
}

/// Whether the last ending is that of an archive, in which names say what it has.
pub(super) fn is_archive(path: &Path) -> bool {
    match Packing::of_path(path) {
        Some((packing, inside)) => matches!(packing, Packing::Tar | Packing::Zip) || is_archive(inside),
        None => false,
    }
}

/// The innermost name of a file, and its contents, unpacked while they are read where it is no archive.
pub(crate) fn open_unpacked<'a>(path: &Path) -> io::Result<Unpacked<'a>> {
    unpacked(MOST_BYTES, path, Box::new(File::open(path)?))
}

pub(crate) type Unpacked<'a> = (PathBuf, Box<dyn Read + 'a>);

/// The name of a file without the endings that say how it is packed.
pub(super) fn plain_name(path: &Path) -> &Path {
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
    /// What the last ending says, and the path without it where it speaks of packing.
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

fn unpacked<'a>(most: u64, path: &Path, source: Box<dyn Read + 'a>) -> io::Result<Unpacked<'a>> {
    let Some((packing, inside)) = Packing::of_path(path) else { return Ok((path.to_owned(), source)) };
    let stream: Box<dyn Read + 'a> = match packing {
        Packing::Gzip => Box::new(Explained("gzip", MultiGzDecoder::new(source))),
        Packing::Bzip2 => Box::new(Explained("bzip2", MultiBzDecoder::new(source))),
        Packing::Zstandard => {
            let (source, decoder) = (BufReader::new(source), FrameDecoder::new());
            Box::new(Explained("Zstandard", ZstandardFrames { source, decoder }))
        }
        Packing::Tar | Packing::Zip => {
            let mut joined = Joined { most, name: None, contents: Vec::new() };
            if packing == Packing::Tar { joined.add_tar(source) } else { joined.add_zip(source) }
                .map_err(|error| explain(if packing == Packing::Tar { "tar" } else { "zip" }, &error))?;
            let Some(name) = joined.name else {
                let problem = "expected a .pgn, .epd, .fen or .bin file in the archive, found none";
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            };
            return Ok((name, Box::new(Cursor::new(joined.contents))));
        }
    };
    unpacked(most, inside, stream)
}

struct Joined {
    most: u64,
    /// The innermost name of the first of them.
    name: Option<PathBuf>,
    contents: Vec<u8>,
}

impl Joined {
    fn add_tar(&mut self, source: impl Read) -> io::Result<()> {
        for entry in Archive::new(source).entries()? {
            let entry = entry?;
            if entry.header().entry_type().is_file() {
                let path = entry.path()?.into_owned();
                self.add(&path, Box::new(entry))?;
            }
        }
        Ok(())
    }

    fn add_zip(&mut self, source: impl Read) -> io::Result<()> {
        let (_, bytes) = read_up_to(self.most, (PathBuf::new(), Box::new(source)))?;
        let mut archive = ZipArchive::new(Cursor::new(bytes))?;
        for index in 0..archive.len() {
            let entry = archive.by_index(index)?;
            if entry.is_file() {
                let path = PathBuf::from(&*entry.name()?);
                self.add(&path, Box::new(entry))?;
            }
        }
        Ok(())
    }

    /// Adds a file unless it is of another kind. Those that begin with a point are of the system.
    fn add(&mut self, path: &Path, source: Box<dyn Read + '_>) -> io::Result<()> {
        let kind = |path: &Path| BookFormat::of_path(path);
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let is_other = self.name.as_deref().is_some_and(|first| kind(first) != kind(path));
        if is_hidden || is_other || kind(path).is_none() {
            return Ok(());
        }
        let room = self.most - self.contents.len() as u64;
        let (name, bytes) = read_up_to(room, unpacked(room, path, source)?)?;
        if kind(&name) != Some(BookFormat::Polyglot)
            && self.contents.last().is_some_and(|byte| *byte != b'\n')
        {
            self.contents.push(b'\n');
        }
        self.contents.extend(bytes);
        self.name.get_or_insert(name);
        Ok(())
    }
}

/// Frame after frame; RFC 8878 calls those for other purposes skippable.
struct ZstandardFrames<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
}

impl<R: Read> Read for ZstandardFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ZstandardFrames { source, decoder } = self;
        while decoder.can_collect() == 0 {
            if !decoder.is_finished() {
                let some = BlockDecodingStrategy::UptoBlocks(1);
                decoder.decode_blocks(&mut *source, some).map_err(io::Error::other)?;
            } else if source.fill_buf()?.is_empty() {
                return Ok(0);
            } else {
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
        }
        decoder.read(buffer)
    }
}

/// A source whose errors say what it should be.
struct Explained<R>(&'static str, R);

impl<R: Read> Read for Explained<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1.read(buffer).map_err(|error| explain(self.0, &error))
    }
}

fn explain(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("expected {name} data, but {error}"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstandard(bytes: &[u8]) -> Vec<u8> {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            builder.append_data(&mut header, name, *bytes).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn unpack_up_to(most: u64, name: &str, bytes: &[u8]) -> io::Result<(PathBuf, Vec<u8>)> {
        read_up_to(most, unpacked(most, Path::new(name), Box::new(bytes))?)
    }

    type Pack = fn(&[u8]) -> Vec<u8>;

    const STREAMS: [(&str, &str, Pack); 3] =
        [("a.epd.gz", "gzip", gzip), ("a.epd.ZST", "Zstandard", zstandard), ("a.epd.bz2", "bzip2", bzip2)];

    #[test]
    fn joined_files_are_read_to_the_end() {
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n".repeat(5000);
        for (name, _, pack) in STREAMS {
            let (inside, contents) =
                unpack_up_to(MOST_BYTES, name, &[pack(text.as_bytes()), pack(b"the end")].concat()).unwrap();
            assert!(contents == (text.clone() + "the end").into_bytes(), "{name}");
            assert_eq!(inside, Path::new("a.epd"));
        }
        // A skippable frame of three bytes.
        let skippable = [b"\x50\x2a\x4d\x18\x03\0\0\0abc".as_slice(), &zstandard(b"the end")].concat();
        assert_eq!(unpack_up_to(9, "a.zst", &skippable).unwrap().1, b"the end");
    }

    #[test]
    fn the_files_of_an_archive_are_one_whatever_each_is_packed_in() {
        let (packed, second) = (bzip2(b"1. e4 *"), gzip(b"1. d4 *\n"));
        let files: [(&str, &[u8]); 6] = [
            ("README.txt", b"no"),
            ("games/one.pgn.bz2", &packed),
            ("__MACOSX/games/._one.pgn", b"no"),
            ("b.epd", b"no"),
            ("two.pgn.gz", &second),
            ("three.pgn", b"1. c4 *"),
        ];
        let all = b"1. e4 *\n1. d4 *\n1. c4 *";
        for (name, bytes) in [
            ("x.zip", zip(&files)),
            ("x.tar", tar(&files)),
            ("x.tar.bz2", bzip2(&tar(&files))),
            ("x.pgn.zip", zip(&[("x.pgn", all)])),
        ] {
            let (inside, contents) = unpack_up_to(MOST_BYTES, name, &bytes).unwrap();
            assert_eq!(String::from_utf8(contents).unwrap().as_bytes(), all, "{name}");
            assert_eq!(BookFormat::of_path(&inside), Some(BookFormat::Pgn));
        }
        let message = unpack_up_to(MOST_BYTES, "x.zip", &zip(&files[..1])).unwrap_err().to_string();
        assert!(message.starts_with("expected a .pgn, .epd, .fen or .bin file"), "{message}");
    }

    #[test]
    fn a_few_bytes_that_unpack_to_too_many_are_refused() {
        let text = "e".repeat(100_000);
        let in_zip = zip(&[("a.epd", text.as_bytes()), ("b.epd", &text.as_bytes()[1..])]);
        let streams =
            STREAMS.map(|(name, _, pack)| (name, [pack(text.as_bytes()), pack(text.as_bytes())].concat()));
        for (name, twice) in streams.into_iter().chain([("a.zip", in_zip)]) {
            assert_eq!(unpack_up_to(200_000, name, &twice).unwrap().1.len(), 200_000);
            let message = unpack_up_to(199_998, name, &twice).unwrap_err().to_string();
            assert!(message.contains("it unpacks to more than"), "{message}");
        }
    }

    #[test]
    fn what_breaks_off_or_is_something_else_is_refused() {
        let archives =
            [("a.zip", "zip", zip(&[("a.epd", b"text")])), ("a.tar", "tar", tar(&[("a.epd", b"text")]))];
        let streams = STREAMS.map(|(name, data, pack)| (name, data, pack(b"text")));
        for (name, data, packed) in streams.into_iter().chain(archives) {
            let end = if data == "tar" { 514 } else { packed.len() - 3 };
            for bytes in [&packed[..end], b"plain text"] {
                let message = unpack_up_to(MOST_BYTES, name, bytes).unwrap_err().to_string();
                assert!(message.starts_with(&format!("expected {data} data, but ")), "{message}");
            }
        }
    }
}
