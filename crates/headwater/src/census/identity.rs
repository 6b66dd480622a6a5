//! When two documents are the same one: by what they say, or by where they are.

/// A number for a content: equal texts have the same, and no text can be written to pass for another.
pub fn content(text: &str) -> u64 {
    let hash = blake3::hash(text.as_bytes());
    hash.as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A number for an address. How a page is fetched and what part of it is shown does not matter: `http` and `https`, a trailing
/// slash, a fragment and the case of the host make no difference.
pub fn address(address: &str) -> u64 {
    let (host, path) = split(address);
    content(&format!("{}{}", host.to_lowercase(), path.trim_end_matches('/')))
}

/// The host of an address in lower case, without port; nothing where it has none.
pub fn host(address: &str) -> Option<String> {
    let (host, _) = address.contains("://").then(|| split(address))?;
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
        .map_or(host, |(host, _)| host);
    (!host.is_empty()).then(|| host.to_lowercase())
}

/// Without scheme and fragment: what stands before the first slash, and the rest.
fn split(address: &str) -> (&str, &str) {
    let address = address.trim();
    let address = address.split_once('#').map_or(address, |(before, _)| before);
    // Without a scheme it is a name, whose case counts.
    let Some((_, address)) = address.split_once("://") else { return ("", address) };
    address.split_at(address.find(['/', '?']).unwrap_or(address.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_address() {
        let same = |one: &str, other: &str| address(one) == address(other);
        assert!(same("http://Example.org/a", "https://example.org/a/#top"));
        assert!(same("https://example.org", "https://example.org/"));
        assert!(!same("https://example.org/a", "https://example.org/A"));
        assert!(!same("https://example.org/?q=1", "https://example.org/?q=2"));
        assert!(!same("Notes", "notes"));
    }

    #[test]
    fn hosts() {
        let check = |address: &str, expected: Option<&str>| assert_eq!(host(address).as_deref(), expected, "{address}");
        check("https://Example.org:8080/a", Some("example.org"));
        check("http://me@example.org?q", Some("example.org"));
        check("notes.txt", None);
        check("file:///a/b", None);
    }

    #[test]
    fn contents() {
        assert_eq!(content("a river"), content("a river"));
        assert_ne!(content("a river"), content("a river "));
    }
}
