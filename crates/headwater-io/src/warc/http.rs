//! The HTTP response inside a record.

use std::io::Read;

/// A response without its headers, its transfer and content encodings undone.
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) content_type: String,
    pub(super) body: Vec<u8>,
}

/// Headers of one response; more than any server sends.
const MOST_HEADERS: usize = 256;

impl Response {
    /// Reads a response whose body, decoded, holds at most `limit` bytes.
    pub(super) fn parse(mut message: Vec<u8>, limit: usize) -> Result<Response, String> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut response = httparse::Response::new(&mut headers);
        let config = {
            let mut config = httparse::ParserConfig::default();
            config.allow_spaces_after_header_name_in_responses(true);
            config.allow_obsolete_multiline_headers_in_responses(true);
            config.allow_multiple_spaces_in_response_status_delimiters(true);
            config.ignore_invalid_headers_in_responses(true);
            config
        };
        let start = match config.parse_response(&mut response, &message) {
            Ok(httparse::Status::Complete(start)) => start,
            Ok(httparse::Status::Partial) => return Err("HTTP headers are cut short".into()),
            Err(error) => return Err(format!("broken HTTP headers: {error}")),
        };
        let header = |name: &str| {
            let found = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
            found.map(|header| String::from_utf8_lossy(header.value).trim().to_ascii_lowercase()).unwrap_or_default()
        };
        let status = response.code.unwrap_or_default();
        let (content_type, transfer, content) =
            (header("content-type"), header("transfer-encoding"), header("content-encoding"));
        let mut body = message.split_off(start);
        // Crawlers often undo an encoding and keep the header that announces it: the bytes decide.
        if transfer.contains("chunked")
            && let Some(joined) = joined_chunks(&body)
        {
            body = joined;
        }
        let body = match content.as_str() {
            "gzip" | "x-gzip" if body.starts_with(&[0x1f, 0x8b]) => {
                unpack(flate2::read::MultiGzDecoder::new(body.as_slice()), limit)?
            }
            "deflate" if body.first().is_some_and(|byte| byte & 0x0f == 8) && body.len() > 2 => {
                match unpack(flate2::read::ZlibDecoder::new(body.as_slice()), limit) {
                    Ok(unpacked) => unpacked,
                    Err(_) => body,
                }
            }
            "zstd" if body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => {
                let decoder = zstd::stream::read::Decoder::new(body.as_slice()).map_err(|error| error.to_string())?;
                unpack(decoder, limit)?
            }
            // Brotli has no mark of its own; text that is not valid Brotli was unpacked by the crawler.
            "br" => match unpack(brotli_decompressor::Decompressor::new(body.as_slice(), 4096), limit) {
                Ok(unpacked) => unpacked,
                Err(_) if std::str::from_utf8(&body).is_ok() => body,
                Err(what) => return Err(what),
            },
            _ => body,
        };
        Ok(Response { status, content_type, body })
    }
}

/// The value of a parameter such as `charset` in `text/html; charset=utf-8`.
pub(super) fn parameter(media: &str, name: &str) -> Option<String> {
    media.split(';').skip(1).find_map(|part| {
        let (key, value) = part.split_once('=')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    })
}

/// All of a packed body, as long as it stays within the limit. A body that was cut by the crawler gives what is there.
fn unpack(mut decoder: impl Read, limit: usize) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    match decoder.by_ref().take(limit as u64 + 1).read_to_end(&mut body) {
        Ok(_) if body.len() > limit => Err(format!("body unpacks to more than {limit} bytes")),
        Ok(_) => Ok(body),
        Err(_) if !body.is_empty() => Ok(body),
        Err(error) => Err(format!("body cannot be unpacked: {error}")),
    }
}

/// The body whose chunks these are; `None` where they are none.
fn joined_chunks(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = memchr::memchr(b'\n', &rest[..rest.len().min(1024)])?;
        let size = rest[..end].split(|&byte| byte == b';').next()?.trim_ascii();
        let size = usize::from_str_radix(std::str::from_utf8(size).ok()?, 16).ok()?;
        rest = &rest[end + 1..];
        if size == 0 {
            return Some(body);
        }
        // The crawler may have stopped inside a chunk: what it has is kept.
        let Some((chunk, after)) = rest.split_at_checked(size) else {
            body.extend_from_slice(rest);
            return Some(body);
        };
        body.extend_from_slice(chunk);
        rest = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n"))?;
        if rest.is_empty() {
            return Some(body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks() {
        let check = |chunked: &str, body: Option<&str>| {
            assert_eq!(joined_chunks(chunked.as_bytes()).as_deref(), body.map(str::as_bytes), "{chunked:?}");
        };
        check("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", Some("abcde"));
        check("0\r\n\r\n", Some(""));
        check("A\r\nabc", Some("abc"));
        check("3\r\nabcd\r\n", None);
        check("<html>", None);
        check("", None);
    }
}
