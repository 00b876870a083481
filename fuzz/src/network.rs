//! A network file of Tarrasch. Random bytes never have the right size and checksum, so both can be put right: the first
//! byte says so, the second gives the width.

use chess::Position;
use tarrasch::nnue::Network;

const HEADER_BYTES: usize = 32;
const CHECKSUM_AT: usize = 24;

/// It is a network or an error, and a network has a value for a position.
pub fn run(bytes: &[u8]) {
    let Some((&[mode, width], content)) = bytes.split_first_chunk() else { return };
    let content = if mode % 2 == 0 { content.to_vec() } else { mended(content, width) };
    if let Ok(network) = Network::from_bytes(&content) {
        let _ = network.evaluate(&Position::start());
    }
}

/// The content as a file whose frame is sound: magic, version, width, size and checksum.
fn mended(content: &[u8], width: u8) -> Vec<u8> {
    let columns = 64 * usize::from(width % 3);
    let size = HEADER_BYTES + 2 * (768 + 1 + 16) * columns + 32;
    let mut file: Vec<u8> =
        content.iter().copied().cycle().take(if content.is_empty() { 0 } else { size }).collect();
    file.resize(size, 0);
    file[..8].copy_from_slice(b"TarrNNUE");
    file[8..10].copy_from_slice(&2_u16.to_le_bytes());
    file[10..12].copy_from_slice(&(columns as u16).to_le_bytes());
    let others = file.iter().enumerate().filter(|(at, _)| !(CHECKSUM_AT..HEADER_BYTES).contains(at));
    let checksum = others.fold(0xCBF2_9CE4_8422_2325_u64, |hash, (_, &byte)| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    });
    file[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
    file
}
