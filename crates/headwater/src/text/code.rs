//! Source code: identifiers and numbers in their own case, and each operator or bracket character; layout does not count.

use super::character::{Characters, Class};
use super::hash::{self, Hasher};
use super::token::Tokens;

pub(super) fn read(text: &str, tokens: &mut Tokens) {
    let characters = Characters::get();
    let part_of_name =
        |character: char| character == '_' || !matches!(characters.class(character), Class::Separator | Class::Ignored);
    let mut rest = text.char_indices().peekable();
    while let Some((start, character)) = rest.next() {
        if character.is_whitespace() || character.is_control() {
            continue;
        }
        let mut end = start + character.len_utf8();
        if !part_of_name(character) {
            tokens.push(hash::character(character), start as u32, end as u32);
            continue;
        }
        let mut hasher = Hasher::of(character);
        while let Some((at, character)) = rest.next_if(|&(_, character)| part_of_name(character)) {
            hasher.push(character);
            end = at + character.len_utf8();
        }
        tokens.push(hasher.finish(), start as u32, end as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Reading, Tokens};

    fn read(text: &str) -> Tokens {
        let mut tokens = Tokens::new();
        tokens.read(text, Reading::Code).unwrap();
        tokens
    }

    #[test]
    fn names_numbers_and_operators() {
        let text = "let max_Élan = a[0]+=1; // été";
        let tokens = read(text);
        let spans: Vec<_> = (0..tokens.len()).map(|at| &text[tokens.span(at)]).collect();
        assert_eq!(spans, ["let", "max_Élan", "=", "a", "[", "0", "]", "+", "=", "1", ";", "/", "/", "été"]);
    }

    #[test]
    fn layout_does_not_count_but_case_and_operators_do() {
        assert_eq!(read("if (a)\n\t{b();}").hashes(), read("if(a) { b ( ) ; }").hashes());
        assert_ne!(read("Name").hashes(), read("name").hashes());
        assert_ne!(read("a + b").hashes(), read("a - b").hashes());
    }
}
