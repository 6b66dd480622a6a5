//! The columns of Parquet files, for those who write their rows again.

use std::path::Path;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

use super::data::Data;
use super::guarded;
use crate::source::Input;
use crate::stream::Stream;

/// The columns that rows of all `inputs` have room in, in the order in which they are first met; or what keeps them apart.
///
/// An input that cannot be read has none: whoever reads it will be told why.
pub(crate) fn common(inputs: &[Arc<Input>], temporary: Option<&Path>) -> Result<Option<SchemaRef>, String> {
    let mut columns: Vec<Arc<Field>> = Vec::new();
    for input in inputs.iter().filter(|input| !input.is_once()) {
        let Ok(schema) = of(input, temporary) else { continue };
        let is_first = columns.is_empty();
        for field in schema.fields() {
            let field = field.as_ref().clone().with_data_type(by_offset(field.data_type()));
            match columns.iter_mut().find(|known| known.name() == field.name()) {
                None => {
                    let nullable = field.is_nullable() || !is_first;
                    columns.push(Arc::new(field.with_nullable(nullable)));
                }
                Some(known) if known.data_type() == field.data_type() => {
                    let nullable = known.is_nullable() || field.is_nullable();
                    *known = Arc::new(known.as_ref().clone().with_nullable(nullable));
                }
                Some(known) => {
                    let (name, is, was) = (field.name(), field.data_type(), known.data_type());
                    let input = &input.name;
                    return Err(format!("{input}: column {name:?} is {is} here and {was} in the inputs before"));
                }
            }
        }
        for known in columns.iter_mut().filter(|known| schema.index_of(known.name()).is_err()) {
            *known = Arc::new(known.as_ref().clone().with_nullable(true));
        }
    }
    Ok((!columns.is_empty()).then(|| Arc::new(Schema::new(columns))))
}

/// A type whose moments are told by their offset from UTC: a Parquet file stores no more, and zones by name need a table of them.
pub(super) fn by_offset(kind: &DataType) -> DataType {
    match kind {
        DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some("+00:00".into())),
        DataType::Struct(fields) => {
            let field = |field: &Arc<Field>| field.as_ref().clone().with_data_type(by_offset(field.data_type()));
            DataType::Struct(fields.iter().map(field).collect())
        }
        other => other.clone(),
    }
}

fn of(input: &Input, temporary: Option<&Path>) -> Result<SchemaRef, String> {
    let mut stream = Stream::open(input, &Arc::default())?;
    let data = Data::of(input, &mut stream, temporary)?;
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    guarded(|| ArrowReaderMetadata::load(&data, options)).map(|metadata| metadata.schema().clone())
}
