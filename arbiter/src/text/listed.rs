//! Names in a line.

/// The first names of a list, and how many more there are: `one, two and 3 more`.
pub fn listed(names: &[impl AsRef<str>], most: usize) -> String {
    let named: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let named = named.join(", ");
    match names.len().saturating_sub(most) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_cut_and_a_short_one_is_whole() {
        assert_eq!(listed(&["one", "two", "three"], 2), "one, two and 1 more");
        assert_eq!(listed(&["one", "two"], 2), "one, two");
        assert_eq!(listed(&[""; 0], 2), "");
    }
}
