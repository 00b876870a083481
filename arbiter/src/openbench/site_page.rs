//! An HTML page of the site: the numbers of its tests, and its messages.

use std::collections::BTreeSet;

/// The page.
pub(super) struct SitePage {
    text: String,
}

impl SitePage {
    /// Reads a page.
    pub(super) fn of(body: &[u8]) -> SitePage {
        SitePage { text: String::from_utf8_lossy(body).into_owned() }
    }

    /// The tests with links above the heading of finished tests, in ascending order.
    pub(super) fn unfinished_tests(&self) -> BTreeSet<u64> {
        let end = self.text.find(">Finished<").unwrap_or(self.text.len());
        numbers(&self.text[..end])
    }

    /// Its error message, as one line.
    pub(super) fn error(&self) -> Option<String> {
        self.message("error-message")
    }

    /// Its warning, as one line.
    pub(super) fn warning(&self) -> Option<String> {
        self.message("warning-message")
    }

    /// The text of the box with this class: `<div class="error-message"><pre>…</pre></div>`, with or without quotes.
    fn message(&self, class: &str) -> Option<String> {
        let boxes = [format!("<div class=\"{class}\">"), format!("<div class={class}>")];
        let inside = boxes.iter().find_map(|start| self.text.split_once(start.as_str()))?.1;
        let inside = inside.split("</div>").next()?.replace("<pre>", "").replace("</pre>", "");
        let lines = inside.lines().map(str::trim).filter(|line| !line.is_empty());
        let text = unescaped(&lines.collect::<Vec<_>>().join("; "));
        Some(text.replace(char::is_control, " "))
    }
}

/// The numbers in links to tests.
fn numbers(text: &str) -> BTreeSet<u64> {
    let links = text.split("/test/").skip(1);
    links
        .filter_map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..end].parse().ok()
        })
        .collect()
}

/// The characters that Django escapes.
fn unescaped(text: &str) -> String {
    let escapes =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&amp;", "&")];
    escapes.iter().fold(text.to_owned(), |text, (escape, c)| text.replace(escape, c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_numbered_by_their_links() {
        let page = SitePage::of(
            b"<a href=\"/test/new/\">+</a><a href=\"/test/12/\">a</a><a href=/test/7>b</a>\
              <th>Finished</th><a href=\"/test/99/\">c</a>",
        );
        assert_eq!(page.unfinished_tests(), BTreeSet::from([7, 12]));
    }

    #[test]
    fn messages_are_read_from_their_boxes() {
        let page = SitePage::of(
            b"<div class=\"error-message\"><pre>&quot;Hash&quot; is &lt; 1\n\n  dev was not found</pre></div>",
        );
        assert_eq!(page.error().as_deref(), Some("\"Hash\" is < 1; dev was not found"));
        assert_eq!(page.warning(), None);
    }
}
