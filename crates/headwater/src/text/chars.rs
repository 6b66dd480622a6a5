//! Each alphanumeric character, case-folded, with the marks that follow it, is a token.

use super::character::{Characters, Class};
use super::hash::{self, Hasher};
use super::token::Tokens;

pub(super) fn read(text: &str, tokens: &mut Tokens) {
    let characters = Characters::get();
    let mut rest = text.char_indices().peekable();
    while let Some((start, character)) = rest.next() {
        if matches!(characters.class(character), Class::Separator | Class::Mark | Class::ComposingMark | Class::Ignored)
        {
            continue;
        }
        let folded = characters.fold(character);
        let mut end = start + character.len_utf8();
        let is_mark =
            |character| matches!(characters.class(character), Class::Mark | Class::ComposingMark | Class::UnspacedMark);
        let mut marked = None;
        while let Some((at, mark)) = rest.next_if(|&(_, character)| is_mark(character)) {
            marked.get_or_insert_with(|| Hasher::of(folded)).push(mark);
            end = at + mark.len_utf8();
        }
        let hash = marked.map_or_else(|| hash::character(folded), |mut hasher| hasher.finish());
        tokens.push(hash, start as u32, end as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Reading, Tokens};

    fn spans(text: &str) -> Vec<&str> {
        let mut tokens = Tokens::new();
        tokens.read(text, Reading::Chars).unwrap();
        (0..tokens.len()).map(|at| &text[tokens.span(at)]).collect()
    }

    #[test]
    fn characters_with_their_marks() {
        assert_eq!(spans("A b-é水"), ["A", "b", "é", "水"]);
        assert_eq!(spans("e\u{301}น้ำ"), ["e\u{301}", "น้ำ"]);
        assert_eq!(spans("\u{301}…"), [""; 0]);
    }

    #[test]
    fn case_does_not_count_and_spaces_do_not_either() {
        let hashes = |text: &str| {
            let mut tokens = Tokens::new();
            tokens.read(text, Reading::Chars).unwrap();
            tokens.hashes().to_vec()
        };
        assert_eq!(hashes("Head Water"), hashes("headwater"));
    }
}
