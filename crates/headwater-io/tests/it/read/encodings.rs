//! Text that is not UTF-8.

use encoding_rs::Encoding;
use headwater_io::ReadOptions;

use super::run_bytes;

const GERMAN: &str =
    "Der Fluß entspringt in den Hügeln, sammelt die Bäche aus sieben Tälern und läuft über Wiesen träge zur See.";
const RUSSIAN: &str = "Река начинается в холмах, собирает ручьи семи долин и медленно течёт к морю через луга.";
const JAPANESE: &str = "川は丘から始まり、七つの谷の小川を集め、牧草地を抜けてゆっくりと海へ流れる。水は誰も待たない。";
const CHINESE: &str = "河流发源于山丘，汇集了七个山谷的溪流，穿过草地缓缓流向大海。水不等任何人。";
const KOREAN: &str = "강은 언덕에서 시작하여 일곱 골짜기의 시냇물을 모아 초원을 지나 천천히 바다로 흐른다.";

#[track_caller]
fn check(name: &str, bytes: Vec<u8>, text: &str, encoding: &str) {
    let outcome = run_bytes(name, bytes, &ReadOptions::default());
    assert_eq!(outcome.texts(), [text], "{encoding}: {:?}", outcome.problems());
    let encodings: Vec<_> = outcome.summary.unwrap().encodings.into_keys().collect();
    assert_eq!(encodings, [encoding]);
}

fn encoded(text: &str, label: &str) -> Vec<u8> {
    let (bytes, _, failed) = Encoding::for_label(label.as_bytes()).unwrap().encode(text);
    assert!(!failed, "{label}");
    bytes.into_owned()
}

fn wide(text: &str, big: bool) -> Vec<u8> {
    text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

#[test]
fn told_by_letters() {
    for (text, label, name) in [
        (GERMAN, "windows-1252", "windows-1252"),
        (RUSSIAN, "windows-1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "KOI8-U"),
        (JAPANESE, "shift_jis", "Shift_JIS"),
        (JAPANESE, "euc-jp", "EUC-JP"),
        (JAPANESE, "iso-2022-jp", "ISO-2022-JP"),
        (CHINESE, "gbk", "GBK"),
        (CHINESE, "gb18030", "GBK"),
        (KOREAN, "euc-kr", "EUC-KR"),
    ] {
        check("x.txt", encoded(text, label), text, name);
    }
}

#[test]
fn told_by_marks_and_zeros() {
    for text in [GERMAN, RUSSIAN, "plain words, and more of them"] {
        check("x.txt", [b"\xef\xbb\xbf", text.as_bytes()].concat(), text, "UTF-8");
        check("x.txt", [b"\xff\xfe".as_slice(), &wide(text, false)].concat(), text, "UTF-16LE");
        check("x.txt", [b"\xfe\xff".as_slice(), &wide(text, true)].concat(), text, "UTF-16BE");
        check("x.txt", wide(text, false), text, "UTF-16LE");
        check("x.txt", wide(text, true), text, "UTF-16BE");
        let utf32 = |big: bool| {
            text.chars()
                .flat_map(|c| if big { (c as u32).to_be_bytes() } else { (c as u32).to_le_bytes() })
                .collect::<Vec<u8>>()
        };
        check("x.txt", utf32(false), text, "UTF-32");
        check("x.txt", utf32(true), text, "UTF-32");
        check("x.txt", [b"\0\0\xfe\xff".as_slice(), &utf32(true)].concat(), text, "UTF-32");
        check("x.txt", [b"\xff\xfe\0\0".as_slice(), &utf32(false)].concat(), text, "UTF-32");
    }
}

#[test]
fn told_by_the_page() {
    for head in [
        "<meta charset=koi8-r>",
        "<meta charset = 'KOI8-R'>",
        "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=koi8-r\">",
        "<?xml version=\"1.0\" encoding=\"koi8-r\"?>",
    ] {
        check("x.html", encoded(&format!("{head}<p>{RUSSIAN}"), "koi8-r"), RUSSIAN, "KOI8-R");
    }
    // What the page says and what it is.
    check("x.html", format!("<meta charset=utf-16><p>{RUSSIAN}").into_bytes(), RUSSIAN, "UTF-8");
    check("x.html", encoded(&format!("<meta charset=utf-8><p>{RUSSIAN}"), "windows-1251"), RUSSIAN, "windows-1251");
}

#[test]
fn what_makes_no_sense_is_replaced_and_counted() {
    let outcome = run_bytes(
        "x.txt",
        "h\u{e9}t\u{e9}rog\u{e8}ne \u{e0} la fin".bytes().chain([0xff]).collect::<Vec<u8>>(),
        &ReadOptions::default(),
    );
    assert_eq!(outcome.texts(), ["h\u{e9}t\u{e9}rog\u{e8}ne \u{e0} la fin\u{fffd}"]);
    assert_eq!(outcome.summary.unwrap().lossy, 1);
}

#[test]
fn control_characters_pass() {
    let text = "a\0b\u{1}c\u{7f}\r\n\u{200b}e\u{301}";
    check("x.txt", text.into(), text, "UTF-8");
}
