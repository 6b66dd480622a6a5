//! Function words of seven languages: which words may stand before a spot, and which are passed over inside one.
//!
//! Antecedents are what the paper found to occur evenly all through running text and hardly anywhere else: articles, the
//! forms of *be* and *have*, and the word for *that*. Stop words are the other frequent function words; every antecedent is
//! a stop word too.

use std::fmt;
use std::str::FromStr;

/// A language whose function words are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Italian.
    Italian,
    /// Portuguese.
    Portuguese,
    /// Dutch.
    Dutch,
}

impl Language {
    /// Every language, in the order in which help lists them.
    pub const ALL: [Language; 7] = [
        Language::English,
        Language::German,
        Language::French,
        Language::Spanish,
        Language::Italian,
        Language::Portuguese,
        Language::Dutch,
    ];

    /// Its code of two letters (ISO 639-1).
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::French => "fr",
            Language::Spanish => "es",
            Language::Italian => "it",
            Language::Portuguese => "pt",
            Language::Dutch => "nl",
        }
    }

    /// The words that spots are looked for behind.
    pub fn antecedents(self) -> impl Iterator<Item = &'static str> {
        self.words().0.split_whitespace()
    }

    /// The words that are passed over inside a spot, beside the antecedents themselves.
    pub fn stop_words(self) -> impl Iterator<Item = &'static str> {
        self.words().1.split_whitespace()
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Language::English => ENGLISH,
            Language::German => GERMAN,
            Language::French => FRENCH,
            Language::Spanish => SPANISH,
            Language::Italian => ITALIAN,
            Language::Portuguese => PORTUGUESE,
            Language::Dutch => DUTCH,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Self, UnknownLanguage> {
        Language::ALL.into_iter().find(|language| language.code() == code).ok_or_else(|| UnknownLanguage(code.into()))
    }
}

/// A code that is none of the languages'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLanguage(String);

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no function words are known for '{}'; known are en, de, fr, es, it, pt and nl", self.0)
    }
}

impl std::error::Error for UnknownLanguage {}

const ENGLISH: (&str, &str) = (
    "a an the that is are was were be been being am has have had having",
    "and or but nor so yet if then than as at by for from in into of off on onto out over to up upon with within without about \
     above after again against all also any because before below between both can cannot could did do does doing down during each \
     few further he her here hers herself him himself his how i it its itself just me more most my myself no not now once only \
     other our ours ourselves own same she should some such their theirs them themselves there these they this those through too \
     under until very we what when where which while who whom whose why will would you your yours yourself yourselves may might \
     must shall s t re ve ll d m",
);

const GERMAN: (&str, &str) = (
    "der die das den dem des ein eine einen einem einer eines ist sind war waren sei wird werden wurde wurden hat haben hatte \
     hatten dass daß",
    "und oder aber denn sondern doch wenn als wie ob weil da so auch nur noch schon sehr mehr nicht kein keine keinen keinem keiner \
     in im an am auf aus bei beim bis durch für gegen mit nach ohne seit über um unter von vom vor zu zum zur zwischen während ich \
     du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen mein meine dein deine seine ihre unser unsere euer sich man \
     dieser diese dieses diesem diesen jener jene jedes jeder jede alle alles was wer wo wann warum welche welcher welches hier \
     dort dann nun kann können könnte muss müssen soll sollen will wollen würde bin bist seid gewesen worden habe hast habt",
);

const FRENCH: (&str, &str) = (
    "le la les l un une des du est sont était étaient été être a ont avait avaient avoir que qu",
    "et ou mais donc or ni car si comme de d à au aux en dans par pour sur sous avec sans chez vers entre contre depuis pendant \
     avant après je j tu il elle on nous vous ils elles me m te t se s lui leur leurs y ce c cet cette ces mon ma mes ton ta tes \
     son sa ses notre nos votre vos qui quoi dont où quand comment pourquoi quel quelle quels quelles ne n pas plus moins très \
     aussi même tout tous toute toutes autre autres ici là alors ainsi encore suis es sommes êtes ai as avons avez sera serait \
     fait faire peut peuvent doit",
);

const SPANISH: (&str, &str) = (
    "el la los las un una unos unas es son era eran fue fueron ser está están ha han había haber que",
    "y e o u pero sino ni si como de del a al en por para con sin sobre entre hasta desde contra durante según tras ante bajo yo \
     tú él ella ello nosotros vosotros ellos ellas me te se nos os le les lo mi mis tu tus su sus nuestro nuestra vuestro este \
     esta esto estos estas ese esa eso esos esas aquel aquella quien quienes cual cuales cuando donde cómo qué porque no más menos \
     muy también ya sólo solo todo todos toda todas otro otra otros otras mismo misma soy eres somos estoy he has hemos tiene \
     tienen puede pueden así aquí",
);

const ITALIAN: (&str, &str) = (
    "il lo la i gli le l un uno una è sono era erano stato stata essere ha hanno aveva avevano avere che",
    "e ed o ma però né se come di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai dalle in nel nello \
     nella nei negli nelle con su sul sulla sui sulle per tra fra d dell all dall nell sull io tu lui lei noi voi loro mi ti si ci \
     vi ne me te mio mia tuo tua suo sua suoi sue nostro nostra vostro questo questa questi queste quello quella quelli quelle chi \
     cui quale quali quando dove perché cosa non più meno molto anche già solo tutto tutti tutta tutte altro altra altri altre \
     stesso stessa sei siamo siete ho hai abbiamo può possono deve",
);

const PORTUGUESE: (&str, &str) = (
    "o a os as um uma uns umas é são era eram foi foram ser está estão tem têm tinha ter que",
    "e ou mas nem se como de do da dos das em no na nos nas num numa por pelo pela pelos pelas para com sem sobre entre até desde \
     contra durante após ante sob ao à aos às eu tu ele ela nós vós eles elas você vocês me te lhe lhes meu minha teu tua seu sua \
     seus suas nosso nossa este esta isto estes estas esse essa isso esses essas aquele aquela aquilo quem qual quais quando onde \
     porque não mais menos muito também já só todo todos toda todas outro outra outros outras mesmo mesma sou somos estou há pode \
     podem deve assim aqui",
);

const DUTCH: (&str, &str) = (
    "de het een is zijn was waren wordt worden werd werden ben heeft hebben had hadden dat",
    "en of maar want dus als dan toen zoals in op aan bij uit van voor naar met door over onder tussen tegen tot zonder om te ten \
     ter ik jij je hij zij ze wij we jullie u mij me jou hem haar ons hun hen mijn jouw uw onze deze dit die wie wat waar wanneer \
     waarom hoe welke er hier daar niet geen meer minder zeer veel ook al nog alleen alle alles andere ander zelf nu zo kan kunnen \
     kon moet moeten mag mogen zal zullen zou zouden wil willen bent heb hebt geweest",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_listed_twice_in_a_language() {
        for language in Language::ALL {
            let mut words: Vec<_> = language.antecedents().chain(language.stop_words()).collect();
            let count = words.len();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), count, "{language}");
        }
    }

    #[test]
    fn every_language_is_known_by_its_code() {
        for language in Language::ALL {
            assert_eq!(language.code().parse(), Ok(language));
        }
        assert!("xx".parse::<Language>().is_err());
    }
}
