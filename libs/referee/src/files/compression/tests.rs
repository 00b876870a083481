//! Tests of compressed files and archives.

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
    let budget = Rc::new(Budget::of(bytes.len() as u64));
    read_up_to(most, unpacked(most, Path::new(name), Box::new(bytes), &budget, 0)?)
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

/// The error that refuses a file before it takes memory or time.
fn refusal(budget: Budget, name: &str, source: impl Read) -> String {
    let opened = unpacked(MOST_BYTES, Path::new(name), Box::new(source), &Rc::new(budget), 0);
    opened.and_then(|unpacked| read_up_to(MOST_BYTES, unpacked)).unwrap_err().to_string()
}

#[test]
fn no_flipped_bit_gives_other_contents() {
    let text = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n".repeat(3);
    let frames = [zstandard(&text[..60]), b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec(), zstandard(&text[60..])];
    let files = [
        ("a.epd.gz", gzip(&text)),
        ("a.epd.zst", frames.concat()),
        ("a.epd.bz2", bzip2(&text)),
        ("a.zip", zip(&[("a.epd", &text)])),
    ];
    for (name, packed) in files {
        assert_eq!(unpack_up_to(MOST_BYTES, name, &packed).unwrap().1, text);
        let mut refused = 0;
        for bit in 0..8 * packed.len() {
            let mut flipped = packed.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            match unpack_up_to(MOST_BYTES, name, &flipped) {
                Ok((_, contents)) => assert!(contents == text, "bit {bit} of {name}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 4 * packed.len(), "{name}: {refused} of {} bytes", packed.len());
    }
}

#[test]
fn an_archive_is_refused_for_what_it_would_take() {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(EntryType::GNULongName);
    header.set_size(1 << 32);
    header.set_cksum();
    let long_name = || header.as_bytes().as_slice().chain(io::repeat(b'a'));
    assert!(refusal(Budget::of(0), "a.tar", long_name()).contains("a file's name is longer"));

    let mut layers = b"1. e4 *".to_vec();
    for _ in 0..=MOST_LAYERS {
        layers = gzip(&layers);
    }
    let name = |layers| format!("a.pgn{}", ".gz".repeat(layers));
    assert!(refusal(Budget::of(0), &name(7), &*layers).contains("packed more than 6 times"));
    let many = tar(&[(&*name(1_000), &layers)]);
    assert!(refusal(Budget::of(0), "a.tar", &*many).contains("packed more than 6 times"));

    let skipped = gzip(&tar(&[("a.txt", &vec![0; 100_000]), ("a.pgn", b"1. e4 *")]));
    let few_bytes = || Budget { bytes: Cell::new(90_000), members: Cell::new(9), ..Budget::of(0) };
    assert!(refusal(few_bytes(), "a.tar.gz", &*skipped).contains("more than 100 times its size"));
    let twice = gzip(&gzip(&vec![0; 80_000]).repeat(2));
    assert!(refusal(few_bytes(), "a.pgn.gz.gz", &*twice).contains("more than 100 times its size"));
    let few_members = || Budget { bytes: Cell::new(MOST_BYTES), members: Cell::new(1), ..Budget::of(0) };
    for (name, archive) in [
        ("a.tar", tar(&[("a.txt", b""), ("a.pgn", b"1. e4 *")])),
        ("a.zip", zip(&[("a.txt", b""), ("a.pgn", b"1. e4 *")])),
    ] {
        assert!(refusal(few_members(), name, &*archive).contains("it has too many files"));
    }
}

#[test]
fn more_streams_than_a_file_has_room_for_are_refused_and_as_many_as_it_has_are_read() {
    let skipped: Pack = |_| b"\x50\x2a\x4d\x18\0\0\0\0".to_vec();
    for (name, _, pack) in STREAMS.into_iter().chain([("a.epd.zst", "", skipped)]) {
        let text = if pack(b"text") == pack(b"") { zstandard(b"text") } else { pack(b"text") };
        let many = [pack(b"").repeat(200), text].concat();
        let few_members = Budget { members: Cell::new(199), ..Budget::of(0) };
        let problem = refusal(few_members, name, &*many);
        assert!(problem.contains("too many files or compressed streams"), "{name}: {problem}");
        assert_eq!(unpack_up_to(MOST_BYTES, name, &many).unwrap().1, b"text", "{name}");
    }
    assert_eq!(Budget::of(1 << 30).members.get(), 1 << 20);
}

#[test]
fn long_names_of_files_in_archives_are_read() {
    let name = format!("{}/games.pgn", "folder/".repeat(40));
    let gnu = tar(&[(&name, b"1. e4 *")]);
    let mut builder = tar::Builder::new(Vec::new());
    let path = ("path", name.as_bytes());
    builder.append_pax_extensions([path]).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_size(7);
    builder.append_data(&mut header, "short", b"1. e4 *".as_slice()).unwrap();
    for archive in [gnu, builder.into_inner().unwrap()] {
        let (inside, contents) = unpack_up_to(MOST_BYTES, "a.tar", &archive).unwrap();
        assert_eq!((inside.to_str(), &*contents), (Some(&*name), b"1. e4 *".as_slice()));
    }
}
