//! The frame of every page: the head with its styles, the navigation, the sections and the footer.

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

use super::PAGE_STYLES;
use crate::text::is_obeyed;

/// The styles that only these pages have. They are embedded, so that a page opens from disk without a network.
const OTHER_STYLES: [&str; 2] = [include_str!("charts.css"), include_str!("print.css")];

#[derive(Clone, Debug)]
pub struct Page<'a> {
    pub title: &'a str,
    pub header: Markup,
    pub sections: Vec<Section>,
}

#[derive(Clone, Debug)]
pub struct Section {
    pub id: &'static str,
    pub title: &'static str,
    pub html: Markup,
}

impl Section {
    /// A section; its heading may be longer than its title in the navigation.
    pub fn new(id: &'static str, title: &'static str, heading: &str, body: &Markup) -> Section {
        let html = html! {
            section id=(id) {
                h2 { (heading) }
                (body)
            }
        };
        Section { id, title, html }
    }
}

impl Page<'_> {
    /// Replaces control characters and characters that change the text direction, so that the name of one engine
    /// cannot look like that of another.
    pub fn html(&self) -> String {
        let html = self.render().into_string();
        if html.contains(is_obeyed) { html.replace(is_obeyed, "\u{fffd}") } else { html }
    }
}

impl Render for Page<'_> {
    fn render(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) }
                    style { (PreEscaped(PAGE_STYLES.concat() + &OTHER_STYLES.concat())) }
                }
                body {
                    header { (self.header) }
                    nav aria-label="Sections" {
                        ul {
                            @for section in &self.sections {
                                li { a href={ "#" (section.id) } { (section.title) } }
                            }
                        }
                    }
                    main {
                        @for section in &self.sections { (section.html) }
                    }
                    footer { "Made by Arbiter " (env!("CARGO_PKG_VERSION")) "." }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::html::markup_check::{problems, tags};

    fn page(title: &str) -> String {
        let body = html! { p title=(title) { (title) } };
        let sections = vec![Section::new("one", "One", title, &body)];
        Page { title, header: html! { h1 { (title) } }, sections }.html()
    }

    #[test]
    fn markup_becomes_text_and_what_cannot_be_seen_is_shown() {
        let html = page(r#"<script>alert("1")</script> & 'x'"#);
        let text = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; 'x'";
        assert!(html.contains(&format!("<p title=\"{text}\">{text}</p>")), "{html}");
        let html = page("a\u{0}b\u{202e}c\nd");
        assert!(html.contains("<h1>a\u{fffd}b\u{fffd}c\nd</h1>"), "{html}");
    }

    proptest! {
        #[test]
        fn no_text_adds_a_tag_or_an_attribute_to_the_page(text in any::<String>()) {
            let html = page(&text);
            prop_assert_eq!(problems(&html), Vec::<String>::new());
            prop_assert_eq!(tags(&html).len(), tags(&page("")).len());
        }
    }
}
