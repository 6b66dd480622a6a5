//! The shell that all pages share.

use std::io::{self, Write};

use serde::Serialize;

/// Colours, type and controls of every page, light and dark.
const STYLE: &str = include_str!("house.css");

/// The few helpers that every script uses.
const SCRIPT: &str = include_str!("house.js");

/// One kind of page, without its data.
pub(crate) struct Page {
    pub(crate) title: &'static str,
    pub(crate) style: &'static str,
    pub(crate) body: &'static str,
    pub(crate) script: &'static str,
}

impl Page {
    /// Writes the page with its data, which its script finds under the name `data`.
    pub(crate) fn write(&self, data: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
        let Page { title, style, body, script } = self;
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>Headwater: {title}</title>\n<style>\n{STYLE}{style}</style>\n{body}<script>\n\"use strict\";\nconst data = "
        )?;
        serde_json::to_writer(InScript(&mut *out), data)?;
        write!(out, ";\n{SCRIPT}{script}</script>\n</html>\n")
    }
}

impl Page {
    /// Writes a page that is drawn already: nothing in it needs a script.
    pub(crate) fn write_drawn(&self, more_style: &str, drawn: &str, out: &mut impl Write) -> io::Result<()> {
        let Page { title, style, body, .. } = self;
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>Headwater: {title}</title>\n<style>\n{STYLE}{more_style}{style}</style>\n{body}{drawn}</html>\n"
        )
    }
}

/// Writes JSON into a script. Only `<` could end the script or open a comment in it; JSON has it in strings alone, where
/// its escape means the same.
struct InScript<W>(W);

impl<W: Write> Write for InScript<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (at, part) in bytes.split(|&byte| byte == b'<').enumerate() {
            if at > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

    use super::*;

    #[test]
    fn no_text_can_leave_the_script() {
        let page = Page { title: "a test", style: "", body: "", script: "" };
        let mut out = Vec::new();
        page.write(&["</script><b>", "<!--", "a < b"], &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert_eq!(out.matches("</script>").count(), 1, "{out}");
        assert!(!out.contains("<!--") && !out.contains("<b>"), "{out}");
        let json = out.split("const data = ").nth(1).unwrap().split(";\n").next().unwrap();
        assert_eq!(serde_json::from_str::<Vec<String>>(json).unwrap(), ["</script><b>", "<!--", "a < b"]);
    }
}
