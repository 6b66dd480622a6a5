//! What is measured: every job of ours, and what a user would pick instead, as data.
//!
//! A command is cut at blanks; names in braces are filled in by [`Place::fill`](crate::place::Place::fill).

mod collections;
mod near;
mod origin;
mod shared;

/// One question, and all who answer it.
pub struct Job {
    /// Its name on the command line and in files.
    pub key: &'static str,
    /// What is asked.
    pub title: &'static str,
    /// What one must know to read its rows.
    pub note: &'static str,
    pub contenders: &'static [Contender],
}

/// One program with one setting.
pub struct Contender {
    pub key: &'static str,
    pub name: &'static str,
    pub is_ours: bool,
    /// The package of a rival, as the list of what could not be installed names it.
    pub needs: Option<&'static str>,
    pub command: &'static str,
    /// Where to read what it found.
    pub found: Source,
    /// Whose answer is the exact one for the same question.
    pub exact: Option<&'static str>,
    /// The largest slice that it is given, in MB: slow ones would take hours.
    pub most: u32,
    /// The largest slice at which its growth is measured; 0 where it is not.
    pub grows_to: u32,
    /// The kernel of the machine's limit that its speed is stated as a share of.
    pub limit: Option<&'static str>,
    pub remark: &'static str,
}

/// Where a contender says what it found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The last lines of standard error, for people.
    Told,
    /// One line of JSON, the last of standard output.
    Printed,
    /// Clusters in its output file.
    Clusters,
    /// The answers of `headwater trace` in its output file.
    Traced,
    /// The answer of `headwater census` on standard output.
    Counted,
}

/// Above every slice.
const ANY: u32 = u32::MAX;

const fn ours(key: &'static str, name: &'static str, found: Source, command: &'static str) -> Contender {
    Contender {
        key,
        name,
        is_ours: true,
        needs: None,
        command,
        found,
        exact: None,
        most: ANY,
        grows_to: 0,
        limit: None,
        remark: "",
    }
}

const fn rival(
    key: &'static str,
    name: &'static str,
    needs: &'static str,
    found: Source,
    command: &'static str,
) -> Contender {
    Contender { is_ours: false, needs: Some(needs), ..ours(key, name, found, command) }
}

impl Contender {
    const fn up_to(self, most: u32) -> Self {
        Contender { most, ..self }
    }

    const fn grows_to(self, grows_to: u32) -> Self {
        Contender { grows_to, ..self }
    }

    const fn beside(self, exact: &'static str) -> Self {
        Contender { exact: Some(exact), ..self }
    }

    const fn limit(self, limit: &'static str) -> Self {
        Contender { limit: Some(limit), ..self }
    }

    const fn remark(self, remark: &'static str) -> Self {
        Contender { remark, ..self }
    }
}

/// The kernels of `benches/limits.rs` that jobs are compared with.
const PARSE: &str = "JSONL parse/sonic-rs";
const SELECT: &str = "JSONL to Hailstorm/sonic-rs and fused";

pub const JOBS: &[Job] =
    &[origin::TRACE, origin::LATENCY, shared::GRAPH, near::CLUSTER, collections::CENSUS, collections::INSPECT];

/// A contender by the keys of its job and its own.
pub fn contender(job: &str, key: &str) -> Option<&'static Contender> {
    let job = JOBS.iter().find(|one| one.key == job)?;
    job.contenders.iter().find(|contender| contender.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_different_and_exact_answers_exist() {
        for job in JOBS {
            for (at, one) in job.contenders.iter().enumerate() {
                assert!(job.contenders[..at].iter().all(|other| other.key != one.key), "{}/{}", job.key, one.key);
                let exact = one.exact.map(|exact| contender(job.key, exact));
                assert!(exact.is_none_or(|exact| exact.is_some_and(|exact| exact.found == one.found)), "{}", one.key);
            }
        }
    }
}
