//! A search service on the network.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use headwater::census::{Engine, EngineError, Hit, Trouble, host};
use headwater_io::{Event, Inputs, ReadOptions, read};
use serde_json::Value;
use ureq::Agent;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

use crate::description::{Description, DescriptionError};

/// Bytes of an answer or a page beyond which it is not read.
const MOST: u64 = 16 << 20;

/// The longest pause before a search is tried again.
const PATIENCE: Duration = Duration::from_secs(30);

/// An engine that is asked over HTTP and answers in JSON: one question at a time, not too often, and again where it was silent.
pub struct Endpoint {
    description: Description,
    agent: Agent,
    /// For pages elsewhere, to which a certificate of the service's own says nothing.
    elsewhere: Agent,
    /// When the next request may be sent.
    due: Instant,
}

impl Endpoint {
    /// The service that is described. Fails where its certificate cannot be read.
    pub fn new(description: Description) -> Result<Self, DescriptionError> {
        let known = match &description.certificate {
            Some(path) => TlsConfig::builder().root_certs(certificates(path)?).build(),
            None => TlsConfig::default(),
        };
        let (agent, elsewhere) = (agent(&description, known), agent(&description, TlsConfig::default()));
        Ok(Endpoint { description, agent, elsewhere, due: Instant::now() })
    }

    /// Asks until there is an answer that makes sense, or as often as the description says.
    fn insist<T>(&mut self, ask: impl Fn(&Self) -> Result<T, EngineError>) -> Result<T, EngineError> {
        let mut pause = Duration::from_secs_f64(1.0 / self.description.requests_per_second);
        let mut attempt = 0;
        loop {
            let now = Instant::now();
            thread::sleep(self.due.saturating_duration_since(now));
            self.due = Instant::now() + Duration::from_secs_f64(1.0 / self.description.requests_per_second);
            match ask(self) {
                Err(error) if attempt < self.description.retries && !is_final(&error) => {
                    attempt += 1;
                    // Longer each time: an engine that is too busy is not helped by haste.
                    pause = (pause * 2).min(PATIENCE);
                    self.due = self.due.max(Instant::now() + pause);
                }
                outcome => return outcome,
            }
        }
    }

    fn get(&self, address: &str, parameters: &[(&str, &str)]) -> Result<(String, Vec<u8>), EngineError> {
        let is_own = host(address) == host(&self.description.address);
        let agent = if is_own { &self.agent } else { &self.elsewhere };
        let request = parameters.iter().fold(agent.get(address), |request, (name, value)| request.query(*name, *value));
        let failed = |error: ureq::Error| {
            let kind = if matches!(error, ureq::Error::Timeout(_)) { Trouble::Silence } else { Trouble::Refusal };
            EngineError::new(kind, format!("{address}: {error}"))
        };
        let mut response = request.call().map_err(failed)?;
        let status = response.status();
        if !status.is_success() {
            let kind =
                if status.is_server_error() || status.as_u16() == 429 { Trouble::Silence } else { Trouble::Refusal };
            return Err(EngineError::new(kind, format!("{address}: answered with status {status}")));
        }
        let kind = response.body().mime_type().unwrap_or_default().to_owned();
        let body = response.body_mut().with_config().limit(MOST).read_to_vec().map_err(failed)?;
        Ok((kind, body))
    }

    fn ask(&self, words: &[&str], limit: usize) -> Result<Vec<Hit>, EngineError> {
        let Description { address, query, between, parameters, limit: limited, .. } = &self.description;
        let (asked, most) = (words.join(between), limit.to_string());
        let mut sent = vec![(query.as_str(), asked.as_str())];
        sent.extend(parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        sent.extend(limited.iter().map(|name| (name.as_str(), most.as_str())));
        let (_, body) = self.get(address, &sent)?;
        let mut hits =
            self.hits(&body).map_err(|what| EngineError::new(Trouble::Nonsense, format!("{address}: {what}")))?;
        hits.truncate(limit);
        Ok(hits)
    }

    fn hits(&self, body: &[u8]) -> Result<Vec<Hit>, String> {
        let Description { results, url, text, .. } = &self.description;
        let answer: Value = serde_json::from_slice(body).map_err(|error| format!("the answer is no JSON: {error}"))?;
        let list = answer.pointer(results).ok_or_else(|| format!("the answer has nothing at '{results}'"))?;
        let list = list.as_array().ok_or_else(|| format!("what the answer has at '{results}' is no list"))?;
        let hit = |result: &Value| {
            let address = result.pointer(url).and_then(Value::as_str);
            let address = address.ok_or_else(|| format!("a result has no address at '{url}'"))?.to_owned();
            let text = text.as_ref().and_then(|text| result.pointer(text)).and_then(Value::as_str).map(str::to_owned);
            Ok(Hit { address, text })
        };
        list.iter().map(hit).collect()
    }

    /// The text of a page, read as a file of its kind would be.
    fn page(&self, address: &str) -> Result<String, EngineError> {
        let (kind, body) = self.get(address, &[])?;
        let name = if kind.contains("html") { "page.html" } else { "page.txt" };
        let mut inputs = Inputs::new();
        inputs.push_bytes(name, body);
        let options = ReadOptions { threads: 1, ..ReadOptions::default() };
        let mut text = None;
        let outcome = read(
            &inputs,
            &options,
            |document| document.text,
            |event| {
                if let Event::Document(read) = event {
                    text = Some(read);
                }
                Ok::<(), std::convert::Infallible>(())
            },
        );
        let unread = || match outcome {
            Err(error) => error.to_string(),
            Ok(_) => "no text in it".into(),
        };
        text.ok_or_else(|| EngineError::new(Trouble::Nonsense, format!("{address}: {}", unread())))
    }
}

fn agent(description: &Description, known: TlsConfig) -> Agent {
    let config = Agent::config_builder()
        .timeout_global(Some(Duration::from_secs_f64(description.timeout_seconds)))
        .http_status_as_error(false)
        .tls_config(known)
        .user_agent(concat!("headwater/", env!("CARGO_PKG_VERSION")))
        .build();
    config.into()
}

fn certificates(path: &Path) -> Result<RootCerts, DescriptionError> {
    let wrong = |what: String| DescriptionError(format!("{}: {what}", path.display()));
    let pem = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let mut found = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| wrong(error.to_string()))? {
            found.push(certificate);
        }
    }
    if found.is_empty() {
        return Err(wrong("there is no certificate in it (PEM)".into()));
    }
    Ok(RootCerts::new_with_certs(&found))
}

/// What will not be better the next time.
fn is_final(error: &EngineError) -> bool {
    error.kind == Trouble::Refusal && error.what.contains("status 4")
}

impl Engine for Endpoint {
    fn search(&mut self, words: &[&str], limit: usize) -> Result<Vec<Hit>, EngineError> {
        self.insist(|endpoint| endpoint.ask(words, limit))
    }

    fn fetch(&mut self, hit: &Hit) -> Result<String, EngineError> {
        match &hit.text {
            Some(text) => Ok(text.clone()),
            None if hit.address.starts_with("http://") || hit.address.starts_with("https://") => {
                self.insist(|endpoint| endpoint.page(&hit.address))
            }
            None => Err(EngineError::new(Trouble::Refusal, format!("{}: no address that can be fetched", hit.address))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::sync::mpsc;

    use super::*;

    /// A server that answers each connection with the next of these, and tells what it was asked. An empty answer is silence.
    fn server(answers: Vec<String>) -> (String, mpsc::Receiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            let mut silent: Vec<TcpStream> = Vec::new();
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = Vec::new();
                let mut byte = [0];
                while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() > 0 {
                    request.push(byte[0]);
                }
                let _ = tell.send(String::from_utf8(request).unwrap().lines().next().unwrap_or_default().to_owned());
                if answer.is_empty() {
                    silent.push(stream);
                } else {
                    stream.write_all(answer.as_bytes()).unwrap();
                }
            }
            // Silent, not gone: closed connections would tell.
            std::mem::forget(silent);
        });
        (address, told)
    }

    fn http(status: &str, kind: &str, body: &str) -> String {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    }

    fn endpoint(address: &str, retries: u32) -> Endpoint {
        let json = format!(
            r#"{{"address": "{address}/find", "parameters": {{"form": "json"}}, "limit": "n", "results": "/hits", "url": "/at",
                "text": "/says", "timeout_seconds": 0.5, "retries": {retries}, "requests_per_second": 200}}"#
        );
        Endpoint::new(Description::read(&json).unwrap()).unwrap()
    }

    const GOOD: &str = r#"{"hits": [{"at": "a", "says": "one two"}, {"at": "b"}, {"at": "c", "says": "two"}]}"#;

    #[test]
    fn asks_and_reads() {
        let (address, told) = server(vec![http("200 OK", "application/json", GOOD)]);
        let mut endpoint = endpoint(&address, 0);
        let hits = endpoint.search(&["zwei", "d'été"], 2).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.address.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(endpoint.fetch(&hits[0]).unwrap(), "one two");
        assert_eq!(endpoint.fetch(&hits[1]).unwrap_err().kind, Trouble::Refusal);
        let asked = told.recv().unwrap();
        assert!(
            asked.starts_with("GET /find?q=zwei") && asked.contains("form=json") && asked.contains("n=2"),
            "{asked}"
        );
    }

    #[test]
    fn tries_again_after_silence_haste_and_nonsense() {
        let busy = http("503 Service Unavailable", "text/plain", "later");
        let haste = http("429 Too Many Requests", "text/plain", "slower");
        let nonsense = http("200 OK", "application/json", "<html>");
        let good = http("200 OK", "application/json", GOOD);
        let (address, told) = server(vec![busy, haste, nonsense, String::new(), good]);
        assert_eq!(endpoint(&address, 4).search(&["one"], 10).unwrap().len(), 3);
        assert_eq!(told.iter().take(5).count(), 5);
    }

    #[test]
    fn says_what_is_wrong() {
        let check = |answer: String, kind: Trouble, reason: &str| {
            let (address, _told) = server(vec![answer]);
            let error = endpoint(&address, 0).search(&["one"], 10).unwrap_err();
            assert!(error.kind == kind && error.what.contains(reason) && error.what.contains("/find"), "{error:?}");
        };
        let json = |body: &str| http("200 OK", "application/json", body);
        check(String::new(), Trouble::Silence, "timeout");
        check(json("not json"), Trouble::Nonsense, "no JSON");
        check(json("{}"), Trouble::Nonsense, "'/hits'");
        check(json(r#"{"hits": 7}"#), Trouble::Nonsense, "no list");
        check(json(r#"{"hits": [{}]}"#), Trouble::Nonsense, "'/at'");
        check(http("404 Not Found", "text/plain", ""), Trouble::Refusal, "404");
        // Nobody listens there any more.
        let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        assert_eq!(endpoint(&format!("http://{gone}"), 0).search(&["one"], 1).unwrap_err().kind, Trouble::Refusal);
    }

    #[test]
    fn pages_that_are_not_sent_along_are_fetched() {
        let page = "<html><body><p>The weir is <b>drained</b>.</p></body></html>";
        let (address, _told) = server(vec![http("200 OK", "text/html; charset=utf-8", page)]);
        let hit = Hit { address: format!("{address}/page"), text: None };
        assert_eq!(endpoint(&address, 0).fetch(&hit).unwrap(), "The weir is drained.");
    }

    #[test]
    fn requests_keep_their_distance() {
        let good = || http("200 OK", "application/json", GOOD);
        let (address, _told) = server(vec![good(), good(), good()]);
        let mut endpoint = endpoint(&address, 0);
        endpoint.description.requests_per_second = 20.0;
        let begun = Instant::now();
        (0..3).for_each(|_| drop(endpoint.search(&["one"], 1).unwrap()));
        // A lower bound holds however slow the machine is.
        assert!(begun.elapsed() >= Duration::from_millis(100));
    }
}
