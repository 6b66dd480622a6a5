//! Columns of a Parquet file to the fields of records.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use headwater::Time;
use parquet::schema::types::SchemaDescriptor;

use crate::fields::{Fields, Record, Value};
use crate::time;

/// Where the wanted fields stand in a file.
pub(super) struct Columns {
    text: Option<Column>,
    id: Option<Column>,
    time: Option<Column>,
    url: Option<Column>,
}

/// A column by its path from the root, and its number among all leaves.
struct Column {
    path: Vec<String>,
    leaf: usize,
}

impl Columns {
    /// Finds the columns of `fields`; a column that is literally called so comes before one inside a group.
    pub(super) fn find(schema: &SchemaDescriptor, fields: &Fields, with_text: bool) -> Columns {
        let find = |name: &str| {
            let all = || schema.columns().iter().enumerate();
            let literal = all().find(|(_, column)| column.path().parts() == [name]);
            let (leaf, column) = literal.or_else(|| all().find(|(_, column)| column.path().string() == name))?;
            Some(Column { path: column.path().parts().to_vec(), leaf })
        };
        let text = |name: &str| if with_text { find(name) } else { None };
        Columns { text: text(&fields.text), id: text(&fields.id), time: find(&fields.time), url: text(&fields.url) }
    }

    /// Whether the one column is missing without which there is nothing to read.
    pub(super) fn is_missing(&self, with_text: bool) -> bool {
        if with_text { self.text.is_none() } else { self.time.is_none() }
    }

    pub(super) fn leaves(&self) -> impl Iterator<Item = usize> {
        [&self.text, &self.id, &self.time, &self.url].into_iter().flatten().map(|column| column.leaf)
    }

    /// The columns in a batch of rows.
    pub(super) fn of<'a>(&self, batch: &'a RecordBatch) -> Values<'a> {
        let levels = |column: &Option<Column>| column.as_ref().map_or_else(Vec::new, |column| column.levels(batch));
        Values { text: levels(&self.text), id: levels(&self.id), time: levels(&self.time), url: levels(&self.url) }
    }
}

impl Column {
    /// The arrays from the outermost group to the column itself; empty where the batch lacks one.
    fn levels<'a>(&self, batch: &'a RecordBatch) -> Vec<&'a ArrayRef> {
        let mut levels = Vec::with_capacity(self.path.len());
        for (depth, name) in self.path.iter().enumerate() {
            let found = match levels.last() {
                None if depth == 0 => batch.column_by_name(name),
                Some(outer) => AsArray::as_struct_opt(*outer).and_then(|group| group.column_by_name(name)),
                None => None,
            };
            match found {
                Some(array) => levels.push(array),
                None => return Vec::new(),
            }
        }
        levels
    }
}

/// The wanted columns of some rows.
pub(super) struct Values<'a> {
    text: Vec<&'a ArrayRef>,
    id: Vec<&'a ArrayRef>,
    time: Vec<&'a ArrayRef>,
    url: Vec<&'a ArrayRef>,
}

impl<'a> Values<'a> {
    pub(super) fn record(&self, row: usize) -> Result<Record<'a>, String> {
        Ok(Record {
            text: value(&self.text, row)?,
            id: value(&self.id, row)?,
            time: value(&self.time, row)?,
            url: value(&self.url, row)?,
            whole: None,
        })
    }

    /// Bytes of a row's text.
    pub(super) fn text_length(&self, row: usize) -> usize {
        match value(&self.text, row) {
            Ok(Value::Text(text)) => text.len(),
            _ => 0,
        }
    }
}

/// What a row has in a column.
fn value<'a>(levels: &[&'a ArrayRef], row: usize) -> Result<Value<'a>, String> {
    let Some(&array) = levels.last() else { return Ok(Value::Absent) };
    if levels.iter().any(|level| level.is_null(row)) {
        return Ok(Value::Null);
    }
    let number = |text: String| Value::Number(Cow::Owned(text));
    Ok(match array.data_type() {
        DataType::Utf8View => Value::Text(Cow::Borrowed(array.as_string_view().value(row))),
        DataType::BinaryView => match std::str::from_utf8(array.as_binary_view().value(row)) {
            Ok(text) => Value::Text(Cow::Borrowed(text)),
            Err(error) => return Err(format!("invalid UTF-8 at byte {}", error.valid_up_to() + 1)),
        },
        DataType::Int8 => number(array.as_primitive::<Int8Type>().value(row).to_string()),
        DataType::Int16 => number(array.as_primitive::<Int16Type>().value(row).to_string()),
        DataType::Int32 => number(array.as_primitive::<Int32Type>().value(row).to_string()),
        DataType::Int64 => number(array.as_primitive::<Int64Type>().value(row).to_string()),
        DataType::UInt8 => number(array.as_primitive::<UInt8Type>().value(row).to_string()),
        DataType::UInt16 => number(array.as_primitive::<UInt16Type>().value(row).to_string()),
        DataType::UInt32 => number(array.as_primitive::<UInt32Type>().value(row).to_string()),
        DataType::UInt64 => number(array.as_primitive::<UInt64Type>().value(row).to_string()),
        DataType::Float32 => number(array.as_primitive::<Float32Type>().value(row).to_string()),
        DataType::Float64 => number(array.as_primitive::<Float64Type>().value(row).to_string()),
        DataType::Date32 => {
            date(i64::from(array.as_primitive::<Date32Type>().value(row)).saturating_mul(86_400_000_000))
        }
        DataType::Date64 => date(array.as_primitive::<Date64Type>().value(row).saturating_mul(1000)),
        DataType::Timestamp(unit, _) => moment(match unit {
            TimeUnit::Second => array.as_primitive::<TimestampSecondType>().value(row).saturating_mul(1_000_000),
            TimeUnit::Millisecond => array.as_primitive::<TimestampMillisecondType>().value(row).saturating_mul(1000),
            TimeUnit::Microsecond => array.as_primitive::<TimestampMicrosecondType>().value(row),
            TimeUnit::Nanosecond => array.as_primitive::<TimestampNanosecondType>().value(row).div_euclid(1000),
        }),
        DataType::Boolean => Value::Other("a truth value"),
        DataType::Struct(_) => Value::Other("an object"),
        DataType::List(_) | DataType::LargeList(_) => Value::Other("an array"),
        _ => Value::Other("of a type that is not read"),
    })
}

fn moment(micros: i64) -> Value<'static> {
    Value::Moment(Time::from_micros(micros, &time::written(micros)))
}

fn date(micros: i64) -> Value<'static> {
    let written = time::written(micros);
    Value::Moment(Time::from_micros(micros, written.split('T').next().unwrap_or(&written)))
}
