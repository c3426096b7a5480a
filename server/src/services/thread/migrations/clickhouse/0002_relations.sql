-- A change names its table by number as well, which stays when the table is renamed; 0 for changes stored before.
alter table changes add column if not exists relation UInt32;

-- What a row's key became: where its former key is looked up.
alter table changes add index if not exists previous_key_index previous_key type bloom_filter(0.01) granularity 1;

-- The names that tables and their key columns had: `key_columns` and `key_numbers` are JSON, in key order.
create table if not exists relations (
  relation UInt32,
  schema_name String,
  table_name String,
  key_columns String,
  key_numbers String,
  lsn UInt64
)
engine = ReplacingMergeTree(lsn)
order by (relation, schema_name, table_name, key_columns, key_numbers);
