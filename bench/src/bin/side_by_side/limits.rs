//! What the machine can do: the estimates that Criterion leaves behind after `cargo bench --bench limits`.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::place::Place;

/// One kernel.
#[derive(Serialize, Deserialize)]
pub struct Limit {
    /// Group and function, as in `benches/limits.rs`.
    pub kernel: String,
    /// For kernels that read text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub megabytes_per_second: Option<f64>,
    /// For kernels that probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nanoseconds: Option<f64>,
}

/// The estimates in the working folder; none where the benchmarks were not run.
pub fn read(place: &Place) -> Result<Vec<Limit>, Box<dyn Error>> {
    let mut limits = Vec::new();
    let folder = place.root.join("criterion");
    if folder.is_dir() {
        walk(&folder, &mut limits)?;
    }
    limits.sort_by(|one, other| one.kernel.cmp(&other.kernel));
    Ok(limits)
}

fn walk(folder: &Path, limits: &mut Vec<Limit>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && path.ends_with("new") {
            limits.extend(limit(&path)?);
        } else if path.is_dir() {
            walk(&path, limits)?;
        }
    }
    Ok(())
}

fn limit(folder: &Path) -> Result<Option<Limit>, Box<dyn Error>> {
    let json = |name: &str| -> Result<Value, Box<dyn Error>> {
        Ok(serde_json::from_str(&fs::read_to_string(folder.join(name))?)?)
    };
    let (benchmark, estimates) = (json("benchmark.json")?, json("estimates.json")?);
    let (Some(kernel), Some(nanoseconds)) =
        (benchmark["full_id"].as_str(), estimates["median"]["point_estimate"].as_f64())
    else {
        return Ok(None);
    };
    let throughput = &benchmark["throughput"];
    let bytes = throughput["Bytes"].as_f64();
    let elements = throughput["Elements"].as_f64();
    Ok(Some(Limit {
        kernel: kernel.into(),
        megabytes_per_second: bytes.map(|bytes| bytes * 1e3 / nanoseconds),
        nanoseconds: elements.map(|elements| nanoseconds / elements),
    }))
}
