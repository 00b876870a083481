//! A table whose last column has bars.

use maud::{Markup, html};

/// A row: its heading, its cells, and its bar.
pub type BarRow = (Markup, Vec<String>, Markup);

/// The headings of the rows' headings, of the cells and of the bars stand above them.
pub fn bar_table(
    first: &str,
    cells: &[&str],
    bars: &Markup,
    rows: impl IntoIterator<Item = BarRow>,
) -> Markup {
    html! {
        div.scroll {
            table.bars {
                thead {
                    tr {
                        th { (first) }
                        @for heading in cells { th { (heading) } }
                        th.wide { (bars) }
                    }
                }
                tbody {
                    @for (head, cells, bar) in rows {
                        tr {
                            th { (head) }
                            @for cell in cells { td { (cell) } }
                            td.wide { (bar) }
                        }
                    }
                }
            }
        }
    }
}
