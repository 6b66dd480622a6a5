//! A search service behind TLS, with a certificate that no browser knows.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use headwater::census::{Engine, EngineError, Hit, Trouble};
use headwater_engine::{Description, Endpoint};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Answers every search with one result and every page with a sentence; writes its certificate to a file and tells its address.
fn service(certificate: &Path) -> String {
    let own = rcgen::generate_simple_self_signed(vec!["localhost".into()]).unwrap();
    std::fs::write(certificate, own.cert.pem()).unwrap();
    let key = PrivateKeyDer::try_from(own.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key)
        .unwrap();
    let (config, listener) = (Arc::new(config), TcpListener::bind("127.0.0.1:0").unwrap());
    let address = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let page = format!("{address}/page");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut tls = StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream.unwrap());
            let mut request = [0; 4096];
            // Who does not trust the certificate hangs up.
            let Ok(read) = tls.read(&mut request) else { continue };
            let is_search = String::from_utf8_lossy(&request[..read]).starts_with("GET /find?q=slate+weir");
            let is_search =
                is_search || String::from_utf8_lossy(&request[..read]).starts_with("GET /find?q=slate%20weir");
            let (kind, body) = match is_search {
                true => ("application/json", format!(r#"{{"hits": [{{"url": "{page}"}}]}}"#)),
                false => ("text/plain", "a slate gauge in the weir".into()),
            };
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}", body.len());
            let _ = tls.write_all(format!("{head}\r\nConnection: close\r\n\r\n{body}").as_bytes());
            tls.conn.send_close_notify();
            let _ = tls.flush();
        }
    });
    address
}

fn endpoint(folder: &Path, address: &str, certificate: Option<&str>) -> Endpoint {
    let certificate = certificate.map_or(String::new(), |file| format!(r#""certificate": "{file}","#));
    let json = format!(
        r#"{{"address": "{address}/find", {certificate} "results": "/hits", "retries": 0, "requests_per_second": 200}}"#
    );
    let path = folder.join("theirs.engine.json");
    std::fs::write(&path, json).unwrap();
    Endpoint::new(Description::open(&path).unwrap()).unwrap()
}

#[test]
fn a_service_is_asked_and_its_pages_are_fetched() {
    let folder = tempfile::tempdir().unwrap();
    let address = service(&folder.path().join("own.pem"));
    let mut engine = endpoint(folder.path(), &address, Some("own.pem"));
    let hits = engine.search(&["slate", "weir"], 10).unwrap();
    assert_eq!(hits, [Hit { address: format!("{address}/page"), text: None }]);
    assert_eq!(engine.fetch(&hits[0]).unwrap(), "a slate gauge in the weir");
}

#[test]
fn who_is_not_known_is_not_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let address = service(&folder.path().join("own.pem"));
    let refused: EngineError = endpoint(folder.path(), &address, None).search(&["slate"], 10).unwrap_err();
    assert_eq!(refused.kind, Trouble::Refusal, "{refused}");
    assert!(refused.what.contains("certificate"), "{refused}");
}

#[test]
fn certificates_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.pem");
    let described = |json: &str| Endpoint::new(Description::read(json).unwrap()).err().unwrap().to_string();
    let json = format!(r#"{{"address": "https://localhost", "certificate": "{}"}}"#, file.display());
    assert!(described(&json).contains("own.pem"));
    std::fs::write(&file, "not a certificate").unwrap();
    assert!(described(&json).contains("no certificate in it"));
}
