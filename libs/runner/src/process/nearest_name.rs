//! Which name was meant by one that is not known.

use strsim::levenshtein;

/// The known name most like the wanted one, without regard to case; `None` when none is like it.
pub fn nearest_name<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_ascii_lowercase();
    let distances = known.into_iter().map(|name| (levenshtein(&wanted, &name.to_ascii_lowercase()), name));
    let (distance, name) = distances.min()?;
    (distance <= 1 + name.len() / 3).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let known = ["tarrasch", "stockfish", "toga2"];
        assert_eq!(nearest_name("Tarasch", known), Some("tarrasch"));
        assert_eq!(nearest_name("glaurung", known), None);
        assert_eq!(nearest_name("tarrasch", []), None);
    }
}
