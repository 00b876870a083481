//! Data as the page holds them: JSON, compressed, as text.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;

/// How hard to compress. The hardest level, 9, takes almost half of the time that a page takes; this one takes a
/// quarter of that, for three bytes more in a hundred (zlib, on the games of results/tarrasch-glaurung).
const LEVEL: Compression = Compression::new(5);

/// JSON in zlib (RFC 1950), which browsers call `deflate`, in base64.
pub fn pack(data: &impl Serialize) -> String {
    let json = serde_json::to_vec(data).expect("texts and whole numbers can be written as JSON");
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(json.len() / 3), LEVEL);
    encoder.write_all(&json).expect("a vector takes whatever is written");
    STANDARD.encode(encoder.finish().expect("a vector takes whatever is written"))
}
