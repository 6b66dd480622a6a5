//! Signatures that outlive the run: `cluster --index FILE`.

use std::path::{Path, PathBuf};

use headwater::neardup::{Features, Method, Settings, Signer, Vocabulary};
use headwater_io::{Lock, SignatureReader, SignatureSettings, SignatureWriter, SignedDocument, StoredSignature};

use super::{Gathered, Known};
use crate::args::SignatureIndexArgs;
use crate::failure::Failure;
use crate::interrupt;

/// The index of a run.
pub(super) struct Index {
    path: PathBuf,
    /// Nobody else adds to it meanwhile: of two that continue the same, one would be lost.
    _lock: Option<Lock>,
    /// What was there.
    old: Option<SignatureReader>,
    /// Whether the documents of this run are added to it.
    adds: bool,
    new: Option<SignatureWriter>,
}

impl Index {
    /// The index that was asked for, if one was.
    pub(super) fn open(args: &SignatureIndexArgs, has_inputs: bool) -> Result<Option<Self>, Failure> {
        let Some(path) = args.path() else { return Ok(None) };
        let adds = has_inputs && !args.asks();
        let lock = if adds { Some(Lock::of_index(path)?) } else { None };
        let old = SignatureReader::open(path)?;
        if old.is_none() && !adds {
            let what = if has_inputs { "leave out --no-add" } else { "name documents" };
            return Err(Failure::run(format_args!("there is no index {}; {what} to begin one", path.display())));
        }
        Ok(Some(Index { path: path.to_owned(), _lock: lock, old, adds, new: None }))
    }

    /// The method that an index was made for, unless another is asked for: that of its features that finds every pair.
    pub(super) fn method(&self) -> Option<Method> {
        Some(match self.old.as_ref()?.settings().features {
            Features::Spots(_) => Method::SpotSigs,
            Features::Shingles { .. } => Method::Shingles,
        })
    }

    /// The words that its spots stand behind.
    pub(super) fn words(&self) -> Option<Vocabulary> {
        match &self.old.as_ref()?.settings().features {
            Features::Spots(spots) => Some(spots.vocabulary.clone()),
            Features::Shingles { .. } => None,
        }
    }

    /// Adds a document, with its features where nobody had them before.
    pub(super) fn push(&mut self, document: &Known, set: Option<u32>, features: Option<&[u64]>) -> Result<(), Failure> {
        match &mut self.new {
            Some(writer) => {
                let Known { id, time, tokens } = document;
                Ok(writer.push(&SignedDocument { id: id.clone(), time: *time, tokens: *tokens, set }, features)?)
            }
            None => Ok(()),
        }
    }
}

impl Gathered {
    /// Takes in all that the index has, and begins its continuation.
    pub(super) fn take_index(&mut self) -> Result<(), Failure> {
        let Some(mut index) = self.index.take() else { return Ok(()) };
        let settings = SignatureSettings { reading: self.settings.reading, features: self.settings.features() };
        if let Some(old) = &index.old {
            if let Some(difference) = difference(old.settings(), &settings, &self.settings) {
                return Err(Failure::Usage(cannot_use(&index.path, &difference)));
            }
            self.restore(old, &index.path)?;
        }
        if index.adds {
            index.new = Some(SignatureWriter::create(&index.path, &settings, index.old.as_ref())?);
        }
        self.index = Some(index);
        Ok(())
    }

    /// Puts the index in its place.
    pub(in super::super) fn finish_index(&mut self) -> Result<(), Failure> {
        let new = self.index.as_mut().and_then(|index| index.new.take());
        Ok(new.map_or(Ok(()), SignatureWriter::finish)?)
    }

    fn restore(&mut self, old: &SignatureReader, path: &Path) -> Result<(), Failure> {
        let signer = Signer::new(&self.settings);
        let prepare = |features: Vec<u64>| signer.signature(features);
        old.read(self.options.threads, prepare, |stored| {
            interrupt::check()?;
            let sound = match stored {
                StoredSignature::Set(signature) => self.search.enter(&signature)?,
                StoredSignature::Document(SignedDocument { id, time, tokens, set }) => {
                    self.documents.push(Known { id, time, tokens });
                    self.search.add(set)
                }
            };
            if sound { Ok(()) } else { Err(Failure::Run(cannot_use(path, "it is damaged; build it anew"))) }
        })
    }
}

fn cannot_use(path: &Path, why: &str) -> String {
    format!("cannot use the index {}: {why}", path.display())
}

/// In what the signatures of an index differ from those of this run, and what to do about it.
fn difference(old: &SignatureSettings, new: &SignatureSettings, settings: &Settings) -> Option<String> {
    if old.reading != new.reading {
        let (old, new) = (old.reading, new.reading);
        return Some(format!("its tokens are {old}, not {new}; add --tokens {old}"));
    }
    let method = settings.method;
    match (&old.features, &new.features) {
        (Features::Spots(_), Features::Shingles { .. }) => {
            Some(format!("it has spot signatures, and {method} compares shingles; choose --method spotsigs, lsh-s or imatch-s"))
        }
        (Features::Shingles { k, .. }, Features::Spots(_)) => Some(format!(
            "it has shingles of {k} tokens, and {method} compares spot signatures; choose --method shingles or minhash"
        )),
        (Features::Shingles { k, .. }, Features::Shingles { k: asked, .. }) if k != asked => Some(if method == Method::IMatch {
            format!("it has shingles of {k} tokens, and {method} compares single words; choose --method shingles or minhash")
        } else {
            format!("it has shingles of {k} tokens, not of {asked}; add --shingle {k}")
        }),
        (Features::Shingles { repeats, .. }, Features::Shingles { repeats: asked, .. }) if repeats != asked => {
            Some(if *repeats {
                "it counts a shingle as often as it occurs; add --repeats".into()
            } else {
                "it counts every shingle once; leave out --repeats".into()
            })
        }
        (Features::Spots(old), Features::Spots(new)) if (old.distance, old.chain) != (new.distance, new.chain) => {
            let (distance, chain) = (old.distance, old.chain);
            Some(format!(
                "its spots have distance {distance} and chains of {chain}, not {} and {}; add --distance {distance} \
                 --chain {chain}",
                new.distance, new.chain
            ))
        }
        (Features::Spots(old), Features::Spots(new)) if old.vocabulary != new.vocabulary => Some(
            "its spots stand behind other words; give the --language, or --antecedents and --stop-words, that it was made \
             with"
                .into(),
        ),
        _ => None,
    }
}
