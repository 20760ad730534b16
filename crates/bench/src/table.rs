//! Markdown tables with cells padded to columns, for terminals and pages.

/// A table: the first row has the titles, the first column is left-aligned, numbers are right-aligned.
pub(crate) fn table(titles: &[&str], rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = (0..titles.len())
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([titles[column].chars().count(), 3]).max().unwrap_or(0)
        })
        .collect();
    let titles: Vec<String> = titles.iter().map(|&title| title.to_owned()).collect();
    let mut text = line(&titles, &widths);
    let rule = widths.iter().enumerate().map(|(column, width)| {
        if column == 0 { "-".repeat(*width) } else { format!("{}:", "-".repeat(width - 1)) }
    });
    text.push_str(&line(&rule.collect::<Vec<_>>(), &widths));
    for row in rows {
        text.push_str(&line(row, &widths));
    }
    text
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut text = String::new();
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let cell = if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
        text.push_str(&format!("| {cell} "));
    }
    text.push_str("|\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_padded() {
        let rows =
            [vec!["fischer 10".to_owned(), "7".to_owned()], vec!["bridge".to_owned(), "1,000".to_owned()]];
        let expected = "\
| model      |     n |
| ---------- | ----: |
| fischer 10 |     7 |
| bridge     | 1,000 |
";
        assert_eq!(table(&["model", "n"], &rows), expected);
    }
}
