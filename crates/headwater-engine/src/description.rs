//! The description of a search endpoint: a small JSON file.
//!
//! ```json
//! {"address": "https://search.example/api", "query": "q", "parameters": {"format": "json"}, "limit": "size",
//!  "results": "/hits", "url": "/url", "text": "/body", "timeout_seconds": 10, "retries": 2, "requests_per_second": 1.0}
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// How to ask a search service on the network, and how to read what it says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Where to ask.
    pub address: String,
    /// The name of the parameter with the words.
    #[serde(default = "query")]
    pub query: String,
    /// What stands between two words, all of which are required.
    #[serde(default = "between")]
    pub between: String,
    /// Further parameters, sent with every search.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
    /// The name of the parameter with the number of results, if there is one.
    #[serde(default)]
    pub limit: Option<String>,
    /// Where the list of results is in the answer, as a JSON pointer (RFC 6901).
    #[serde(default)]
    pub results: String,
    /// Where the address of a result is in it.
    #[serde(default = "url")]
    pub url: String,
    /// Where the text of a result is in it, if it is there; else its address is fetched.
    #[serde(default)]
    pub text: Option<String>,
    /// A file with the certificate that the service's own is signed by (PEM), where it is not one that browsers know: the authority
    /// of a company or a laboratory. A path is taken from where this description is.
    #[serde(default)]
    pub certificate: Option<PathBuf>,
    /// How long an answer is waited for.
    #[serde(default = "timeout")]
    pub timeout_seconds: f64,
    /// How often a search is tried again after silence, a refusal for now, or nonsense.
    #[serde(default = "retries")]
    pub retries: u32,
    /// How many requests are sent in a second at most.
    #[serde(default = "rate")]
    pub requests_per_second: f64,
}

fn query() -> String {
    "q".into()
}

fn between() -> String {
    " ".into()
}

fn url() -> String {
    "/url".into()
}

fn timeout() -> f64 {
    10.0
}

fn retries() -> u32 {
    2
}

fn rate() -> f64 {
    1.0
}

/// A description that describes nothing.
#[derive(Debug)]
pub struct DescriptionError(pub(crate) String);

impl Description {
    /// Reads a description from a file.
    pub fn open(path: &Path) -> Result<Self, DescriptionError> {
        let json = std::fs::read_to_string(path).map_err(|error| DescriptionError(error.to_string()))?;
        let mut read = Self::read(&json)?;
        read.certificate = read.certificate.map(|file| path.parent().unwrap_or(Path::new("")).join(file));
        Ok(read)
    }

    /// Reads a description.
    pub fn read(json: &str) -> Result<Self, DescriptionError> {
        let read: Description = serde_json::from_str(json).map_err(|error| DescriptionError(error.to_string()))?;
        let wrong = |what: String| Err(DescriptionError(what));
        if !read.address.starts_with("http://") && !read.address.starts_with("https://") {
            return wrong(format!("the address '{}' begins neither with http:// nor with https://", read.address));
        }
        for pointer in [Some(&read.results), Some(&read.url), read.text.as_ref()].into_iter().flatten() {
            if !pointer.is_empty() && !pointer.starts_with('/') {
                return wrong(format!("'{pointer}' is no JSON pointer; it begins with /, as in /hits or /source/url"));
            }
        }
        // A day is longer than anyone waits, and what a duration can hold.
        for (name, value) in
            [("timeout_seconds", read.timeout_seconds), ("requests_per_second", read.requests_per_second)]
        {
            if !(value > 0.0 && value <= 86_400.0) {
                return wrong(format!("{name} is {value}; it must be above 0 and at most 86400"));
            }
        }
        Ok(read)
    }
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a description of a search endpoint: {}", self.0)
    }
}

impl std::error::Error for DescriptionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_and_mistakes() {
        let read = Description::read(r#"{"address": "https://search.example/api", "results": "/hits"}"#).unwrap();
        assert_eq!((read.query.as_str(), read.url.as_str(), read.retries, read.text), ("q", "/url", 2, None));
        for (json, reason) in [
            ("", "EOF"),
            ("{}", "address"),
            (r#"{"address": "search.example"}"#, "http://"),
            (r#"{"address": "http://a", "results": "hits"}"#, "JSON pointer"),
            (r#"{"address": "http://a", "timeout_seconds": 0}"#, "timeout_seconds"),
            (r#"{"address": "http://a", "requests_per_second": 1e300}"#, "requests_per_second"),
            (r#"{"address": "http://a", "reslts": "/hits"}"#, "reslts"),
        ] {
            let error = Description::read(json).unwrap_err().to_string();
            assert!(error.contains(reason), "{json}: {error}");
        }
    }
}
