//! Pages to text: the article without navigation, or all that is visible.

mod article;
mod links;
mod visible;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::guard::guard;
use crate::read::HtmlText;

/// The text of a page.
///
/// Fails only where the HTML parser itself does.
pub(crate) fn text(html: &str, mode: HtmlText) -> Result<String, String> {
    let all = || visible::text(html);
    let main = || article::html(html).map(|article| visible::text(&article)).filter(|text| !text.is_empty());
    let extract = || match mode {
        HtmlText::All => all(),
        HtmlText::Main => main().unwrap_or_else(all),
        HtmlText::Links => links::text(html),
    };
    // Finding the article is what can go wrong; all that is visible is simpler to read.
    guard(extract).or_else(|| guard(all)).ok_or_else(|| "the HTML parser failed on it".into())
}

/// The encoding that a page states in its first kilobyte: `<meta charset=…>`, `<meta … content="…; charset=…">` or `<?xml … encoding=…>`.
pub(crate) fn declared_encoding(html: &[u8]) -> Option<&'static Encoding> {
    let head = html[..html.len().min(1024)].to_ascii_lowercase();
    let keyword: &[u8] = if head.trim_ascii_start().starts_with(b"<?xml") { b"encoding" } else { b"charset" };
    let both = [keyword, b"charset".as_slice()];
    let label = both.iter().find_map(|keyword| {
        let rest = &head[memchr::memmem::find(&head, keyword)? + keyword.len()..];
        let rest = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
        let end = rest.iter().position(|byte| b"\"' ;>/?\t\r\n".contains(byte)).unwrap_or(rest.len());
        Some(&rest[..end])
    })?;
    match Encoding::for_label(label)? {
        // A page whose declaration can be read as ASCII is not in UTF-16, whatever it says (WHATWG HTML, 13.2.3.2).
        utf16 if utf16 == UTF_16LE || utf16 == UTF_16BE => Some(UTF_8),
        encoding => Some(encoding),
    }
}
