//! Compressed books.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The most that a compressed file may unpack to. Large books and collections of games have some hundred megabytes; a
/// few kilobytes can be made that unpack to more than any machine holds.
const MOST_BYTES: u64 = 1 << 30;

/// The compression of a file, by the ending of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    /// Not at all.
    None,
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstandard,
}

impl Compression {
    /// What the last extension says, and the path without it where it speaks of compression.
    pub(crate) fn of_path(path: &Path) -> (Self, &Path) {
        let extension = path.extension().and_then(|text| text.to_str()).map(str::to_ascii_lowercase);
        let compression = match extension.as_deref() {
            Some("gz") => Self::Gzip,
            Some("zst") => Self::Zstandard,
            _ => return (Self::None, path),
        };
        (compression, path.file_stem().map_or(path, Path::new))
    }

    /// The contents of a file whose bytes are these. Files that were joined from several compressed ones count as one.
    pub(super) fn unpack(self, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        self.unpack_up_to(MOST_BYTES, bytes)
    }

    fn unpack_up_to(self, most: u64, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        if self == Self::None {
            return Ok(bytes);
        }
        let mut contents = Vec::new();
        self.reader(bytes.as_slice()).take(most + 1).read_to_end(&mut contents)?;
        if contents.len() as u64 > most {
            let problem = format!("it unpacks to more than {most} bytes; unpack it first if it is meant");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
        }
        Ok(contents)
    }

    /// The contents of a source, unpacked while they are read.
    pub(crate) fn reader<'a>(self, source: impl Read + 'a) -> Box<dyn Read + 'a> {
        match self {
            Self::None => Box::new(source),
            Self::Gzip => Box::new(Explained("gzip", MultiGzDecoder::new(source))),
            Self::Zstandard => {
                let (source, decoder) = (BufReader::new(source), FrameDecoder::new());
                Box::new(Explained("Zstandard", ZstandardFrames { source, decoder }))
            }
        }
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
        let explain =
            |error: io::Error| io::Error::new(error.kind(), format!("expected {} data, but {error}", self.0));
        self.1.read(buffer).map_err(explain)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn zstandard(text: &str) -> Vec<u8> {
        compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
    }

    #[test]
    fn the_ending_tells_the_compression_and_what_is_inside() {
        for (path, compression, inside) in [
            ("a/b.epd", Compression::None, "a/b.epd"),
            ("a/b.epd.gz", Compression::Gzip, "b.epd"),
            ("b.bin.ZST", Compression::Zstandard, "b.bin"),
        ] {
            assert_eq!(Compression::of_path(path.as_ref()), (compression, inside.as_ref()));
        }
    }

    #[test]
    fn joined_files_are_read_to_the_end() {
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n".repeat(5000);
        for (compression, pack) in
            [(Compression::Gzip, gzip as fn(&str) -> Vec<u8>), (Compression::Zstandard, zstandard)]
        {
            let joined = [pack(&text), pack("the end")].concat();
            let contents = compression.unpack(joined).unwrap();
            assert!(contents == (text.clone() + "the end").into_bytes(), "{compression:?}");
        }
        // A skippable frame of three bytes.
        let skippable = [b"\x50\x2a\x4d\x18\x03\0\0\0abc".as_slice(), &zstandard("the end")].concat();
        assert_eq!(Compression::Zstandard.unpack(skippable).unwrap(), b"the end");
    }

    #[test]
    fn a_few_bytes_that_unpack_to_too_many_are_refused() {
        let text = "e".repeat(100_000);
        for (compression, pack) in
            [(Compression::Gzip, gzip as fn(&str) -> Vec<u8>), (Compression::Zstandard, zstandard)]
        {
            let twice = [pack(&text), pack(&text)].concat();
            assert_eq!(compression.unpack_up_to(200_000, twice.clone()).unwrap().len(), 200_000);
            let message = compression.unpack_up_to(199_999, twice).unwrap_err().to_string();
            assert!(message.contains("more than 199999 bytes"), "{message}");
        }
    }

    #[test]
    fn what_breaks_off_or_is_something_else_is_refused() {
        for (compression, packed, name) in [
            (Compression::Gzip, gzip("text"), "gzip"),
            (Compression::Zstandard, zstandard("text"), "Zstandard"),
        ] {
            for bytes in [packed[..packed.len() - 3].to_vec(), b"plain text".to_vec()] {
                let message = compression.unpack(bytes).unwrap_err().to_string();
                assert!(message.starts_with(&format!("expected {name} data, but ")), "{message}");
            }
        }
    }
}
